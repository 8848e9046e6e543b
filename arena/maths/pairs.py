"""Pairs of K agents in one row: i < j in the order of `np.triu_indices(K, 1)`, P = K(K−1)/2."""

import numpy as np

from arena.maths.arrays import Codes, Floats, Ints


def pair_count(agents: int) -> int:
    """P, the number of pairs."""
    return agents * (agents - 1) // 2


def offsets(agents: int) -> Ints:
    """Where the pairs (i, j > i) of each i begin, shape (K,); the last entry is P."""
    return np.concatenate([[0], np.cumsum(np.arange(agents - 1, 0, -1))]).astype(np.int64)


def pair_index(agents: int) -> Ints:
    """Place of pair {i, j} in the row, shape (K, K), symmetric; the diagonal is 0 and unused."""
    place = np.zeros((agents, agents), dtype=np.int64)
    upper = np.triu_indices(agents, 1)
    place[upper] = np.arange(len(upper[0]))
    return np.asarray(place + place.T)


def pair_number(lower: Codes, upper: Codes, agents: int) -> Codes:
    """Place of each pair in the row, as `pair_index`, in arithmetic: no table is looked up.

    `lower` < `upper` in every entry, of a type that holds K²; the result is of that type.
    """
    place = lower * (2 * agents - 3 - lower)
    place >>= 1
    place += upper
    place -= 1
    return place


def to_square(row: Floats, agents: int) -> Floats:
    """Values per pair, shape (…, P), as a symmetric matrix, shape (…, K, K), 0 on the diagonal."""
    square = np.zeros((*row.shape[:-1], agents, agents))
    first, second = np.triu_indices(agents, 1)
    square[..., first, second] = row
    square[..., second, first] = row
    return square
