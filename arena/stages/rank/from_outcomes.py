"""A file's outcomes as the material of a board."""

from collections.abc import Sequence

import numpy as np

from arena.domain.board import JudgeCount, RowCount
from arena.errors import UsageError
from arena.maths.arrays import Codes, Floats
from arena.maths.tally import Rows
from arena.stages.rank.material import JUDGE, Group, Material, Presented
from arena.store.outcomes.columns import Coded, OutcomeColumns
from arena.store.outcomes.counted import OutcomeCounts
from arena.store.outcomes.counts import Counts

TAG = "tag"


def from_outcomes(
    found: OutcomeColumns,
    *,
    cluster: Sequence[str],
    by: Sequence[str],
    presented: Presented | None = None,
) -> Material:
    """Material of a board. `cluster`: no column (rows are drawn), one, or two that cross.

    Raises UsageError for more than two clusters and for columns that the file does not have.
    """
    if len(cluster) > 2:
        raise UsageError("two columns can cross, not {count}", count=len(cluster))
    size = len(found.share)
    coded = [_column(found, name) for name in cluster]
    clusters = [cluster_codes(column) for column in coded]
    rows = Rows(
        first=found.first,
        second=found.second,
        scenario=clusters[0][0] if clusters else None,
        share=found.share,
        agents=len(found.agents),
        scenarios=clusters[0][1] if clusters else size,
        weight=found.weight,
        tie=found.tie,
        crossing=clusters[1][0] if len(clusters) > 1 else None,
    )
    return Material(
        agents=found.agents,
        scenarios=coded[0].names if coded else None,
        rows=rows,
        flipped=found.flipped,
        groups={name: _group(found, name) for name in by},
        by_agent=None,
        by_pair=None,
        excluded=_excluded(found),
        missing=_missing(found),
        row_count=_row_count(found.counts),
        judges=_judges(found),
        presented=presented,
        order=found.row,
    )


def from_counts(found: OutcomeCounts, *, presented: Presented | None = None) -> Material:
    """Material of a board of which the counts are known; they name no judges."""
    return Material(
        agents=found.agents,
        scenarios=found.clusters,
        rows=found.verdicts,
        flipped=None,
        groups={},
        by_agent=None,
        by_pair=None,
        excluded=_excluded(found),
        missing=_missing(found),
        row_count=_row_count(found.counts),
        judges=(),
        presented=presented,
    )


def _column(found: OutcomeColumns, name: str) -> Coded:
    if name not in found.codes:
        raise UsageError("there is no column {name}", name=name)
    return found.codes[name]


def cluster_codes(column: Coded) -> tuple[Codes, int]:
    """Cluster of each comparison; those without a name are clusters of their own."""
    codes = column.codes
    empty = codes < 0
    if not empty.any():
        return codes, len(column.names)
    own = codes.astype(np.int64)
    own[empty] = len(column.names) + np.arange(int(empty.sum()))
    return own, len(column.names) + int(empty.sum())


def _group(found: OutcomeColumns, name: str) -> Group:
    if name == TAG and found.tags is not None:
        return Group(names=found.tags.names, code=found.tags.codes, entry=found.tags.entry)
    column = _column(found, name)
    entry = np.flatnonzero(column.codes >= 0)
    return Group(names=column.names, code=column.codes[entry], entry=entry)


def _excluded(found: OutcomeColumns | OutcomeCounts) -> dict[str, dict[str, int]]:
    return {a: dict(why) for a, why in found.counts.by_agent.items() if a in found.agents}


def _row_count(counts: Counts) -> RowCount:
    excluded = sorted(counts.excluded.items())
    return RowCount(
        read=counts.read,
        used=counts.used,
        excluded={why: e.rows for why, e in excluded},
        first={why: e.first_row for why, e in excluded},
    )


def _missing(found: OutcomeColumns | OutcomeCounts) -> Floats | None:
    if not len(found.missing.first):
        return None
    k = len(found.agents)
    lacking = np.zeros((k, k))
    np.add.at(lacking, (found.missing.first, found.missing.second), found.missing.comparisons)
    return np.asarray(lacking + lacking.T)


def _judges(found: OutcomeColumns) -> tuple[JudgeCount, ...]:
    column = found.codes.get(JUDGE)
    if column is None:
        return ()
    count = len(column.names)
    known = column.codes >= 0
    codes = column.codes[known]
    flipped = np.zeros(len(codes)) if found.flipped is None else found.flipped[known]
    used = np.bincount(codes, minlength=count)
    flips = np.bincount(codes, flipped, count)
    ties = np.bincount(codes, found.share[known] == 0.5, count)
    named = {
        name: JudgeCount(
            judge=name,
            comparisons=int(used[i]),
            flips=int(flips[i]),
            ties=int(ties[i]),
            rows=dict(sorted(found.counts.by_judge.get(name, {}).items())),
        )
        for i, name in enumerate(column.names)
    }
    for name, rows in found.counts.by_judge.items():
        if name and name not in named:
            named[name] = JudgeCount(
                judge=name, comparisons=0, flips=0, ties=0, rows=dict(sorted(rows.items()))
            )
    return tuple(named[name] for name in sorted(named))
