"""Which suite is checked, and how what was found is shown."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.cli import output
from arena.cli.words import Lang, say, translate
from arena.cli.workspace import default_mode
from arena.domain.suite import Suite
from arena.errors import ArenaError, ConfigError, UsageError
from arena.stages.doctor import Contents, Report, examine
from arena.suites.find import Workspace, find_suite, find_workspace
from arena.suites.gates import gate_mistakes
from arena.suites.load import load_suite
from arena.suites.mistakes import place_of
from arena.suites.reading import line_of
from arena.suites.roster import load_config

SCHEMA = "arena.doctor/1"


def check_folder(asked: str, project: Path | None, lang: Lang, *, as_json: bool) -> int:
    """Check a suite, show what was found, and give the exit code; raises UsageError."""
    report = with_modes(examine(find_folder(asked, project)), project)
    show(report, lang, as_json=as_json)
    return 0 if report.sound else 5


def find_folder(asked: str, project: Path | None) -> Path:
    """The folder of a suite that is given as a path or by its name.

    Raises UsageError when there is neither a folder nor a suite of that name.
    """
    if "\0" not in asked and Path(asked).is_dir():
        return Path(asked)
    try:
        return find_suite(_workspace(project), asked)
    except ConfigError as error:
        raise UsageError(
            "--suite: there is neither a folder nor a suite called {name}",
            fix="Suites here: {suites}.",
            name=asked,
            suites=error.facts["suites"],
        ) from None


def with_modes(report: Report, project: Path | None) -> Report:
    """The report with what the workspace around it asks of the suite, where there is one.

    A mode that asks for inner thoughts is for models: a product gives what it takes them to be.
    """
    workspace = _workspace(project)
    if report.contents is None or workspace is None or not workspace.config.is_file():
        return report
    try:
        config, suite = load_config(workspace.config), load_suite(report.folder)
    except ArenaError:
        return report  # the check is of the suite alone
    names = ", ".join(a.agent for a in config.agents if a.product)
    found = [
        ConfigError(
            "{place}: mode {mode} asks for inner thoughts, and products are no models: {names}",
            fix="Play `mode: {natural}`, which every agent can, or leave the products out.",
            place=f"{workspace.config}:{line_of(workspace.config, ('suites', n))}",
            mode=played.mode,
            names=names,
            natural=default_mode(suite, config),
        )
        for n, played in enumerate(config.suites)
        if names and played.suite == suite.suite and _for_models(suite, played.mode)
    ]
    wrong = [
        mistake
        for played in config.suites
        if played.suite == suite.suite
        for mistake in gate_mistakes(
            workspace.config, config.gates, suite, played.mode or default_mode(suite, config)
        )
    ]
    return replace(report, errors=(*report.errors, *wrong), warnings=(*report.warnings, *found))


def _for_models(suite: Suite, mode: str | None) -> bool:
    played = suite.modes.get(mode or suite.default_mode)
    return played is not None and played.models_only


def _workspace(project: Path | None) -> Workspace | None:
    try:
        return find_workspace((project or Path.cwd()).resolve(), asked=project is not None)
    except UsageError:
        # The suites that ship can be checked anywhere.
        if project is not None:
            raise
        return None


def show(report: Report, lang: Lang, *, as_json: bool) -> None:
    """Print a report: on stdout what was found and checked, on stderr the end of it."""
    if as_json:
        output.print_json(describe(report, lang))
        return
    for error in report.errors:
        _show_mistake("doctor_error", error, lang)
    for first, more in fold(report.warnings):
        _show_mistake("doctor_warning", first, lang, more=more)
    if report.contents is not None:
        _show_contents(report.contents, lang)
    counts = {"errors": len(report.errors), "warnings": len(report.warnings)}
    key = "doctor_sound" if report.sound else "doctor_unsound"
    style = "bold" if report.sound else "red"
    output.tell(say(lang, key, folder=str(report.folder), **counts), style=style)


def fold(warnings: Iterable[ConfigError]) -> list[tuple[ConfigError, int]]:
    """Warnings by kind, in order: the first of each, and how many more there are."""
    kinds: dict[tuple[str, str], list[ConfigError]] = {}
    for warning in warnings:
        kinds.setdefault((warning.what, warning.fix), []).append(warning)
    return [(same[0], len(same) - 1) for same in kinds.values()]


def _show_mistake(key: str, error: ConfigError, lang: Lang, *, more: int = 0) -> None:
    what, *rest = _lines(error, lang)
    if more:
        rest.append(say(lang, "doctor_more", n=more))
    output.print_text(output.in_one_line(say(lang, key, what=what)) + "\n")
    for line in rest:
        output.print_text("    " + output.in_one_line(line) + "\n")


def _lines(error: ConfigError, lang: Lang) -> list[str]:
    parts = (error.what, error.why, error.fix)
    return [translate(lang, part, error.facts) for part in parts if part]


def _show_contents(contents: Contents, lang: Lang) -> None:
    rows = [
        [say(lang, "doctor_scenarios"), str(contents.scenarios)],
        [say(lang, "doctor_turns"), str(contents.turns)],
        [say(lang, "doctor_domains"), _counts(contents.domains, lang)],
        [say(lang, "doctor_archetypes"), _counts(contents.archetypes, lang)],
    ]
    if contents.flagged is not None and contents.interval is not None:
        share = _share(contents, contents.flagged, contents.interval, lang)
        rows.append([say(lang, "doctor_flags"), share])
    rows += [
        [
            say(lang, f"doctor_prompt_{longest.use}"),
            say(
                lang,
                "doctor_tokens",
                tokens=f"{longest.tokens:,}",
                scenario=longest.scenario,
                mode=longest.mode,
            ),
        ]
        for longest in contents.prompts
    ]
    title = f"{contents.suite} {contents.version}"
    heads = [say(lang, "doctor_checked"), say(lang, "doctor_found")]
    output.print_table(title, heads, rows, right=frozenset())


def _counts(counts: Any, lang: Lang) -> str:
    return ", ".join(say(lang, "count_of", n=n, what=name) for name, n in counts.items())


def _share(contents: Contents, flagged: int, interval: tuple[float, float], lang: Lang) -> str:
    low, high = (f"{100 * end:.0f}" for end in interval)
    return say(
        lang,
        "doctor_share",
        n=flagged,
        of=contents.scenarios,
        share=f"{100 * flagged / contents.scenarios:.0f}",
        low=low,
        high=high,
        level=f"{100 * contents.level:.0f}",
    )


def describe(report: Report, lang: Lang) -> dict[str, Any]:
    """A report as JSON-able data."""
    return {
        "schema": SCHEMA,
        "folder": str(report.folder),
        "sound": report.sound,
        "errors": [_finding(error, lang) for error in report.errors],
        "warnings": [_finding(error, lang) for error in report.warnings],
        "checked": _checked(report.contents) if report.contents else None,
    }


def _finding(error: ConfigError, lang: Lang) -> dict[str, Any]:
    file, line = place_of(error)
    what, why, fix = (
        translate(lang, part, error.facts) for part in (error.what, error.why, error.fix)
    )
    return {"file": file, "line": line, "message": what, "why": why, "hint": fix}


def _flags(contents: Contents) -> dict[str, Any] | None:
    """None: the suite lists no kind of red flag."""
    if contents.flagged is None or contents.interval is None:
        return None
    return {
        "scenarios": contents.flagged,
        "of": contents.scenarios,
        "share": contents.flagged / contents.scenarios,
        "interval": list(contents.interval),
        "level": contents.level,
    }


def _checked(contents: Contents) -> dict[str, Any]:
    return {
        "suite": contents.suite,
        "version": contents.version,
        "scenarios": contents.scenarios,
        "turns": contents.turns,
        "domains": dict(contents.domains),
        "archetypes": dict(contents.archetypes),
        "red_flags": _flags(contents),
        "longest_prompts": [
            {"use": p.use, "tokens": p.tokens, "scenario": p.scenario, "mode": p.mode}
            for p in contents.prompts
        ],
    }
