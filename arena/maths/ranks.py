"""Ranks as ranges, and how ranks move over resamples."""

import numpy as np

from arena.maths.arrays import Floats, Ints
from arena.maths.intervals import LEVEL, holm

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


def orderings(resampled: Floats) -> tuple[Ints, Floats]:
    """Rank of each agent in each resample, shape (K, b), and P(i above j), shape (K, K).

    `resampled`: strengths, shape (b, K). Equal strengths share the better rank and count half in
    P, so that P of i over j and of j over i sum to 1.
    """
    b, k = resampled.shape
    order = np.argsort(-resampled, axis=1, kind="stable")
    falling = np.take_along_axis(resampled, order, axis=1)
    leads = np.ones((b, k), dtype=np.bool_)
    leads[:, 1:] = falling[:, :-1] > falling[:, 1:] + _TIE
    place = np.maximum.accumulate(np.where(leads, np.arange(1, k + 1), 0), axis=1)
    # Small numbers, so that comparing all pairs in all resamples is quick.
    ranks = np.empty((k, b), dtype=np.int16 if k < 2**15 else np.int64)
    np.put_along_axis(ranks.T, order, place.astype(ranks.dtype), axis=1)
    above = np.empty((k, k))
    for i in range(k):
        # Counted as bits: eight resamples a byte.
        ahead = np.packbits(ranks < ranks[i], axis=1)
        above[:, i] = np.bitwise_count(ahead).sum(axis=1, dtype=np.int32) / b
    return ranks.astype(np.int64), np.asarray(above + (1 - above - above.T) / 2)


def resample_ranks(ranks: Ints, *, level: float = LEVEL) -> tuple[Ints, Ints]:
    """Percentile ranks over resamples, each shape (K,), from ranks, shape (K, b).

    Not an interval of level 95 % where agents are nearly equal: shown beside the rank range.
    """
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(ranks, tails, axis=1, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def first_shares(ranks: Ints) -> Floats:
    """Share of the resamples in which each agent comes first, shape (K,); it sums to 1.

    `ranks`: shape (K, b). Agents that tie for the first place share it.
    """
    first = ranks == 1
    return np.asarray((first / first.sum(axis=0)).mean(axis=1))


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
