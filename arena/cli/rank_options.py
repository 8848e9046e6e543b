"""The options of `arena rank`, each said once."""

from enum import StrEnum
from typing import Annotated

import typer

MODEL = "Model"
FILES = "Files of outcomes"
OUTPUT = "Output"


class Format(StrEnum):
    """How the board is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"


class TieModel(StrEnum):
    """What a tie is to the model."""

    HALF = "half"
    DAVIDSON = "davidson"
    RAO_KUPPER = "rao-kupper"


class IntervalKind(StrEnum):
    """How intervals are made."""

    BOOTSTRAP = "bootstrap"
    CLUSTERED = "clustered"
    PERCENTILE = "percentile"
    EXPANDED = "expanded"


class Estimator(StrEnum):
    """Bradley–Terry, or online Elo in the order of the rows."""

    BT = "bt"
    ELO = "elo"


class Likeness(StrEnum):
    """Whose figures are shown beside."""

    FASTCHAT = "fastchat"
    EVALICA = "evalica"
    ARENA_RANK = "arena-rank"


class OutcomeKind(StrEnum):
    """Where a comparison's share comes from."""

    WINNER = "winner"
    MARGIN = "margin"
    CRITERIA = "criteria"


class SingleOrder(StrEnum):
    """What becomes of a comparison of which one order only is readable."""

    DROP = "drop"
    KEEP = "keep"


File = Annotated[
    str | None,
    typer.Argument(
        help="A file of outcomes: CSV, TSV, JSON lines (also .gz) or Parquet; - is stdin. "
        "Without it, the workspace is ranked.",
        show_default=False,
    ),
]
Ties = Annotated[
    TieModel | None,
    typer.Option("--ties", help="Ties as half points, or a model of ties.", rich_help_panel=MODEL),
]
PriorSd = Annotated[
    float | None,
    typer.Option(
        "--prior-sd",
        help="Gaussian prior on strengths, SD in log-odds (default: inf, none).",
        rich_help_panel=MODEL,
    ),
]
Resamples = Annotated[
    int | None,
    typer.Option("--resamples", help="Bootstrap draws (default 1000).", rich_help_panel=MODEL),
]
Level = Annotated[
    float | None,
    typer.Option("--level", help="Of the intervals (default 0.95).", rich_help_panel=MODEL),
]
Interval = Annotated[
    IntervalKind | None,
    typer.Option("--interval", help="Default: bootstrap.", rich_help_panel=MODEL),
]
Anchor = Annotated[
    str | None,
    typer.Option(
        "--anchor",
        help="NAME=POINTS: shift all ratings so that NAME has so many.",
        rich_help_panel=MODEL,
    ),
]
MinComparisons = Annotated[
    int | None,
    typer.Option(
        "--min-comparisons",
        min=1,
        help="Fewer than these: provisional, no rank (default 30).",
        rich_help_panel=MODEL,
    ),
]
Control = Annotated[
    str | None,
    typer.Option(
        "--control",
        help="A second rating freed of: position,length,vendor or any x with x_a and x_b.",
        rich_help_panel=MODEL,
    ),
]
By = Annotated[
    str | None,
    typer.Option("--by", help="Slices by these columns, like domain,judge.", rich_help_panel=MODEL),
]
MixedJudges = Annotated[
    bool,
    typer.Option(
        "--allow-mixed-judges",
        help="Take all of a judge's verdicts, whichever model string served them.",
        rich_help_panel=MODEL,
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Ask choix for a second opinion.", rich_help_panel=MODEL),
]
Method = Annotated[
    Estimator,
    typer.Option("--method", help="bt, or online Elo for comparison.", rich_help_panel=FILES),
]
K = Annotated[
    float | None,
    typer.Option("--k", help="K of online Elo (default 4).", rich_help_panel=FILES),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        help="What columns hold, like a=left,b=right,outcome=who_won,scenario=prompt.",
        rich_help_panel=FILES,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Rows of one value hang together (default: scenario); two columns cross.",
        rich_help_panel=FILES,
    ),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key", help="Columns that make a vote unique; repeats count once.", rich_help_panel=FILES
    ),
]
Where = Annotated[
    str | None,
    typer.Option("--where", help="Only rows for which this SQL holds.", rich_help_panel=FILES),
]
Judge = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        help="Only judges of this name or pattern, like 'human:*' (repeatable).",
        rich_help_panel=FILES,
    ),
]
Outcome = Annotated[
    OutcomeKind,
    typer.Option("--outcome", help="What a comparison's share is.", rich_help_panel=FILES),
]
Single = Annotated[
    SingleOrder,
    typer.Option(
        "--single-order",
        help="A comparison of which one order only is readable.",
        rich_help_panel=FILES,
    ),
]
Like = Annotated[
    Likeness | None,
    typer.Option("--like", help="Show the figures of this software first.", rich_help_panel=FILES),
]
Humans = Annotated[
    float | None,
    typer.Option(
        "--humans",
        help="Chance with which people (judge human:…) were asked; corrects the ratings.",
        rich_help_panel=FILES,
    ),
]
Draws = Annotated[
    str | None,
    typer.Option(
        "--draws", help="Write resampled ratings to this Parquet file.", rich_help_panel=OUTPUT
    ),
]
FormatOption = Annotated[
    Format, typer.Option("--format", help="How to print.", rich_help_panel=OUTPUT)
]
