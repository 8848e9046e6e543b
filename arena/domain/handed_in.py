"""Letters of multiple choice that somebody handed in: only the question is known of what was asked.

How many worked examples an agent was shown, and in which words it was asked, no such file says. So
the letters are of a mode of their own, and never join what was collected here.
"""

from dataclasses import replace

from arena.domain.suite import Mode, Suite
from arena.domain.words import Words

LETTERS = "letters"
HANDED_IN = Mode(
    name=Words(zh="交来的答案，问法未知", en="letters handed in, asked in unknown words")
)


def as_handed_in(suite: Suite) -> Suite:
    """A suite of multiple choice in the one mode that such letters are of."""
    return replace(suite, default_mode=LETTERS, modes={LETTERS: HANDED_IN})
