"""Rating against cost, and against the absolute score: one point an agent, named at the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.standing import Standing, State
from arena.site.figures.lettering import Lettering
from arena.site.figures.source import Source
from arena.site.figures.style import GRID, INK, LINE, PALE, WIDTH, finish, new_figure

FEWEST = 3
"""Fewer points are no picture."""
WIDE = 10
"""Costs that differ by more than this factor stand on a logarithmic axis."""
GAP = 0.055
"""Between two names, as a part of the height."""


@dataclass(frozen=True, slots=True)
class _Point:
    standing: Standing
    rating: float
    x: float
    low: float | None = None
    high: float | None = None


def draw_cost(source: Source, letters: Lettering) -> Any:
    """Rating against the cost of a transcript.

    None for fewer than three agents of known cost, for several currencies, or one cost for all.
    """
    points = [
        _Point(s, s.rating, float(source.costs[s.agent].amount))
        for s in source.board.agents
        if s.rating is not None and s.agent in source.costs
    ]
    currencies = {source.costs[p.standing.agent].currency for p in points}
    if len(points) < FEWEST or len(currencies) != 1 or len({p.x for p in points}) == 1:
        return None
    lowest, highest = min(p.x for p in points), max(p.x for p in points)
    log = lowest > 0 and highest > WIDE * lowest
    name = letters.say("figure.cost.axis", currency=letters.readable(currencies.pop()))
    return _draw(
        points, "cost", letters.say("figure.log", name=name) if log else name, letters, log
    )


def draw_absolute(source: Source, letters: Lettering) -> Any:
    """Rating against absolute score; None for fewer than three agents that have both."""
    points = [
        _Point(s, s.rating, s.absolute.mean, s.absolute.low, s.absolute.high)
        for s in source.board.agents
        if s.rating is not None and s.absolute is not None
    ]
    if len(points) < FEWEST:
        return None
    return _draw(points, "absolute", letters.say("figure.absolute.axis"), letters, False)


def _draw(points: Sequence[_Point], kind: str, x_name: str, letters: Lettering, log: bool) -> Any:
    figure, axes = new_figure(WIDTH, 4.6)
    if log:
        _count_plainly(axes)
    for point in points:
        _point(axes, point)
    axes.grid(color=GRID)
    axes.set_axisbelow(True)
    axes.set_xlabel(x_name, fontsize=9, parse_math=False)
    axes.set_ylabel(letters.say("figure.rating"), fontsize=9, parse_math=False)
    _name(axes, points, letters)
    title = f"{letters.title} · {letters.say(f'figure.{kind}')}"
    finish(axes, title, letters.say(f"figure.{kind}.about"))
    return figure


def _count_plainly(axes: Any) -> None:
    """A logarithmic axis with numbers as people write them, at 1, 2 and 5."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _point(axes: Any, point: _Point) -> None:
    s = point.standing
    ranked = s.state is State.RANKED
    colour = LINE if ranked else PALE
    if s.low is not None and s.high is not None:
        axes.plot([point.x, point.x], [s.low, s.high], color=colour, lw=1.2)
    if point.low is not None and point.high is not None:
        axes.plot([point.low, point.high], [point.rating] * 2, color=colour, lw=1.2)
    face = INK if ranked else "white"
    axes.plot([point.x], [point.rating], "o", color=INK, markersize=6, markerfacecolor=face)


def _name(axes: Any, points: Sequence[_Point], letters: Lettering) -> None:
    """The names in a column at the right, in the order of ratings, each with a thin line."""
    low, high = axes.get_ylim()
    ordered = sorted(points, key=lambda p: (-p.rating, p.standing.agent))
    heights = _apart([(p.rating - low) / (high - low) for p in ordered])
    for point, height in zip(ordered, heights, strict=True):
        axes.annotate(
            letters.agent(point.standing.agent),
            xy=(point.x, point.rating),
            xytext=(1.03, height),
            textcoords="axes fraction",
            fontsize=8.5,
            color=INK,
            va="center",
            arrowprops={"arrowstyle": "-", "color": PALE, "lw": 0.5, "shrinkB": 4},
            parse_math=False,
        )


def _apart(heights: Sequence[float]) -> list[float]:
    """Falling heights, moved as little downwards as keeps a gap between neighbours, then up."""
    placed: list[float] = []
    for height in heights:
        placed.append(min(height, placed[-1] - GAP) if placed else min(height, 1.0))
    lift = max(0.0, -placed[-1]) if placed else 0.0
    return [height + lift for height in placed]
