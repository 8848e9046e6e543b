"""arena publish: the static leaderboard."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang

Out = Annotated[
    Path | None,
    typer.Option("--out", help="The folder to write (default: leaderboard/ of the workspace)."),
]

Figures = Annotated[
    bool,
    typer.Option("--figures", help="Also draw figures for reports and slides (SVG and PNG)."),
]


Compare = Annotated[
    Path | None,
    typer.Option(
        "--compare",
        metavar="OLD",
        help="Also show what changed since OLD: a published folder, its data/leaderboard.json, or "
        "what arena rank --json printed.",
    ),
]


def publish(
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    out: Out = None,
    figures: Figures = False,
    compare: Compare = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Write the leaderboard: static pages in both languages, no network needed."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.boards import publish_all, show_published
        from arena.cli.changes import compare_all, describe_changes, show_changes
        from arena.cli.course import asked_of
        from arena.cli.imported_boards import looking
        from arena.cli.output import print_json

        with looking(asked_of(locals())) as (bench, store):
            changes = compare_all(bench, store, compare, language)
            done = publish_all(
                bench,
                store,
                command="arena run",
                lang=language,
                out=out,
                figures=figures,
                changes=changes,
            )
        if json:
            document = {"index": str(done.index), "files": done.files, "bytes": done.bytes}
            print_json({"schema": "arena.published/1", **document, **describe_changes(done)})
        else:
            show_changes(done, bench, language)
            show_published(done, language)
    raise typer.Exit(0)
