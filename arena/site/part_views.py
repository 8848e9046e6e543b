"""What the templates of a leaderboard's lower parts are given; text already chosen, as in views."""

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
    """Two agents, the higher first: how far apart, and what may be said of it."""

    upper: str
    lower: str
    share: str
    count: str
    difference: str
    interval: str
    above: str
    decision: str
    decided: bool


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
