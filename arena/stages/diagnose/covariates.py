"""What may have swayed a judge's verdicts: position, length, and how good each side was."""

from dataclasses import dataclass, replace

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.components import identify
from arena.stages.diagnose.evidence import Evidence, Marks

POSITION, LENGTH, QUALITY = "position", "length", "scores"
MOST_MISSING = 0.1
"""A covariate that more of the verdicts lack than this is not used at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covariates:
    """Columns by name, shape (M, d), over the verdicts in `rows`; `given`: whose scores are used.

    `lacking`: covariates that could not be made, with the reason.
    """

    names: tuple[str, ...]
    x: Floats
    rows: Ints
    given: str
    lacking: dict[str, str]

    def only(self, kept: Bools) -> "Covariates":
        """The same over some of the verdicts."""
        return replace(self, x=self.x[kept], rows=self.rows[kept])

    def without(self, column: int, why: str) -> "Covariates":
        """The same less one column, and why."""
        return replace(
            self,
            names=tuple(n for i, n in enumerate(self.names) if i != column),
            x=np.delete(self.x, column, axis=1),
            lacking={**self.lacking, self.names[column]: why},
        )


def make_covariates(evidence: Evidence, judge: int) -> Covariates:
    """The covariates of one judge's verdicts; a verdict that lacks one of them is left out."""
    verdicts = evidence.verdicts
    rows = np.flatnonzero((verdicts.judge == judge) & (verdicts.repeat == 1))
    quality, given = _quality(evidence, judge, rows)
    columns = {
        POSITION: verdicts.shown[rows].astype(np.float64),
        LENGTH: verdicts.length[rows],
        QUALITY: quality,
    }
    lacking, kept = {}, {}
    for name, column in columns.items():
        if not len(rows):
            lacking[name] = "no_rows"
        elif np.isnan(column).mean() > MOST_MISSING or not np.nan_to_num(column).any():
            lacking[name] = {POSITION: "no_orders", LENGTH: "no_lengths"}.get(name, "no_scores")
        else:
            kept[name] = column
    x = np.stack(list(kept.values()), axis=1) if kept else np.zeros((len(rows), 0))
    whole = ~np.isnan(x).any(axis=1)
    return Covariates(
        names=tuple(kept),
        x=x[whole],
        rows=rows[whole],
        given=given if QUALITY in kept else "",
        lacking=lacking,
    )


def _quality(evidence: Evidence, judge: int, rows: Ints) -> tuple[Floats, str]:
    """First less second by the scores of the other judges, else by the judge's own."""
    marks = evidence.marks
    whole = marks.criterion == -1
    for given, who in (("others", marks.judge != judge), ("own", marks.judge == judge)):
        found = _difference(evidence, marks, whole & who, rows)
        if len(rows) and np.isnan(found).mean() <= MOST_MISSING:
            return found, given
    return np.full(len(rows), np.nan), ""


def _difference(evidence: Evidence, marks: Marks, used: Bools, rows: Ints) -> Floats:
    verdicts = evidence.verdicts
    sides = (verdicts.of_first[rows], verdicts.of_second[rows])
    size = max(int(t.max(initial=-1)) for t in (*sides, marks.transcript)) + 2
    counts = np.bincount(marks.transcript[used], minlength=size)
    sums = np.bincount(marks.transcript[used], marks.value[used], size)
    # The last place is that of an unknown transcript.
    mean = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return np.asarray((mean[sides[0]] - mean[sides[1]]) / 100)


def _wins(first: Ints, second: Ints, share: Floats, k: int) -> Floats:
    flat = np.bincount(first * k + second, share, k * k).astype(np.float64)
    return np.asarray((flat + np.bincount(second * k + first, 1 - share, k * k)).reshape(k, k))


def component(first: Ints, second: Ints, share: Floats, agents: int) -> Ints | None:
    """The agents whose strengths these shares of `first` identify; None for nobody."""
    return identify(_wins(first, second, share, agents)).component if len(first) else None
