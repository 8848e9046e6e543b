"""What gates say of an agent: eligible, not eligible, awaiting people, or unknown."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Eligible(StrEnum):
    """What may be said of an agent where gates are set; only the first lets it pass."""

    ELIGIBLE = "eligible"
    AWAITING = "awaiting"
    UNKNOWN = "unknown"
    NOT_ELIGIBLE = "not_eligible"


GateState = Literal["passed", "awaiting", "unknown", "failed"]
Reason = Literal["", "below", "unreviewed", "no_scores", "incomplete", "few_scored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateShare:
    """Cases met of those with a score, the share and its Wilson interval; None without any.

    `judge` None: the panel, whose mean score decides. A single judge's stands beside it, by its
    scores alone; `kin`: it is of the agent's own vendor or family.
    """

    judge: str | None
    met: int
    cases: int
    share: float | None
    low: float | None
    high: float | None
    kin: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What one gate (its place on the board's list) says of an agent, and why.

    `why`: below (the quota is not met), unreviewed (met, but nobody has decided about `open`
    flags), no_scores (no case has a score), incomplete (met so far, but `waiting` cases are not
    yet scored), few_scored (met so far, but the part of cases with a score is below the gate's
    `min_coverage`). Of the `planned` cases those that `failed` can get no score and are left out.
    `turned`: cases that came out otherwise than by their score, because people said so; `people`:
    those who decided about its flags.
    """

    gate: int
    state: GateState
    why: Reason
    panel: GateShare
    judges: tuple[GateShare, ...]
    planned: int
    failed: int
    waiting: int
    open: int
    turned: int
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A verified quotation from a scenario with a red flag; `score`: the panel's mean there."""

    scenario: str
    round: int
    quote: str
    judge: str
    criterion: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligibility:
    """What all gates together say of an agent; `worst`: quotations where it scored lowest."""

    state: Eligible
    gates: tuple[GateResult, ...]
    worst: tuple[Quotation, ...] = ()


STATES: dict[GateState, Eligible] = {
    "failed": Eligible.NOT_ELIGIBLE,
    "unknown": Eligible.UNKNOWN,
    "awaiting": Eligible.AWAITING,
    "passed": Eligible.ELIGIBLE,
}
"""What an agent is by the worst of its gates, worst first."""


def together(states: Iterable[GateState]) -> Eligible:
    """Eligibility by all gates: the worst of them; unknown where there is none."""
    found = set(states)
    return next((said for state, said in STATES.items() if state in found), Eligible.UNKNOWN)
