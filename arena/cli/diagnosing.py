"""What `arena diagnose` does from its options to what it prints."""

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli import output
from arena.cli.diagnosis_view import describe, show_diagnosis
from arena.cli.words import Lang, say
from arena.domain.diagnosis import Diagnosis, Figure, is_about_people
from arena.domain.figure_words import OF_PEOPLE
from arena.domain.method import LEVEL, RESAMPLES, SEED
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.workspace import Bench
    from arena.stages.diagnose.figures import Options
    from arena.store.store import Store

SCHEMA = "arena.diagnoses/1"
_FILES_ONLY = ("columns", "cluster", "key", "where")
_WORKSPACE_ONLY = ("project", "suite", "mode", "domain")


def diagnose_workspace(given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The reports of a workspace: made, kept beside the boards, and shown."""
    from arena.cli.chosen_import import only_import
    from arena.cli.course import asked_of
    from arena.cli.imported_boards import looking
    from arena.cli.vote_boards import MOST_JUDGES

    if not given["import_"]:
        _refuse_file_options(given)
    asked = asked_of({**given, "judge": None})
    with looking(asked) as (bench, store), output.busy(say(lang, "diagnosing")):
        if given["import_"]:
            bench = only_import(bench, given["import_"])
            if not all(job.held and job.held.votes for job in bench.jobs):
                _refuse_file_options(given)
        else:
            bench = bench.with_jobs(j for j in bench.jobs if len(j.judges) <= MOST_JUDGES)
        found = _diagnose_jobs(bench, store, given)
    found = [_narrowed(one, given) for one in found]
    if as_json:
        output.print_json(
            {"schema": SCHEMA, "diagnoses": [describe(one) for one in found]},
        )
        return
    for job, one in zip(bench.jobs, found, strict=True):
        title = say(
            lang,
            "board_title",
            suite=job.suite.name[lang],
            version=job.suite.version,
            mode=job.suite.modes[job.mode].name[lang],
        )
        voted = job.held is not None or any(judge.person for judge in one.judges)
        if given["humans"] and not voted:
            told = {"suite": job.suite.suite, "mode": job.mode}
            output.tell(say(lang, "no_votes_yet", **told), style="yellow")
        show_diagnosis(one, title, {j.judge: j.display[lang] for j in bench.judges}, lang)
    output.tell(say(lang, "votes_part" if given["where"] else "next_after_diagnose"))


def _refuse_file_options(given: Mapping[str, Any]) -> None:
    for name in _FILES_ONLY:
        if given[name]:
            raise UsageError(
                "{option} is for files of outcomes",
                fix="arena diagnose FILE {option} …",
                option=f"--{name}",
            )


def _diagnose_jobs(bench: "Bench", store: "Store", given: Mapping[str, Any]) -> list[Diagnosis]:
    from arena.cli.boards import whole_jobs
    from arena.cli.ranking import file_options
    from arena.cli.vote_boards import diagnose_votes
    from arena.cli.workspace import SOFTWARE, now
    from arena.stages.diagnose.diagnose import diagnose

    options, how = _options(given), file_options(given)
    return [
        diagnose_votes(job, store, options, how)
        if job.held and job.held.votes
        else diagnose(
            job,
            store=store,
            software=SOFTWARE,
            at=now(),
            level=options.level,
            resamples=options.resamples,
        )
        for job in whole_jobs(bench)
    ]


def diagnose_file(file: str, given: Mapping[str, Any], lang: Lang, *, as_json: bool) -> None:
    """The report of a file, shown; nothing is kept."""
    for name in _WORKSPACE_ONLY:
        if given[name]:
            raise UsageError("{option} is for workspaces, not for files", option=f"--{name}")
    with output.busy(say(lang, "ranking", file=Path(file).name)):
        found = _narrowed(_of_file(file, given), given)
    if as_json:
        output.print_json(describe(found))
    else:
        show_diagnosis(found, "stdin" if file == "-" else file, {}, lang)


def _of_file(file: str, given: Mapping[str, Any]) -> Diagnosis:
    from arena.cli.diagnosing_rows import diagnose_source
    from arena.cli.ranking import file_options
    from arena.store.outcomes.source import load_file

    with load_file(file) as table:
        return diagnose_source(table, file_options(given), _options(given))


def _options(given: Mapping[str, Any]) -> "Options":
    from arena.stages.diagnose.figures import Options
    from arena.stages.rank.choosing import check_range

    level = LEVEL if given["level"] is None else given["level"]
    resamples = RESAMPLES if given["resamples"] is None else given["resamples"]
    check_range("--level", level, 0.5, 0.999)
    check_range("--resamples", resamples, 2, 1_000_000)
    seed = SEED if given["seed"] is None else given["seed"]
    return Options(level=level, resamples=resamples, seed=seed)


def _narrowed(found: Diagnosis, given: Mapping[str, Any]) -> Diagnosis:
    """The judges asked for; people, and agreement with people, only with --humans."""
    patterns, humans = tuple(given["judge"] or ()), given["humans"]
    judges = [
        replace(judge, figures=_told(judge.figures, humans))
        for judge in found.judges
        if (humans or not judge.person) and _matches(judge.judge, patterns)
    ]
    if patterns and not judges:
        raise UsageError(
            "no judge called {name}",
            fix="There are: {near}.",
            name=", ".join(patterns),
            near=", ".join(j.judge for j in found.judges) or "none",
        )
    notes = tuple(n for n in found.notes if humans or n not in OF_PEOPLE)
    return replace(found, judges=tuple(judges), panel=_told(found.panel, humans), notes=notes)


def _told(figures: tuple[Figure, ...], humans: bool) -> tuple[Figure, ...]:
    return tuple(f for f in figures if humans or not is_about_people(f))


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
