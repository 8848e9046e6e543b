"""Dialogues that a person holds with a product: what is to be pasted, and what comes back.

A script is a table with a row for every message to be pasted, and one before them, in round 0, for
what the product says of itself when a chat is opened. Every row says whose it is, so that rows may
stand in any order.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from arena.domain.transcript import TranscriptSpec
from arena.domain.words import Words

Column = Literal[
    "scenario",
    "replicate",
    "round",
    "paste",
    "answer",
    "parts",
    "who",
    "when",
    "version",
    "remark",
    "suite",
    "mode",
    "agent",
    "of_version",
    "shown",
]
OPENING = 0
"""The round of what a product says before the first turn."""
LONGEST_CELL = 32_767
"""Characters that a cell of a spreadsheet holds; what is longer is cut without a word."""
RETURN = "_x000D_"
"""How spreadsheets write the half of an end of line that text from Windows has."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """A transcript that a person is to bring: its turns exactly as the agent is shown them."""

    spec: TranscriptSpec
    title: Words
    version: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledRow:
    """A row of a script as it came back.

    `number` counts rows from 1; `values` holds texts by column, empty where nothing stands;
    `computed` are the columns in which a formula or the mistake of one stands.
    """

    number: int
    values: Mapping[Column, str]
    computed: frozenset[Column] = frozenset()

    def __getitem__(self, column: Column) -> str:
        return self.values.get(column, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A script as it came back. `letters`: what the file calls its columns."""

    file: str
    sheet: str
    letters: Mapping[Column, str]
    rows: tuple[FilledRow, ...]
    cut: bool = False
    """Whether cells of such a file are cut at their greatest length."""

    def cell(self, row: FilledRow, column: Column) -> str:
        """What people call a cell: `Dialogues!E5`."""
        return f"{self.sheet}!{self.letters.get(column, '')}{row.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """An answer that is not there; `cell` is empty where its whole row is missing."""

    cell: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A dialogue that stays out because answers are missing. `begun`: whether any is there."""

    suite: str
    mode: str
    scenario: str
    replicate: int
    begun: bool
    gaps: tuple[Gap, ...] = field(default=())


def as_pasted(text: str) -> str:
    """A turn without what pasting and spreadsheets change of a text: spaces, ends of lines."""
    plain = CONTROL.sub("", unicodedata.normalize("NFC", text.replace(RETURN, "")))
    return " ".join(plain.split())
