"""Sums of verdicts by pair, by cluster and by agent, as the whole numbers that they are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.maths.arrays import Floats
from arena.maths.pairs import offsets
from arena.maths.verdicts import Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCounts:
    """Counts in S clusters.

    `games`: comparisons of each pair, shape (S, P); `points` and `load`: what each agent earned
    and in how many comparisons, shape (S, K).
    """

    games: NDArray[np.float32]
    points: Floats
    load: Floats


def sum_verdicts(verdicts: Verdicts) -> VerdictCounts:
    """Sums by pair and by agent, the pairs of one agent at a time."""
    agents = verdicts.agents
    _, pairs, clusters = verdicts.planes.shape
    begin = offsets(agents)
    games = np.empty((pairs, clusters), dtype=np.float32)
    load, net = np.zeros((2, agents, clusters), dtype=np.int32)
    for i in range(agents - 1):
        here = slice(begin[i], begin[i + 1])
        lost, parted, won = (plane[here].astype(np.int32) for plane in verdicts.planes)
        parted += won
        parted += lost
        won -= lost
        games[here] = parted
        for total, part in ((load, parted), (net, won)):
            total[i] += part.sum(axis=0, dtype=np.int32)
        load[i + 1 :] += parted
        net[i + 1 :] -= won
    return VerdictCounts(
        games=games.T,
        points=((load + net) / 2).T,
        load=load.T.astype(np.float64),
    )
