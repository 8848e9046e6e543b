"""Comparisons that are won, parted evenly or lost, counted as the whole numbers that they are.

What most files hold: shares of 0, ½ and 1, and no weights. One walk over the entries then says all
that there is to know; it touches a byte for each entry, and everything else is made from the
bytes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.maths.arrays import Codes, Floats, Ints
from arena.maths.pairs import offsets, pair_count, pair_number
from arena.maths.tally import Rows

_PIECE = 1 << 15
"""Entries at once: their numbers stay in the cache from step to step."""
_LOST, _PARTED, _WON = range(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCounts:
    """Counts in S clusters; i < j are the agents of a pair.

    `games`: comparisons of each pair, shape (S, P); `points` and `load`: what each agent earned
    and in how many comparisons, shape (S, K). `lost`, `parted`, `won`: over all clusters, by i of
    each pair, shape (P,).
    """

    games: NDArray[np.float32]
    points: Floats
    load: Floats
    lost: Ints
    parted: Ints
    won: Ints


def count_verdicts(rows: Rows, scenario: Codes) -> VerdictCounts | None:
    """The counts of M comparisons in S clusters; None where one has a weight or another share."""
    if rows.weight is not None:
        return None
    for kind in (np.uint8, np.uint32):
        planes = _walk(rows, scenario, kind)
        if planes is None:
            return None
        counts = _summed(planes, rows.agents)
        # A number that overflows loses all it held, so the sum tells.
        if int(counts.lost.sum() + counts.parted.sum() + counts.won.sum()) == len(rows.share):
            return counts
    return None


def _walk(rows: Rows, scenario: Codes, kind: type[Any]) -> NDArray[Any] | None:
    """How often i lost, parted and won, shape (3, P, S); None where a share is another."""
    pairs, clusters = pair_count(rows.agents), rows.scenarios
    planes = np.zeros(3 * pairs * clusters, dtype=kind)
    for begin in range(0, len(rows.share), _PIECE):
        piece = slice(begin, begin + _PIECE)
        first, second, share = rows.first[piece], rows.second[piece], rows.share[piece]
        ahead = (share == 1).view(np.int8) - (share == 0).view(np.int8)
        if ((ahead == 0) & (share != 0.5)).any():
            return None
        turned = first > second
        if turned.any():
            first, second = np.minimum(first, second), np.maximum(first, second)
            ahead[turned] *= -1
        # Plane, pair, cluster, in the smallest type that holds the cells of a dense table.
        cell = pair_number(first.astype(np.int32), second.astype(np.int32), rows.agents)
        cell += (ahead + np.int8(1)).astype(np.int32) * np.int32(pairs)
        cell *= np.int32(clusters)
        cell += scenario[piece].astype(np.int32)
        np.add.at(planes, cell.astype(np.intp), kind(1))
    return planes.reshape(3, pairs, clusters)


def _summed(planes: NDArray[Any], agents: int) -> VerdictCounts:
    """Sums by pair and by agent, the pairs of one agent at a time."""
    _, pairs, clusters = planes.shape
    begin = offsets(agents)
    games = np.empty((pairs, clusters), dtype=np.float32)
    load, net = np.zeros((2, agents, clusters), dtype=np.int32)
    for i in range(agents - 1):
        here = slice(begin[i], begin[i + 1])
        lost, parted, won = (plane[here].astype(np.int32) for plane in planes)
        parted += won
        parted += lost
        won -= lost
        games[here] = parted
        for total, part in ((load, parted), (net, won)):
            total[i] += part.sum(axis=0, dtype=np.int32)
        load[i + 1 :] += parted
        net[i + 1 :] -= won
    totals = planes.sum(axis=2, dtype=np.int32).astype(np.int64)
    return VerdictCounts(
        games=games.T,
        points=((load + net) / 2).T,
        load=load.T.astype(np.float64),
        lost=totals[_LOST],
        parted=totals[_PARTED],
        won=totals[_WON],
    )
