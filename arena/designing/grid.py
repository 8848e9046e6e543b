"""Names and indices: the comparisons that could be made as a mask of places and pairs."""

from collections.abc import Iterable, Sequence

import numpy as np

from arena.designing.scores import Scores
from arena.domain.design import Cell, Place
from arena.maths.arrays import Bools, Floats


class Grid:
    """S places and the pairs of K agents; masks have shape (S, P), pairs as in `maths.designs`."""

    def __init__(self, agents: Iterable[str], places: Sequence[Place]) -> None:
        self.agents = tuple(sorted(agents))
        self.places = tuple(places)
        self._first, self._second = np.triu_indices(len(self.agents), 1)
        pairs = zip(self._first.tolist(), self._second.tolist(), strict=True)
        self._pair = {(self.agents[i], self.agents[j]): pair for pair, (i, j) in enumerate(pairs)}
        self._place = {place: row for row, place in enumerate(self.places)}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of each pair, in order."""
        return tuple(self._pair)

    def mask(self, cells: Iterable[Cell]) -> Bools:
        """Where some cells are; those outside are passed over."""
        found = np.zeros((len(self.places), len(self._pair)), dtype=np.bool_)
        for cell in cells:
            row = self._place.get(Place(cell.scenario, cell.replicate))
            pair = self._pair.get((cell.a, cell.b))
            if row is not None and pair is not None:
                found[row, pair] = True
        return found

    def cells(self, mask: Bools) -> list[Cell]:
        """The cells of a mask, place by place."""
        rows, pairs = np.nonzero(mask)
        return [
            Cell(*self.places[row], *self.pairs_at(pair))
            for row, pair in zip(rows.tolist(), pairs.tolist(), strict=True)
        ]

    def pairs_at(self, pair: int) -> tuple[str, str]:
        """Names of one pair."""
        return self.agents[self._first[pair]], self.agents[self._second[pair]]

    def with_agents(self, names: Iterable[str]) -> Bools:
        """Pairs in which any of some agents is, shape (P,)."""
        some = set(names)
        member = np.array([name in some for name in self.agents], dtype=np.bool_)
        return np.asarray(member[self._first] | member[self._second])

    def at_places(self, places: Iterable[Place]) -> Bools:
        """Which rows are some places, shape (S,)."""
        some = set(places)
        return np.array([place in some for place in self.places], dtype=np.bool_)

    def scores(self, scores: Scores) -> Floats:
        """Scores by scenario and agent, shape (scenarios, K), NaN where one is missing."""
        names = sorted({scenario for scenario, _ in scores})
        return np.array(
            [[scores.get((name, agent), np.nan) for agent in self.agents] for name in names],
            dtype=np.float64,
        ).reshape(len(names), len(self.agents))
