"""What `arena import` does with a file of votes: into the store as it stands, in one go."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.figures_view import describe_run, show_run
from arena.cli.imported_suite import check_suite_name
from arena.cli.refusing import REFUSED, SKIPPED
from arena.cli.taking_in import show_left_out
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, now, run_id
from arena.domain.imported import LeftOut
from arena.domain.layout import Layout
from arena.errors import ConfigError, UsageError
from arena.exchange.eldercare_figures import Run
from arena.exchange.format import Format, VotesPart
from arena.exchange.makers import read_makers
from arena.exchange.suite_folder import name_of
from arena.ranking import labels_of
from arena.stages.take_in.votes import VoteIntake, VoteWish, keep_votes, loaded_votes
from arena.store.outcomes.table import OutcomeSource
from arena.store.store import Store
from arena.suites.find import Workspace, find_workspace

SCHEMA = "arena.import/1"
USUAL = "votes"
DIFFERS = 5
"""The exit code where a check failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesAsked:
    """What an import of votes is asked for: the options of the command."""

    path: Path
    name: str | None
    project: Path | None
    dry: bool
    makers: Path | None
    judge: str
    skip: bool
    columns: dict[str, str]
    command: str


def import_votes(
    known: Format, part: VotesPart, asked: VotesAsked, lang: Lang, *, as_json: bool
) -> int:
    """Take the votes of a file in; returns the exit code.

    0: all of it is there; 3: bad rows were left out with --skip-bad; 2: something is wrong, and
    nothing was taken; 5: it is there, and a published figure is another than the one counted.
    Raises UsageError and ConfigError where the file cannot be read.
    """
    if asked.name:
        check_suite_name(asked.name)
    runs = part.figures(asked.path) if part.figures and asked.path.exists() else ()
    workspace = _workspace(asked)
    with _rows(part, asked.path) as (rows, left_out), _store(workspace, asked) as store:
        wish = _wish(known, part, asked, rows, lang)
        with loaded_votes(wish, store, at=now()) as (loaded, intake):
            refused = bool(intake.bad.counts) and not asked.skip
            new = 0
            if not refused and not asked.dry:
                run = run_id()
                at = intake.origin.at
                store.runs.add(
                    run, command=asked.command, version=SOFTWARE, seed=0, note="", started_at=at
                )
                new = keep_votes(loaded, intake, store, run=run)
        if new:
            store.checkpoint()
    if as_json:
        told: dict[str, Any] = {"runs": [describe_run(run) for run in runs]} if runs else {}
        if left_out.counts:
            told["left_out"] = left_out.to_json()
        output.print_json({**_document(intake, asked, refused=refused, new=new), **told})
    else:
        _show_beside(runs, left_out, lang)
        _tell(intake, asked, lang, refused=refused)
    return _code(intake, runs, refused=refused)


def _code(intake: VoteIntake, runs: Sequence[Run], *, refused: bool) -> int:
    if refused:
        return REFUSED
    if not all(run.agrees for run in runs):
        return DIFFERS
    return SKIPPED if intake.bad.counts else 0


def _show_beside(runs: Sequence[Run], left_out: LeftOut, lang: Lang) -> None:
    """Published figures counted anew, and what is sound and stays out."""
    for run in runs:
        show_run(run, lang)
    show_left_out(left_out, lang)


def _workspace(asked: VotesAsked) -> Workspace | None:
    """The workspace; a dry run needs none."""
    try:
        start = (asked.project or Path.cwd()).resolve()
        return find_workspace(start, asked=asked.project is not None)
    except UsageError:
        if asked.dry and asked.project is None:
            return None
        raise


def _store(workspace: Workspace | None, asked: VotesAsked) -> Store:
    """The workspace's store; in a dry run beside none, one that is forgotten."""
    if workspace is None or (asked.dry and not workspace.database.is_file()):
        return Store(None)
    return Store(workspace.database)


@contextmanager
def _rows(part: VotesPart, path: Path) -> Iterator[tuple[Path | None, LeftOut]]:
    """The file to read in the place of one that has no columns, None: itself; what stays out."""
    if not path.exists():
        raise ConfigError("{path}: there is no such file or folder", path=path)
    if part.convert is None:
        yield None, LeftOut()
        return
    with tempfile.TemporaryDirectory(prefix="arena-") as aside:
        rows = Path(aside) / "rows.jsonl"
        yield rows, part.convert(path, rows)


def _name(path: Path) -> str:
    """What votes are called by their file's name; one without Latin letters gives none."""
    try:
        return name_of(path)
    except UsageError:
        return USUAL


def _wish(
    known: Format, part: VotesPart, asked: VotesAsked, rows: Path | None, lang: Lang
) -> VoteWish:
    def recognise(source: OutcomeSource) -> Layout:
        try:
            return part.recognise(tuple(source.columns), asked.columns, labels_of(source))
        except UsageError:
            # What is said of its columns names no file.
            output.tell(say(lang, "votes_of_file", file=asked.path), style="red")
            raise

    return VoteWish(
        format=known.name,
        path=asked.path,
        name=asked.name or _name(asked.path),
        recognise=recognise,
        makers=read_makers(asked.makers) if asked.makers else {},
        judge=asked.judge,
        rows=rows,
    )


def _tell(intake: VoteIntake, asked: VotesAsked, lang: Lang, *, refused: bool) -> None:
    """Lines on stderr: how much, what is wrong and where, what has no answer."""
    origin = intake.origin
    for reason, n in sorted(intake.bad.counts.items()):
        rows = [place.rpartition(":")[2] for place in intake.bad.places[reason]]
        more = " …" if n > len(rows) else ""
        facts = {"n": f"{n:,}", "why": say(lang, f"import_left_{reason}")}
        line = say(lang, "votes_bad", file=asked.path.name, rows=", ".join(rows) + more, **facts)
        output.tell(line, style="red" if refused else "yellow")
    if refused:
        output.tell(say(lang, "import_refused"), style="red")
    columns = ", ".join(f"{role}={name or '—'}" for role, name in intake.served.items())
    key = "votes_would" if refused or asked.dry else "votes_there" if intake.there else "votes_came"
    output.tell(
        say(
            lang,
            key,
            file=asked.path.name,
            read=f"{intake.read:,}",
            n=f"{intake.ready:,}",
            unanswered=f"{intake.unanswered:,}",
            agents=f"{len(origin.agents):,}",
            judges=f"{intake.judges:,}",
        )
    )
    output.tell(say(lang, "votes_columns", layout=intake.layout, columns=columns))
    if intake.unused:
        output.tell(say(lang, "votes_rest", columns=", ".join(intake.unused)))
    if intake.encoding:
        output.tell(say(lang, "file_encoding", encoding=intake.encoding))
    if not refused and not asked.dry:
        output.tell(say(lang, "next_after_votes", name=origin.suite), style="bold")


def _document(intake: VoteIntake, asked: VotesAsked, *, refused: bool, new: int) -> dict[str, Any]:
    origin = intake.origin
    return {
        "schema": SCHEMA,
        "format": origin.format,
        "file": str(asked.path),
        "name": origin.suite,
        "dry_run": asked.dry,
        "refused": refused,
        "results": {
            "origin": origin.origin,
            "agents": list(origin.agents),
            "judges": intake.judges,
            "rows": intake.read,
            "records": {"vote": intake.ready},
            "new": new,
            "there_already": {"vote": intake.ready if intake.there else 0},
            "unanswered": {"vote": intake.unanswered},
            "layout": intake.layout,
            "columns": dict(intake.served),
            "kept_beside": list(intake.unused),
            "encoding": intake.encoding,
            "bad": _with_rows(intake),
        },
    }


def _with_rows(intake: VoteIntake) -> dict[str, dict[str, Any]]:
    """Reason → how often, and the numbers of the first data rows."""
    return {
        reason: {**told, "rows": _numbers(intake.bad.places[reason])}
        for reason, told in intake.bad.to_json().items()
    }


def _numbers(places: Sequence[str]) -> list[int]:
    return [int(place.rpartition(":")[2]) for place in places]
