"""What the card of a transcript is given beside the dialogue and its scores."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentaryNote:
    """What one judge said freely of a transcript; `status` where it is not whole."""

    judge: str
    status: str
    text: Markup
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRow:
    """A row of the record: the true one, or that of a round; `note` in place of its sections."""

    label: str
    cells: tuple[Markup, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTable:
    """The record that an agent kept, round by round, below the true one."""

    heads: tuple[str, ...]
    rows: tuple[RecordRow, ...]
