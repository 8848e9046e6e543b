"""Which use case writes a file of which format."""

from collections.abc import Callable, Mapping
from typing import Any

from arena.cli.balloting import export_ballots
from arena.cli.exporting import export_answers
from arena.cli.flagging import export_flags
from arena.cli.giving_out import export_results
from arena.cli.giving_votes import export_votes
from arena.cli.scripting import export_script
from arena.cli.tables import export_tables
from arena.cli.words import Lang
from arena.errors import UsageError
from arena.exchange import ballots, ceval, flags, script_columns
from arena.exchange.formats import FORMATS


def write_out(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """Export in the format that a command names.

    Raises UsageError for one that nobody knows or that has no way out.
    """
    name = given["format"]
    written = [known.name for known in FORMATS.values() if known.exports]
    if name not in written:
        raise UsageError(
            "no format called {name} can be written",
            fix="Formats to export: {known}.",
            name=name,
            known=", ".join(written),
        )
    if name in _OWN:
        if given["import_"] and name not in _OF_IMPORTS:
            raise UsageError(
                "{option} does not go with arena export {format}", option="--import", format=name
            )
        _OWN[name](given, lang, as_json)
        return
    known, path = FORMATS[name], given["path"]
    for option in (option for option in _OF_PARTS if given[option]):
        raise UsageError(
            "{option} does not go with arena export {format}",
            option=f"--{option.replace('_', '-')}",
            format=name,
        )
    if known.tables and not path.suffix:
        export_tables(path, given, lang, as_json=as_json)
        return
    if given["files"]:
        raise UsageError("--files is for arena export arena FOLDER")
    if known.votes and (known.results is None or path.suffix in known.votes.endings):
        export_votes(known, known.votes, path, given, lang, as_json=as_json)
        return
    export_results(FORMATS[name], given["path"], given, lang, as_json=as_json)


def _ceval(given: Mapping[str, Any], lang: Lang, as_json: bool) -> None:
    export_answers(given["path"], given, lang, as_json=as_json)


def _script(given: Mapping[str, Any], lang: Lang, as_json: bool) -> None:
    export_script(given["path"], given, lang, as_json=as_json)


def _flags(given: Mapping[str, Any], lang: Lang, as_json: bool) -> None:
    export_flags(given["path"], given, lang, judges=given["show_judges"], as_json=as_json)


def _ballots(given: Mapping[str, Any], lang: Lang, as_json: bool) -> None:
    export_ballots(given["path"], given, lang, as_json=as_json)


_OF_PARTS = ("agent", "scenario", "domain", "limit", "replicate", "show_judges")
"""Options of formats that are written in part; the others hold whole boards."""
_OWN: Mapping[str, Callable[[Mapping[str, Any], Lang, bool], None]] = {
    ceval.FORMAT: _ceval,
    script_columns.FORMAT: _script,
    flags.FORMAT: _flags,
    ballots.FORMAT: _ballots,
}
"""Formats that are a use case of their own."""
_OF_IMPORTS = frozenset({ceval.FORMAT})
"""Those of them that also write what was imported."""
