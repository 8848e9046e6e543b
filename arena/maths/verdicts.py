"""Comparisons that are won, parted evenly or lost, known by how many of each there are.

What most files hold: shares of 0, ½ and 1, and no weights. A number for each pair in each cluster
then says of millions of comparisons all that ratings need; it mostly takes a byte.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.maths.arrays import Codes, Ints
from arena.maths.pairs import pair_count, pair_index, pair_number
from arena.maths.tally import Rows

LOST, PARTED, WON = range(3)
"""Planes of the counts; also what the lower agent of a pair earned, in half points."""


class Counter:
    """Counts comparisons piece by piece in numbers of a type that may turn out too small."""

    def __init__(self, agents: int, scenarios: int, kind: type[np.unsignedinteger[Any]]) -> None:
        self.agents, self.scenarios = agents, scenarios
        self._one = kind(1)
        self._planes = np.zeros(3 * pair_count(agents) * scenarios, dtype=kind)
        self._added = 0

    def add(self, lower: Codes, upper: Codes, halves: Codes, scenario: Codes) -> None:
        """Count comparisons of agents `lower` < `upper`, whose lower one earned `halves`."""
        # Plane, pair, cluster, in the smallest type that holds the cells of a dense table.
        cell = pair_number(lower.astype(np.int32), upper.astype(np.int32), self.agents)
        cell += halves.astype(np.int32) * np.int32(pair_count(self.agents))
        cell *= np.int32(self.scenarios)
        cell += scenario.astype(np.int32)
        np.add.at(self._planes, cell.astype(np.intp), self._one)
        self._added += len(cell)

    def verdicts(self) -> "Verdicts | None":
        """All that was added; None where a number overflowed."""
        planes = self._planes.reshape(3, pair_count(self.agents), self.scenarios)
        found = Verdicts.of(planes, self.agents)
        # A number that overflows loses all it held, so the sum tells.
        return found if found.size == self._added else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """Comparisons among K agents in S clusters by their counts; i < j are the agents of a pair.

    `planes`: how often i lost, parted and won, shape (3, P, S), unsigned; `totals`: the same over
    all clusters, shape (3, P). What is asked of `Rows` can be asked here too.
    """

    planes: NDArray[np.unsignedinteger[Any]]
    totals: Ints
    agents: int

    @classmethod
    def of(cls, planes: NDArray[np.unsignedinteger[Any]], agents: int) -> "Verdicts":
        """The verdicts of some planes."""
        totals = planes.sum(axis=2, dtype=np.int32).astype(np.int64)
        return cls(planes=planes, totals=totals, agents=agents)

    @property
    def scenarios(self) -> int:
        """S."""
        return int(self.planes.shape[2])

    @property
    def size(self) -> int:
        """How many comparisons there are."""
        return int(self.totals.sum())

    @property
    def even(self) -> int:
        """How many of them were parted evenly."""
        return int(self.totals[PARTED].sum())

    @property
    def clustered(self) -> bool:
        """Whether comparisons hang together in clusters."""
        return True

    def within(self, members: Ints) -> "Verdicts":
        """The comparisons among `members`, as `Rows.within`."""
        first, second = np.triu_indices(len(members), 1)
        planes = self.planes[:, pair_index(self.agents)[members[first], members[second]]]
        return Verdicts.of(planes[:, :, planes.any(axis=(0, 1))], len(members))

    def meetings(self, agent: int, others: Ints) -> int:
        """In how many clusters an agent met any of some others."""
        pairs = pair_index(self.agents)[agent, others]
        return int(self.planes[:, pairs].any(axis=(0, 1)).sum())

    def entries(self) -> Rows:
        """The comparisons one by one, in an order that has no meaning."""
        pairs = pair_count(self.agents)
        held = np.flatnonzero(self.planes)
        cell = np.repeat(held.astype(np.int32), self.planes.ravel()[held])
        first, second = np.triu_indices(self.agents, 1)
        place, scenario = np.divmod(cell, np.int32(self.scenarios))
        halves, pair = np.divmod(place, np.int32(pairs))
        return Rows(
            first=first.astype(np.int32)[pair],
            second=second.astype(np.int32)[pair],
            scenario=scenario,
            share=halves.astype(np.float32) / np.float32(2),
            agents=self.agents,
            scenarios=self.scenarios,
            tie=halves == PARTED,
        )


Comparisons = Rows | Verdicts
"""Comparisons one by one, or by their counts."""


def count_rows(rows: Rows, scenario: Codes, piece: int) -> Verdicts | None:
    """The verdicts of M comparisons in S clusters; None where one has a weight or another share.

    `piece`: entries at once, so that their numbers stay in the cache from step to step.
    """
    if rows.weight is not None:
        return None
    for kind in (np.uint8, np.uint32):
        counter = Counter(rows.agents, rows.scenarios, kind)
        for begin in range(0, len(rows.share), piece):
            here = slice(begin, begin + piece)
            first, second, share = rows.first[here], rows.second[here], rows.share[here]
            halves = (share == 1).view(np.int8) - (share == 0).view(np.int8)
            if ((halves == 0) & (share != 0.5)).any():
                return None
            halves += 1
            turned = first > second
            if turned.any():
                first, second = np.minimum(first, second), np.maximum(first, second)
                halves[turned] = 2 - halves[turned]
            counter.add(first, second, halves, scenario[here])
        verdicts = counter.verdicts()
        if verdicts is not None:
            return verdicts
    return None
