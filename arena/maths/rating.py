"""From comparisons to everything a board says in numbers: refuse first, then fit.

All arrays are over the K agents of the input, NaN where nothing may be said. Strengths are in
log-odds about the mean of the ranked agents; points are made by `bradley_terry.to_points`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.bradley_terry import centre, expected_shares
from arena.maths.components import Identification, identify
from arena.maths.estimate import Estimate, Interval, estimate
from arena.maths.fitted import Fitted
from arena.maths.intervals import LEVEL, holm
from arena.maths.ranks import first_shares, orderings, rank_ranges, resample_ranks
from arena.maths.tally import Tally
from arena.maths.tallying import tally
from arena.maths.threads import one_thread
from arena.maths.unbounded import add_bounds
from arena.maths.verdicts import Comparisons

Fit = Callable[[Comparisons, Tally], Fitted]
"""A model: comparisons of one strongly connected component and their counts, to its strengths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """What an agent needs to be ranked; below `interval_scenarios` it has no interval either."""

    comparisons: int
    scenarios: int
    interval_scenarios: int
    readable: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """In what rated agents fall short of the minimum, masks of shape (K,).

    `alone`: the one agent that lacks nothing else; a rank among one says nothing, and a mean over
    one would be certain by definition. `comparisons` and `scenarios`: what bears on each agent,
    that is inside the component.
    """

    few_scenarios: Bools
    few_comparisons: Bools
    missing: Bools
    unvaried: Bools
    alone: Bools
    comparisons: Ints
    scenarios: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Shape (K,) unless said otherwise; `difference…`, `p…`, `above`, `expected`: (K, K), i less j.

    `low` and `high` of unbounded agents are one-sided bounds. Ranks are NaN for the unranked.
    `above`: share of the resamples in which i is above j. `bound_scenarios`: those in which an
    unbounded agent met the component. `clusters`: scenarios that bear on the fit. `counts`: of
    all comparisons, `fitted` and `reference`: of the component, None when nobody is rated.
    `resampled`: strengths in b resamples, shape (b, K), None where none were drawn.
    """

    found: Identification
    counts: Tally
    fitted: Fitted | None
    reference: Bools | None
    short: Short
    rated: Bools
    ranked: Bools
    clusters: int
    bound_scenarios: Floats
    strengths: Floats
    low: Floats
    high: Floats
    se: Floats
    se_clustered: Floats
    rank_low: Floats
    rank_high: Floats
    resample_rank_low: Floats
    resample_rank_high: Floats
    p_best: Floats
    difference: Floats
    difference_se: Floats
    difference_low: Floats
    difference_high: Floats
    p: Floats
    p_holm: Floats
    above: Floats
    expected: Floats
    resampled: Floats | None = None


def rate(
    rows: Comparisons,
    planned: Floats | None,
    minimum: Minimum,
    fit: Fit,
    *,
    interval: Interval = "bootstrap",
    level: float = LEVEL,
) -> Rating:
    """Rate K agents from their comparisons; `planned`: comparisons intended, shape (K,), or None.

    Nobody is rated without a largest strongly connected component. The mean is over the ranked
    agents, over the whole component when nobody is ranked; unbounded agents never enter it.
    """
    with one_thread():
        return _rate(rows, planned, minimum, fit, interval, level)


def _rate(
    rows: Comparisons,
    planned: Floats | None,
    minimum: Minimum,
    fit: Fit,
    interval: Interval,
    level: float,
) -> Rating:
    counts = tally(rows)
    k, found = rows.agents, identify(counts.wins)
    if found.component is None:
        return _nobody(k, found, counts)
    members = found.component
    # A scenario without comparisons is no cluster.
    everybody = len(members) == k and counts.clusters_used() == counts.clusters
    inner: Comparisons = rows if everybody else rows.within(members)
    held = counts if everybody else tally(inner)
    fitted = fit(inner, held)
    short = _short(counts, held, members, fitted.unvaried, planned, minimum)
    rated = _spread(k, members, np.ones(len(members))) > 0
    ranked = rated & ~_lacking(short)
    inside = ranked[members]
    reference = inside if inside.any() else np.ones_like(inside)
    theta = centre(fitted.strengths, reference)
    arrays = _nan(k)
    arrays["strengths"] = _spread(k, members, theta)
    arrays["expected"] = _spread_pairs(k, members, expected_shares(theta))
    arrays["difference"] = arrays["strengths"][:, None] - arrays["strengths"][None, :]
    resampled = None
    if held.clusters >= minimum.interval_scenarios:
        said = estimate(fitted, reference, interval=interval, level=level)
        enough = short.scenarios[members] >= minimum.interval_scenarios
        _add_intervals(arrays, members, said, enough)
        _add_ranks(arrays, members, said, inside, level)
        if said.resampled is not None:
            _add_resamples(arrays, members, said.resampled, inside, enough, level)
            resampled = np.full((len(said.resampled), k), np.nan)
            resampled[:, members] = said.resampled
    add_bounds(arrays, rows, counts, found, theta, level=level)
    return Rating(
        found=found,
        counts=counts,
        fitted=fitted,
        reference=reference,
        short=short,
        rated=rated,
        ranked=ranked,
        clusters=held.clusters,
        resampled=resampled,
        **arrays,
    )


def _nobody(k: int, found: Identification, counts: Tally) -> Rating:
    nobody, zero = np.zeros(k, dtype=np.bool_), np.zeros(k, dtype=np.int64)
    short = Short(
        few_scenarios=nobody,
        few_comparisons=nobody,
        missing=nobody,
        unvaried=nobody,
        alone=nobody,
        comparisons=zero,
        scenarios=zero,
    )
    return Rating(
        found=found,
        counts=counts,
        fitted=None,
        reference=None,
        short=short,
        rated=nobody,
        ranked=nobody,
        clusters=0,
        **_nan(k),
    )


def _short(
    counts: Tally,
    held: Tally,
    members: Ints,
    still: Bools,
    planned: Floats | None,
    minimum: Minimum,
) -> Short:
    k = counts.agents
    comparisons, scenarios = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    comparisons[members] = held.met.sum(axis=0).astype(np.int64)
    scenarios[members] = held.spread()
    rated, unvarying = np.zeros(k, dtype=np.bool_), np.zeros(k, dtype=np.bool_)
    rated[members], unvarying[members] = True, still
    missing = np.zeros(k, dtype=np.bool_)
    if planned is not None:
        # Readable is a matter of the whole plan, not only of opponents that could be rated.
        readable = counts.met.sum(axis=0) / np.maximum(planned, 1)
        missing = rated & (readable < minimum.readable)
    short = Short(
        few_scenarios=rated & (scenarios < minimum.scenarios),
        few_comparisons=rated & (comparisons < minimum.comparisons),
        missing=missing,
        unvaried=unvarying,
        alone=np.zeros(k, dtype=np.bool_),
        comparisons=comparisons,
        scenarios=scenarios,
    )
    enough = rated & ~_lacking(short)
    return replace(short, alone=enough) if enough.sum() == 1 else short


def _lacking(short: Short) -> Bools:
    few = short.few_scenarios | short.few_comparisons
    return few | short.missing | short.unvaried | short.alone


def _add_intervals(arrays: dict[str, Floats], members: Ints, said: Estimate, enough: Bools) -> None:
    k = len(arrays["strengths"])
    known = enough & ~np.isnan(said.low)
    both = enough[:, None] & enough[None, :]
    for name in ("low", "high", "se", "se_clustered"):
        arrays[name] = _spread(k, members, np.where(known, getattr(said, name), np.nan))
    for name in ("difference_se", "difference_low", "difference_high", "p"):
        arrays[name] = _spread_pairs(k, members, np.where(both, getattr(said, name), np.nan))


def _add_ranks(
    arrays: dict[str, Floats], members: Ints, said: Estimate, ranked: Bools, level: float
) -> None:
    inside = np.flatnonzero(ranked)
    if not len(inside):
        return
    k, who = len(arrays["strengths"]), members[inside]
    p = said.p[np.ix_(inside, inside)]
    low, high = rank_ranges(said.strengths[inside], p, level=level)
    arrays["rank_low"] = _spread(k, who, low.astype(np.float64))
    arrays["rank_high"] = _spread(k, who, high.astype(np.float64))
    upper = np.triu_indices(len(inside), 1)
    adjusted = np.full_like(p, np.nan)
    adjusted[upper] = holm(p[upper])
    adjusted.T[upper] = adjusted[upper]
    arrays["p_holm"] = _spread_pairs(k, who, adjusted)


def _add_resamples(
    arrays: dict[str, Floats],
    members: Ints,
    drawn: Floats,
    ranked: Bools,
    enough: Bools,
    level: float,
) -> None:
    k = len(arrays["strengths"])
    ranks, above = orderings(drawn)
    both = enough[:, None] & enough[None, :]
    arrays["above"] = _spread_pairs(k, members, np.where(both, above, np.nan))
    if not ranked.any():
        return
    if not ranked.all():
        ranks, _ = orderings(drawn[:, ranked])
    who = members[ranked]
    low, high = resample_ranks(ranks, level=level)
    arrays["resample_rank_low"] = _spread(k, who, low.astype(np.float64))
    arrays["resample_rank_high"] = _spread(k, who, high.astype(np.float64))
    arrays["p_best"] = _spread(k, who, first_shares(ranks))


def _nan(k: int) -> dict[str, Floats]:
    apart = ("difference", "difference_se", "difference_low", "difference_high")
    pairs = (*apart, "p", "p_holm", "above", "expected")
    errors = ("strengths", "low", "high", "se", "se_clustered", "bound_scenarios")
    ranks = ("rank_low", "rank_high", "resample_rank_low", "resample_rank_high", "p_best")
    arrays = {name: np.full(k, np.nan) for name in errors + ranks}
    return arrays | {name: np.full((k, k), np.nan) for name in pairs}


def _spread(k: int, members: Ints, values: Floats) -> Floats:
    whole = np.full(k, np.nan)
    whole[members] = values
    return whole


def _spread_pairs(k: int, members: Ints, values: Floats) -> Floats:
    whole = np.full((k, k), np.nan)
    whole[np.ix_(members, members)] = values
    return whole
