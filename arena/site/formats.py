"""Numbers as people read them. None is written as a dash, never as 0."""

from datetime import datetime
from decimal import Decimal

from arena.site.words import Say

DASH = "—"
MINUS = "−"
RANGE = "–"
SPACE = "\u00a0"
"""A space at which no line is broken."""


def whole(value: float | None) -> str:
    """A rating: no decimals."""
    return DASH if value is None else signless(f"{value:.0f}")


def tenth(value: float | None) -> str:
    """A score: one decimal."""
    return DASH if value is None else signless(f"{value:.1f}")


def hundredth(value: float | None) -> str:
    """A coefficient: two decimals."""
    return DASH if value is None else signless(f"{value:.2f}")


def percent(value: float | None) -> str:
    """A share as whole per cent; not rounded to certainty: 99.7 % is not 100 %."""
    if value is None:
        return DASH
    shown = round(100 * value)
    if shown == 100 and value < 1:
        return ">99%"
    if shown == 0 and value > 0:
        return "<1%"
    return f"{shown}%"


def level(value: float) -> str:
    """A level or a risk, which is a round number as it was asked for: 99.9 % is not 100 %."""
    return f"{100 * value:.6g}%"


def signless(text: str) -> str:
    """The typographic minus, and no minus zero."""
    if text.startswith("-"):
        return text[1:] if float(text) == 0 else MINUS + text[1:]
    return text


def change(value: float | None) -> str:
    """A difference in points, with its sign."""
    return DASH if value is None else signed(f"{value:+.0f}")


def signed(text: str) -> str:
    """A number with a sign: the typographic minus, and no sign before 0."""
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", MINUS)


def reach(low: float | None, high: float | None) -> str:
    """An interval of a difference, both ends with their signs."""
    return DASH if low is None or high is None else f"{change(low)} … {change(high)}"


def gap(value: float | None, low: float | None, high: float | None, *, turned: bool) -> str:
    """A difference with its interval in brackets where there is one; `turned`: of b less a."""
    if value is None:
        return DASH
    way = -1 if turned else 1
    said = change(way * value)
    if low is None or high is None:
        return said
    ends = (high, low) if turned else (low, high)
    return f"{said} ({reach(way * ends[0], way * ends[1])})"


def give(middle: float, low: float, high: float) -> str:
    """An interval about a score, to one decimal: "±3.1", or "+3.1/−2.8" where sides differ."""
    up, down = f"{high - middle:.1f}", f"{middle - low:.1f}"
    return f"±{up}" if up == down else f"+{up}/{MINUS}{down}"


def half(low: float, high: float) -> str:
    """Half the width of an interval to one digit, or to two decimals: "±0.001", "±2.31"."""
    width = Decimal(repr((high - low) / 2))
    return f"±{width:,.{max(2, -width.adjusted())}f}"


def small(value: float | None) -> str:
    """A p-value, with its sign of relation: "= 0.03", "< 0.001"."""
    if value is None:
        return DASH
    return f"<{SPACE}0.001" if value < 0.001 else f"={SPACE}{value:.3f}"


def between(low: str, high: str) -> str:
    """A range of two written numbers; one number where they are the same."""
    if low == high:
        return low
    return f"{low} {RANGE} {high}" if MINUS in low + high else f"{low}{RANGE}{high}"


def deviation(middle: float, low: float, high: float) -> str:
    """An interval about its estimate: "+30/−29", or "±30" where both sides are equal."""
    up, down = f"{high - middle:.0f}", f"{middle - low:.0f}"
    return f"±{up}" if up == down else f"+{up}/{MINUS}{down}"


def count(value: int, say: Say) -> str:
    """A whole number with thousands set apart."""
    return f"{value:,}" if say.lang == "en" or value >= 10_000 else str(value)


def money(amount: Decimal, currency: str) -> str:
    """An amount with its currency: cents, or two significant digits below one."""
    return f"{bare(amount)} {currency}"


def bare(amount: Decimal) -> str:
    """An amount without its currency."""
    if amount == 0 or amount >= 1:
        return f"{amount:,.2f}"
    digits = max(2, 1 - amount.adjusted())
    return f"{amount:.{digits}f}"


def seconds(milliseconds: float | None, say: Say) -> str:
    """A latency in seconds."""
    return DASH if milliseconds is None else say("unit.seconds", n=f"{milliseconds / 1000:.1f}")


def number(value: float) -> str:
    """A score as given: no decimals where it has none."""
    return signless(f"{value:g}")


def moment(at: str) -> str:
    """A UTC time to the minute; what is no time is shown as it is."""
    try:
        return datetime.fromisoformat(at).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return at or DASH


def short_digest(digest: str) -> str:
    """The first digits of a digest."""
    return digest[:12]
