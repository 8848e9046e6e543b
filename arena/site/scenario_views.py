"""What the template of a scenario's page is given; text already chosen, as in views."""

from dataclasses import dataclass

from markupsafe import Markup

from arena.site.card_views import CommentaryNote, RecordTable
from arena.site.verdict_views import ComparisonCard, PairLine
from arena.site.views import Frame, Link, Term


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
class JudgeNotes:
    """What only judges are told of a scenario; `flags`: a danger and its sign each."""

    notes: Markup
    failure: Markup
    flags: tuple[tuple[str, Markup], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioView:
    """One scenario: what it tests, every transcript, every verdict.

    `span`: rows of a card, so that rounds of cards side by side share their rows. `traced`: some
    verdict has a command that shows what its judge was sent. `pairs`: the way to the verdicts,
    where they stand on pages of their own. `notes`: what only judges are
    told, None where it is not published.
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
    traced: bool = False
    pairs: tuple[PairLine, ...] = ()
    notes: JudgeNotes | None = None
