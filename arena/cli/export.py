"""arena export: what a workspace holds, in other people's formats."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang

Format = Annotated[
    str,
    typer.Argument(
        metavar="FORMAT",
        help="ceval: answers of multiple choice, for submission. script: what to paste into a "
        "product that is talked to by hand. For people to fill in: flags (red flags), votes (what "
        "to compare). Verdicts as votes: evalica, lmarena, fastchat, autoarena, arena; with texts: "
        "alpacaeval, arena-hard, fastchat, evalscope, inspect. All tables: arena.",
    ),
]
Place = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="Where to; nothing is overwritten. ceval: a folder, one file an agent. script: "
        "a .xlsx file, or .html to print. flags, votes: a .xlsx or .csv file. Verdicts as votes: "
        "a file (.csv, .jsonl, .parquet, as the format has it). arena: such a file, or a folder.",
    ),
]
ShowJudges = Annotated[
    bool, typer.Option("--show-judges", help="flags: say what the judges said; else it is hidden.")
]
Wider = Annotated[
    bool,
    typer.Option(
        "--wider",
        help="flags: also what judges differ on, and a tenth of the rest at random.",
    ),
]


def export(
    format: Format,
    path: Place,
    import_: o.ImportOption = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    limit: o.Limit = None,
    replicate: Annotated[
        int | None, typer.Option("--replicate", min=1, help="script: only this repetition.")
    ] = None,
    files: Annotated[
        str | None,
        typer.Option("--files", help="arena, a folder: parquet (default), csv or jsonl."),
    ] = None,
    show_judges: ShowJudges = False,
    wider: Wider = False,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Write answers, scripts to be asked by hand, or red flags raised; free, offline.

    Other formats: results of the workspace, or of what was imported into it (--import).
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.writing_out import write_out

        write_out(locals(), language, as_json=json)
    raise typer.Exit(0)
