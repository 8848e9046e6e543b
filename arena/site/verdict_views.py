"""What templates are given of verdicts; text already chosen, as in views."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.views import Badge


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionMark:
    """Which side was stronger on one criterion; `dots` shows how strongly."""

    criterion: str
    side: str
    dots: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCard:
    """One verdict, or why it is missing; `command` shows what the judge was sent."""

    order: str
    outcome: str
    tone: str
    margin: str
    reason: Markup
    criteria: tuple[CriterionMark, ...]
    flags: tuple[Badge, ...]
    raw: Markup
    complaint: Markup
    command: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonCard:
    """Both orders of one pair before one judge; `judges`: where not the whole panel was read.

    `href`: the page of the pair, where the card does not stand on it.
    """

    pair: str
    title: str
    judge: str
    result: str
    tone: str
    flipped: bool
    judges: str
    verdicts: tuple[VerdictCard, ...]
    href: str = ""
    id: str = ""
    """What links to a pair lead to: its first card has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRow:
    """What one judge's comparison of the pair came to; `judge` is empty where there is only one."""

    judge: str
    result: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLine:
    """One pair on a scenario's page, where its verdicts stand elsewhere."""

    id: str
    pair: str
    title: str
    href: str
    results: tuple[JudgedRow, ...]
