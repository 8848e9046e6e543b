"""arena doctor: checks before anything is spent."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang

Folder = Annotated[
    str | None,
    typer.Option("--suite", metavar="DIR", help="Check a suite instead: its folder, or its name."),
]
Offline = Annotated[
    bool,
    typer.Option("--offline", help="Ask nobody and look up no name (a suite's check never does)."),
]
Products = Annotated[
    bool,
    typer.Option("--call-products", help="Greet products of type http too: it may have effects."),
]


def doctor(
    suite: Folder = None,
    offline: Offline = False,
    call_products: Products = False,
    yes: o.Yes = False,
    max_cost: o.MaxCost = None,
    project: o.Project = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Check the workspace, with a call of one token to each agent and judge; or a suite alone."""
    from arena.cli.guard import guarded

    given = locals()
    language = choose_lang(lang)
    with guarded(language, as_json=json):
        if suite is None:
            from arena.cli.checkup import check_workspace

            code = check_workspace(given, language)
        else:
            from arena.cli.doctoring import check_folder

            code = check_folder(suite, project, language, as_json=json)
    raise typer.Exit(code)
