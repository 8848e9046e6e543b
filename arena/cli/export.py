"""arena export: what a workspace holds, in other people's formats."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


class ExportFormat(StrEnum):
    """Formats that can be written."""

    CEVAL = "ceval"
    FLAGS = "flags"


Format = Annotated[
    ExportFormat,
    typer.Argument(
        metavar="FORMAT",
        help="ceval: answers of multiple choice, for submission; flags: red flags, for people.",
    ),
]
Folder = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="ceval: a folder, one file an agent; flags: a .xlsx or .csv file. None overwritten.",
    ),
]
ShowJudges = Annotated[
    bool, typer.Option("--show-judges", help="flags: say what the judges said; else it is hidden.")
]


def export(
    format: Format,
    folder: Folder,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    limit: o.Limit = None,
    show_judges: ShowJudges = False,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Write what agents answered, or the red flags raised against them; free and offline."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.exporting import export_answers
        from arena.cli.flagging import export_flags

        if format is ExportFormat.FLAGS:
            export_flags(folder, locals(), language, judges=show_judges, as_json=json)
        else:
            export_answers(folder, locals(), language, as_json=json)
    raise typer.Exit(0)
