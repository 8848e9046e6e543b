"""From comparisons to everything a board says in numbers: refuse first, then fit.

All arrays are over the K agents of the input, NaN where nothing may be said. Strengths are in
log-odds about the mean of the ranked agents; points are made by `bradley_terry.to_points`.
"""

from dataclasses import dataclass, replace

import numpy as np

from arena.maths.bradley_terry import centre, expected_shares, strengths
from arena.maths.components import Identification, identify
from arena.maths.estimate import Estimate, estimate, unvaried
from arena.maths.intervals import LEVEL, holm
from arena.maths.ranks import first_shares, rank_ranges, resample_ranks
from arena.maths.tally import Bools, Floats, Ints, Rows
from arena.maths.unbounded import lower_bound, upper_bound


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
    """Shape (K,) unless said otherwise; `difference…`, `p`, `p_holm`, `expected`: (K, K), i less j.

    `low` and `high` of unbounded agents are one-sided bounds. Ranks are NaN for the unranked.
    `bound_scenarios`: those in which an unbounded agent met the component. `clusters`: scenarios
    that bear on the fit.
    """

    found: Identification
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
    difference_margin: Floats
    p: Floats
    p_holm: Floats
    expected: Floats


def rate(
    rows: Rows, planned: Floats | None, minimum: Minimum, *, seed: int, resamples: int
) -> Rating:
    """Rate K agents from their comparisons; `planned`: comparisons intended, shape (K,), or None.

    Nobody is rated without a largest strongly connected component. The mean is over the ranked
    agents, over the whole component when nobody is ranked; unbounded agents never enter it.
    """
    k, found = rows.agents, identify(rows.wins())
    if found.component is None:
        nobody = np.zeros(k, dtype=np.bool_)
        zero = np.zeros(k, dtype=np.int64)
        short = Short(
            few_scenarios=nobody,
            few_comparisons=nobody,
            missing=nobody,
            unvaried=nobody,
            alone=nobody,
            comparisons=zero,
            scenarios=zero,
        )
        return Rating(found=found, short=short, rated=nobody, ranked=nobody, clusters=0, **_nan(k))
    inner = rows.within(found.component)
    fitted = strengths(inner.wins())
    short = _short(rows, inner, found.component, unvaried(inner, fitted), planned, minimum)
    rated = _spread(k, found.component, np.ones(inner.agents)) > 0
    ranked = rated & ~_lacking(short)
    inside = ranked[found.component]
    reference = inside if inside.any() else np.ones_like(inside)
    theta = centre(fitted, reference)
    arrays = _nan(k)
    arrays["strengths"] = _spread(k, found.component, theta)
    arrays["expected"] = _spread_pairs(k, found.component, expected_shares(theta))
    arrays["difference"] = arrays["strengths"][:, None] - arrays["strengths"][None, :]
    if inner.scenarios >= minimum.interval_scenarios:
        said = estimate(inner, fitted, reference, seed=seed, resamples=resamples)
        enough = short.scenarios[found.component] >= minimum.interval_scenarios
        _add_intervals(arrays, found.component, said, enough)
        _add_ranks(arrays, found.component, said, inside)
    _add_bounds(arrays, rows, found, found.component, theta)
    return Rating(
        found=found,
        short=short,
        rated=rated,
        ranked=ranked,
        clusters=inner.scenarios,
        **arrays,
    )


def _short(
    rows: Rows,
    inner: Rows,
    members: Ints,
    still: Bools,
    planned: Floats | None,
    minimum: Minimum,
) -> Short:
    k, load = rows.agents, inner.load()
    comparisons, scenarios = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    comparisons[members] = load.sum(axis=0).astype(np.int64)
    scenarios[members] = (load > 0).sum(axis=0)
    rated, unvarying = np.zeros(k, dtype=np.bool_), np.zeros(k, dtype=np.bool_)
    rated[members], unvarying[members] = True, still
    missing = np.zeros(k, dtype=np.bool_)
    if planned is not None:
        # Readable is a matter of the whole plan, not only of opponents that could be rated.
        readable = rows.load().sum(axis=0) / np.maximum(planned, 1)
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
    margin = np.where(enough, said.margin, np.nan)
    arrays["low"] = _spread(k, members, said.strengths - margin)
    arrays["high"] = _spread(k, members, said.strengths + margin)
    known = ~np.isnan(margin)
    arrays["se"] = _spread(k, members, np.where(known, said.se, np.nan))
    arrays["se_clustered"] = _spread(k, members, np.where(known, said.se_clustered, np.nan))
    both = enough[:, None] & enough[None, :]
    margins = np.where(both, said.difference_margin, np.nan)
    arrays["difference_margin"] = _spread_pairs(k, members, margins)
    arrays["p"] = _spread_pairs(k, members, np.where(both, said.p, np.nan))


def _add_ranks(arrays: dict[str, Floats], members: Ints, said: Estimate, ranked: Bools) -> None:
    inside = np.flatnonzero(ranked)
    if not len(inside):
        return
    k, who = len(arrays["strengths"]), members[inside]
    p, drawn = said.p[np.ix_(inside, inside)], said.resampled[:, inside]
    low, high = rank_ranges(said.strengths[inside], p, level=LEVEL)
    drawn_low, drawn_high = resample_ranks(drawn, level=LEVEL)
    arrays["rank_low"] = _spread(k, who, low.astype(np.float64))
    arrays["rank_high"] = _spread(k, who, high.astype(np.float64))
    arrays["resample_rank_low"] = _spread(k, who, drawn_low.astype(np.float64))
    arrays["resample_rank_high"] = _spread(k, who, drawn_high.astype(np.float64))
    arrays["p_best"] = _spread(k, who, first_shares(drawn))
    upper = np.triu_indices(len(inside), 1)
    adjusted = np.full_like(p, np.nan)
    adjusted[upper] = holm(p[upper])
    adjusted.T[upper] = adjusted[upper]
    arrays["p_holm"] = _spread_pairs(k, who, adjusted)


def _add_bounds(
    arrays: dict[str, Floats], rows: Rows, found: Identification, members: Ints, theta: Floats
) -> None:
    games, wins = rows.games(), rows.wins()
    inside = np.zeros(rows.agents, dtype=np.bool_)
    inside[members] = True
    for i in np.flatnonzero(found.unbounded):
        met = ((rows.first == i) & inside[rows.second]) | ((rows.second == i) & inside[rows.first])
        scenarios = len(np.unique(rows.scenario[met]))
        if not scenarios:
            continue
        arrays["bound_scenarios"][i] = scenarios
        if wins[i, members].sum() > 0:
            arrays["low"][i] = lower_bound(theta, games[i, members], scenarios)
        else:
            arrays["high"][i] = upper_bound(theta, games[i, members], scenarios)


def _nan(k: int) -> dict[str, Floats]:
    pairs = ("difference", "difference_margin", "p", "p_holm", "expected")
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
