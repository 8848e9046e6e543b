"""Ranks as ranges, and how ranks move over resamples."""

import numpy as np

from arena.maths.intervals import LEVEL, holm
from arena.maths.tally import Floats, Ints

_TIE = 1e-9


def rank_ranges(strengths: Floats, p: Floats, *, level: float = LEVEL) -> tuple[Ints, Ints]:
    """Best and worst rank of each of K agents that its differences allow, each shape (K,).

    `p`: two-sided p-values of the differences, shape (K, K). Rank 1 + #{j better than i} to
    K − #{j worse than i} by Holm over i's K−1 differences: it holds the true rank with
    probability `level` at least, whatever the ties. Reference: M. Mogstad, J. Romano, A. Shaikh
    and D. Wilhelm, Review of Economic Studies 91 (2024).
    """
    k = len(strengths)
    low, high = np.ones(k, dtype=np.int64), np.full(k, k, dtype=np.int64)
    for i in range(k):
        others = np.arange(k) != i
        decided = holm(p[i, others]) <= 1 - level
        better = strengths[others] > strengths[i]
        low[i] += int((decided & better).sum())
        high[i] -= int((decided & ~better).sum())
    return low, high


def resample_ranks(resampled: Floats, *, level: float = LEVEL) -> tuple[Ints, Ints]:
    """Percentile ranks over resamples, each shape (K,), from strengths, shape (b, K).

    Not an interval of level 95 % where agents are nearly equal: shown beside the rank range.
    Equal strengths share the better rank.
    """
    k = resampled.shape[1]
    ranks = np.empty(resampled.shape, dtype=np.int64)
    for i in range(k):
        ranks[:, i] = 1 + (resampled > resampled[:, [i]] + _TIE).sum(axis=1)
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(ranks, tails, axis=0, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def first_shares(resampled: Floats) -> Floats:
    """Share of the resamples in which each agent comes first, shape (K,); it sums to 1.

    Agents that tie for the first place share it.
    """
    first = resampled >= resampled.max(axis=1, keepdims=True) - _TIE
    return np.asarray((first / first.sum(axis=1, keepdims=True)).mean(axis=0))


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's rank correlation, ties at their mean rank.

    None for fewer than three points or a constant side.
    """
    if len(x) < 3:
        return None
    a, b = _mean_ranks(x), _mean_ranks(y)
    a, b = a - a.mean(), b - b.mean()
    size = float((a @ a) * (b @ b))
    return float(a @ b) / size**0.5 if size > 0 else None


def _mean_ranks(values: Floats) -> Floats:
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])
