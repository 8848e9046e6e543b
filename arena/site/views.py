"""What templates are given: text already chosen, rounded and translated; nothing to compute."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.card_views import CommentaryNote, RecordTable
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

    `home`: the page that lists this one, if any. `other`: the same page in the other language.
    """

    lang: str
    title: str
    other: Link
    other_lang: str
    home: Link | None
    software: str
    date: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A user turn and its reply; `failed` says why there is none."""

    number: str
    id: str
    user: Markup
    reply: Markup | None
    failed: str
    error: Markup
    decided: tuple[str, ...] = ()
    """What judges quote this reply for, in words: it decided those scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """One criterion as every judge scored it."""

    criterion: str
    values: tuple[str, ...]
    scale: str
    comments: tuple[tuple[str, Markup], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetNote:
    """What one judge wrote beside its numbers, or why there are none."""

    judge: str
    absolute: str
    status: str
    summary: Markup
    strengths: tuple[Markup, ...]
    issues: tuple[Markup, ...]
    flags: tuple[str, ...]
    raw: Markup
    complaint: Markup
    lists: tuple[tuple[str, tuple[Markup, ...]], ...] = ()
    """What stands behind the numbers: a heading and its items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptCard:
    """One transcript with its scores; `columns` is the width of its table of scores."""

    slug: str
    name: str
    vendor: str
    absolute: str
    facts: str
    rounds: tuple[RoundView, ...]
    judges: tuple[str, ...]
    columns: int
    counted: tuple[ScoreLine, ...]
    style: tuple[ScoreLine, ...]
    notes: tuple[SheetNote, ...]
    commentaries: tuple[CommentaryNote, ...]
    record: RecordTable | None
    welcome: Markup = Markup("")  # noqa: RUF009 - frozen and empty
    """What a product said before the first turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionMark:
    """Which side was stronger on one criterion; `dots` shows how strongly."""

    criterion: str
    side: str
    dots: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictCard:
    """One verdict, or why it is missing."""

    order: str
    outcome: str
    tone: str
    margin: str
    reason: Markup
    criteria: tuple[CriterionMark, ...]
    flags: tuple[Badge, ...]
    raw: Markup
    complaint: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonCard:
    """Both orders of one pair before one judge; `judges`: where not the whole panel was read."""

    pair: str
    title: str
    judge: str
    result: str
    tone: str
    flipped: bool
    judges: str
    verdicts: tuple[VerdictCard, ...]
    id: str = ""
    """What links to a pair lead to: its first card has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """An entry of the pair pickers."""

    slug: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyRow:
    """One agent in one scenario, at a glance."""

    slug: str
    name: str
    absolute: str
    bar: Markup | None
    record: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioView:
    """One scenario: what it tests, every transcript, every verdict.

    `span`: rows of a card, so that rounds of cards side by side share their rows.
    """

    frame: Frame
    code: str
    text_lang: str
    meta: tuple[Term, ...]
    user: Markup
    context: Markup
    before: Link | None
    after: Link | None
    tally: tuple[TallyRow, ...]
    picks: tuple[Pick, ...]
    about_verdicts: str
    comparisons: tuple[ComparisonCard, ...]
    cards: tuple[TranscriptCard, ...]
    span: int
