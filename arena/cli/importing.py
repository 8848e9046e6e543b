"""arena import: what other people's files hold, made ours."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def import_(
    format: Annotated[str, typer.Argument(metavar="FORMAT", help="What the file is: scenarios.")],
    path: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A table of scenarios, .xlsx or .csv.")
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help="The suite's folder (default: data/suites/ and the file's name)."
        ),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option("--template", metavar="FILE.xlsx", help="Write an empty table to fill in."),
    ] = None,
    project: o.Project = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Make a suite's folder from a table of scenarios, and check it; never overwrites."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    code = 0
    with guarded(language, as_json=json):
        from arena.cli.imported import check_format, import_table, make_template

        check_format(format)
        if template is not None:
            make_template(template, path, language, as_json=json)
        else:
            code = import_table(path, folder, project, language, as_json=json)
    raise typer.Exit(code)
