"""arena import: what other people's files hold, made ours."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli.words import choose_lang


def import_(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="What it is: scenarios, script, eldercare, eqbench3, flags."
        ),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="PATH",
            help="A table of scenarios, a script or decided flags, .xlsx or .csv; the original's "
            "folder; results.",
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
        typer.Option("--as", metavar="NAME", help="A folder's: what the suite is called here."),
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
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="script: take what is sound, leave out the rest.")
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
    brings the transcripts of its agent, and a table of red flags what people decided about them.
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    code = 0
    with guarded(language, as_json=json):
        from arena.cli.imported import check_options, import_table, kind_of, make_template
        from arena.cli.imported_suite import Wanted, import_folder
        from arena.cli.workspace import command_line

        kind, command = kind_of(format), command_line(tuple(sys.argv[1:]))
        given = {
            "--as": name is not None,
            "--agents": agents is not None,
            "--judged-by": judge is not None,
            "DIR": folder is not None,
            "--template": template is not None,
            "--dry-run": dry_run,
            "--skip-bad": skip_bad,
            "--replicate": replicate is not None,
        }
        check_options(format, given)
        if kind == "flags":
            from arena.cli.flagging import import_flags

            import_flags(path, project, judge, language, command=command, as_json=json)
        elif kind == "script":
            from arena.cli.bringing import Return, import_script

            back = Return(
                path=path,
                project=project,
                dry=dry_run,
                skip=skip_bad,
                replicate=replicate,
                command=command,
            )
            code = import_script(back, language, as_json=json)
        elif kind == "folder":
            wanted = Wanted(
                format=format,
                source=path,
                name=name,
                project=project,
                dry=dry_run,
                makers=agents,
                judge=judge,
                command=command,
            )
            code = import_folder(wanted, language, as_json=json)
        elif template is not None:
            make_template(template, path, language, as_json=json)
        else:
            code = import_table(path, folder, project, language, as_json=json)
    raise typer.Exit(code)
