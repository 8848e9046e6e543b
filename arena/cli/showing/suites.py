"""Which suites there are, which of them are played, and what one consists of."""

from typing import Any

from arena.cli import output
from arena.cli.showing.finding import find_one
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.domain.job import Job
from arena.domain.suite import Suite
from arena.suites.find import suite_folders
from arena.suites.load import load_suite

SCHEMA = "arena.suites/1"
NONE = "—"


def show_suites(bench: Bench, name: str | None, lang: Lang, *, as_json: bool) -> None:
    """Every suite, or the scenarios of one; raises UsageError for one that is not here."""
    folders = suite_folders(bench.workspace)
    if name is not None:
        suite = _played(bench).get(find_one("suite", name, folders))
        _show_one(suite or load_suite(folders[find_one("suite", name, folders)]), lang, as_json)
        return
    played = _played(bench)
    found = {key: played.get(key) or load_suite(folders[key]) for key in sorted(folders)}
    if as_json:
        document = [_describe(suite, bench.jobs) for suite in found.values()]
        output.print_json({"schema": SCHEMA, "suites": document})
        return
    columns = ("id", "name", "version", "modes", "scenarios", "played", "licence")
    rows = [
        [
            key,
            suite.name[lang],
            suite.version,
            ", ".join(suite.modes),
            str(len(suite.scenarios)) if suite.scenarios else NONE,
            ", ".join(_modes(suite, bench.jobs)) or NONE,
            suite.licence,
        ]
        for key, suite in found.items()
    ]
    heads = [say(lang, f"column_{c}") for c in columns]
    output.print_table(say(lang, "show_suites"), heads, rows, right=frozenset({4}))
    output.tell(say(lang, "next_suite"))


def _show_one(suite: Suite, lang: Lang, as_json: bool) -> None:
    if as_json:
        output.print_json({"schema": SCHEMA, "suites": [_describe(suite, (), whole=True)]})
        return
    names = {d.domain: d.name[lang] for d in suite.domains}
    rows = [
        [
            s.scenario,
            s.title[lang],
            names.get(s.domain, s.domain),
            str(len(s.turns)),
            ", ".join(s.tags) or NONE,
        ]
        for s in suite.scenarios
    ]
    columns = ("scenario", "title", "domain", "turns", "tags")
    heads = [say(lang, f"column_{c}") for c in columns]
    title = f"{suite.name[lang]} {suite.version}"
    output.print_table(output.in_one_line(title), heads, rows, right=frozenset({3}))
    output.tell(suite.about[lang])
    output.tell(say(lang, "next_scenario"))


def _played(bench: Bench) -> dict[str, Suite]:
    return {job.suite.suite: job.suite for job in bench.jobs}


def _modes(suite: Suite, jobs: tuple[Job, ...]) -> list[str]:
    return list(dict.fromkeys(job.mode for job in jobs if job.suite.suite == suite.suite))


def _describe(suite: Suite, jobs: tuple[Job, ...], *, whole: bool = False) -> dict[str, Any]:
    document: dict[str, Any] = {
        "suite": suite.suite,
        "name": suite.name.model_dump(),
        "version": suite.version,
        "language": suite.language,
        "licence": suite.licence,
        "modes": list(suite.modes),
        "domains": [d.domain for d in suite.domains],
        "played": _modes(suite, jobs),
        "scenarios": len(suite.scenarios),
    }
    if whole:
        document["scenarios"] = [
            {
                "scenario": s.scenario,
                "title": s.title.model_dump(),
                "domain": s.domain,
                "turns": len(s.turns),
                "tags": list(s.tags),
            }
            for s in suite.scenarios
        ]
    return document
