"""Inline SVG, drawn with presentation attributes and classes: the policy forbids styles.

All whiskers of a table share one axis, so that intervals can be compared by eye down the column.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

WIDTH = 190
HEIGHT = 22
INSET = 14
"""Room on both sides for arrows and for the labels of the outermost ticks."""

LINES = "ticks"
"""What the lines of the ticks are called on their page."""

Look = Literal["ranked", "provisional"]


@dataclass(frozen=True, slots=True)
class Axis:
    """A shared axis: what it spans and where its ticks are."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def place(self, value: float) -> float:
        """Where a value lies, from the left edge."""
        span = (self.high - self.low) or 1.0
        inside = min(1.0, max(0.0, (value - self.low) / span))
        return round(INSET + inside * (WIDTH - 2 * INSET), 1)


def make_axis(values: Iterable[float]) -> Axis | None:
    """An axis that holds all values, with round ticks; None without any value."""
    known = [v for v in values if math.isfinite(v)]
    if not known:
        return None
    low, high = min(known), max(known)
    if high - low < 40:
        middle = (low + high) / 2
        low, high = middle - 20, middle + 20
    step = _round_step((high - low) / 4)
    first = math.floor(low / step) * step
    last = math.ceil(high / step) * step
    # One tick too many on either side would squeeze what matters into the middle.
    low, high = max(first, low - step / 3), min(last, high + step / 3)
    ticks = range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)
    return Axis(low, high, tuple(ticks))


def _round_step(rough: float) -> int:
    power = 10.0 ** math.floor(math.log10(rough))
    for factor in (1, 2, 5):
        if factor * power >= rough:
            return max(1, round(factor * power))
    return round(10 * power)


def axis_head(axis: Axis) -> Markup:
    """The axis for the head of the column; decoration, as every row has its numbers in text.

    It holds the lines that the rows' pictures share.
    """
    labels = "".join(f'<text x="{axis.place(tick):g}" y="10">{tick}</text>' for tick in axis.ticks)
    ticks = "".join(f"M{axis.place(tick):g} 13V17" for tick in axis.ticks)
    lines = "".join(f"M{axis.place(tick):g} 0V{HEIGHT}" for tick in axis.ticks)
    return Markup(
        f'{_open("axis", 17)} aria-hidden="true">'
        f'<defs><path id="{LINES}" class="grid" d="{lines}"/></defs>'
        f'<g text-anchor="middle">{labels}</g>'
        f'<path class="tick" d="{ticks}"/></svg>'
    )


def whisker(
    axis: Axis, middle: float, low: float | None, high: float | None, *, look: Look, label: str
) -> Markup:
    """A point with its interval; a hollow dashed one for what is provisional."""
    y = HEIGHT / 2
    marks = []
    if low is not None and high is not None:
        marks.append(_interval(axis.place(low), axis.place(high), look))
    marks.append(f'<circle class="dot" cx="{axis.place(middle):g}" cy="{y:g}" r="4.5"/>')
    return _row(f"whisker {look}", "".join(marks), label)


def open_whisker(
    axis: Axis, low: float | None, high: float | None, *, above: bool, below: bool, label: str
) -> Markup:
    """A one-sided bound: a bar that runs off the open side with an arrow head."""
    y = HEIGHT / 2
    left = INSET / 2 if below or low is None else axis.place(low)
    right = WIDTH - INSET / 2 if above or high is None else axis.place(high)
    marks = [_line(left, right, y)]
    marks.append(_arrow(left, y, -1) if below else _ends(left))
    marks.append(_arrow(right, y, 1) if above else _ends(right))
    return _row("whisker unbounded", "".join(marks), label)


def bar(share: float) -> Markup:
    """A small bar of 0 to 1, decoration beside a printed number."""
    full = 64
    width = round(min(1.0, max(0.0, share)) * full)
    return Markup(
        f'<svg class="meter" viewBox="0 0 {full} 5" aria-hidden="true">'
        f'<path d="M0 0H{width}V5H0z"/></svg>'
    )


def _open(kind: str, height: int) -> str:
    return f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}"'


def _row(kind: str, marks: str, label: str) -> Markup:
    # The lines stand in the head: a table of many rows holds as many pictures.
    grid, name = f'<use href="#{LINES}"/>', escape(label)
    return Markup(f'{_open(kind, HEIGHT)} role="img" aria-label="{name}">{grid}{marks}</svg>')


def _interval(left: float, right: float, look: Look) -> str:
    """A line with its ends; where the line is dashed they are not."""
    y = HEIGHT / 2
    if look == "ranked":
        return f'<path class="bar" d="M{left:g} {y:g}H{right:g}{_cross(left)}{_cross(right)}"/>'
    return _line(left, right, y) + _ends(left, right)


def _line(left: float, right: float, y: float) -> str:
    return f'<path class="bar" d="M{left:g} {y:g}H{right:g}"/>'


def _ends(*places: float) -> str:
    return f'<path class="bar end" d="{"".join(map(_cross, places))}"/>'


def _cross(x: float) -> str:
    y = HEIGHT / 2
    return f"M{x:g} {y - 4:g}V{y + 4:g}"


def _arrow(x: float, y: float, way: int) -> str:
    back = x - way * 6
    return f'<path class="tip" d="M{back:g} {y - 4.5:g}L{x:g} {y:g}L{back:g} {y + 4.5:g}z"/>'
