"""What the templates of a leaderboard's lower parts are given; text already chosen, as in views."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceCell:
    """What a slice says of one agent; `state` is that of the standing, empty where it has none."""

    text: str
    note: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRow:
    """One slice: its name, how much it rests on, and a cell for each agent."""

    label: str
    note: str
    cells: tuple[SliceCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceTable:
    """The slices by one column; `unfolded`: open from the start. `more` tells of those left out.

    `said`: sentences above the table.
    """

    id: str
    title: str
    said: tuple[str, ...]
    corner: str
    heads: tuple[str, ...]
    rows: tuple[SliceRow, ...]
    more: str
    unfolded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Slices:
    """All slices of a board, by column."""

    about: str
    tables: tuple[SliceTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """Two agents, the higher first: how far apart, and what may be said of it.

    `href`: the page of the two; empty where there is none.
    """

    upper: str
    lower: str
    share: str
    count: str
    difference: str
    interval: str
    above: str
    decision: str
    decided: bool
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoByTwo:
    """Neighbours in the ranking, and every pair of ranked agents; `more` tells why not all."""

    about: tuple[str, ...]
    level: str
    neighbours: tuple[PairRow, ...]
    every: tuple[PairRow, ...]
    every_title: str
    more: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoyRow:
    """One decoy: where it stands, and in `finding` (held, fooled, untested) what that says."""

    name: str
    finding: str
    label: str
    about: str
    rating: str
    interval: str
    absolute: str
    absolute_interval: str
    won: str
    record: str
    comparisons: str
    planned: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoyTable:
    """The decoys of a board, which stand beside the ranking."""

    level: str
    rows: tuple[DecoyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRow:
    """What one control does, per unit, and between two agents that are otherwise equal."""

    control: str
    unit: str
    judge: str
    effect: str
    interval: str
    equal: str
    p: str
    rows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """A picture of the ratings against something else; `rows` are the same numbers in words."""

    id: str
    title: str
    about: str
    picture: Markup
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyCell:
    """What one agent got right: the share over all replies, and what stands below it."""

    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyRow:
    """A part of the questions, and what each agent got right of it."""

    label: str
    cells: tuple[AccuracyCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyTable:
    """Accuracy on some parts of the questions, an agent a column."""

    id: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[AccuracyRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyTables:
    """All that a page says of accuracy."""

    about: str
    tables: tuple[AccuracyTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RedLine:
    """How often one agent crossed a red line; `over`: that fails a gate. `sort` as in a figure."""

    text: str
    note: str
    sort: str
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RedLines:
    """The column of red lines: what counts as crossed, and a cell for each agent by id."""

    rule: str
    cells: Mapping[str, RedLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Where a row stands among the rows that cannot be told apart.

    `letter` names the block where it has several rows; `first`: its first row.
    """

    letter: str
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstQuote:
    """Something that was said, who said it and where; `href` is empty where there is no page."""

    quote: Markup
    agent: str
    href: str
    where: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstGroup:
    """Quotations of one agent; without a name, of several."""

    agent: str
    quotes: tuple[WorstQuote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstMoments:
    """The worst moments of a leaderboard, and by what they are the worst."""

    about: str
    groups: tuple[WorstGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPair:
    """Two agents of whom verdicts prefer one and scores the other."""

    preferred: str
    scored: str
    by_verdicts: str
    by_scores: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstScenario:
    """A scenario whose winner by verdicts scored clearly lower."""

    href: str
    title: str
    winner: str
    loser: str
    scores: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradictions:
    """Where verdicts and scores disagree; `said` sums it up, `more` tells what is not listed."""

    said: tuple[str, ...]
    pairs: tuple[AgainstPair, ...]
    scenarios: tuple[AgainstScenario, ...]
    more: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BillRow:
    """What one agent cost, how fast it was and how often it failed."""

    name: str
    cost: str
    cost_note: str
    tokens: str
    tokens_note: str
    spent: str
    latency: str
    latency_note: str
    slow: str
    dialogues: str
    failed: str
