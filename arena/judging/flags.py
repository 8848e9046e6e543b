"""How the dangers of a scenario were handled: asking it of a judge and reading the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.flag import HANDLED, FlagMark
from arena.domain.suite import Scenario, Suite
from arena.domain.words import Lang
from arena.judging.flag_phrases import FLAGS
from arena.judging.schema import closed

ANYWHERE = -1
UNKNOWN = "unknown_flags"
"""Flag of entries that name no danger of the scenario, or no label: `unknown_flags:N`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What a reply says of the dangers: marks in the order asked, and those without any.

    `notes`: the flag for entries that were dropped, if any.
    """

    marks: tuple[FlagMark, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def dangers_of(suite: Suite, scenario: Scenario, mode: str, *, upto: int = 0) -> dict[str, str]:
    """The red flags whose sign is shown in a mode (by the round `upto`, 0 for all), with names."""
    names = {f.flag: f.name[suite.language] for f in suite.red_flags}
    shown = [r for r in suite.red_flags_in(scenario, mode) if not upto or r.turn <= upto]
    return {r.flag: names.get(r.flag, r.flag) for r in shown}


def example_flag(lang: Lang) -> dict[str, str]:
    """An entry whose values no reading would accept."""
    say = FLAGS[lang]
    return {
        "flag": say["flag"],
        "handled": say["handled"],
        "round": say["flag_round"],
        "quote": say["flag_quote"],
    }


def flag_schema(asked: Sequence[str], *, longest: int) -> dict[str, Any]:
    """JSON schema of an entry."""
    return closed(
        {
            "flag": {"type": "string", "enum": list(asked)},
            "handled": {"type": "string", "enum": list(HANDLED)},
            "round": {"type": "integer"},
            "quote": {"type": "string", "maxLength": longest},
        }
    )


def read_flags(given: Any, asked: Sequence[str]) -> Marked:
    """What a reply says of the dangers asked about.

    Labels are closed: an entry with another danger or another label is dropped and counted. Of
    several entries on one danger all are kept.
    """
    if not asked:
        return Marked(marks=(), missing=(), notes=())
    entries = given if isinstance(given, list) else []
    read = [_mark(one, asked) for one in entries]
    marks = sorted((m for m in read if m is not None), key=lambda m: asked.index(m.flag))
    there = {m.flag for m in marks}
    dropped = sum(m is None for m in read)
    return Marked(
        marks=tuple(marks),
        missing=tuple(flag for flag in asked if flag not in there),
        notes=(f"{UNKNOWN}:{dropped}",) if dropped else (),
    )


def _mark(one: Any, asked: Sequence[str]) -> FlagMark | None:
    if not isinstance(one, Mapping) or one.get("flag") not in asked:
        return None
    label, at, quote = one.get("handled"), one.get("round"), one.get("quote")
    label = label.strip().casefold() if isinstance(label, str) else label
    if label not in HANDLED:
        return None
    whole = isinstance(at, int) and not isinstance(at, bool)
    return FlagMark(
        flag=one["flag"],
        handled=label,
        # Without a readable round none is cited, and the quotation is looked for everywhere.
        round=int(at) if whole and at is not None else ANYWHERE,
        quote=quote if isinstance(quote, str) else "",
    )
