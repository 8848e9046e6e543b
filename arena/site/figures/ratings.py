"""Ratings with their intervals and rank ranges, one agent a row."""

from collections.abc import Sequence
from typing import Any

from arena.domain.standing import Standing, State
from arena.site import formats
from arena.site.figures.lettering import Lettering
from arena.site.figures.source import Source
from arena.site.figures.style import GRID, INK, LINE, PALE, WIDTH, finish, new_figure

ROW, AROUND = 0.36, 1.5
"""Inches: the height of a row, and of what stands above and below the rows."""


def draw_ratings(source: Source, letters: Lettering) -> Any:
    """The drawing; None where nobody is rated. Who has no rating is not drawn."""
    rated = [s for s in source.board.agents if s.rating is not None]
    if not rated:
        return None
    figure, axes = new_figure(WIDTH, AROUND + ROW * len(rated))
    for row, standing in enumerate(rated):
        _row(axes, row, standing)
    axes.set_yticks(range(len(rated)), [letters.agent(s.agent) for s in rated], parse_math=False)
    axes.set_ylim(len(rated) - 0.5, -0.5)
    axes.grid(axis="x", color=GRID)
    axes.set_axisbelow(True)
    _numbers(axes, rated, letters)
    axes.set_xlabel(letters.say("figure.rating"), fontsize=9, parse_math=False)
    level = formats.level(source.board.method.level)
    about = letters.say("figure.ratings.about", level=level)
    finish(axes, f"{letters.title} · {letters.say('figure.ratings')}", about)
    return figure


def _row(axes: Any, row: int, standing: Standing) -> None:
    ranked = standing.state is State.RANKED
    colour = LINE if ranked else PALE
    if standing.low is not None and standing.high is not None:
        dashes = "-" if ranked else (0, (4, 2))
        axes.plot([standing.low, standing.high], [row, row], color=colour, lw=2, ls=dashes)
    face = INK if ranked else "white"
    axes.plot([standing.rating], [row], "o", color=INK, markersize=6, markerfacecolor=face)


def _numbers(axes: Any, rated: Sequence[Standing], letters: Lettering) -> None:
    """At the right the rank range and the rating, for who wants to read and not to measure."""
    for row, standing in enumerate(rated):
        rank = formats.DASH
        if standing.rank_low is not None and standing.rank_high is not None:
            low, high = str(standing.rank_low), str(standing.rank_high)
            rank = low if low == high else f"{low}–{high}"
        for place, text in ((1.06, rank), (1.15, f"{standing.rating:.0f}")):
            _beside(axes, place, row, text)
    for place, key in ((1.06, "figure.rank"), (1.15, "figure.points")):
        _beside(axes, place, -0.75, letters.say(key), size=8)


def _beside(axes: Any, x: float, y: float, text: str, *, size: int = 9) -> None:
    axes.text(
        x,
        y,
        text,
        transform=axes.get_yaxis_transform(),
        ha="center",
        va="center",
        fontsize=size,
        color=INK,
        parse_math=False,
    )
