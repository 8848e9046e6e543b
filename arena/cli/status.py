"""arena status: coverage, money spent, errors by kind, what to run next."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang

Watch = Annotated[
    bool, typer.Option("--watch", help="Show it anew until the run that goes on has ended.")
]


def status(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    watch: Watch = False,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Show what is there, what is missing, what was spent; works beside a running `arena run`."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.watching import show_status, watch_status

        show = watch_status if watch else show_status
        show(asked_of(locals()), language, as_json=json)
    raise typer.Exit(0)
