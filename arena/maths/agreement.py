"""How far coders agree about the same units: raw agreement, Cohen's κ, Krippendorff's α.

A unit is what was coded (a comparison, a criterion of a transcript), a coder a judge or a person.
Codes are numbers and NaN is a missing one; −1 is a code like any other, for margins have signs.
A unit counts where at least two coders coded it; nothing missing is filled in.

Every coefficient is a function of sums over units, so a resample of whole scenarios needs only
those sums again: parts per scenario, shape (S, P), times the weights of the draw.

References: J. Cohen, Educational and Psychological Measurement 20 (1960); K. Krippendorff,
Computing Krippendorff's alpha-reliability (2011), and Content Analysis (2004), chapter 11.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from arena.errors import ArenaError
from arena.maths.bootstrap import draw_weights
from arena.maths.intervals import t_margin
from arena.maths.tally import Bools, Floats, Ints

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
Statistic = Callable[[Floats], Floats]

FEWEST_SCENARIOS = 5
MOST_UNDEFINED = 0.05
"""Beyond this share of resamples without a coefficient, their spread is no standard error."""
_NUMBERS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A coefficient over `units` in `scenarios`, with its 95 % interval.

    `value` is NaN where the coefficient is undefined: no unit with two codes, or (κ, α) no
    variation in the codes from which agreement by chance could be told. `low` and `high` are None
    where there is no interval: undefined, fewer than 5 scenarios, nothing varies over them, or
    undefined in more than 5 % of the resamples.
    """

    value: float
    low: float | None
    high: float | None
    units: int
    scenarios: int


def raw_agreement(
    first: Floats, second: Floats, scenario: Ints, *, seed: int, resamples: int
) -> Agreement:
    """Share of units with equal codes, of those that both coders coded, in 0 … 1.

    `first`, `second`: codes, shape (U,), NaN where missing; `scenario`: shape (U,). The interval
    is share ± t_{S−1} · SE of the scenario bootstrap, cut at 0 and 1.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    units = int(both.sum())
    column = np.repeat([0, 1], units)
    equal = first[both] == second[both]
    parts = _parts(np.tile(scenario[both], 2), column, np.r_[equal, np.ones(units)], 2)
    return _agreement(parts, _share, units, lowest=0.0, seed=seed, resamples=resamples)


def cohen_kappa(
    first: Floats, second: Floats, scenario: Ints, *, seed: int, resamples: int
) -> Agreement:
    """Cohen's κ = (p_o − p_e) / (1 − p_e) of two coders, codes being names without order.

    p_o is the raw agreement, p_e = Σ_v p_first(v) · p_second(v). Arguments as in
    `raw_agreement`; the interval is κ ± t_{S−1} · SE of the scenario bootstrap, cut at −1 and 1.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    units = int(both.sum())
    codes, place = np.unique(np.r_[first[both], second[both]], return_inverse=True)
    v = len(codes)
    a, b = place[:units], place[units:]
    # Columns: 0 equal codes; 1 … V what the first coder said; V+1 … 2V the second.
    column = np.r_[np.zeros(units, dtype=np.int64), 1 + a, 1 + v + b]
    values = np.r_[a == b, np.ones(2 * units)]
    parts = _parts(np.tile(scenario[both], 3), column, values, 1 + 2 * v)
    return _agreement(parts, _kappa, units, lowest=-1.0, seed=seed, resamples=resamples)


def krippendorff_alpha(
    codes: Floats, scenario: Ints, *, scale: Scale, seed: int, resamples: int
) -> Agreement:
    """Krippendorff's α = 1 − D_o / D_e of any number of coders with missing codes.

    `codes`: shape (coders, U), NaN where missing; `scenario`: shape (U,). `scale` says how far
    two codes are apart: `nominal` equal or not, `ordinal` by ranks, `interval` squared difference,
    `ratio` squared difference over sum. The interval is α ± t_{S−1} · SE of the scenario
    bootstrap, cut at −1 and 1. Raises ArenaError for a negative code on a ratio scale.
    """
    present = ~np.isnan(codes)
    pairable = present & (present.sum(axis=0) >= 2)
    values, place = np.unique(codes[pairable], return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ArenaError("a ratio scale has no code below 0, but {code} is one", code=values[0])
    unit = np.nonzero(pairable)[1]
    v = len(values)
    entry, times = np.unique(unit * v + place, return_counts=True)
    coders = pairable.sum(axis=0)
    of, cell, weight = _unequal_pairs(entry // max(v, 1), entry % max(v, 1), times, coders)
    cells, column = np.unique(cell[:, 0] * v + cell[:, 1], return_inverse=True)
    parts = _parts(
        np.r_[scenario[unit], scenario[of]],
        np.r_[place, v + column],
        np.r_[np.ones(len(unit)), weight],
        v + len(cells),
    )
    statistic = _alpha(values, cells // max(v, 1), cells % max(v, 1), scale)
    units = int(pairable.any(axis=0).sum())
    return _agreement(parts, statistic, units, lowest=-1.0, seed=seed, resamples=resamples)


def _unequal_pairs(unit: Ints, value: Ints, times: Ints, coders: Ints) -> tuple[Ints, Ints, Floats]:
    """Coincidences of unequal values: unit, the two values (n, 2) in rising order, and weight.

    `unit`, `value`, `times`: what was coded how often, sorted by unit and value; `coders` of each
    unit. A unit with m codes gives 1/(m−1) to each ordered pair of its codes, both orders here
    together.
    """
    found_unit, found_values, found_weight = [], [], []
    lag = 1
    while True:
        early = np.flatnonzero(unit[:-lag] == unit[lag:])
        if not len(early):
            break
        late = early + lag
        found_unit.append(unit[early])
        found_values.append(np.stack([value[early], value[late]], axis=1))
        found_weight.append(2.0 * times[early] * times[late] / (coders[unit[early]] - 1))
        lag += 1
    if not found_unit:
        return np.empty(0, np.int64), np.empty((0, 2), np.int64), np.empty(0)
    return np.concatenate(found_unit), np.concatenate(found_values), np.concatenate(found_weight)


def _share(sums: Floats) -> Floats:
    return np.asarray(sums[:, 0] / sums[:, 1])


def _kappa(sums: Floats) -> Floats:
    said = sums[:, 1:].reshape(len(sums), 2, -1)
    units = said[:, 0].sum(axis=1)
    # Whole numbers up to here, so "one code only" is an exact comparison.
    chance = (said[:, 0] * said[:, 1]).sum(axis=1)
    beyond = units**2 - chance
    return _ratio(sums[:, 0] * units - chance, beyond, beyond > 0)


def _alpha(values: Floats, low: Ints, high: Ints, scale: Scale) -> Statistic:
    """α from sums, shape (b, V + cells): values coded, then coincidences of `low` and `high`."""
    v = len(values)
    apart = _distances(values, scale)

    def statistic(sums: Floats) -> Floats:
        coded, unequal = sums[:, :v], sums[:, v:]
        total = coded.sum(axis=1)
        if scale == "ordinal":
            # Krippendorff's ordinal distance is the squared difference of mid-ranks.
            ranks = np.cumsum(coded, axis=1) - coded / 2 - total[:, None] / 2
            observed = (unequal * (ranks[:, low] - ranks[:, high]) ** 2).sum(axis=1)
            middle = (coded * ranks).sum(axis=1)
            expected = 2 * (total * (coded * ranks**2).sum(axis=1) - middle**2)
        else:
            observed = unequal @ apart[low, high]
            expected = ((coded @ apart) * coded).sum(axis=1)
        varied = (coded > 0).sum(axis=1) > 1
        return np.asarray(1 - _ratio((total - 1) * observed, expected, varied))

    return statistic


def _distances(values: Floats, scale: Scale) -> Floats:
    """Squared distance of two values, shape (V, V); of ordinal ones it depends on the counts."""
    if scale == "ordinal":
        return np.empty((0, 0))
    if scale == "nominal":
        return 1 - np.eye(len(values))
    apart = (values[:, None] - values[None, :]) ** 2
    if scale == "ratio":
        both = values[:, None] + values[None, :]
        apart /= np.where(both > 0, both, 1.0) ** 2
    return np.asarray(apart)


def _ratio(above: Floats, below: Floats, defined: Bools) -> Floats:
    return np.asarray(np.where(defined, above, np.nan) / np.where(defined, below, 1.0))


def _parts(scenario: Ints, column: Ints, values: Floats, columns: int) -> Any:
    """Sums of `values` by scenario and column, a sparse array of shape (S, columns)."""
    # scipy takes a second to import; commands that compare no coders must not wait for it.
    from scipy.sparse import csr_array

    seen, row = np.unique(scenario, return_inverse=True)
    return csr_array((values.astype(np.float64), (row, column)), shape=(len(seen), columns))


def _agreement(
    parts: Any, statistic: Statistic, units: int, *, lowest: float, seed: int, resamples: int
) -> Agreement:
    scenarios = parts.shape[0]
    if not units:
        return Agreement(value=math.nan, low=None, high=None, units=0, scenarios=0)
    value = float(statistic(np.asarray(parts.sum(axis=0))[None, :])[0])
    margin = math.nan
    if scenarios >= FEWEST_SCENARIOS and not math.isnan(value):
        margin = _margin(parts, statistic, seed=seed, resamples=resamples)
    known = not math.isnan(margin)
    return Agreement(
        value=value,
        low=max(lowest, value - margin) if known else None,
        high=min(1.0, value + margin) if known else None,
        units=units,
        scenarios=scenarios,
    )


def _margin(parts: Any, statistic: Statistic, *, seed: int, resamples: int) -> float:
    """t_{S−1} · SE with SE² = S/(S−1) · variance over resamples; NaN where there is none."""
    scenarios, columns = parts.shape
    rng = np.random.default_rng(seed)
    size = max(1, _NUMBERS_AT_ONCE // max(columns, scenarios))
    found = []
    for first in range(0, resamples, size):
        weights = draw_weights(scenarios, min(size, resamples - first), rng)
        found.append(statistic(np.asarray((parts.T @ weights.T).T)))
    drawn = np.concatenate(found)
    drawn = drawn[~np.isnan(drawn)]
    if len(drawn) < 2 or len(drawn) < (1 - MOST_UNDEFINED) * resamples:
        return math.nan
    error = math.sqrt(scenarios / (scenarios - 1)) * drawn.std(ddof=1)
    return float(t_margin(np.array([error]), np.array([scenarios - 1.0]))[0])
