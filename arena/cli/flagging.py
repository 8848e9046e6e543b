"""What `arena export flags` and `arena import flags` do: flags to people, and decisions back."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, Narrowed, command_line, now
from arena.domain.board import Board
from arena.domain.flag import LOW_SCORE, Flag, FlagDecision
from arena.domain.job import Job
from arena.domain.transcript import Transcript
from arena.errors import UsageError
from arena.exchange import flags

if TYPE_CHECKING:
    from arena.store.store import Store


def export_flags(
    path: Path, given: Mapping[str, Any], lang: Lang, *, judges: bool, as_json: bool
) -> None:
    """Write a row for every flag, in an order that tells nothing of the agents."""
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking

    with looking(asked_of(given)) as (bench, store):
        rows = [row for job, board in _boards(bench, store) for row in _rows(job, board, store)]
    rows.sort(key=lambda row: row.flag)
    if not judges:
        rows = [_blinded(row) for row in rows]
    flags.write(path, rows, judges=judges)
    if as_json:
        output.print_json({"schema": "arena.export/1", "file": str(path), "flags": len(rows)})
        return
    output.tell(say(lang, "flags_written", path=path, n=len(rows)))
    output.tell(say(lang, "next_after_flags", path=path), style="bold")


def import_flags(
    path: Path | None,
    project: Path | None,
    person: str | None,
    lang: Lang,
    *,
    argv: tuple[str, ...],
    as_json: bool,
) -> None:
    """Keep the decisions of a filled-in table; what is of no flag here is left out and counted."""
    from arena.cli.imported_boards import looking

    if path is None:
        raise UsageError(
            "name the table to import",
            fix="Like arena import flags flags.xlsx --judged-by NAME; to make one: arena export.",
        )
    filled = flags.read(path, person=person)
    with looking(Narrowed(project=project)) as (bench, store):
        known = {flag.id for _, board in _boards(bench, store) for flag in board.flags}
        at = now()
        decisions = [
            FlagDecision(flag=f.flag, person=f.person, decided=f.decided, at=at, note=f.note)
            for f in filled
            if f.flag in known
        ]
        store.runs.add(
            bench.run,
            command=command_line(argv),
            version=SOFTWARE,
            seed=bench.config.seed,
            note="",
            started_at=at,
        )
        new = store.decisions.add(decisions, run=bench.run)
        store.checkpoint()
    told = {"decisions": len(decisions), "new": new, "left_out": len(filled) - len(decisions)}
    if as_json:
        output.print_json({"schema": "arena.import/1", "file": str(path), **told})
        return
    output.tell(say(lang, "flags_read", **told))
    output.tell(say(lang, "next_after_decisions"), style="bold")


def _boards(bench: Bench, store: "Store") -> Iterator[tuple[Job, Board]]:
    from arena.cli.boards import rank_all

    yield from zip(bench.jobs, rank_all(bench, store), strict=True)


def _blinded(row: flags.FlagRow) -> flags.FlagRow:
    from dataclasses import replace

    return replace(row, judges="")


def _rows(job: Job, board: Board, store: "Store") -> Iterator[flags.FlagRow]:
    raised = {flag.transcript for flag in board.flags}
    specs = [t for t in job.all_transcripts() if t.key in raised]
    there = {t.key: t for t in store.transcripts.all(specs)}
    for flag in board.flags:
        yield _row(job, flag, there[flag.transcript])


def _row(job: Job, flag: Flag, transcript: Transcript) -> flags.FlagRow:
    scenario, lang = job.scenario(flag.scenario), job.suite.language
    names = {f.flag: f.name[lang] for f in job.suite.red_flags}
    shown = job.suite.red_flags_in(scenario, job.mode)
    about = [f for f in shown if f.flag == flag.flag] or list(shown)
    # Where no round is cited, the one in which the last sign is shown tells most.
    cited = flag.round if flag.round > 0 else max((f.turn for f in about), default=1)
    number = min(max(cited, 1), len(transcript.rounds))
    user, reply = transcript.rounds[number - 1]
    return flags.FlagRow(
        flag=flag.id,
        scenario=flag.scenario,
        title=scenario.title[lang],
        danger="\n".join(f"{names.get(f.flag, f.flag)}: {f.sign}" for f in about),
        round=str(number),
        quote=flag.quote,
        verified=flag.found,
        user=user,
        reply=reply,
        judges="\n".join(_accusations(flag)),
    )


def _accusations(flag: Flag) -> Iterator[str]:
    for by in flag.judges:
        kin = " (kin)" if by.kin else ""
        criterion = flag.flag.removeprefix(f"{LOW_SCORE}:")
        what = by.handled if by.score is None else f"{criterion} {by.score:g}"
        yield f"{by.judge}{kin}: {what}"
