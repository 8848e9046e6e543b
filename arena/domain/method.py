"""How a board was made: every option that bears on its numbers, and the versions that made it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Estimator = Literal["bradley-terry", "elo"]
Ties = Literal["half", "davidson", "rao-kupper"]
Interval = Literal["bootstrap", "clustered", "percentile", "expanded"]
Outcome = Literal["winner", "margin", "criteria"]

SEED = 1729
RESAMPLES = 1000
LEVEL = 0.95
ANCHOR = 1000.0
MIN_COMPARISONS = 30
MIN_SCENARIOS = 10
"""Fewer scenarios: provisional."""
MIN_SCENARIOS_FOR_INTERVAL = 5
MIN_READABLE = 0.8
"""A smaller part of an agent's planned comparisons readable: provisional."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Options of a board.

    `prior_sd`: of a Gaussian prior on centred strengths in log-odds; None is no prior, plain
    maximum likelihood. `cluster`: what hangs together and is drawn as one; empty: rows are drawn
    as if they were independent; two: they cross. `anchor_agent` sits at `anchor`; None: the mean
    of the ranked agents does. `scale`: points that stand for odds of ten to one. `controls`: what
    the second rating is freed of. `by`: what slices are cut by. `k`, `order` are of online Elo.
    `source`: how the data were read, where they come from a file.
    """

    estimator: Estimator = "bradley-terry"
    ties: Ties = "half"
    prior_sd: float | None = None
    interval: Interval = "bootstrap"
    level: float = LEVEL
    resamples: int = RESAMPLES
    seed: int = SEED
    anchor_agent: str | None = None
    anchor: float = ANCHOR
    scale: float = 400.0
    cluster: tuple[str, ...] = ("scenario",)
    outcome: Outcome = "winner"
    min_comparisons: int = MIN_COMPARISONS
    min_scenarios: int = MIN_SCENARIOS
    controls: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    like: str | None = None
    k: float | None = None
    source: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
