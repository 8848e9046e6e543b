"""Cycles: triads in which a beats b, b beats c and c beats a."""

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints


def cyclic_triads(shares: Floats) -> Ints:
    """Triads (a, b, c) with shares of a over b, b over c, c over a all above ½, shape (T, 3).

    `shares`: share that i earned from j, shape (K, K), NaN where they never met. Each triad comes
    once, its smallest index first, sorted by index.
    """
    beats = np.nan_to_num(shares, nan=0.0) > 0.5
    found = []
    for a in range(len(shares)):
        later = np.arange(len(shares)) > a
        edge = beats & (beats[a] & later)[:, None] & (beats[:, a] & later)[None, :]
        b, c = np.nonzero(edge)
        found.append(np.column_stack([np.full(len(b), a), b, c]))
    return np.concatenate(found).astype(np.int64) if found else np.empty((0, 3), dtype=np.int64)


def complete_triads(met: Bools) -> int:
    """Number of triads of which all three pairs met, from a symmetric mask, shape (K, K)."""
    edge = met.astype(np.float64)
    return round(float(np.trace(edge @ edge @ edge)) / 6)
