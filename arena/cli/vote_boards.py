"""Boards and diagnoses of votes that were imported: the code of files, over the store's rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arena.cli.workspace import now
from arena.domain.board import Board, Calibration
from arena.domain.diagnosis import Diagnosis
from arena.domain.job import Job
from arena.errors import UsageError
from arena.store.outcomes.table import OutcomeSource
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.stages.diagnose.figures import Options

GIVEN = {"a": "agent_a", "b": "agent_b", "outcome": "outcome"}
SLICED = ("domain", "tag", "judge")
MOST_JUDGES = 100
MOST_SLICES = 12
"""A column is cut by unless somebody asks where it has at most so many values."""


def rank_votes(
    job: Job, store: Store, options: Mapping[str, Any] | None = None, *, check: bool = False
) -> Board:
    """The board of an import of votes, fitted and kept. `options`: those of `ranking.rank`.

    The board of a part (`where`, `judge`) is not kept: it would be published as that of the whole.
    Raises as `ranking.rank` does.
    """
    from arena.ranking import rank

    asked = dict(options or {})
    asked.setdefault("seed", job.seed)
    source = open_votes(job, store, where=asked.get("where"))
    if "by" not in asked:
        asked["by"] = cut_by(source)
    board = rank(source, columns=GIVEN, check=check, **asked)
    board = _as_board_of(board, job, store)
    if not is_part(asked):
        store.boards.add(board, run=job.run, origin=job.origin)
    return board


def is_part(options: Mapping[str, Any]) -> bool:
    """Whether options choose some of the votes."""
    return bool(options.get("where") or options.get("judge"))


def open_votes(job: Job, store: Store, *, where: str | None = None) -> OutcomeSource:
    """The votes of a job's import; what `where` is written by can reach nothing but them."""
    source = store.votes.open(job.origin)
    if where is not None:
        source.lock()
    return source


def cut_by(source: OutcomeSource) -> tuple[str, ...]:
    """The usual columns of slices that have a few values."""
    return tuple(
        name
        for name in SLICED
        if name in source.columns and 1 < len(source.labels(name, MOST_SLICES + 1)) <= MOST_SLICES
    )


def _as_board_of(board: Board, job: Job, store: Store) -> Board:
    """The board of a file as that of an import: named, dated, and saying what the file was like."""
    file = store.votes.file(job.origin)
    method = board.method
    if file is not None:
        method = replace(method, source={**method.source, "layout": file.layout})
    return replace(
        board,
        suite=job.suite.suite,
        suite_version=job.suite.version,
        suite_digest=job.suite.digest(),
        mode=job.mode,
        at=now(),
        method=method,
        imported=job.held.note if job.held else None,
        calibration=_uncalibrated(board),
    )


def _uncalibrated(board: Board) -> Calibration | None:
    """That votes of people beside judges correct nothing: no file says how they were drawn."""
    if "human" not in board.diagnostics.rows.excluded:
        return None
    return Calibration(
        labelled=0, scenarios=0, probability=None, power=None, agreement=(), why="no_chance"
    )


def diagnose_votes(job: Job, store: Store, options: "Options", how: Mapping[str, Any]) -> Diagnosis:
    """The diagnosis of an import of votes, kept beside its board; raises as files do.

    `how`: as `ranking.file_options` gives it.
    """
    from arena.cli.diagnosing_rows import diagnose_source

    file = store.votes.file(job.origin)
    if file and file.judges > MOST_JUDGES and not how["where"]:
        raise UsageError(
            "{name}: {count} judges, and a diagnosis is made of at most {most}",
            fix="Choose some: --where \"judge in ('…', '…')\"",
            name=job.suite.suite,
            count=file.judges,
            most=MOST_JUDGES,
        )
    source = open_votes(job, store, where=how["where"])
    board = store.boards.latest(job.suite.suite, job.mode, origin=job.origin)
    found = diagnose_source(source, {**how, "columns": GIVEN}, options)
    found = replace(
        found,
        suite=job.suite.suite,
        suite_version=job.suite.version,
        mode=job.mode,
        board=board.data_digest if board else None,
        at=now(),
    )
    if not is_part(how):
        store.reports.add(found, run=job.run, origin=job.origin)
    return found
