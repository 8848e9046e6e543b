"""Comparisons as arrays, and the counts that Bradley–Terry needs of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """M comparisons among K agents in S scenarios, one entry a comparison.

    `first`, `second`: agents, shape (M,), in 0 … K−1 and different in every entry.
    `scenario`: shape (M,), in 0 … S−1. `share`: what `first` earned, shape (M,), in [0, 1].
    The order of the entries bears on floating-point sums only: sort them for identical bytes.
    """

    first: Ints
    second: Ints
    scenario: Ints
    share: Floats
    agents: int
    scenarios: int

    def wins(self) -> Floats:
        """Points that i earned from j, shape (K, K); a tie is half a point to each."""
        k = self.agents
        flat = _sums(self.first * k + self.second, self.share, k * k)
        flat += _sums(self.second * k + self.first, 1 - self.share, k * k)
        return flat.reshape(k, k)

    def games(self) -> Floats:
        """Comparisons between i and j, shape (K, K), symmetric."""
        return pair_matrix(self, np.ones(len(self.share)))

    def load(self) -> Floats:
        """Comparisons of agent i in scenario s, shape (S, K)."""
        return self._by_scenario(np.ones(len(self.share)), np.ones(len(self.share)))

    def points(self) -> Floats:
        """Points that agent i earned in scenario s, shape (S, K)."""
        return self._by_scenario(self.share, 1 - self.share)

    def residuals(self, expected: Floats) -> Floats:
        """Points above expectation of agent i in scenario s, shape (S, K).

        `expected`: share that i earns from j, shape (K, K). Entries of a row sum to 0.
        """
        above = self.share - expected[self.first, self.second]
        return self._by_scenario(above, -above)

    def within(self, members: Ints) -> "Rows":
        """The comparisons among `members` (sorted, distinct), agents and scenarios renumbered.

        Scenarios in which these agents were never compared drop out: they carry no information
        about them and must not count as clusters.
        """
        place = np.full(self.agents, -1, dtype=np.int64)
        place[members] = np.arange(len(members))
        kept = (place[self.first] >= 0) & (place[self.second] >= 0)
        used, renumbered = np.unique(self.scenario[kept], return_inverse=True)
        return Rows(
            first=place[self.first[kept]],
            second=place[self.second[kept]],
            scenario=renumbered.astype(np.int64),
            share=self.share[kept],
            agents=len(members),
            scenarios=len(used),
        )

    def _by_scenario(self, of_first: Floats, of_second: Floats) -> Floats:
        k, size = self.agents, self.scenarios * self.agents
        flat = _sums(self.scenario * k + self.first, of_first, size)
        flat += _sums(self.scenario * k + self.second, of_second, size)
        return flat.reshape(self.scenarios, k)


def pair_matrix(rows: Rows, values: Floats) -> Floats:
    """Sum of `values`, shape (M,), over the comparisons of i and j, shape (K, K), symmetric."""
    k = rows.agents
    flat = _sums(rows.first * k + rows.second, values, k * k).reshape(k, k)
    return np.asarray(flat + flat.T)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts of comparisons.

    Shape (K, K), of i against j: `games`, `wins` (points), `clear` (whole points), `spans`
    (scenarios). Shape (S, K): `load`, comparisons of i in scenario s.
    """

    games: Floats
    wins: Floats
    clear: Floats
    spans: Floats
    load: Floats


def count(rows: Rows) -> Counts:
    """All counts of the comparisons at once."""
    return Counts(
        games=rows.games(),
        wins=rows.wins(),
        clear=clear_wins(rows),
        spans=pair_scenarios(rows),
        load=rows.load(),
    )


def pair_scenarios(rows: Rows) -> Floats:
    """Number of scenarios in which i and j were compared, shape (K, K), symmetric."""
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    k = rows.agents
    cell = np.unique((rows.scenario * k + low) * k + high) % (k * k)
    flat = _sums(cell, np.ones(len(cell)), k * k).reshape(k, k)
    return np.asarray(flat + flat.T)


def clear_wins(rows: Rows) -> Floats:
    """Comparisons in which i earned the whole point from j, shape (K, K)."""
    k = rows.agents
    flat = _sums(rows.first * k + rows.second, (rows.share == 1).astype(np.float64), k * k)
    flat += _sums(rows.second * k + rows.first, (rows.share == 0).astype(np.float64), k * k)
    return flat.reshape(k, k)


def _sums(place: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(place, values, size).astype(np.float64, copy=False)
