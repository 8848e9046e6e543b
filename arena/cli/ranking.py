"""What `arena rank` does from its options to what it prints."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.accuracy_view import show_accuracy
from arena.cli.board_view import Names, show_board, show_slices
from arena.cli.rank_options import Format
from arena.cli.words import Lang, say
from arena.domain.board import Board, to_json
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.workspace import Bench
    from arena.domain.job import Job

_FILES_ONLY = {
    "columns": "--columns",
    "cluster": "--cluster",
    "key": "--key",
    "where": "--where",
    "judge": "--judge",
    "k": "--k",
    "like": "--like",
    "humans": "--humans",
    "draws": "--draws",
}
_FILES_ONLY_UNLESS = {"outcome": "winner", "single_order": "drop", "method": "bt"}
_WORKSPACE_ONLY = {
    "project": "--project",
    "suite": "--suite",
    "mode": "--mode",
    "domain": "--domain",
    "allow_mixed_judges": "--allow-mixed-judges",
}


def rank_workspace(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The boards of a workspace, fitted, kept and shown."""
    from arena.cli.boards import rank_all, tell_unscored
    from arena.cli.chosen_import import only_import
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking
    from arena.cli.vote_boards import is_part

    mixed = given["allow_mixed_judges"]
    if given["import_"] is None:
        _refuse_file_options(given)
    elif given["file"]:
        raise UsageError("--import names what is in the workspace: name no file beside it")
    with looking(asked_of({**given, "judge": None})) as (bench, store):
        options: Mapping[str, Any] = _asked(given)
        if given["import_"]:
            bench = only_import(bench, given["import_"])
            options = {**options, **_of_votes(bench, given)}
        boards = rank_all(bench, store, options, check=given["check"], mixed_judges=mixed)
    if is_part(options):
        output.tell(say(lang, "votes_part"), style="yellow")
    if as_json:
        output.print_json({"schema": "arena.boards/1", "boards": [to_json(b) for b in boards]})
        return
    for job, board in zip(bench.jobs, boards, strict=True):
        if not tell_unscored(job, lang):
            _show_job(job, board, given, lang)
    output.tell(say(lang, "next_after_rank"))


def _show_job(job: "Job", board: Board, given: Mapping[str, Any], lang: Lang) -> None:
    from arena.cli.boards import names_of, show_apart, show_excluded, title_of

    names = names_of(job, lang)
    _show(board, title_of(job, board, lang), names, given["format"], lang)
    if job.held and job.held.votes:
        show_left_out(board, lang)
    else:
        show_excluded(board, lang)
    show_apart(board, job.suite, names, lang)
    if given["format"] is Format.TABLE:
        show_accuracy(board, job.suite, names, lang, subjects=True)
    if given["by"] and given["format"] is Format.TABLE:
        show_slices(board, names, lang)


def rank_file(file: str, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The board of a file, shown; nothing is kept."""
    from arena.ranking import rank

    for name, option in _WORKSPACE_ONLY.items():
        if given[name]:
            raise UsageError("{option} is for workspaces, not for files", option=option)
    with output.busy(say(lang, "ranking", file=Path(file).name)):
        board = rank(
            file,
            check=given["check"],
            **_rows_options(given),
            **file_options(given),
            **_asked(given),
        )
    output.tell(_read(file, board, lang))
    if as_json:
        output.print_json(to_json(board))
    else:
        _show(board, "", {}, given["format"], lang)
    if given["format"] is Format.TABLE and not as_json:
        show_slices(board, {}, lang)
    if given["draws"]:
        output.tell(say(lang, "draws_written", path=given["draws"]))
    output.tell(say(lang, "next_after_rank_file"))


def _of_votes(bench: "Bench", given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of files, for votes that were imported; refused for imports with texts."""
    if not all(job.held and job.held.votes for job in bench.jobs):
        _refuse_file_options(given)
        return {}
    if given["columns"]:
        raise UsageError(
            "--columns: votes that were imported have our names for their columns",
            fix="Import the file again, with --columns there.",
        )
    options = file_options(given)
    del options["columns"]
    return _rows_options(given) | options


def _rows_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """How rows become comparisons and ratings, by the names that `ranking.rank` has for it."""
    return {
        "outcome": given["outcome"].value,
        "single_order": given["single_order"].value,
        "method": given["method"].value,
        "k": given["k"],
        "like": None if given["like"] is None else given["like"].value,
        "humans": given["humans"],
        "draws": given["draws"],
    }


def _show(board: Board, title: str, names: Names, how: Format, lang: Lang) -> None:
    from arena.cli.board_text import to_csv, to_markdown

    if how is Format.CSV:
        output.print_text(to_csv(board))
    elif how is Format.MD:
        output.print_text(to_markdown(board, names, lang))
    else:
        show_board(board, title, names, lang)


def _refuse_file_options(given: Mapping[str, Any]) -> None:
    asked = [option for name, option in _FILES_ONLY.items() if given[name]]
    for name, usual in _FILES_ONLY_UNLESS.items():
        if given[name].value != usual:
            asked.append(f"--{name.replace('_', '-')}")
    if asked:
        raise UsageError(
            "{option} is for files of outcomes", fix="arena rank FILE {option} …", option=asked[0]
        )


def file_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that say how a file is read, by the names that `ranking.rank` has for them."""
    return {
        "columns": column_pairs(given["columns"]),
        "cluster": None if given["cluster"] is None else _names(given["cluster"]),
        "key": _names(given["key"]),
        "where": given["where"],
        "judge": tuple(given["judge"] or ()),
    }


def _asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the fit that were given, by the names that `ranking.rank` has for them."""
    found = {
        name: given[name]
        for name in (
            *("prior_sd", "resamples", "seed", "level", "anchor", "min_comparisons"),
            *("ties", "interval"),
        )
        if given[name] is not None
    }
    for name in ("ties", "interval"):
        if name in found:
            found[name] = found[name].value
    for name in ("control", "by"):
        if given[name]:
            found[name] = _names(given[name])
    return found


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())


def column_pairs(text: str | None) -> dict[str, str]:
    """Role → column, as `--columns` writes them; raises UsageError for another text."""
    found = {}
    for part in _names(text):
        role, sign, column = part.partition("=")
        if not sign or not role or not column:
            raise UsageError(
                "--columns {text}: not ROLE=COLUMN,…",
                fix="For example: --columns a=left,b=right,outcome=winner",
                text=text,
            )
        found[role.strip()] = column.strip()
    return found


def _read(file: str, board: Board, lang: Lang) -> str:
    """What was read, used and left out, in one line."""
    rows, source = board.diagnostics.rows, board.method.source
    served = ", ".join(f"{role}={column}" for role, column in source["columns"].items())
    line = say(
        lang,
        "file_read",
        file="stdin" if file == "-" else file,
        read=f"{rows.read:,}",
        layout=source["layout"],
        columns=served,
        used=f"{rows.used:,}",
        comparisons=f"{board.comparisons:,}",
    )
    if left := _left_out(board, lang):
        line += " " + left
    if source.get("encoding"):
        line += " " + say(lang, "file_encoding", encoding=source["encoding"])
    return line


def show_left_out(board: Board, lang: Lang) -> None:
    """Rows of votes that did not become comparisons, by reason."""
    if left := _left_out(board, lang):
        output.tell(left)


def _left_out(board: Board, lang: Lang) -> str:
    rows = board.diagnostics.rows
    left = ", ".join(
        say(lang, "left_out", n=f"{n:,}", why=say(lang, f"reason_{why}"), row=rows.first[why])
        for why, n in rows.excluded.items()
    )
    return say(lang, "file_left_out", left=left) if left else ""
