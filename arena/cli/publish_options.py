"""The options of `arena publish`: where a site goes, and what of it is held back."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

GOES = "Where it goes"
HELD = "What is held back"


class Target(StrEnum):
    """Where a site can go beside a folder."""

    GITHUB_PAGES = "github-pages"


class Transcripts(StrEnum):
    """How much of the agents' words is published."""

    FULL = "full"
    REDACTED = "redacted"
    NONE = "none"


Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="The folder to write (default: leaderboard/ of the workspace).",
        rich_help_panel=GOES,
    ),
]
To = Annotated[
    Target | None,
    typer.Option(
        "--to",
        help="For GitHub Pages: docs/ of a repository, or --branch. Never pushes.",
        rich_help_panel=GOES,
    ),
]
Repo = Annotated[
    Path | None,
    typer.Option(
        "--repo",
        help="The git repository of --to (default: that of the workspace).",
        rich_help_panel=GOES,
    ),
]
Branch = Annotated[
    str | None,
    typer.Option(
        "--branch",
        help="Commit to this branch instead, for example gh-pages.",
        rich_help_panel=GOES,
    ),
]
TranscriptsOption = Annotated[
    Transcripts | None,
    typer.Option(
        "--transcripts",
        help="redacted masks personal data; none shows no word of an agent "
        "(default: full; none with --to).",
        rich_help_panel=HELD,
    ),
]
Anonymise = Annotated[
    bool,
    typer.Option(
        "--anonymise-vendors",
        "--anonymize-vendors",
        help="Neutral names for agents and vendors, everywhere.",
        rich_help_panel=HELD,
    ),
]
AllowFinding = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-finding",
        metavar="HASH",
        help="What looks like a key or personal data, was looked at and may be seen (repeatable).",
        rich_help_panel=HELD,
    ),
]
ShowNotes = Annotated[
    bool,
    typer.Option(
        "--show-notes",
        help="Also show what only judges are told of each scenario: it gives the trap away.",
        rich_help_panel=HELD,
    ),
]
Figures = Annotated[
    bool,
    typer.Option("--figures", help="Also draw figures for reports and slides (SVG and PNG)."),
]
Pdf = Annotated[
    bool,
    typer.Option("--pdf", help="Also print the two-page brief as PDF; needs a Chromium."),
]
Compare = Annotated[
    Path | None,
    typer.Option(
        "--compare",
        metavar="OLD",
        help="Also show what changed since OLD: a published folder, its data/leaderboard.json, or "
        "what arena rank --json printed.",
    ),
]
