"""What templates are given: text already chosen, rounded and translated; nothing to compute."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.part_views import Block, RedLine

MOST_CARDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A relative link with its words."""

    href: str
    label: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What every page has around its own content.

    `trail`: the pages above this one, the first page first. `other`: the same page in the other
    language. `site`: the main pages of the leaderboard. `here`: a short title for the trail.
    `imported`: the results are somebody else's.
    """

    lang: str
    title: str
    other: Link
    other_lang: str
    trail: tuple[Link, ...]
    software: str
    date: str
    site: tuple[Link, ...] = ()
    here: str = ""
    imported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A short mark beside a name; `hint` is the sentence that explains it."""

    label: str
    tone: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word and what it stands for; `code` values are set in a fixed pitch."""

    label: str
    value: str
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number in a cell: what is printed, what is under it, and what it is sorted by.

    An empty `sort` is a number that is not there; it comes last in either direction.
    """

    text: str
    note: str = ""
    sort: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """One agent in the ranking."""

    slug: str
    state: str
    name: str
    vendor: str
    badges: tuple[Badge, ...]
    rank: Figure
    rating: Figure
    interval: str
    whisker: Markup | None
    why: str
    controlled: Figure
    calibrated: Figure
    absolute: Figure
    absolute_bar: Markup | None
    coverage: str
    won: Figure
    comparisons: Figure
    excluded: Figure
    cost: Figure
    latency: Figure
    eligible: Badge | None = None
    eligible_sort: Figure = Figure(text="")
    red: RedLine | None = None
    block: Block | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a grid; `tone` names its colour, `few` hatches it."""

    text: str
    note: str = ""
    tone: str = ""
    few: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GridHead:
    """The head of a column of a grid; `note` says how to read its numbers."""

    label: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A row of a grid."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of agents against something, coloured. `key` names its legend.

    `ends`: what the two ends of the legend stand for.
    """

    id: str
    title: str
    about: str
    corner: str
    heads: tuple[GridHead, ...]
    rows: tuple[GridRow, ...]
    key: str
    few: str
    ends: tuple[str, str] = ("", "")

    @property
    def cards(self) -> bool:
        """Whether its rows are lists on a phone; of very many columns they would be endless."""
        return len(self.heads) <= MOST_CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The ranking table with its shared axis and the badges it uses.

    `lost`: verdicts that are not counted, by agent and by the reasons in `reasons`; a last cell
    where `extremes` names it. `controlled`, `calibrated`: whether there are such ratings. `gated`:
    whether eligibility is told, in the first column.
    """

    rows: tuple[RankRow, ...]
    axis: Markup | None
    level: str
    controlled: bool
    calibrated: bool
    badges: tuple[Badge, ...]
    reasons: tuple[str, ...]
    extremes: str
    lost: tuple[GridRow, ...]
    ranked: bool
    gated: bool = False
    red_rule: str = ""
    """What counts as crossing a red line; empty where nothing does, and there is no column."""
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Links under a heading."""

    label: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRow:
    """One judge in the method section."""

    name: str
    vendor: str
    model: str
    returned: str
    templates: str
    sheets: str
    verdicts: str
    flips: str
    ties: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCard:
    """One leaderboard on the front page of several."""

    href: str
    title: str
    about: str
    headline: tuple[str, ...]
    meta: tuple[Term, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontView:
    """The page that lists several leaderboards."""

    frame: Frame
    cards: tuple[BoardCard, ...]
