"""arena plan: what a run will cost, and how many scenarios would separate two agents."""

from typing import Annotated

import typer

from arena.cli import options as o
from arena.cli import rank_options as r
from arena.cli.words import choose_lang
from arena.errors import UsageError

TWO = "Two agents"

First = Annotated[
    str | None,
    typer.Argument(metavar="A", help="Two agents to tell apart; none: forecast of arena run."),
]
Second = Annotated[str | None, typer.Argument(metavar="B", show_default=False)]
Difference = Annotated[
    float | None,
    typer.Option(
        "--difference",
        metavar="POINTS",
        help="The smallest difference that matters to you (never the observed one).",
        rich_help_panel=TWO,
    ),
]
Power = Annotated[
    float,
    typer.Option("--power", help="Chance to see it if it is there.", rich_help_panel=TWO),
]
Level = Annotated[
    float | None,
    typer.Option(
        "--level", help="One less the error (default: the board's, 0.95).", rich_help_panel=TWO
    ),
]
Adjusted = Annotated[
    bool,
    typer.Option(
        "--pairs-adjusted/--single",
        help="Tested together with all pairs of ranked agents, or this pair alone.",
        rich_help_panel=TWO,
    ),
]
File = Annotated[
    str | None,
    typer.Option(
        "--file",
        help="Plan from a file of outcomes, as arena rank FILE reads it; - is stdin.",
        rich_help_panel=TWO,
    ),
]


def plan(
    first: First = None,
    second: Second = None,
    difference: Difference = None,
    power: Power = 0.8,
    level: Level = None,
    adjusted: Adjusted = True,
    file: File = None,
    project: o.Project = None,
    suite: o.SuiteOption = None,
    mode: o.ModeOption = None,
    domain: o.DomainOption = None,
    agent: o.AgentOption = None,
    scenario: o.ScenarioOption = None,
    judge: o.JudgeOption = None,
    columns: r.Columns = None,
    cluster: r.Cluster = None,
    key: r.Key = None,
    where: r.Where = None,
    limit: o.Limit = None,
    bridge: o.BridgeOption = None,
    share: o.BridgeShare = None,
    concurrency: o.Concurrency = 64,
    json: o.Json = False,
    lang: o.LangOption = None,
) -> None:
    """Forecast a run; with two agents: the scenarios that would separate them. Asks no model.

    --bridge OLD prices what `arena compare --bridge OLD` would ask, and says what it could see.
    """
    from arena.cli.guard import guarded

    language = choose_lang(lang)
    with guarded(language, as_json=json):
        from arena.cli.bridging import plan_bridge
        from arena.cli.planning import plan_pair, plan_run

        planned = plan_run if first is None and file is None else plan_pair
        if bridge is not None:
            planned = plan_bridge
        elif share is not None:
            raise UsageError("--share is for --bridge OLD")
        planned(locals(), language, as_json=json)
    raise typer.Exit(0)
