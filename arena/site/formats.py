"""Numbers as people read them. None is written as a dash, never as 0."""

from datetime import datetime
from decimal import Decimal

from arena.site.words import Say

DASH = "—"
MINUS = "−"
RANGE = "–"


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


def signless(text: str) -> str:
    """The typographic minus, and no minus zero."""
    if text.startswith("-"):
        return text[1:] if float(text) == 0 else MINUS + text[1:]
    return text


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
    if amount == 0 or amount >= 1:
        return f"{amount:,.2f} {currency}"
    digits = max(2, 1 - amount.adjusted())
    return f"{amount:.{digits}f} {currency}"


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
