"""Accuracy: how many questions of multiple choice an agent answers right, with intervals."""

from dataclasses import dataclass
from typing import Literal

Part = Literal["all", "category", "hard", "subject"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A part of some cases with its Wilson interval; no cases: no proportion."""

    share: float
    low: float
    high: float
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """One agent's answers on a part of the questions: all, a category, the Hard subset, a subject.

    `name`: of the category or subject, empty for the others. `right`, `unparsed` and `replies`
    count replies; `planned` those that the plan has. `over_all` takes an unparsed reply as not
    right, `over_parsed` leaves it out. Their cases are questions: with several replicates each
    counts by its mean, for repeating a question makes no new one. None where there is no case.
    """

    agent: str
    part: Part
    name: str
    right: int
    unparsed: int
    replies: int
    planned: int
    over_all: Proportion | None
    over_parsed: Proportion | None
