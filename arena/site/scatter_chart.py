"""A picture of one number against another: numbered points with their intervals.

Points carry numbers and not names: names of others may be long, and overlap; the table beside the
picture says who is who.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from arena.site import formats

WIDTH, HEIGHT = 440, 290
LEFT, RIGHT, TOP, BOTTOM = 46, 16, 12, 40
MANYFOLD = 20.0
"""A wider range of positive numbers is drawn on a logarithmic scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """Where a point lies, its intervals where there are any, its number and its look."""

    number: int
    x: float
    y: float
    x_low: float | None = None
    x_high: float | None = None
    y_low: float | None = None
    y_high: float | None = None
    solid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """One side of a picture: what it spans and where its ticks are."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def part(self, value: float) -> float:
        """How far along the side a value lies, 0 to 1."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log(low), math.log(high), math.log(max(value, self.low))
        return min(1.0, max(0.0, (at - low) / (high - low)))


def make_scale(
    values: Sequence[float],
    *,
    within: tuple[float, float] = (-math.inf, math.inf),
    may_log: bool = False,
) -> Scale:
    """A scale that holds all values, with a few round ticks; `within` is never left.

    `may_log`: a logarithmic scale is allowed, as for prices; ratings are logarithms already.
    """
    low, high = min(values), max(values)
    if may_log and low > 0 and high / low > MANYFOLD:
        return _log_scale(low, high)
    least, most = within
    span = max(high - low, abs(high) * 0.02, 1e-9)
    if math.isfinite(most - least):
        span = max(span, (most - least) * 0.02)
    step = _step(span / 5)
    # One tick too many on either side would squeeze what matters into the middle.
    left = max(math.floor(low / step) * step, low - step / 3)
    right = min(math.ceil(high / step) * step, high + step / 3)
    if left == right:
        left, right = left - step, right + step
    left, right = max(least, left), min(most, right)
    ticks = range(math.ceil(left / step - 1e-9), math.floor(right / step + 1e-9) + 1)
    return Scale(low=left, high=right, ticks=tuple(n * step for n in ticks))


def draw(
    points: Sequence[Point], x: Scale, y: Scale, *, x_name: str, y_name: str, label: str
) -> Markup:
    """The picture as inline SVG without styles; `label` is what it says to who cannot see it."""
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    names = (
        f'<text class="side" x="{middle:g}" y="{HEIGHT - 5}">'
        f"{escape(x_name)}</text>"
        f'<text class="side" x="{LEFT - 40}" y="{TOP + 1}" text-anchor="start">'
        f"{escape(y_name)}</text>"
    )
    marks = "".join(_look(points, solid, x, y) for solid in (True, False))
    box, said = f'viewBox="0 0 {WIDTH} {HEIGHT}"', f'role="img" aria-label="{escape(label)}"'
    return Markup(f'<svg class="scatter" {box} {said}>{_grid(x, y)}{names}{marks}</svg>')


def _log_scale(low: float, high: float) -> Scale:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return Scale(
        low=10.0 ** powers[0],
        high=10.0 ** powers[-1],
        ticks=tuple(10.0**power for power in powers),
        log=True,
    )


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next((f * power for f in (1, 2, 5) if f * power >= rough), 10 * power)


def _across(value: float, scale: Scale) -> int:
    # The picture is shown at about this size, so nobody sees less than one.
    return round(LEFT + 8 + scale.part(value) * (WIDTH - LEFT - RIGHT - 16))


def _up(value: float, scale: Scale) -> int:
    return round(HEIGHT - BOTTOM - scale.part(value) * (HEIGHT - TOP - BOTTOM - 14))


def _grid(x: Scale, y: Scale) -> str:
    """The lines of both sides as one path, and their numbers."""
    places = [(_across(tick, x), formats.number(tick)) for tick in x.ticks]
    heights = [(_up(tick, y), formats.number(tick)) for tick in y.ticks]
    lines = "".join(f"M{at} {TOP + 10}V{HEIGHT - BOTTOM}" for at, _ in places)
    lines += "".join(f"M{LEFT} {at}H{WIDTH - RIGHT}" for at, _ in heights)
    below = "".join(f'<text x="{at}" y="{HEIGHT - BOTTOM + 14}">{n}</text>' for at, n in places)
    beside = "".join(f'<text x="{LEFT - 6}" y="{at + 4}">{n}</text>' for at, n in heights)
    return f'<path class="grid" d="{lines}"/><g>{below}</g><g text-anchor="end">{beside}</g>'


def _look(points: Sequence[Point], solid: bool, x: Scale, y: Scale) -> str:
    """All points of one look, their intervals below them."""
    own = [p for p in points if p.solid is solid]
    if not own:
        return ""
    bars = "".join(_bars(p, x, y) for p in own)
    drawn = f'<path class="bar" d="{bars}"/>' if bars else ""
    dots = "".join(_dot(p, x, y) for p in own)
    look = "ranked" if solid else "provisional"
    return f'<g class="{look}">{drawn}{dots}</g>'


def _bars(p: Point, x: Scale, y: Scale) -> str:
    at, up, marks = _across(p.x, x), _up(p.y, y), ""
    if p.x_low is not None and p.x_high is not None:
        marks += f"M{_across(p.x_low, x)} {up}H{_across(p.x_high, x)}"
    if p.y_low is not None and p.y_high is not None:
        marks += f"M{at} {_up(p.y_low, y)}V{_up(p.y_high, y)}"
    return marks


def _dot(p: Point, x: Scale, y: Scale) -> str:
    at, up = _across(p.x, x), _up(p.y, y)
    return f'<circle cx="{at}" cy="{up}" r="9"/><text x="{at}" y="{up + 4}">{p.number}</text>'
