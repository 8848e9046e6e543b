"""arena diagnose: what may be wrong with the judges, from the store or from a file."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli import rank_options as r
from arena.cli.words import choose_lang

File = Annotated[
    str | None,
    typer.Argument(
        help="A file of outcomes, as for arena rank; - is stdin. Without it, the workspace.",
        show_default=False,
    ),
]
Humans = Annotated[bool, typer.Option("--humans", help="Show people (judge human:…) too.")]
Judge = Annotated[
    list[str] | None,
    typer.Option("--judge", help="Only judges of this name or pattern (repeatable)."),
]


def diagnose(
    file: File = None,
    import_: o.ImportOption = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    judge: Judge = None,
    humans: Humans = False,
    level: r.Level = None,
    resamples: r.Resamples = None,
    seed: o.Seed = None,
    columns: r.Columns = None,
    cluster: r.Cluster = None,
    key: r.Key = None,
    where: r.Where = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Diagnose the judges: flips, position, length, own family, severity, agreement; offline."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.diagnosing import diagnose_file, diagnose_workspace

        if file is None or import_:
            diagnose_workspace(locals(), language, as_json=json)
        else:
            diagnose_file(file, locals(), language, as_json=json)
    raise typer.Exit(0)
