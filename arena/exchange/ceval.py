"""C-Eval's submission form: for each subject, number of the question -> letter."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain.choice import Choice, Letter
from arena.domain.suite import Scenario

FORMAT = "ceval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What one agent answers, as text of a file, and how many questions are not in it.

    `unparsed`: answered, but no letter could be read; `waiting`: not answered yet. Neither is
    guessed.
    """

    text: str
    written: int
    unparsed: int
    waiting: int


def write(
    choice: Choice, scenarios: Sequence[Scenario], letters: dict[str, Letter | None]
) -> Answers:
    """The submission of one agent; `letters`: scenario -> what was read of its reply."""
    found: dict[str, dict[str, Letter]] = {}
    unparsed = waiting = 0
    for scenario in scenarios:
        letter = letters.get(scenario.scenario)
        if letter is not None:
            found.setdefault(scenario.domain, {})[choice.numbers[scenario.scenario]] = letter
        elif scenario.scenario in letters:
            unparsed += 1
        else:
            waiting += 1
    return Answers(
        text=json.dumps(found, ensure_ascii=False, indent=2) + "\n",
        written=sum(map(len, found.values())),
        unparsed=unparsed,
        waiting=waiting,
    )
