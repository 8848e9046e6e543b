"""What is to be known of the judges behind a board: fooled, few, exchanged, addressed, unsteady."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from arena.domain.bridge import Bridge
from arena.domain.standing import AbsoluteScore, Open, State

Finding = Literal["held", "fooled", "untested"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoyStanding:
    """A decoy placed beside the ranked agents, on their scale, without touching their ratings.

    `unbeaten`: agents not shown to be better than the decoy: the interval of their difference
    (agent less decoy) is not wholly above 0; where there is no interval the difference itself is
    not, and where there is no difference the agent won at most half of what they met in.
    `outscored`: agents whose mean absolute score is not above the upper end of the decoy's.
    `finding`: fooled where either names anybody, untested where the decoy met nobody and has no
    score.
    """

    decoy: str
    finding: Finding
    state: State
    rating: float | None
    low: float | None
    high: float | None
    open: Open | None
    wins: int
    ties: int
    losses: int
    share: float | None
    comparisons: int
    scenarios: int
    planned: int
    absolute: AbsoluteScore | None
    unbeaten: tuple[str, ...]
    outscored: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairJudges:
    """Two agents that not the whole panel of `of` judges compared.

    `judges`: how many the vendor guard lets compare them. Of the `items` (a scenario and
    replicate each) `fewer` were compared by some of the panel, and `none` by nobody.
    """

    a: str
    b: str
    judges: int
    of: int
    items: int
    fewer: int
    none: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedPart:
    """Answers of one judge that one model string served, and whether the board rests on them."""

    judge: str
    model: str
    sheets: int
    verdicts: int
    first: str
    last: str
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Injections:
    """Answers about texts that may speak to the judge; `agents`: flagged sheets of each."""

    verdicts: int
    sheets: int
    agents: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """How far a judge that is asked several times agrees with itself.

    `sd`: of the absolute score over the replicates, pooled over `transcripts` with two or more;
    `same`: part of the `presentations` read twice or more in which all outcomes are equal.
    """

    judge: str
    replicates: int
    transcripts: int
    sd: float | None
    presentations: int
    same: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Everything of this kind about one board; what is empty was not found or not asked."""

    decoys: tuple[DecoyStanding, ...] = ()
    pairs: tuple[PairJudges, ...] = ()
    served: tuple[ServedPart, ...] = ()
    mixed: bool = False
    """Whether answers of several model strings of one judge are taken together."""
    injections: Injections | None = None
    repeats: tuple[Repeat, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    """What was put again to another model of a judge, and what that says."""


NO_AUDIT = Audit()
