"""How alike two scores of the same things are, with intervals that know what hangs together."""

import math
from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Floats, Ints
from arena.maths.bootstrap import draw_weights
from arena.maths.intervals import LEVEL, t_margin
from arena.maths.ranks import spearman

_NEARLY_ONE = 1 - 1e-9
_NUMBERS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Within:
    """An estimate; `low` and `high` are None where it has no interval."""

    value: float | None
    low: float | None = None
    high: float | None = None


def paired_difference(
    cluster: Ints, x: Floats, y: Floats, *, seed: int, resamples: int, at_least: int, level: float
) -> Within:
    """Mean of x − y, each shape (M,), with an interval from whole clusters drawn.

    Estimate ± t_{S−1} · SE, SE² = S/(S−1) · variance over resamples of the S clusters. None below
    `at_least` clusters, or where nothing varies.
    """
    apart = np.asarray(x - y, dtype=np.float64)
    value = float(apart.mean())
    _, place = np.unique(cluster, return_inverse=True)
    sums, sizes = np.bincount(place, apart), np.bincount(place).astype(np.float64)
    if len(sizes) < at_least:
        return Within(value)
    weights = _draw(len(sizes), resamples, seed)
    margin = _margin((weights @ sums) / (weights @ sizes), len(sizes), level)
    return Within(value) if margin is None else Within(value, value - margin, value + margin)


def paired_correlation(
    cluster: Ints,
    x: Floats,
    y: Floats,
    *,
    seed: int,
    resamples: int,
    at_least: int,
    level: float = LEVEL,
) -> Within:
    """Spearman's correlation of x and y, each shape (M,), with an interval on Fisher's scale.

    tanh(artanh r ± t_{S−1} · SE), SE the spread of artanh r over resamples of whole clusters,
    widened by √(S/(S−1)) as for a mean. Resamples without a correlation are left out. No interval
    below `at_least` clusters, for |r| = 1, or where nothing varies. R. Fisher, Metron 1 (1921).
    """
    found = spearman(x, y)
    names, place = np.unique(cluster, return_inverse=True)
    if found is None or abs(found) > _NEARLY_ONE or len(names) < at_least:
        return Within(found)
    drawn = _correlations(place, x, y, _draw(len(names), resamples, seed))
    margin = _margin(np.arctanh(drawn[~np.isnan(drawn)]), len(names), level)
    if margin is None:
        return Within(found)
    middle = math.atanh(found)
    return Within(found, math.tanh(middle - margin), math.tanh(middle + margin))


def _correlations(place: Ints, x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's correlation in every resample, shape (b,); NaN where a side is constant.

    `weights`: how often each holds each cluster, shape (b, S).
    """
    size = max(1, _NUMBERS_AT_ONCE // len(x))
    found = []
    for first in range(0, len(weights), size):
        some = weights[first : first + size]
        held = some[:, place]
        a, b = (_centred_ranks(values, place, some, held) for values in (x, y))
        across = (held * a * b).sum(axis=1)
        sizes = (held * a * a).sum(axis=1) * (held * b * b).sum(axis=1)
        usable = sizes > 0
        part = across / np.sqrt(np.where(usable, sizes, 1.0))
        found.append(np.where(usable, np.clip(part, -_NEARLY_ONE, _NEARLY_ONE), np.nan))
    return np.concatenate(found)


def _centred_ranks(values: Floats, place: Ints, weights: Floats, held: Floats) -> Floats:
    """Ranks less their mean in every resample, shape (b, M), ties at their mean rank.

    `held`: how often each value is there, shape (b, M).
    """
    seen, value = np.unique(values, return_inverse=True)
    table = np.zeros((weights.shape[1], len(seen)))
    np.add.at(table, (place, value), 1)
    counts = weights @ table
    ranks = (counts.cumsum(axis=1) - (counts - 1) / 2)[:, value]
    total = held.sum(axis=1, keepdims=True)
    return np.asarray(ranks - (held * ranks).sum(axis=1, keepdims=True) / total)


def _margin(drawn: Floats, clusters: int, level: float) -> float | None:
    if len(drawn) < 2 or clusters < 2:
        return None
    error = math.sqrt(clusters / (clusters - 1)) * float(drawn.std(ddof=1))
    margin = float(t_margin(np.array([error]), np.array([clusters - 1.0]), level=level)[0])
    return None if math.isnan(margin) else margin


def _draw(clusters: int, resamples: int, seed: int) -> Floats:
    return draw_weights(clusters, resamples, np.random.default_rng([seed, clusters]))
