"""arena import: what other people's files hold, made ours."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def import_(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            help="What it is: scenarios, script, flags, votes, ceval, eldercare, eqbench3; texts: "
            "alpacaeval, arena-hard, fastchat, evalscope, inspect; votes of others: evalica, "
            "lmarena, fastchat, autoarena, arena.",
        ),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="A table of scenarios, .xlsx or .csv; a script, flags or votes, filled in; the "
            "original's folder; a file of results, letters or votes; a folder of tables (arena).",
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]",
            help="scenarios: the suite's folder (default: data/suites/ and the file's name).",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="What the suite, or the votes, are called here."),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option("--template", metavar="FILE.xlsx", help="Write an empty table to fill in."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Make nothing; show published figures and what would come in."
        ),
    ] = False,
    agents: Annotated[
        Path | None,
        typer.Option("--agents", metavar="FILE.csv", help="Who makes the agents of results."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option("--judged-by", metavar="NAME", help="Who judged, where a file is silent."),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="ROLE=COLUMN,…",
            help="Votes: what columns hold, like a=left,b=right,outcome=who_won.",
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Take what is sound, leave out and list the rest.")
    ] = False,
    replicate: Annotated[
        int | None,
        typer.Option("--replicate", min=1, help="script: which repetition all of it is."),
    ] = None,
    project: o.Project = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Make a suite's folder from other people's files, and take in results and answers.

    Nothing is overwritten, and importing again adds nothing. A folder's PATH makes the suite and
    brings its results; a file of results alone (eldercare: results.jsonl; eqbench3: runs or Elo,
    .json or .json.gz) goes to the suite called --as. A script that was filled in by hand
    brings the transcripts of its agent. Votes (.csv, .jsonl, .json, .parquet) need no suite:
    arena rank --import NAME ranks them.
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.bringing_in import bring_in

        code = bring_in(locals(), language, as_json=json)
    raise typer.Exit(code)
