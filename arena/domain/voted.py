"""Votes without texts as a suite of their own, so that a board of them is like any other."""

from arena.domain.imported import VOTES, Origin
from arena.domain.suite import Mode, Suite
from arena.domain.words import Words

ABOUT = Words(zh="导入的投票：没有题目和对话的文本。", en="Imported votes, without texts.")


def suite_of_votes(origin: Origin) -> Suite:
    """The suite that stands for an import of votes: a name and a mode, and no scenario."""
    return Suite(
        suite=origin.suite,
        version="1",
        name=Words(zh=origin.suite, en=origin.suite),
        about=ABOUT,
        language="en",
        licence="not stated",
        default_mode=VOTES,
        modes={VOTES: Mode(name=Words(zh="投票", en="Votes"))},
        domains=(),
        archetypes=(),
        red_flags=(),
        rubrics={},
        scenarios=(),
        templates={},
        commentary=False,
    )
