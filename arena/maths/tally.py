"""Comparisons as arrays, and all that Bradley–Terry needs to know of them.

Points and comparisons per cluster are sufficient: neither the fit nor a resample looks at single
comparisons again. A cluster is what is drawn as one, a scenario as a rule.
"""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import (
    Bools,
    Codes,
    Floats,
    Ints,
    Shares,
    Table,
    column_sums,
)
from arena.maths.pairs import offsets, to_square

__all__ = ["Bools", "Floats", "Ints", "Rows", "Tally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """M comparisons among K agents in S scenarios, one entry a comparison.

    `first`, `second`: agents, shape (M,), in 0 … K−1 and different in every entry.
    `scenario`: shape (M,), in 0 … S−1; None where every comparison stands for itself. `share`:
    what `first` earned, shape (M,), in [0, 1]. `weight`: shape (M,), in (0, 1]; None: all 1.
    `tie`: part of each comparison that was a tie, shape (M,), at most 2·min(share, 1−share); None
    where it is not known. `crossing`: a second cluster of each comparison, shape (M,), or None.
    Any whole-number and floating type will do, so that millions of rows stay small. Sums of
    halves and quarters are exact; of other shares and of weights they depend on the order of the
    entries in the last bit: sort them for identical bytes.
    """

    first: Codes
    second: Codes
    scenario: Codes | None
    share: Shares
    agents: int
    scenarios: int
    weight: Floats | None = None
    tie: Shares | Bools | None = None
    crossing: Codes | None = None

    @property
    def size(self) -> int:
        """M."""
        return len(self.share)

    @property
    def even(self) -> int:
        """How many comparisons were parted evenly."""
        return int((self.share == 0.5).sum())

    @property
    def clustered(self) -> bool:
        """Whether comparisons hang together in clusters."""
        return self.scenario is not None

    def entries(self) -> "Rows":
        """The comparisons one by one: these."""
        return self

    def meetings(self, agent: int, others: Ints) -> int:
        """In how many clusters an agent met any of some others."""
        inside = np.zeros(self.agents, dtype=np.bool_)
        inside[others] = True
        met = (self.first == agent) & inside[self.second]
        met |= (self.second == agent) & inside[self.first]
        return int(met.sum()) if self.scenario is None else len(np.unique(self.scenario[met]))

    def within(self, members: Ints) -> "Rows":
        """The comparisons among `members` (sorted, distinct), agents and scenarios renumbered.

        Scenarios in which these agents were never compared drop out: they carry no information
        about them and must not count as clusters.
        """
        place = np.full(self.agents, -1, dtype=np.int64)
        place[members] = np.arange(len(members))
        kept = (place[self.first] >= 0) & (place[self.second] >= 0)
        return self.only(kept, place, len(members))

    def only(self, kept: Bools, place: Ints | None = None, agents: int | None = None) -> "Rows":
        """The comparisons in the mask `kept`, shape (M,), their scenarios renumbered.

        `place`: new number of each agent, shape (K,), where they change, and `agents` how many.
        """
        scenario, scenarios = None, int(kept.sum())
        if self.scenario is not None:
            held = np.bincount(self.scenario[kept], minlength=self.scenarios) > 0
            scenario, scenarios = (np.cumsum(held) - 1)[self.scenario[kept]], int(held.sum())
        first, second = self.first[kept], self.second[kept]
        return Rows(
            first=first if place is None else place[first],
            second=second if place is None else place[second],
            scenario=scenario,
            share=self.share[kept],
            agents=self.agents if agents is None else agents,
            scenarios=scenarios,
            weight=None if self.weight is None else self.weight[kept],
            tie=None if self.tie is None else self.tie[kept],
            crossing=None if self.crossing is None else self.crossing[kept],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What S clusters hold of K agents, P = K(K−1)/2 pairs in the order of `pairs.py`.

    One row a cluster: `games`, comparisons of each pair, shape (S, P), float32 where they are
    whole numbers, which it holds exactly; `points`, what each agent earned, and `load`,
    comparisons of each agent, shape (S, K). All three are dense, or all sparse. `copies`: how
    many clusters look exactly so, shape (S,); None: one each.

    Over all clusters, shape (K, K): `wins`, points that i earned from j, a tie being half a point
    to each; `clear`, the comparisons among them in which i took the whole point; `met`,
    comparisons of i and j, each counting 1 whatever its weight; `parted`, Σ y(1 − y) by weight of
    their shares y: how much of the variance of wins and losses ties and folding took away.
    """

    games: Table
    points: Table
    load: Table
    copies: Ints | None
    wins: Floats
    clear: Floats
    met: Floats
    parted: Floats

    @property
    def agents(self) -> int:
        """K."""
        return len(self.wins)

    @property
    def clusters(self) -> int:
        """How many clusters there are, copies counted."""
        return int(self.points.shape[0]) if self.copies is None else int(self.copies.sum())

    def clusters_used(self) -> int:
        """How many clusters hold a comparison."""
        return int(column_sums(self.load.sum(axis=1).reshape(-1, 1) > 0, self.copies)[0])

    def total(self) -> Floats:
        """Comparisons of i and j by their weights, shape (K, K), symmetric."""
        return np.asarray(self.wins + self.wins.T)

    def spread(self) -> Ints:
        """Number of clusters in which each agent was compared, shape (K,)."""
        return column_sums(self.load > 0, self.copies).astype(np.int64)

    def spans(self) -> Ints:
        """Number of clusters in which i and j were compared, shape (K, K), symmetric."""
        return to_square(column_sums(self.games > 0, self.copies), self.agents).astype(np.int64)

    def residuals(self, expected: Floats) -> Table:
        """Points above expectation of each agent in each cluster, shape (S, K).

        `expected`: share that i earns from j, shape (K, K). Entries of a row sum to 0.
        """
        if not isinstance(self.games, np.ndarray):
            return self.points - self.games @ _shares_by_agent(expected)
        begin, above = offsets(self.agents), np.array(self.points.T, order="C")
        for i in range(self.agents - 1):
            games = self.games.T[begin[i] : begin[i + 1]].astype(np.float64)
            above[i] -= expected[i, i + 1 :] @ games
            games *= expected[i + 1 :, i, None]
            above[i + 1 :] -= games
        return above.T


def _shares_by_agent(expected: Floats) -> Table:
    """What each agent earns from one comparison of each pair, sparse, shape (P, K)."""
    # scipy takes a while to import; only boards with very many clusters come here.
    from scipy.sparse import csr_array

    first, second = np.triu_indices(len(expected), 1)
    pair = np.arange(len(first))
    return csr_array(
        (
            np.concatenate([expected[first, second], expected[second, first]]),
            (np.concatenate([pair, pair]), np.concatenate([first, second])),
        ),
        shape=(len(first), len(expected)),
    )
