"""arena show: look, in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli import show_options as so
from arena.cli import show_results, show_workspace
from arena.cli.words import choose_lang

app = typer.Typer(
    name="show",
    help="Look at one thing, in the terminal: who, what was said, how it was judged, what it cost.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for look in (
    show_workspace.agents,
    show_workspace.suites,
    show_results.scenario,
    show_results.transcript,
    show_results.scores,
    show_results.verdicts,
    show_results.duel,
    show_workspace.spend,
    show_workspace.todo,
):
    app.command()(look)

Contract = Annotated[
    str,
    typer.Option(
        "--contract", help="pairwise, rubric or choice; also forced (no ties) and marks (A++)."
    ),
]
OneSuite = Annotated[
    str | None,
    typer.Option("--suite", help="Criteria and contract of this suite (its name or folder)."),
]
Criteria = Annotated[
    list[str] | None,
    typer.Option(
        "--criterion", help="A criterion: key, or key:min-max for a score; 1-5 unless said."
    ),
]
Round = Annotated[
    int, typer.Option("--round", min=0, help="The sheet of this round (0: of the whole).")
]
Finish = Annotated[
    str | None,
    typer.Option("--finish-reason", help="How the reply ended: stop, length, content_filter."),
]


Codes = Annotated[
    list[str] | None,
    typer.Option("--code", help="A blind name that the judge was given; twice, first shown first."),
]


@app.command()
def reading(
    contract: Contract = "pairwise",
    suite: OneSuite = None,
    criterion: Criteria = None,
    round: Round = 0,
    finish_reason: Finish = None,
    code: Codes = None,
    project: o.Project = None,
    json: o.Json = True,
    lang: o.LangOption = None,
) -> None:
    """Read a judge's reply from stdin and print, as JSON, how it is understood.

    Sides of a comparison: outcome `a` is what was shown first, called A, assistant 1 or 助手 1 in
    the reply; `b` is the second: B, assistant 2 or 助手 2. With --contract choice: the letter.
    从标准输入读取评审的回复，以 JSON 说明它被怎样理解；先展示的一方为 a，后展示的为 b。
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=True):
        from arena.cli.output import print_json
        from arena.cli.reading import Asked, explain, read_stdin

        asked = Asked(
            contract=contract,
            suite=suite,
            criteria=tuple(criterion or ()),
            round=round,
            finish_reason=finish_reason,
            codes=tuple(code or ()),
            project=project,
            lang=language,
        )
        print_json(explain(asked, read_stdin()))
    raise typer.Exit(0)


@app.command()
def figure(
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="FILE", help="The file to write: .svg, .png or .pdf."),
    ],
    name: so.Figure = so.FigureName.RATINGS,
    font: so.Font = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Draw a figure of a board into one file, and no other: by default the ratings."""
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.course import asked_of
        from arena.cli.figure import draw

        draw(asked_of(locals()), name.value, out, font, language, as_json=json)
    raise typer.Exit(0)
