"""Means over rows that hang together by scenario, with interval and test.

A row is a verdict or a comparison; those of one scenario share its quirks. The standard error is
the sandwich of the ratio Σ values / rows, V = S/(S−1) · Σ_s e_s² / n² with e_s the sum of a
scenario's deviations. Rows that hang together with nothing are clusters of their own; a share of
such rows has Wilson's interval.
"""

import math
from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Floats, Ints
from arena.maths.intervals import LEVEL, effective_df, t_margin, two_sided_p
from arena.maths.means import wilson

FEWEST_CLUSTERS = 5
"""Fewer scenarios (or independent rows): no interval, as everywhere."""
_STILL = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class RowMean:
    """A mean over `rows` in `clusters`.

    `value` is NaN without rows; `low`, `high` and `p` are NaN without an interval or, for `p`,
    without a neutral value to test against.
    """

    value: float
    low: float
    high: float
    p: float
    rows: int
    clusters: int


def row_mean(
    values: Floats,
    scenario: Ints | None,
    *,
    neutral: float = math.nan,
    share: bool = True,
    level: float = LEVEL,
) -> RowMean:
    """Mean of `values`, shape (n,), clustered by `scenario`, shape (n,), or of independent rows.

    `share`: the values lie in [0, 1], and so does the interval. `neutral`: what `p` tests for,
    two-sided. Where every scenario says the same there is no spread to go by; of shares there is
    then the limit that holds whatever the spread: had more than u = 1 − ((1−level)/2)^(1/S) of the
    scenarios deviated, one would have been seen as a rule.
    """
    n = len(values)
    if not n:
        return RowMean(value=math.nan, low=math.nan, high=math.nan, p=math.nan, rows=0, clusters=0)
    place = np.arange(n) if scenario is None else np.unique(scenario, return_inverse=True)[1]
    clusters = int(place.max()) + 1
    value = float(values.mean())
    low, high, p = math.nan, math.nan, math.nan
    if clusters >= FEWEST_CLUSTERS:
        apart = np.bincount(place, values - value).astype(np.float64)
        if share and np.abs(apart).max() < _STILL * n:
            low, high, p = _unanimous(value, clusters, neutral, level)
        elif share and scenario is None and set(np.unique(values)) <= {0.0, 1.0}:
            low, high, p = _independent(value, n, neutral, level)
        else:
            load = np.bincount(place).astype(np.float64)
            low, high, p = _spread(value, apart, load, neutral, level)
    if share and not math.isnan(low):
        low, high = max(low, 0.0), min(high, 1.0)
    return RowMean(value=value, low=low, high=high, p=p, rows=n, clusters=clusters)


def _unanimous(
    value: float, clusters: int, neutral: float, level: float
) -> tuple[float, float, float]:
    unseen = 1 - ((1 - level) / 2) ** (1 / clusters)
    low, high = value - unseen * value, value + unseen * (1 - value)
    if math.isnan(neutral):
        return low, high, math.nan
    room = value if neutral < value else 1 - value
    part = abs(neutral - value) / room if room > 0 else 0.0
    return low, high, min(1.0, 2 * (1 - part) ** clusters)


def _independent(value: float, n: int, neutral: float, level: float) -> tuple[float, float, float]:
    # scipy takes a while to import; commands that diagnose nobody must not wait for it.
    from scipy.special import ndtr

    low, high = wilson(value * n, n, level=level)
    if not 0 < neutral < 1:
        return low, high, math.nan
    z = abs(value - neutral) / math.sqrt(neutral * (1 - neutral) / n)
    return low, high, float(2 * ndtr(-z))


def _spread(
    value: float, apart: Floats, load: Floats, neutral: float, level: float
) -> tuple[float, float, float]:
    clusters, n = len(load), float(load.sum())
    error = np.array([math.sqrt(clusters / (clusters - 1) * float(apart @ apart)) / n])
    df = effective_df(load[:, None])
    margin = float(t_margin(error, df, level=level)[0])
    p = math.nan
    if not math.isnan(neutral):
        p = float(two_sided_p(np.array([value - neutral]), error, df)[0])
    return value - margin, value + margin, p
