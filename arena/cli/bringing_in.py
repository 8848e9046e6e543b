"""Which use case brings in a file of which format."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arena.cli.balloting import import_ballots
from arena.cli.bringing import Return, import_script
from arena.cli.filled_in import FilledIn
from arena.cli.flagging import import_flags
from arena.cli.imported import check_format, import_table, make_template
from arena.cli.imported_suite import Wanted, import_folder
from arena.cli.ranking import column_pairs
from arena.cli.tables import import_tables
from arena.cli.taking_votes import VotesAsked, import_votes
from arena.cli.words import Lang
from arena.cli.workspace import command_line
from arena.errors import UsageError
from arena.exchange import ballots, flags, scenarios, script_columns


def bring_in(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> int:
    """Import what a command's options name; returns the exit code.

    Raises UsageError for an unknown format, or an option that is not of it.
    """
    known = check_format(given["format"], _options(given))
    if known.name in _OWN:
        return _OWN[known.name](given, lang, as_json)
    path = given["path"]
    if known.tables and path is not None and path.is_dir():
        return import_tables(path, given, lang, as_json=as_json)
    if known.votes and path is not None and known.brings_votes(path):
        return import_votes(known, known.votes, _votes_asked(path, given), lang, as_json=as_json)
    if given["columns"]:
        raise UsageError("--columns is for files of votes")
    wanted = Wanted(
        format=known.name,
        source=path,
        name=given["name"],
        project=given["project"],
        dry=given["dry_run"],
        makers=given["agents"],
        judge=given["judge"],
        skip=given["skip_bad"],
        command=command_line(tuple(sys.argv[1:])),
    )
    return import_folder(wanted, known, lang, as_json=as_json)


def _votes_asked(path: Path, given: Mapping[str, Any]) -> VotesAsked:
    return VotesAsked(
        path=path,
        name=given["name"],
        project=given["project"],
        dry=given["dry_run"],
        makers=given["agents"],
        judge=given["judge"] or "",
        skip=given["skip_bad"],
        columns=column_pairs(given["columns"]),
        command=command_line(tuple(sys.argv[1:])),
    )


def _filled_in(path: Path, given: Mapping[str, Any]) -> FilledIn:
    return FilledIn(
        path=path,
        project=given["project"],
        person=given["judge"],
        dry=given["dry_run"],
        skip=given["skip_bad"],
        argv=tuple(sys.argv[1:]),
    )


def _flags(given: Mapping[str, Any], lang: Lang, as_json: bool) -> int:
    if given["path"] is None:
        raise UsageError(
            "name the table to import",
            fix="Like arena import flags flags.xlsx --judged-by NAME; to make one: arena export.",
        )
    return import_flags(_filled_in(given["path"], given), lang, as_json=as_json)


def _ballots(given: Mapping[str, Any], lang: Lang, as_json: bool) -> int:
    if given["path"] is None:
        raise UsageError(
            "name the table to import",
            fix="Like arena import votes votes.xlsx --judged-by NAME; to make one: arena export.",
        )
    return import_ballots(_filled_in(given["path"], given), lang, as_json=as_json)


def _script(given: Mapping[str, Any], lang: Lang, as_json: bool) -> int:
    back = Return(
        path=given["path"],
        project=given["project"],
        dry=given["dry_run"],
        skip=given["skip_bad"],
        replicate=given["replicate"],
        command=command_line(tuple(sys.argv[1:])),
    )
    return import_script(back, lang, as_json=as_json)


def _scenarios(given: Mapping[str, Any], lang: Lang, as_json: bool) -> int:
    if given["template"] is not None:
        make_template(given["template"], given["path"], lang, as_json=as_json)
        return 0
    return import_table(
        given["path"],
        given["folder"],
        given["project"],
        lang,
        dry=given["dry_run"],
        as_json=as_json,
    )


_OWN: Mapping[str, Callable[[Mapping[str, Any], Lang, bool], int]] = {
    flags.FORMAT: _flags,
    ballots.FORMAT: _ballots,
    script_columns.FORMAT: _script,
    scenarios.FORMAT: _scenarios,
}
"""Formats that are a use case of their own: what comes back was ours before, or is a suite."""


def _options(given: Mapping[str, Any]) -> dict[str, bool]:
    return {
        "DIR": given["folder"] is not None,
        "--template": given["template"] is not None,
        "--as": given["name"] is not None,
        "--agents": given["agents"] is not None,
        "--judged-by": given["judge"] is not None,
        "--columns": given["columns"] is not None,
        "--dry-run": given["dry_run"],
        "--skip-bad": given["skip_bad"],
        "--replicate": given["replicate"] is not None,
    }
