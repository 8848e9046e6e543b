"""From a fit to what may be said of it: errors, intervals, differences, p-values."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arena.maths.arrays import Bools, Floats
from arena.maths.bootstrap import covariance
from arena.maths.bradley_terry import centre
from arena.maths.fitted import Fitted
from arena.maths.intervals import LEVEL, SMALLEST_ERROR, t_margin, two_sided_p
from arena.maths.pairs import to_square
from arena.maths.sandwich import difference_errors, recentre

Interval = Literal["bootstrap", "clustered", "percentile", "expanded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Strengths of K agents in log-odds about the mean of a reference set, and their errors.

    Shape (K,): `strengths`, `low`, `high`, `se` (of the interval's method), `se_clustered`. Shape
    (K, K), of i less j: `difference_low`, `difference_high`, `p`. `resampled`: shape (b, K), or
    None. NaN where nothing varied, so that no interval stands.
    """

    strengths: Floats
    low: Floats
    high: Floats
    se: Floats
    se_clustered: Floats
    difference_se: Floats
    difference_low: Floats
    difference_high: Floats
    p: Floats
    resampled: Floats | None


def estimate(
    fitted: Fitted, reference: Bools, *, interval: Interval = "bootstrap", level: float = LEVEL
) -> Estimate:
    """Intervals of strengths about the mean over `reference`, shape (K,), and of differences.

    `bootstrap` and `clustered`: θ̂ ± t_ν·SE of the resamples or of the sandwich. `percentile`:
    quantiles of the resamples; `expanded`: wider ones (see `tail`). These two are too narrow, or
    lopsided, with few scenarios; they contain their estimate at least. A fit without resamples is
    taken as `clustered`. P-values are of the bootstrap's or the sandwich's t. Needs two clusters.
    """
    theta = centre(fitted.strengths, reference)
    sandwich = np.full((len(theta), len(theta)), np.nan)
    if fitted.covariance is not None:
        sandwich = recentre(fitted.covariance, reference)
    drawn, matrix = None, sandwich
    if fitted.resampled is not None:
        drawn = centre(fitted.resampled, reference)
        if interval != "clustered":
            matrix = covariance(drawn, fitted.clusters)
    se, apart = np.sqrt(np.maximum(np.diag(matrix), 0.0)), difference_errors(matrix)
    between = theta[:, None] - theta[None, :]
    margin = t_margin(se, fitted.df, level=level)
    # Student's t is slow, and its values for i less j are those for j less i.
    upper = np.triu_indices(len(theta), 1)
    tested = apart[upper], fitted.difference_df[upper]
    margins = _of_pairs(t_margin(*tested, level=level), len(theta))
    low, high = theta - margin, theta + margin
    apart_low, apart_high = between - margins, between + margins
    if drawn is not None and interval in ("percentile", "expanded"):
        part = tail(interval, fitted.clusters, level)
        low, high = _quantiles(drawn, theta, part)
        for i in range(len(theta)):
            apart_low[i], apart_high[i] = _quantiles(drawn[:, [i]] - drawn, between[i], part)
    return Estimate(
        strengths=theta,
        low=low,
        high=high,
        se=se,
        se_clustered=np.sqrt(np.maximum(np.diag(sandwich), 0.0)),
        difference_se=apart,
        difference_low=apart_low,
        difference_high=apart_high,
        p=_of_pairs(two_sided_p(between[upper], *tested), len(theta)),
        resampled=drawn,
    )


def tail(interval: Interval, clusters: int, level: float) -> float:
    """Part of the resamples below a percentile interval of S clusters.

    `expanded`: Φ(−√(S/(S−1))·t_{S−1}), which undoes the bootstrap's shrinkage and its normal
    quantiles on average. T. Hesterberg, The American Statistician 69 (2015), §3.
    """
    if interval == "percentile":
        return (1 - level) / 2
    # scipy takes a while to import; the default interval does not come here.
    from scipy.special import ndtr, stdtrit

    quantile = float(stdtrit(clusters - 1, (1 + level) / 2))
    return float(ndtr(-math.sqrt(clusters / (clusters - 1)) * quantile))


def _of_pairs(values: Floats, agents: int) -> Floats:
    """Values of the pairs as a symmetric matrix; an agent and itself have none."""
    square = to_square(values, agents)
    np.fill_diagonal(square, np.nan)
    return square


def _quantiles(drawn: Floats, found: Floats, part: float) -> tuple[Floats, Floats]:
    low, high = np.quantile(drawn, [part, 1 - part], axis=0, method="weibull")
    still = high - low < SMALLEST_ERROR
    low, high = np.minimum(low, found), np.maximum(high, found)
    return np.where(still, np.nan, low), np.where(still, np.nan, high)
