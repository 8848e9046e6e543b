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


Format = Annotated[
    ExportFormat,
    typer.Argument(metavar="FORMAT", help="ceval: answers of multiple choice, for submission."),
]
Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="Where to; one file an agent, none overwritten.")
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
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Write what agents answered in another format; free and offline."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.exporting import export_answers

        export_answers(folder, locals(), language, as_json=json)
    raise typer.Exit(0)
