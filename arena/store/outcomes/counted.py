"""A file's outcomes by their counts: how often each pair ended how in each cluster.

For boards that look at no comparison by itself. Of millions of rows nothing is kept then but a
table of pairs and clusters, which is made while they are read.
"""

from contextlib import closing
from dataclasses import dataclass

import numpy as np

from arena.domain.layout import Layout, Reading
from arena.maths.arrays import Bools
from arena.maths.tallying import dense
from arena.maths.verdicts import Counter, Verdicts
from arena.store.outcomes.columns import Missing, OutcomeColumns
from arena.store.outcomes.counts import Counts
from arena.store.outcomes.pieces import read_pieces
from arena.store.outcomes.reading import (
    board_agents,
    columns_of,
    missing_pairs,
    named_votes,
    nothing_left,
)
from arena.store.outcomes.rows import Votes, is_plain
from arena.store.outcomes.set_aside import SetAside
from arena.store.outcomes.table import OutcomeSource


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """Comparisons by their counts; fields of one name are those of OutcomeColumns.

    `clusters`: names of the clusters of `verdicts`, sorted, each with a comparison.
    """

    agents: tuple[str, ...]
    clusters: tuple[str, ...]
    verdicts: Verdicts
    missing: Missing
    counts: Counts
    layout: Layout
    encoding: str | None


def count_outcomes(
    source: OutcomeSource, layout: Layout, reading: Reading, cluster: str
) -> OutcomeCounts | OutcomeColumns:
    """The comparisons of a loaded source by their counts, where counts can say all of them.

    Else as `read_outcomes`: where something is to be folded, weighed, chosen or counted once,
    where a row names no `cluster`, and where pairs and clusters are too many for a table. Raises
    as `read_outcomes`.
    """
    votes = named_votes(source, layout, reading, (cluster,))
    found = _count(votes, cluster) if is_plain(layout, reading, votes.key) else None
    return columns_of(votes, (cluster,)) if found is None else found


def _count(votes: Votes, cluster: str) -> OutcomeCounts | None:
    agents, clusters = votes.codes.size("agent"), votes.codes.size(votes.roles[cluster])
    if not dense(agents, clusters):
        return None
    for kind in (np.uint8, np.uint32):
        counter, aside, used = Counter(agents, clusters, kind), SetAside(), np.zeros(clusters, bool)
        if not _walk(votes, cluster, counter, aside, used):
            return None
        verdicts = counter.verdicts()
        if verdicts is not None:
            return _named(votes, cluster, verdicts, aside, used)
    return None


def _walk(votes: Votes, cluster: str, counter: Counter, aside: SetAside, used: Bools) -> bool:
    """Count all rows, and mark the clusters that they use; False where one has no cluster."""
    alias = votes.roles[cluster]
    with closing(read_pieces(votes, (cluster,))) as pieces:
        for readable, others in pieces:
            of = readable[alias]
            if (of < 0).any():
                return False
            counter.add(readable["first"], readable["second"], readable["won"], of)
            aside.add(others)
            # Mostly the first piece has them all.
            if not used.all():
                used[of] = True
    return True


def _named(
    votes: Votes, cluster: str, verdicts: Verdicts, aside: SetAside, used: Bools
) -> OutcomeCounts:
    """The counts of the agents that the rows bring onto the board, and of clusters in use."""
    counts, missing = aside.counts(votes, verdicts.size), aside.missing()
    if not counts.used:
        raise nothing_left(votes, counts)
    met = _met(verdicts)
    met[missing["first"]] = met[missing["second"]] = True
    place, agents = board_agents(votes, np.flatnonzero(met))
    names = votes.codes.names(votes.roles[cluster])
    return OutcomeCounts(
        agents=agents,
        clusters=tuple(names[code] for code in np.flatnonzero(used).tolist()),
        # Mostly all are in use, and a part of the table is a copy.
        verdicts=verdicts if met.all() and used.all() else verdicts.within(np.flatnonzero(met)),
        missing=missing_pairs(place, missing),
        counts=counts,
        layout=votes.layout,
        encoding=votes.source.encoding,
    )


def _met(verdicts: Verdicts) -> Bools:
    """Whether each agent has a comparison."""
    pairs = verdicts.totals.any(axis=0)
    first, second = np.triu_indices(verdicts.agents, 1)
    met = np.zeros(verdicts.agents, dtype=np.bool_)
    met[first[pairs]] = met[second[pairs]] = True
    return met
