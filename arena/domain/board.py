"""A board: ratings of agents on one suite version, mode, panel, method and data cut.

Ratings and differences are in points, strengths on the Elo scale. None always means "not
known or not identified"; it never stands for a number. Sentences for people are made elsewhere:
a `Why` carries a key and the facts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from arena.errors import ArenaError

SCHEMA = "arena.board/1"
METHOD = "bradley-terry"
INTERVAL = "bootstrap"

MIN_COMPARISONS = 30
MIN_SCENARIOS = 10
"""Fewer scenarios: provisional."""
MIN_SCENARIOS_FOR_INTERVAL = 5
MIN_READABLE = 0.8
"""A smaller part of an agent's planned comparisons readable: provisional."""

Side = Literal["a", "b"]
Open = Literal["above", "below", "both"]


class State(StrEnum):
    """What may be said of an agent, from most to least, but for unbounded.

    ranked: rated, with interval and rank range. provisional: rated on too little; no rank.
    unbounded: never lost (or never earned) a point against the rated ones; a bound at most.
    disconnected: never compared, even through others, with the rated ones. unrated: no comparison.
    """

    RANKED = "ranked"
    PROVISIONAL = "provisional"
    UNBOUNDED = "unbounded"
    DISCONNECTED = "disconnected"
    UNRATED = "unrated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A machine-readable reason: a key, and the facts a sentence about it needs.

    Keys of standings. Provisional: few_scenarios, few_comparisons, missing, unvaried, alone
    (facts comparisons, min_comparisons, scenarios, min_scenarios, readable, min_readable, and
    `also`: further keys that hold). Unbounded: undefeated, pointless (facts comparisons,
    scenarios), never_met, equal_components. Disconnected: separate, equal_components (fact
    `connect`: two agents to compare). Unrated: no_comparisons (`connect` where there is somebody).
    Keys of boards (notes). one_agent, no_comparisons, nobody_rated, nobody_ranked, few_scenarios.
    """

    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsoluteScore:
    """A mean of scores over scenarios, its interval (95 %) and its coverage.

    0–100 for absolute scores, the criterion's own scale for a criterion. No interval with fewer
    than 5 scenarios scored or when all are equal. `planned`: scenarios that could have a score.
    """

    mean: float
    low: float | None
    high: float | None
    scenarios: int
    planned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a board says of one agent.

    `open` (unbounded agents): the side on which there is no limit. `wins`, `losses`: comparisons
    of share 1 and 0; `ties`: all between; `win_share`: mean share. `comparisons` and `scenarios`
    count all that were used; the facts of `why` count those that bear on the rating. `planned`
    is None where no plan is known. Ranks, `p_best` and rank ranges are among ranked agents.
    """

    agent: str
    state: State
    why: Why | None
    rating: float | None
    low: float | None
    high: float | None
    open: Open | None
    se: float | None
    se_clustered: float | None
    rank_low: int | None
    rank_high: int | None
    resample_rank_low: int | None
    resample_rank_high: int | None
    p_best: float | None
    wins: int
    ties: int
    losses: int
    win_share: float | None
    comparisons: int
    scenarios: int
    planned: int | None
    excluded: Mapping[str, int]
    absolute: AbsoluteScore | None
    criteria: Mapping[str, AbsoluteScore]
    domains: Mapping[str, AbsoluteScore]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStanding:
    """What a board says of two agents, `a` alphabetically first.

    `share`: what a earned of b, None if they never met. `difference`: rating of a less that of b,
    with an interval that is not adjusted for the number of pairs, as `p` is not. `p_holm` and
    `decision` (the better one, or None: not distinguishable) are adjusted over all pairs of ranked
    agents. `residual`: observed less expected share; `z`: the same in standard errors, as if
    comparisons were independent. `planned`: comparisons, None where no plan by pair is known.
    """

    a: str
    b: str
    comparisons: int
    scenarios: int
    planned: int | None
    share: float | None
    wins: int
    ties: int
    losses: int
    flips: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    decision: Side | None
    expected: float | None
    residual: float | None
    z: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """A pair whose observed share strays from what the ratings expect."""

    a: str
    b: str
    comparisons: int
    share: float
    expected: float
    residual: float
    z: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCount:
    """What one judge contributed; `rows`: its verdicts by status or reason, where told."""

    judge: str
    comparisons: int
    flips: int
    ties: int
    rows: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCount:
    """Rows read, used, and excluded by reason; a row is what the source calls one."""

    read: int
    used: int
    excluded: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """How the comparisons behave on the whole.

    `ties`: comparisons of share ½. `cycles` of `triads` (three agents, all pairs met) go round;
    the clearest are named, each as a beats b beats c beats a. `residuals`: the largest by |z|.
    `spearman`: rating against absolute score over rated agents; None for fewer than three.
    """

    flips: int
    flip_rate: float | None
    ties: int
    tie_share: float | None
    cycles: int
    triads: int
    cycle_examples: tuple[tuple[str, str, str], ...]
    residuals: tuple[Residual, ...]
    spearman: float | None
    rows: RowCount
    judges: tuple[JudgeCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardIdentity:
    """What a board is a board of, and what made it; `at` is UTC, ISO 8601."""

    suite: str
    suite_version: str
    suite_digest: str
    mode: str
    panel: tuple[str, ...]
    software: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Ratings with everything needed to read and to repeat them; see `BoardIdentity`.

    `scenarios` of `scenarios_planned` have a comparison. `scale`: points that stand for odds of
    ten to one. `agents` are in the order of `order_standings`, `pairs` by name.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    schema: str
    suite: str
    suite_version: str
    suite_digest: str
    mode: str
    panel: tuple[str, ...]
    method: str
    interval: str
    level: float
    resamples: int
    seed: int
    anchor: float
    scale: float
    scenarios: int
    scenarios_planned: int
    comparisons: int
    notes: tuple[Why, ...]
    agents: tuple[Standing, ...]
    pairs: tuple[PairStanding, ...]
    diagnostics: Diagnostics
    software: str
    data_digest: str
    at: str


def order_standings(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Ranked, then provisional by rating, unbounded, disconnected, unrated; then by name."""
    place = {state: i for i, state in enumerate(State)}
    return tuple(sorted(standings, key=lambda s: (place[s.state], -(s.rating or 0.0), s.agent)))


def largest_residuals(pairs: Iterable[PairStanding], count: int = 5) -> tuple[Residual, ...]:
    """The pairs that stray most from expectation, by |z|, then by name."""
    found = [
        Residual(
            a=p.a,
            b=p.b,
            comparisons=p.comparisons,
            share=p.share,
            expected=p.expected,
            residual=p.residual,
            z=p.z,
        )
        for p in pairs
        if not (p.share is None or p.expected is None or p.residual is None or p.z is None)
    ]
    return tuple(sorted(found, key=lambda r: (-abs(r.z), r.a, r.b))[:count])


def to_json(board: Board) -> dict[str, Any]:
    """The board as one tree of dicts, lists, strings, numbers, booleans and None."""
    tree: dict[str, Any] = _adapter().dump_python(board, mode="json")
    return tree


def from_json(tree: Mapping[str, Any]) -> Board:
    """The board that `to_json` wrote. Raises ArenaError for anything else."""
    if tree.get("schema") != SCHEMA:
        raise ArenaError(
            "not a board: schema {found}",
            why="this version reads {schema}",
            found=repr(tree.get("schema")),
            schema=SCHEMA,
        )
    try:
        return _adapter().validate_python(tree)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ArenaError(
            "not a board: {where}", why="{reason}", where=where, reason=first["msg"]
        ) from error


# Built on first use: pydantic compiles the whole tree, which every command would pay for.
@cache
def _adapter() -> TypeAdapter[Board]:
    return TypeAdapter(Board)
