"""arena serve: the leaderboard, the API and blind voting, in the browser."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang

REACH = "Who can reach it"
ASKING = "What people are asked"
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")]
Host = Annotated[
    str, typer.Option("--host", help="Where to listen; elsewhere than here: --allow-remote.")
]
Remote = Annotated[
    bool,
    typer.Option(
        "--allow-remote",
        help="Let other machines in, with a token. Votes go unencrypted: put TLS before it.",
        rich_help_panel=REACH,
    ),
]
Token = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="ARENA_SERVE_TOKEN",
        show_envvar=True,
        help="The owner's token, for the leaderboard and the API.",
        rich_help_panel=REACH,
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="Also answer to this host name (repeatable), for a proxy.",
        rich_help_panel=REACH,
    ),
]
Voters = Annotated[
    list[str] | None,
    typer.Option(
        "--voter",
        metavar="NAME",
        help="Only these vote, each with a token that is shown once (repeatable).",
        rich_help_panel=REACH,
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        "--presentations",
        min=1,
        max=100_000,
        help="Draw so many (default 100), where none are drawn yet.",
        rich_help_panel=ASKING,
    ),
]
Share = Annotated[
    float | None,
    typer.Option(
        "--random-share",
        min=0.05,
        max=1.0,
        help="Part drawn at random (default 0.7), which calibrates; the rest is disputed.",
        rich_help_panel=ASKING,
    ),
]
Anew = Annotated[
    bool,
    typer.Option("--draw-anew", help="Draw again; votes so far stay.", rich_help_panel=ASKING),
]


def serve(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    port: Port = 8321,
    host: Host = "127.0.0.1",
    allow_remote: Remote = False,
    token: Token = None,
    allow_host: Names = None,
    voter: Voters = None,
    presentations: Size = None,
    random_share: Share = None,
    draw_anew: Anew = False,
    lang: o.LangOption = None,
) -> None:
    """Serve the leaderboard, a JSON API and blind voting; Ctrl-C ends it.

    Other commands work beside it. Beside a running arena run it shows what it read last.
    """
    from arena.cli.guard import guarded

    given, language = dict(locals()), choose_lang(lang)
    with guarded(language, as_json=False):
        from arena.cli.serving import serve_workspace

        serve_workspace(given, language)
    raise typer.Exit(0)
