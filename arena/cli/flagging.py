"""What `arena export flags` and `arena import flags` do: flags to people, and decisions back."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.filled_in import FilledIn
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, Narrowed, command_line, now
from arena.designing.reviewing import dangers_of, to_review
from arena.domain.board import Board
from arena.domain.flag import FlagDecision
from arena.domain.job import Job
from arena.errors import ConfigError
from arena.exchange import flags
from arena.exchange.flag_rows import flag_row

if TYPE_CHECKING:
    from arena.store.store import Store


def export_flags(
    path: Path, given: Mapping[str, Any], lang: Lang, *, judges: bool, as_json: bool
) -> None:
    """Write a row for every flag, in an order that tells nothing of the agents.

    Where a wider look is asked for, also for what judges differ on, and for a random part.
    """
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking

    with looking(asked_of(given)) as (bench, store):
        rows = [
            row
            for job, board in _boards(bench, store)
            for row in _rows(job, board, store, judges=judges, wider=given["wider"])
        ]
    rows.sort(key=lambda row: row.flag)
    flags.write(path, rows, judges=judges)
    if as_json:
        output.print_json({"schema": "arena.export/1", "file": str(path), "flags": len(rows)})
        return
    output.tell(say(lang, "flags_written", path=path, n=len(rows)))
    output.tell(say(lang, "next_after_flags", path=path), style="bold")


def import_flags(sheet: FilledIn, lang: Lang, *, as_json: bool) -> int:
    """Keep the decisions of a filled-in table; what is of no flag here is left out and counted.

    Returns the exit code: 3 where wrong rows were left out. Raises ConfigError for a wrong row
    otherwise.
    """
    from arena.cli.imported_boards import looking

    faults: list[ConfigError] = []
    filled = flags.read(sheet.path, person=sheet.person, faults=faults)
    sheet.check(faults, lang)
    with looking(Narrowed(project=sheet.project)) as (bench, store):
        known = {flag.id for _, board in _boards(bench, store) for flag in board.flags}
        known |= {d.id for job in bench.jobs for d in dangers_of(job, job.all_transcripts())}
        decisions = [
            FlagDecision(flag=f.flag, person=f.person, decided=f.decided, at=now(), note=f.note)
            for f in filled
            if f.flag in known
        ]
        new = None if sheet.dry else _keep(decisions, bench, store, sheet)
    told: dict[str, Any] = {"decisions": len(decisions), "left_out": len(filled) - len(decisions)}
    if as_json:
        document = {**told, "new": new, "bad": len(faults), "dry_run": sheet.dry}
        output.print_json({"schema": "arena.import/1", "file": str(sheet.path), **document})
    elif sheet.dry:
        output.tell(say(lang, "flags_would", **told))
    else:
        output.tell(say(lang, "flags_read", new=new, **told))
        output.tell(say(lang, "next_after_decisions"), style="bold")
    return sheet.code(faults)


def _keep(decisions: Sequence[FlagDecision], bench: Bench, store: "Store", sheet: FilledIn) -> int:
    """Keep decisions; how many of them are new."""
    store.runs.add(
        bench.run,
        command=command_line(sheet.argv),
        version=SOFTWARE,
        seed=bench.config.seed,
        note="",
        started_at=now(),
    )
    new = store.decisions.add(decisions, run=bench.run)
    store.checkpoint()
    return new


def _boards(bench: Bench, store: "Store") -> Iterator[tuple[Job, Board]]:
    from arena.cli.boards import rank_all

    yield from zip(bench.jobs, rank_all(bench, store), strict=True)


def _rows(
    job: Job, board: Board, store: "Store", *, judges: bool, wider: bool
) -> Iterator[flags.FlagRow]:
    raised = {flag.transcript for flag in board.flags}
    specs = [t for t in job.all_transcripts() if wider or t.key in raised]
    there = {t.key: t for t in store.transcripts.all(specs)}
    for flag in to_review(job, board, store, there) if wider else board.flags:
        yield flag_row(job, flag, there[flag.transcript], judges=judges)
