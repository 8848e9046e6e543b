"""The options and arguments of `arena show`, each said once."""

from enum import StrEnum
from typing import Annotated

import typer

from arena.cli import completing

Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        help="Only this agent; of two, what both are in (the beginning of an id will do).",
        autocompletion=completing.agents,
    ),
]
Scenarios = Annotated[
    list[str] | None,
    typer.Option(
        "--scenario", help="Only this scenario (repeatable).", autocompletion=completing.scenarios
    ),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help="Only this judge (repeatable).", autocompletion=completing.judges),
]
Suite = Annotated[
    str | None,
    typer.Argument(help="A suite, for its scenarios.", autocompletion=completing.suites),
]
Scenario = Annotated[
    str, typer.Argument(help="A scenario's id.", autocompletion=completing.scenarios)
]
Transcript = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO:AGENT",
        help="Like EC-13:careline; a replicate as a third part.",
        autocompletion=completing.transcripts,
    ),
]
First = Annotated[
    str,
    typer.Argument(metavar="A", help="An agent's id.", autocompletion=completing.agents),
]
Second = Annotated[
    str,
    typer.Argument(metavar="B", help="Another agent's id.", autocompletion=completing.agents),
]
Key = Annotated[
    str | None,
    typer.Argument(help="A key, or its beginning, for one answer in full."),
]
Input = Annotated[
    bool,
    typer.Option("--input", help="Print what the judge was sent, built again; needs a KEY."),
]
Most = Annotated[
    int, typer.Option("--most", min=1, max=100, help="Scenarios of each kind that are listed.")
]
FirstKeys = Annotated[
    int, typer.Option("--first", min=0, max=10000, help="Keys of each stage that are listed.")
]


class FigureName(StrEnum):
    """The figures there are."""

    RATINGS = "ratings"
    MATRIX = "matrix"
    DOMAINS = "domains"
    COST = "cost"
    ABSOLUTE = "absolute"


Figure = Annotated[
    FigureName,
    typer.Argument(
        metavar="NAME",
        help="ratings (with intervals), matrix (who beat whom), domains (absolute score), cost, "
        "absolute (rating against absolute score).",
    ),
]
Font = Annotated[
    str | None,
    typer.Option("--font", help="A font file or an installed family, for Chinese labels."),
]
