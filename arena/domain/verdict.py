"""Verdicts of pairwise comparison, and how two orders fold into one comparison."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal

from arena.domain.call import Status
from arena.domain.digest import digest

Order = Literal["ab", "ba"]
ORDERS: tuple[Order, Order] = ("ab", "ba")


class Outcome(StrEnum):
    """Who won a presentation; a missing answer is None, never a tie."""

    A = "a"
    B = "b"
    TIE = "tie"


POINT_OF_A = {Outcome.A: 1.0, Outcome.TIE: 0.5, Outcome.B: 0.0}


@dataclass(frozen=True, kw_only=True)
class Wording:
    """Digests of what a judge is told beside the transcripts.

    `cut` names the rule by which transcripts too long for the judge are cut.
    """

    template: str
    rubric: str
    notes: str
    cut: str


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """Two transcripts of one scenario put to one judge in one order: a verdict's natural key.

    `a` is the agent first in alphabetical order. `order` says which was shown first; None when
    none was (verdicts of the judge `key`).
    """

    a: str
    """Key of a's transcript."""
    b: str
    agent_a: str
    agent_b: str
    scenario: str
    replicate: int
    judge: str
    judge_digest: str
    wording: Wording
    order: Order | None
    judge_replicate: int = 1

    @cached_property
    def key(self) -> str:
        """Digest of the natural key."""
        return digest(
            [
                "verdict",
                self.a,
                self.b,
                self.judge,
                self.judge_digest,
                self.wording.template,
                self.wording.rubric,
                self.wording.notes,
                self.wording.cut,
                self.order,
                self.judge_replicate,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionVerdict:
    """Which side was stronger on one criterion, and by how much (1–5; None for a tie)."""

    criterion: str
    side: Outcome
    strength: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One judge's answer to one presentation.

    `outcome` counts only under status `ok`; a salvaged winner of a truncated reply is kept here
    under its own status. `margin` is the stated strength of the overall verdict, 1–5 of 5.
    `codes` are the blind names of a and b.
    """

    presentation: Presentation
    attempt: int
    status: Status
    outcome: Outcome | None
    margin: int | None
    reason: str
    criteria: tuple[CriterionVerdict, ...]
    flags: tuple[str, ...]
    codes: tuple[str, str]
    call: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Both orders of one pair, scenario, replicate and judge, folded.

    `share` is what a earned: mean of its points over the orders. `flipped` when the orders name
    different winners.
    """

    scenario: str
    agent_a: str
    agent_b: str
    judge: str
    replicate: int
    share: float
    flipped: bool


def fold(forward: Outcome | None, backward: Outcome | None) -> float | None:
    """Share of a from the two orders; None when either is missing: half a pair is no comparison.

    Both outcomes are in terms of a and b, not of who was shown first.
    """
    if forward is None or backward is None:
        return None
    return (POINT_OF_A[forward] + POINT_OF_A[backward]) / 2
