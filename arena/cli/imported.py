"""From a table of scenarios to a suite's folder, and what is said of it."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.cli import output
from arena.cli.doctoring import describe, show
from arena.cli.words import Lang, say, translate
from arena.errors import ConfigError, UsageError
from arena.exchange import scenarios, suite_folder, template
from arena.exchange.format import Format
from arena.exchange.formats import FORMATS
from arena.stages.doctor import examine
from arena.suites.find import find_workspace

SCHEMA = "arena.import/1"


def check_format(name: str, given: Mapping[str, bool]) -> Format:
    """The format; raises UsageError for one that nobody knows, or an option that is not of it."""
    known = [form.name for form in FORMATS.values() if form.imports]
    if name not in known:
        raise UsageError(
            "no format called {name}",
            fix="Known formats: {known}.",
            name=name,
            known=", ".join(known),
        )
    fits = FORMATS[name].import_options
    for option in (option for option, there in given.items() if there and option not in fits):
        raise UsageError(
            "{option} does not go with arena import {format}", option=option, format=name
        )
    return FORMATS[name]


def make_template(path: Path, table: Path | None, lang: Lang, *, as_json: bool) -> None:
    """Write the empty table; raises UsageError beside a file to import or for another ending."""
    if table is not None:
        raise UsageError("--template writes an empty table: name no file to import beside it")
    if path.suffix.casefold() != ".xlsx":
        raise UsageError("--template {path}: its name must end in .xlsx", path=path)
    template.write_template(path)
    if as_json:
        output.print_json({"schema": SCHEMA, "template": str(path)})
        return
    output.tell(say(lang, "init_made", name=str(path)))
    output.tell(say(lang, "next_after_template", file=str(path)), style="bold")


def import_table(
    path: Path | None,
    folder: Path | None,
    project: Path | None,
    lang: Lang,
    *,
    dry: bool,
    as_json: bool,
) -> int:
    """Make the folder and check it; returns the exit code: 5 where the check failed.

    `dry`: make it aside, and say what would be made.
    """
    if path is None:
        raise UsageError(
            "name the table to import",
            fix="Like arena import scenarios cases.xlsx; an empty one: --template FILE.xlsx",
        )
    cases = _read(path, lang)
    if dry:
        # What is made aside needs no workspace, and any name will do.
        with tempfile.TemporaryDirectory() as aside:
            draft = Path(aside) / (folder.name if folder else suite_folder.name_of(path))
            made = suite_folder.write_suite(cases, draft, source=path)
            return _tell_made(cases, draft, made, lang, dry=True, as_json=as_json)
    place = folder if folder is not None else _place(path, project)
    made = suite_folder.write_suite(cases, place, source=path)
    return _tell_made(cases, place, made, lang, dry=False, as_json=as_json)


def _tell_made(
    cases: scenarios.Cases,
    place: Path,
    made: Sequence[str],
    lang: Lang,
    *,
    dry: bool,
    as_json: bool,
) -> int:
    report = examine(place)
    if as_json:
        output.print_json(
            {
                "schema": SCHEMA,
                "folder": None if dry else str(place),
                "made": [] if dry else list(made),
                "scenarios": len(cases.scenarios),
                "unused_columns": list(cases.unused),
                "check": describe(report, lang),
            }
        )
        return 0 if report.sound else 5
    if dry:
        output.tell(say(lang, "import_would_make", n=len(cases.scenarios), suite=place.name))
    for name in () if dry else made:
        output.tell(say(lang, "init_made", name=str(place / name)))
    if cases.unused:
        unused = ", ".join(cases.unused)
        output.tell(say(lang, "import_unused", columns=unused), style="yellow")
    show(report, lang, as_json=False)
    if report.sound and not dry:
        output.tell(say(lang, "next_after_import", suite=place.resolve().name), style="bold")
    return 0 if report.sound else 5


def _read(path: Path, lang: Lang) -> scenarios.Cases:
    """The cases of a table; tells of all its mistakes but the first, which is raised."""
    try:
        return scenarios.read(path)
    except ConfigError as error:
        for other in error.others:
            output.tell(say(lang, "error") + translate(lang, other.what, other.facts))
        raise


def _place(path: Path, project: Path | None) -> Path:
    workspace = find_workspace((project or Path.cwd()).resolve(), asked=project is not None)
    return workspace.root / "data" / "suites" / suite_folder.name_of(path)
