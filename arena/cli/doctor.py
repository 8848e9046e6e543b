"""arena doctor: checks before anything is spent."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def doctor(
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="DIR", help="Check a suite: its folder, or its name."),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody (a suite's check never does).")
    ] = False,
    project: o.Project = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Check a suite's folder: every mistake with its file and line, and what to do about it."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.doctoring import find_folder, refuse_workspace, show, with_modes
        from arena.stages.doctor import examine

        if suite is None:
            raise refuse_workspace(offline=offline)
        report = with_modes(examine(find_folder(suite, project)), project)
        show(report, language, as_json=json)
    raise typer.Exit(0 if report.sound else 5)
