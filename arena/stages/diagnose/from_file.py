"""A file's verdicts as evidence; there are no scores in it, and no transcripts."""

from collections.abc import Mapping

import numpy as np

from arena.maths.arrays import Floats, Ints
from arena.stages.diagnose.evidence import NO_MARKS, Evidence, Verdicts
from arena.store.outcomes.presentations import Presentations

LENGTH = "length"
JUDGE, SCENARIO = "judge", "scenario"
SAME = ("replicate", "criterion")
"""Beside scenario and pair: what makes two rows be about the same."""


def from_presentations(
    found: Presentations, *, cluster: str | None, counted: Mapping[str, Mapping[str, int]]
) -> Evidence:
    """Evidence of a file's readable rows. `cluster`: the column that hangs together, if any.

    `counted`: what became of the rows, judge → reason → rows. A judge without a name is the
    judge ``""``. Weights are not used: a row is one verdict.
    """
    judges, judge = _named(found)
    scenario, size = _clusters(found, cluster)
    verdicts = Verdicts(
        judge=judge,
        first=found.first.astype(np.int64),
        second=found.second.astype(np.int64),
        scenario=scenario,
        unit=_units(found),
        repeat=np.ones(len(judge), dtype=np.int64),
        share=found.share.astype(np.float64),
        shown=found.shown.astype(np.int64),
        length=_lengths(found),
        of_first=np.full(len(judge), -1),
        of_second=np.full(len(judge), -1),
        kin=_kin(found),
    )
    return Evidence(
        agents=found.agents,
        decoys=(),
        judges=judges,
        criteria=(),
        scenarios=size,
        verdicts=verdicts,
        marks=NO_MARKS,
        tries={},
        counted=counted,
        vendors_known=found.vendor_judge is not None and found.vendor_first is not None,
    )


def _named(found: Presentations) -> tuple[tuple[str, ...], Ints]:
    column = found.codes.get(JUDGE)
    if column is None:
        return ("",), np.zeros(len(found.row), dtype=np.int64)
    codes = column.codes.astype(np.int64)
    nameless = codes < 0
    codes[nameless] = len(column.names)
    return (*column.names, *([""] if nameless.any() else [])), codes


def _clusters(found: Presentations, cluster: str | None) -> tuple[Ints | None, int]:
    """Cluster of each row; rows without a name are clusters of their own."""
    if cluster is None:
        return None, len(found.row)
    column = found.codes[cluster]
    codes = column.codes.astype(np.int64)
    empty = np.flatnonzero(codes < 0)
    codes[empty] = len(column.names) + np.arange(len(empty))
    return codes, len(column.names) + len(empty)


def _units(found: Presentations) -> Ints:
    """The same scenario and pair (and replicate and criterion) have the same number."""
    column = found.codes.get(SCENARIO)
    if column is None:
        return np.full(len(found.row), -1)
    parts = [column.codes, found.first, found.second]
    parts += [found.codes[name].codes for name in SAME if name in found.codes]
    key = np.zeros(len(found.row), dtype=np.int64)
    for part in parts:
        codes = part.astype(np.int64) + 1
        key = np.unique(key * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return np.where(column.codes < 0, -1, key)


def _lengths(found: Presentations) -> Floats:
    if LENGTH not in found.pairs:
        return np.full(len(found.row), np.nan)
    logs = [np.log(np.where(side > 0, side, np.nan)) for side in found.pairs[LENGTH]]
    return logs[0] - logs[1]


def _kin(found: Presentations) -> Ints:
    """Which side alone is of the judge's vendor; 0 where that is not known."""
    judge, first, second = found.vendor_judge, found.vendor_first, found.vendor_second
    if judge is None or first is None or second is None:
        return np.zeros(len(found.row), dtype=np.int64)
    known = (judge >= 0) & (first >= 0) & (second >= 0)
    kin = (judge == first).astype(np.int64) - (judge == second)
    return np.where(known, kin, 0)
