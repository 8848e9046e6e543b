"""Online Elo ratings: comparisons one after another, each moving its two agents.

Kept to reproduce published figures and to show why boards do not use it: the same comparisons in
another order give other ratings. Reference: A. Elo, The Rating of Chessplayers (1978).
"""

import math
from dataclasses import dataclass

import numpy as np

from arena.maths.bradley_terry import ELO_SCALE
from arena.maths.tally import Floats, Ints

START = 1000.0
K_FACTOR = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRange:
    """Lowest and highest rating of each agent over shuffles of the rows, both shape (K,)."""

    low: Floats
    high: Floats


def online_elo(
    first: Ints,
    second: Ints,
    share: Floats,
    agents: int,
    *,
    k_factor: float = K_FACTOR,
    start: float = START,
    scale: float = ELO_SCALE,
) -> Floats:
    """Ratings after all comparisons in the order given, in points, shape (K,).

    `first`, `second`: agents in 0 … K−1, shape (M,); `share`: what `first` earned, in [0, 1],
    shape (M,). All begin at `start`; a comparison moves `first` by
    k_factor · (share − 1 / (1 + 10^((r_second − r_first) / scale))), and `second` as far the other
    way. NaN for agents in no comparison.
    """
    ratings = [start] * agents
    # A logistic by tanh: no overflow however far apart two ratings are driven.
    half = math.log(10) / (2 * scale)
    tanh = math.tanh
    # Lists of plain numbers: single elements of arrays cost ten times as much to reach.
    for a, b, earned in zip(first.tolist(), second.tolist(), share.tolist(), strict=True):
        above, below = ratings[a], ratings[b]
        moved = k_factor * (earned - 0.5 - 0.5 * tanh((above - below) * half))
        ratings[a] = above + moved
        ratings[b] = below - moved
    found = np.array(ratings, dtype=np.float64)
    found[np.bincount(np.r_[first, second], minlength=agents) == 0] = np.nan
    return found


def order_range(
    first: Ints,
    second: Ints,
    share: Floats,
    agents: int,
    *,
    shuffles: int,
    seed: int,
    k_factor: float = K_FACTOR,
    start: float = START,
    scale: float = ELO_SCALE,
) -> OrderRange:
    """How far ratings move when the same comparisons come in another order.

    Arguments as in `online_elo`; `shuffles`, at least 1, are drawn from `seed`. The order given
    is not among them. NaN for agents in no comparison.
    """
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(shuffles):
        order = rng.permutation(len(share))
        found.append(
            online_elo(
                first[order],
                second[order],
                share[order],
                agents,
                k_factor=k_factor,
                start=start,
                scale=scale,
            )
        )
    return OrderRange(low=np.min(found, axis=0), high=np.max(found, axis=0))
