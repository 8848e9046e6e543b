"""Means over scenarios, and quotas, with their intervals."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from arena.maths.arrays import Floats, Ints
from arena.maths.bootstrap import draw_weights
from arena.maths.intervals import LEVEL, t_margin


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over scenarios; `low` and `high` are None where it has no interval."""

    mean: float
    low: float | None
    high: float | None
    scenarios: int


def scenario_mean(
    scenario: Ints,
    values: Floats,
    *,
    seed: int,
    resamples: int,
    at_least: int = 5,
    limits: tuple[float, float] = (-math.inf, math.inf),
) -> Mean | None:
    """Mean over scenarios of the mean within each, with a scenario-bootstrap interval.

    `scenario` and `values`: shape (M,). The interval is mean ± t_{S−1} · SE with
    SE² = S/(S−1) · variance over resamples, cut at `limits`; none with fewer scenarios than
    `at_least`, or when nothing varies. No values: None. Nothing missing is filled in.
    """
    if not len(values):
        return None
    seen, place = np.unique(scenario, return_inverse=True)
    each = np.bincount(place, values) / np.bincount(place)
    n, mean = len(seen), float(each.mean())
    if n < at_least or n < 2:
        return Mean(mean, None, None, n)
    drawn = _weights(n, resamples, seed) @ each / n
    error = math.sqrt(n / (n - 1)) * drawn.std(ddof=1)
    margin = float(t_margin(np.array([error]), np.array([n - 1.0]))[0])
    if math.isnan(margin):
        return Mean(mean, None, None, n)
    return Mean(mean, max(limits[0], mean - margin), min(limits[1], mean + margin), n)


def wilson(hits: float, cases: int, *, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a proportion; (0, 1) without cases.

    `hits` may be a sum of parts, where a case was tried several times and counts by its mean.
    E. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    # scipy takes a while to import; commands that need no quota must not wait for it.
    from scipy.special import ndtri

    if cases == 0:
        return 0.0, 1.0
    z, part = float(ndtri((1 + level) / 2)), hits / cases
    middle = (part + z * z / (2 * cases)) / (1 + z * z / cases)
    half = z / (1 + z * z / cases)
    half *= math.sqrt(part * (1 - part) / cases + (z / (2 * cases)) ** 2)
    # At 0 and at all cases the limit is exactly 0 and 1; rounding must not say otherwise.
    low = 0.0 if hits == 0 else middle - half
    return low, 1.0 if hits == cases else middle + half


# The scores of all agents and criteria on one board span the same few numbers of scenarios.
@lru_cache(maxsize=8)
def _weights(scenarios: int, resamples: int, seed: int) -> Floats:
    weights = draw_weights(scenarios, resamples, np.random.default_rng([seed, scenarios]))
    weights.flags.writeable = False
    return weights
