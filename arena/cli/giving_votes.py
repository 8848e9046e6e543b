"""What `arena export` does in a format of votes: rows of the store into one new file."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.giving_out import tell_written
from arena.cli.words import Lang
from arena.errors import UsageError
from arena.exchange.format import Format, VoteColumn, VotesPart, Written

if TYPE_CHECKING:
    from arena.domain.job import Job
    from arena.store.store import Store
    from arena.store.votes.writing import Column


def export_votes(
    known: Format,
    part: VotesPart,
    path: Path,
    given: Mapping[str, Any],
    lang: Lang,
    *,
    as_json: bool,
) -> None:
    """Write the votes of an import, or the verdicts of a job, into a file.

    Raises UsageError as `one_job` does, for another ending, and for a file that is there already.
    """
    from arena.cli.chosen_import import one_job
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking

    if path.suffix not in part.endings:
        raise UsageError(
            "{path}: {format} is written as {endings}",
            path=path,
            format=known.name,
            endings=", ".join(part.endings),
        )
    with looking(asked_of(given)) as (bench, store):
        done = _write(part, one_job(bench, given["import_"]), store, path)
    tell_written(done, known, lang, as_json=as_json)


def _write(part: VotesPart, job: "Job", store: "Store", path: Path) -> Written:
    from arena.stages.give_out import planned_verdicts
    from arena.store.votes.writing import write_votes

    rest: tuple[str, ...] = ()
    if job.held is not None and job.held.votes:
        source = store.votes.open(job.origin)
        file = store.votes.file(job.origin)
        rest = file.rest if file else ()
    else:
        source = store.votes.open_verdicts([p.key for p in planned_verdicts(job, store)])
    copied = write_votes(
        source,
        [_column(c) for c in part.columns],
        rest,
        path,
        unanswered=part.holds_unanswered,
    )
    return Written(files=(path,), rows={"vote": copied.rows}, lost=copied.lost)


def _column(column: VoteColumn) -> "Column":
    from arena.store.votes.writing import Column

    return Column(**{f.name: getattr(column, f.name) for f in fields(column)})
