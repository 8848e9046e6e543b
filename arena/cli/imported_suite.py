"""From somebody else's folder to a suite of the workspace, and its results into the store."""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.doctoring import describe, show
from arena.cli.figures_view import describe_run, show_run
from arena.cli.refusing import REFUSED, SKIPPED, show_bad
from arena.cli.suites_of_imports import load_for_import
from arena.cli.taking_in import (
    describe_intake,
    show_intake,
    take_results,
    tell_strangers,
    try_results,
)
from arena.cli.words import Lang, say
from arena.domain.handed_in import LETTERS
from arena.domain.imported import Import, Makers
from arena.domain.suite import Suite, SuiteId
from arena.errors import ConfigError, UsageError
from arena.exchange.eldercare_figures import Run
from arena.exchange.format import Format, ReadHow, SuitePart, SuiteRead
from arena.exchange.makers import read_makers
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import shown, write_folder
from arena.stages.doctor import Report, examine
from arena.stages.take_in.take_in import Intake
from arena.suites.complaints import pattern_of
from arena.suites.find import Workspace, find_workspace, suite_folders
from arena.suites.load import load_suite

SCHEMA = "arena.import/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an import is asked for: the options of the command."""

    format: str
    source: Path | None
    name: str | None
    project: Path | None
    dry: bool
    makers: Path | None
    judge: str | None
    skip: bool
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What an import did; `place` None: a dry run. `kept`: the suite was there, the same.

    `refused`: something in the files is wrong, so nothing of the results came in.
    """

    read: SuiteRead | None = None
    place: Path | None = None
    made: tuple[str, ...] = ()
    kept: bool = False
    report: Report | None = None
    intake: Intake | None = None
    refused: bool = False

    @property
    def runs(self) -> tuple[Run, ...]:
        """The published runs whose figures were counted anew."""
        return self.read.runs if self.read else ()

    @property
    def exit_code(self) -> int:
        """2 and 3 where something was wrong; 5 where a check failed or a figure is not theirs."""
        if self.refused:
            return REFUSED
        agrees = all(run.agrees for run in self.runs)
        if not agrees or not (self.report is None or self.report.sound):
            return 5
        return SKIPPED if self.intake and self.intake.bad.counts else 0


def import_folder(wanted: Wanted, known: Format, lang: Lang, *, as_json: bool) -> int:
    """Make the suite of a folder and check it, then take its results in; of a file its results.

    A suite that is there already, the same to the letter, stays. A dry run makes nothing and says
    what would come in. Returns the exit code (see `Done`). Raises UsageError without a path and
    for a name that no suite can have, ConfigError for what cannot be read or written.
    """
    usual = known.suite.usual if known.suite else known.name
    if wanted.source is None:
        raise UsageError(
            "name the folder to import",
            fix="Like: arena import {format} DIR --as {name}",
            format=wanted.format,
            name=usual,
        )
    if not wanted.source.exists():
        raise ConfigError("{path}: there is no such file or folder", path=wanted.source)
    if known.suite and known.suite.makes(wanted.source):
        done = _import_folder(wanted, known, known.suite, wanted.source, lang)
    else:
        done = _import_file(wanted, known, wanted.source, usual, lang)
    if as_json:
        output.print_json(_document(done, lang))
        return done.exit_code
    for run in done.runs:
        show_run(run, lang)
    _tell(done, lang)
    return done.exit_code


def _import_file(wanted: Wanted, known: Format, path: Path, usual: str, lang: Lang) -> Done:
    """Results alone, for a suite that is there."""
    workspace = _workspace(wanted.project)
    suite = load_for_import(workspace, _suite_for(path, wanted.name or usual, workspace))
    results = _read_results(wanted, known, path, suite)
    if results is None:
        raise ConfigError("{path}: no results of {format} in it", path=path, format=known.name)
    intake = _take(wanted, results, suite, workspace, lang)
    return Done(intake=intake, refused=_is_bad(results, wanted))


def _suite_for(path: Path, name: str, workspace: Workspace) -> Path:
    """The folder of the suite that results alone go to."""
    folders = suite_folders(workspace)
    if name not in folders:
        raise ConfigError(
            "{path}: taken for results alone, and there is no suite called {name} for them",
            why="Suites here: {suites}.",
            fix="Import the folder that holds the questions first, or name a suite with --as.",
            path=path,
            name=name,
            suites=", ".join(sorted(folders)) or "none",
        )
    return folders[name]


def _is_bad(results: Import | None, wanted: Wanted) -> bool:
    """Whether something that is wrong keeps the results out."""
    return results is not None and bool(results.bad.counts) and not wanted.skip


def _read_results(wanted: Wanted, known: Format, path: Path, suite: Suite) -> Import | None:
    """The results that a path names; None without any."""
    part = known.results
    if part is None or not part.find(path):
        return None
    return part.read(path, suite, ReadHow(judge=wanted.judge or ""))


def _import_folder(
    wanted: Wanted, known: Format, part: SuitePart, folder: Path, lang: Lang
) -> Done:
    place = None if wanted.dry else _place(wanted.name or part.usual, wanted.project)
    found = part.read(folder)
    name = place.name if place else wanted.name or part.usual
    contents = contents_of(found.made, name, shown(folder.resolve().name))
    check_suite_name(name)
    suite = _drafted(contents, name, dry=place is None)
    results = _read_results(wanted, known, folder, suite) if suite else None
    if place is None or _is_bad(results, wanted):
        # Where something is wrong not even the suite is made.
        intake = try_results(results, suite, None) if results and suite else None
        return Done(read=found, intake=intake, refused=_is_bad(results, wanted))
    kept = _is_there(place, contents)
    made = () if kept else write_folder(place, contents)
    report = examine(place)
    intake = None
    if report.sound:
        intake = _take(wanted, results, load_suite(place), _workspace(wanted.project), lang)
    return Done(read=found, place=place, made=made, kept=kept, report=report, intake=intake)


def _drafted(contents: Mapping[str, str], name: str, *, dry: bool) -> Suite | None:
    """The suite as it would be made; None where it would be unsound, which its check tells.

    Raises ConfigError for an unsound one in a dry run, which makes nothing to be checked.
    """
    with tempfile.TemporaryDirectory() as aside:
        draft = Path(aside) / name
        write_folder(draft, contents)
        try:
            return load_suite(draft)
        except ConfigError:
            if dry:
                raise
            return None


def _is_there(place: Path, contents: Mapping[str, str]) -> bool:
    """Whether a folder holds these files already, letter for letter."""
    try:
        return all((place / f).read_text("utf-8") == text for f, text in contents.items())
    except (OSError, UnicodeDecodeError):
        return False


def _take(
    wanted: Wanted, results: Import | None, suite: Suite, workspace: Workspace, lang: Lang
) -> Intake | None:
    """Results taken in, or only looked through: in a dry run, and where they are refused."""
    makers: Makers = read_makers(wanted.makers) if wanted.makers else {}
    if results is None:
        return None
    if wanted.dry or _is_bad(results, wanted):
        return try_results(results, suite, workspace)
    intake = take_results(results, suite, workspace, makers, command=wanted.command)
    if wanted.makers:
        tell_strangers(makers, intake, wanted.makers, lang)
    return intake


def _workspace(project: Path | None) -> Workspace:
    return find_workspace((project or Path.cwd()).resolve(), asked=project is not None)


def _place(name: str, project: Path | None) -> Path:
    check_suite_name(name)
    return _workspace(project).root / "data" / "suites" / name


def check_suite_name(name: str) -> None:
    """Raise UsageError for what no suite can be called."""
    if not re.fullmatch(pattern_of(SuiteId), name):
        raise UsageError(
            "{folder} is no name for a suite",
            fix="Small letters, digits and - only, like data/suites/my-suite.",
            folder=name,
        )


def _tell(done: Done, lang: Lang) -> None:
    for file in done.made:
        output.tell(say(lang, "init_made", name=str(done.place and done.place / file)))
    if done.kept and done.place:
        output.tell(say(lang, "init_kept", name=str(done.place)))
    if done.report:
        show(done.report, lang, as_json=False)
    if done.intake:
        show_bad(done.intake.bad, lang, refused=done.refused)
        dry = done.refused or (done.place is None and done.read is not None)
        show_intake(done.intake, lang, dry=dry)
    if done.report and done.report.sound and done.place:
        output.tell(say(lang, "import_scripted", suite=done.place.name))
        output.tell(say(lang, "next_after_import", suite=done.place.name), style="bold")
    if done.intake and sum(done.intake.ready.values()) and not done.refused:
        # Letters that were handed in are of a mode that nobody plays here.
        letters = done.intake.modes == (LETTERS,)
        key = "next_after_letters" if letters else "next_after_results"
        output.tell(say(lang, key), style="bold")


def _document(done: Done, lang: Lang) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "folder": str(done.place) if done.place else None,
        "made": list(done.made),
        "scenarios": len(done.read.made.scenarios) if done.read else None,
        "check": describe(done.report, lang) if done.report else None,
        "runs": [describe_run(run) for run in done.runs],
        "results": describe_intake(done.intake) if done.intake else None,
        "refused": done.refused,
    }
