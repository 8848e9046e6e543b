"""From somebody else's folder to a suite of the workspace, beside what they published."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.doctoring import describe, show
from arena.cli.figures_view import describe_run, show_run
from arena.cli.words import Lang, say
from arena.domain.suite import SuiteId
from arena.errors import UsageError
from arena.exchange import eldercare, eldercare_suite, eqbench3, eqbench3_suite
from arena.exchange.eldercare_figures import Run, read_runs
from arena.exchange.original_folder import Made, contents_of
from arena.exchange.suite_folder import shown, write_folder
from arena.stages.doctor import Report, examine
from arena.suites.complaints import pattern_of
from arena.suites.find import find_workspace

SCHEMA = "arena.import/1"


@dataclass(frozen=True, slots=True)
class Read:
    """What a folder holds: the suite that can be made of it, and the runs that it publishes."""

    made: Made
    runs: tuple[Run, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its name: the suite's usual name, and how a folder is read."""

    usual: str
    read: Callable[[Path], Read]


def _eldercare(folder: Path) -> Read:
    original = eldercare.read(folder)
    return Read(eldercare_suite.make(original, folder), read_runs(folder, original.sheet))


def _eqbench3(folder: Path) -> Read:
    return Read(eqbench3_suite.make(eqbench3.read(folder), folder))


FORMATS: Mapping[str, Format] = {
    eldercare.FORMAT: Format("eldercare-original", _eldercare),
    eqbench3.FORMAT: Format("eqbench3", _eqbench3),
}


def import_folder(
    format: str,
    source: Path | None,
    *,
    name: str | None,
    project: Path | None,
    dry: bool,
    lang: Lang,
    as_json: bool,
) -> int:
    """Make the suite and check it, and count the published figures anew.

    With `dry` nothing is made and no workspace needed. Returns the exit code: 5 where the check
    failed or a figure is not the published one. Raises UsageError without a folder and for a name
    that no suite can have, ConfigError for what cannot be read or written.
    """
    known = FORMATS[format]
    if source is None:
        raise UsageError(
            "name the folder to import",
            fix="Like: arena import {format} DIR --as {name}",
            format=format,
            name=known.usual,
        )
    place = None if dry else _place(name or known.usual, project)
    found = known.read(source)
    report: Report | None = None
    made: tuple[str, ...] = ()
    if place is not None:
        contents = contents_of(found.made, place.name, shown(source.resolve().name))
        made = write_folder(place, contents)
        report = examine(place)
    code = 0 if _agrees(found.runs) and (report is None or report.sound) else 5
    if as_json:
        output.print_json(_document(found, place, made, report, lang))
        return code
    for run in found.runs:
        show_run(run, lang)
    if place is not None and report is not None:
        _tell(place, made, report, lang)
    return code


def _place(name: str, project: Path | None) -> Path:
    if not re.fullmatch(pattern_of(SuiteId), name):
        raise UsageError(
            "{folder} is no name for a suite",
            fix="Small letters, digits and - only, like data/suites/my-suite.",
            folder=name,
        )
    workspace = find_workspace((project or Path.cwd()).resolve(), asked=project is not None)
    return workspace.root / "data" / "suites" / name


def _agrees(runs: tuple[Run, ...]) -> bool:
    return all(figure.agrees is not False for run in runs for figure in run.figures)


def _tell(place: Path, made: tuple[str, ...], report: Report, lang: Lang) -> None:
    for file in made:
        output.tell(say(lang, "init_made", name=str(place / file)))
    show(report, lang, as_json=False)
    if report.sound:
        output.tell(say(lang, "import_scripted", suite=place.name))
        output.tell(say(lang, "next_after_import", suite=place.name), style="bold")


def _document(
    found: Read, place: Path | None, made: tuple[str, ...], report: Report | None, lang: Lang
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "folder": str(place) if place else None,
        "made": list(made),
        "scenarios": len(found.made.scenarios),
        "check": describe(report, lang) if report else None,
        "runs": [describe_run(run) for run in found.runs],
    }
