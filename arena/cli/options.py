"""The options that commands share, each said once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import completing

RUN = "Run"
LOOK = "Look"
SETUP = "Set up"
PUBLISH = "Publish"
COMPARING = "Which comparisons"
BRIDGING = "Another model of a judge"


class DesignKind(StrEnum):
    """By which rule comparisons are chosen; a baseline is named with --against."""

    ALL = "all"
    EVEN = "even"
    RANDOM = "random"
    INFORMED = "informed"
    ADAPTIVE = "adaptive"


DesignOption = Annotated[
    DesignKind | None,
    typer.Option(
        "--design",
        help="Default: all up to 6 agents, even up to 10, then informed by the rubric scores. "
        "adaptive looks at verdicts and gives no intervals.",
        rich_help_panel=COMPARING,
    ),
]
Comparisons = Annotated[
    int | None,
    typer.Option(
        "--comparisons",
        min=1,
        help="How many, both orders each (default: a third of all; all: every one).",
        rich_help_panel=COMPARING,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        help="Compare every agent with this one only.",
        rich_help_panel=COMPARING,
    ),
]
StopWidth = Annotated[
    float | None,
    typer.Option(
        "--stop-width",
        help="Stop once every ranked agent's interval is at most so many points wide.",
        rich_help_panel=COMPARING,
    ),
]
Looks = Annotated[
    int | None,
    typer.Option(
        "--looks",
        min=1,
        max=100,
        help="Look at most so often for --stop-width (default 4), each at its part of the risk.",
        rich_help_panel=COMPARING,
    ),
]

BridgeOption = Annotated[
    Path | None,
    typer.Option(
        "--bridge",
        metavar="OLD",
        help="Bridge to another model of a judge: OLD is a published folder or a board's JSON.",
        rich_help_panel=BRIDGING,
    ),
]
BridgeShare = Annotated[
    float | None,
    typer.Option(
        "--share",
        min=0.01,
        max=1.0,
        help="Part of the old comparisons to put again, drawn by the seed (default 0.3).",
        rich_help_panel=BRIDGING,
    ),
]

Project = Annotated[
    Path | None,
    typer.Option("-C", "--project", help="The workspace (default: this folder or one above it)."),
]
SuiteOption = Annotated[
    list[str] | None,
    typer.Option("--suite", help="Only this suite (repeatable).", autocompletion=completing.suites),
]
ModeOption = Annotated[
    str | None,
    typer.Option("--mode", help="Only this mode."),
]
ImportOption = Annotated[
    str | None,
    typer.Option(
        "--import",
        metavar="NAME",
        help="What was imported, by its name or file, instead of what was made here.",
    ),
]
DomainOption = Annotated[
    list[str] | None,
    typer.Option("--domain", help="Only scenarios of this domain (repeatable)."),
]
AgentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        help="Only this agent (repeatable); compare: its pairs.",
        autocompletion=completing.agents,
    ),
]
ScenarioOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scenario", help="Only this scenario (repeatable).", autocompletion=completing.scenarios
    ),
]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option("--judge", help="Only this judge (repeatable).", autocompletion=completing.judges),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", min=1, help="At most N scenarios, spread evenly over domains."),
]
Concurrency = Annotated[
    int, typer.Option("-j", "--concurrency", min=1, max=1000, help="Calls under way at once.")
]
Executor = Annotated[
    str,
    typer.Option(
        "--executor",
        help="Where calls run: local (this process), ray (processes here), ray://HOST:PORT.",
    ),
]
Serve = Annotated[
    bool,
    typer.Option("--serve", help="Show progress and take votes in the browser meanwhile."),
]
ServePort = Annotated[int, typer.Option("--serve-port", min=0, max=65535, help="0: any free.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the forecast and stop.")]
Yes = Annotated[bool, typer.Option("-y", "--yes", help="Spend without asking.")]
MaxCost = Annotated[
    str | None,
    typer.Option("--max-cost", help="Hard cap on what this command spends, like “5 CNY”."),
]
AllowUnpriced = Annotated[
    bool, typer.Option("--allow-unpriced", help="Under a cap, call what has no known price too.")
]
RetryErrors = Annotated[
    bool,
    typer.Option(
        "--retry-errors", help="Ask again what was unreadable, empty, cut, refused or blocked."
    ),
]
Commentary = Annotated[
    bool,
    typer.Option(
        "--commentary", help="Also ask each judge for a free commentary on what it scored."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Seed of codes, jitter and resamples."),
]
Note = Annotated[str, typer.Option("--note", help="A note kept with this run.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
LangOption = Annotated[
    str | None,
    typer.Option("--lang", help="zh or en (default: ARENA_LANG, else the locale)."),
]
