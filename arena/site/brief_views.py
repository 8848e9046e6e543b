"""What the template of the brief is given: two pages for a committee."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.views import Frame, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefGroup:
    """Agents of one state of eligibility, in a line."""

    label: str
    names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefRow:
    """One agent in the table of the brief."""

    name: str
    vendor: str
    eligible: str
    red: str
    rank: str
    rating: str
    interval: str
    absolute: str
    absolute_interval: str
    cost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefQuote:
    """Something that an agent said; `remark`: what a judge held against it, `by` whom."""

    quote: Markup
    where: str
    remark: Markup
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefView:
    """Two pages: what was asked and found, then what went wrong, what is not known, and the lines.

    `gated`: whether conditions are set. `more`: agents that the table leaves to the first page.
    """

    frame: Frame
    text_lang: str
    meta: tuple[Term, ...]
    question: str
    about: str
    scope: tuple[str, ...]
    notices: tuple[str, ...]
    gated: bool
    groups: tuple[BriefGroup, ...]
    headline: str
    beside: tuple[str, ...]
    rows: tuple[BriefRow, ...]
    more: str
    quotes: tuple[BriefQuote, ...]
    no_quotes: str
    untested: tuple[str, ...]
    spend: tuple[Term, ...]
    evidence: str
