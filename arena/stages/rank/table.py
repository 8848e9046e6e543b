"""A board's material, its fit, and how strengths become points: what its parts are read from."""

import math
from dataclasses import dataclass

import numpy as np

from arena.domain.method import MIN_READABLE, MIN_SCENARIOS_FOR_INTERVAL, Method
from arena.errors import UsageError
from arena.maths.arrays import Floats
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.models import choose_model
from arena.maths.pairs import pair_index
from arena.maths.rating import Minimum, Rating, rate
from arena.maths.verdicts import Comparisons
from arena.stages.rank.material import Material


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Material with what was made of it.

    `shift`: points to add, for an agent that is anchored. `dispersion`: variance of the shares
    about what was expected, in parts of p(1 − p), which is that of wins and losses; less where
    ties and folded orders are many. NaN where nobody is rated.
    """

    material: Material
    method: Method
    minimum: Minimum
    rating: Rating
    flips: Floats
    shift: float
    dispersion: float

    def points(self, strength: float) -> float | None:
        """A strength on the scale of the board; None for NaN."""
        if math.isnan(strength):
            return None
        return self.method.anchor + self.shift + POINTS_PER_NAT * float(strength)


def tabulate(material: Material, method: Method, *, threads: int | None = None) -> Table:
    """Fit the ratings of a board. Raises UsageError when the anchor is not rated."""
    minimum = minimum_of(method)
    planned = None
    if material.by_agent is not None:
        planned = np.array([material.by_agent[n] for n in material.agents], dtype=np.float64)
    rating = rate_rows(material.rows, planned, method, threads=threads)
    return Table(
        material=material,
        method=method,
        minimum=minimum,
        rating=rating,
        flips=_flips(material),
        shift=_shift(material, method, rating),
        dispersion=_dispersion(rating),
    )


def minimum_of(method: Method) -> Minimum:
    """What an agent needs to be ranked under a method."""
    return Minimum(
        comparisons=method.min_comparisons,
        scenarios=method.min_scenarios,
        interval_scenarios=MIN_SCENARIOS_FOR_INTERVAL,
        readable=MIN_READABLE,
    )


def rate_rows(
    rows: Comparisons, planned: Floats | None, method: Method, *, threads: int | None = None
) -> Rating:
    """Rate some comparisons as a method says."""
    return rate(
        rows,
        planned,
        minimum_of(method),
        choose_model(
            ties=method.ties,
            seed=method.seed,
            resamples=method.resamples,
            prior_sd=method.prior_sd,
            threads=threads,
        ),
        interval=method.interval,
        level=method.level,
    )


def _shift(material: Material, method: Method, rating: Rating) -> float:
    name = method.anchor_agent
    if name is None:
        return 0.0
    known = name in material.agents
    strength = rating.strengths[material.agents.index(name)] if known else math.nan
    if math.isnan(strength):
        raise UsageError(
            "{agent} cannot be the anchor",
            why="it is not rated" if known else "no comparison names it",
            fix="Anchor an agent that is rated: {rated}",
            agent=name,
            rated=", ".join(n for n, r in zip(material.agents, rating.rated, strict=True) if r)[
                :200
            ]
            or "nobody is",
        )
    return -POINTS_PER_NAT * float(strength)


def _dispersion(rating: Rating) -> float:
    """Σ (y − p)² / Σ p(1 − p) over the comparisons of rated agents.

    With y² = y − y(1 − y), sums per pair do.
    """
    counts = rating.counts
    upper = np.triu(rating.rated[:, None] & rating.rated[None, :], 1)
    p, games, earned = rating.expected[upper], counts.total()[upper], counts.wins[upper]
    possible = float((games * p * (1 - p)).sum())
    if possible == 0:
        return math.nan
    squares = earned * (1 - 2 * p) + games * p**2 - counts.parted[upper]
    return float(squares.sum()) / possible


def _flips(material: Material) -> Floats:
    """Comparisons of i and j whose verdicts turned with the order, shape (K, K)."""
    k = len(material.agents)
    if material.flipped is None:
        return np.zeros((k, k))
    rows = material.rows.entries()
    cell = pair_index(k)[rows.first[material.flipped], rows.second[material.flipped]]
    upper = np.triu_indices(k, 1)
    found = np.zeros((k, k))
    found[upper] = np.bincount(cell, minlength=len(upper[0]))
    return np.asarray(found + found.T)


def known(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if math.isnan(value) else float(value)


def whole(value: float) -> int | None:
    """A whole number, or None for NaN."""
    return None if math.isnan(value) else int(value)
