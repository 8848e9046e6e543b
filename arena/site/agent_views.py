"""What the template of an agent's page is given; text already chosen, as in views."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.views import Badge, Frame, Link, Term


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentRow:
    """How the agent stands against one other; `decided`: the two can be told apart.

    `meetings`: the page of the two, empty where they were never to meet.
    """

    name: str
    href: str
    record: str
    share: str
    n: str
    difference: str
    interval: str
    decision: str
    decided: bool
    meetings: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    """A domain or a criterion: its absolute score, and a rating where there is one."""

    name: str
    mean: str
    interval: str
    scenarios: str
    rating: str
    rating_note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingCell:
    """What the agent got from one other in one scenario; `href` leads to the verdicts."""

    text: str
    href: str
    label: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingRow:
    """One scenario: the transcript's place and score, and a cell for each other agent."""

    href: str
    title: str
    absolute: str
    record: str
    cells: tuple[MeetingCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteRow:
    """One transcript that must be read: what is at stake, its score, and judges' own words."""

    href: str
    title: str
    note: str
    absolute: str
    said: tuple[tuple[str, Markup], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    """Everything that a leaderboard says of one agent.

    `heads`: the other agents in the meetings, empty where there are too many for a table.
    """

    frame: Frame
    vendor: str
    text_lang: str
    badges: tuple[Badge, ...]
    lead: tuple[str, ...]
    terms: tuple[Term, ...]
    level: str
    opponents: tuple[OpponentRow, ...]
    kin: tuple[str, ...]
    domains: tuple[PartRow, ...]
    criteria: tuple[PartRow, ...]
    danger: tuple[QuoteRow, ...]
    danger_about: str
    worst: tuple[QuoteRow, ...]
    heads: tuple[str, ...]
    meetings: tuple[MeetingRow, ...]
    shown: tuple[Term, ...]
    others: tuple[Link, ...]
