"""What a board says of one agent, and of two.

Ratings and differences are in points, strengths on the Elo scale. None always means "not
known or not identified"; it never stands for a number. Sentences for people are made elsewhere:
a `Why` carries a key and the facts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from arena.domain.eligibility import Eligibility

Side = Literal["a", "b"]
Open = Literal["above", "below", "both"]


class State(StrEnum):
    """What may be said of an agent, from most to least, but for unbounded.

    ranked: rated, with interval and rank range. provisional: rated on too little; no rank.
    unbounded: never lost (or never earned) a point against the rated ones; a bound at most.
    disconnected: never compared, even through others, with the rated ones, or not at all.
    """

    RANKED = "ranked"
    PROVISIONAL = "provisional"
    UNBOUNDED = "unbounded"
    DISCONNECTED = "disconnected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """A machine-readable reason: a key, and the facts a sentence about it needs.

    Keys of standings. Provisional: few_scenarios, few_comparisons, missing, unvaried, alone, elo,
    adaptive
    (facts comparisons, min_comparisons, scenarios, min_scenarios, readable, min_readable, and
    `also`: further keys that hold). Unbounded: undefeated, pointless (facts comparisons,
    scenarios), never_met, equal_components. Disconnected: separate, equal_components,
    no_comparisons (fact `connect`: two agents to compare, where there are).
    Keys of boards (notes). one_agent, no_comparisons, nobody_rated, nobody_ranked, few_scenarios
    (`scenarios`), few_rows (`rows`), rows_drawn, narrow_interval (`interval`, `scenarios`),
    many_missing (`agents`), order_matters, uncontrolled (`rows`), adaptive, looks (`width`,
    `looks`, `level`), stopped (these and `look`).
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
class Points:
    """A rating by another model, with its interval; in points."""

    rating: float
    low: float | None
    high: float | None
    se: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a board says of one agent.

    `open` (unbounded agents): the side on which there is no limit. `wins`, `losses`: comparisons
    of share 1 and 0; `ties`: all between; `share`: mean share. `comparisons` and `scenarios`
    count all that were used; the facts of `why` count those that bear on the rating. `planned`
    is None where no plan is known. Ranks, `p_best` and rank ranges are among ranked agents.
    `worst`, `best`: its rating were all its missing comparisons lost, or won; told where more than
    5 % are missing. `controlled`: the rating freed of the controls. `figure`: what the software
    that was asked to be imitated would say. `rounds`: where rounds are scored, the absolute score
    of the last one, the mean over them, and the trend in points a round. `apart`: absolute scores
    on rubrics other than the main one, by rubric, which never mix with it. `eligibility`: where
    gates are set; it never moves a rating.
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
    share: float | None
    comparisons: int
    scenarios: int
    planned: int | None
    excluded: Mapping[str, int]
    worst: float | None
    best: float | None
    controlled: Points | None
    calibrated: Points | None
    figure: float | None
    absolute: AbsoluteScore | None
    criteria: Mapping[str, AbsoluteScore]
    domains: Mapping[str, AbsoluteScore]
    rounds: Mapping[str, AbsoluteScore] = field(default_factory=dict)
    apart: Mapping[str, AbsoluteScore] = field(default_factory=dict)
    eligibility: Eligibility | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStanding:
    """What a board says of two agents, `a` alphabetically first.

    `n`: comparisons; `missing`: those that gave no outcome, None where that is not known; `share`:
    what a earned of b, None if they never met. `p_a_above_b`: share of the resamples in which a is
    above b. `difference`: rating of a less that of b, with an interval that is not adjusted for the
    number of pairs, as `p` is not. `p_holm` and `decision` (the better one, or None: not
    distinguishable) are adjusted over all pairs of ranked agents. `residual`: observed less
    expected share; `z`: the same in standard errors, as if comparisons were independent, their
    variance being what it is over the whole board. `planned`: comparisons, None where no plan by
    pair is known.
    """

    a: str
    b: str
    n: int
    scenarios: int
    planned: int | None
    missing: float | None
    share: float | None
    wins: int
    ties: int
    losses: int
    flips: int
    p_a_above_b: float | None
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    decision: Side | None
    expected: float | None
    residual: float | None
    z: float | None


def order_standings(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """Ranked, then provisional by rating, unbounded, disconnected; then by name."""
    place = {state: i for i, state in enumerate(State)}
    return tuple(sorted(standings, key=lambda s: (place[s.state], -(s.rating or 0.0), s.agent)))
