"""arena vote: blind voting in the terminal."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def vote(
    name: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Who votes.", show_default=False)
    ],
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    lang: o.LangOption = None,
) -> None:
    """Compare conversations blind, a key each; every vote is kept at once, q ends it."""
    from arena.cli.guard import guarded

    given, language = dict(locals()), choose_lang(lang)
    with guarded(language, as_json=False):
        from arena.cli.voting import vote_here

        vote_here(given, language)
    raise typer.Exit(0)
