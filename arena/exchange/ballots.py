"""Presentations for people as a table: a row each, blind, and answers read back.

Whoever fills it in needs no workspace. Read back, only the number, the answers and the name of
the person count; a cell that cannot be read is named, and then nothing of the file comes in.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from arena.errors import ConfigError
from arena.exchange.flags import FORMULA, name_person, put_text, save_new
from arena.exchange.sheets import column_letters, read_sheets

FORMAT = "votes"
Said = Literal["first", "second", "tie", "skip"]
MOST_TEXT = 30_000
"""Characters of a cell; a spreadsheet takes 32,767."""
COLUMNS: Mapping[str, tuple[str, str]] = {
    "item": ("编号", "number"),
    "situation": ("情境", "situation"),
    "first": ("第一段", "first"),
    "second": ("第二段", "second"),
    "choice": ("总体", "overall"),
    "person": ("评审人", "reviewer"),
}
"""Columns before and after those of the criteria."""
SAID: Mapping[Said, tuple[str, str]] = {
    "first": ("第一段", "first"),
    "second": ("第二段", "second"),
    "tie": ("不相上下", "equal"),
    "skip": ("跳过", "skip"),
}
NOT_HERE = "—"
"""What stands where a criterion does not apply."""
_MORE: Mapping[str, Said] = {"1": "first", "2": "second", "0": "tie", "tie": "tie", "平局": "tie"}
_KEY = re.compile(r"\[([\w.-]+)\]\s*$")
_WIDTHS = {"situation": 40, "first": 70, "second": 70}


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotRow:
    """What a person is shown of a presentation; dialogues as text. `criteria`: keys that apply."""

    item: str
    situation: str
    first: str
    second: str
    criteria: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledBallot:
    """A row that somebody answered; criteria without an answer are left out."""

    place: str
    item: str
    choice: Said
    criteria: Mapping[str, Literal["first", "second", "tie"]]
    person: str


def write(path: Path, rows: Sequence[BallotRow], criteria: Mapping[str, str]) -> None:
    """Write the table as .xlsx or .csv. `criteria`: name by key, a column each.

    Raises ConfigError where the file is there or cannot be written.
    """
    suffix = path.suffix.casefold()
    if suffix not in (".xlsx", ".csv"):
        raise ConfigError("{path}: its name must end in .xlsx or .csv", path=path)
    heads = [*(_head(k) for k in ("item", "situation", "first", "second"))]
    heads += [f"{name} [{key}]" for key, name in criteria.items()]
    heads += [_head("choice"), _head("person")]
    cells = [_cells(row, criteria) for row in rows]
    save_new(path, _csv(heads, cells) if suffix == ".csv" else _xlsx(heads, cells))


def read(
    path: Path, *, person: str | None = None, faults: list[ConfigError] | None = None
) -> tuple[FilledBallot, ...]:
    """The rows that somebody answered; `person`: who did, where none is named.

    Raises ConfigError for a table without the columns, and for cells that are no answers and a
    presentation that somebody answers twice: the first one, and the rest as `others`, unless
    `faults` is there to take them.
    """
    for sheet in read_sheets(path):
        rows = iter(sheet.rows)
        _, heads = next(rows, (0, ()))
        reader = _Reader(path, heads, person)
        if reader.complete:
            return reader.read(rows, faults)
    raise ConfigError(
        "{path}: no table with the columns {columns}",
        fix="Fill in the table that arena export votes wrote; keep its first row.",
        path=path,
        columns=f"{_head('item')}, {_head('choice')}",
    )


class _Reader:
    """Reads rows under the heads of one table."""

    def __init__(self, path: Path, heads: Sequence[str], person: str | None) -> None:
        self._path, self._person = path, person
        names = {n.casefold(): k for k, w in COLUMNS.items() for n in (*w, " / ".join(w))}
        read = [names.get(head.strip().casefold()) for head in heads]
        self._at = {key: n for n, key in reversed(list(enumerate(read))) if key}
        keyed = [(n, _KEY.search(head)) for n, head in enumerate(heads) if read[n] is None]
        self._criteria = {found[1]: n for n, found in keyed if found}
        self.complete = {"item", "choice"} <= set(self._at)

    def read(
        self, rows: Iterable[tuple[int, tuple[str, ...]]], faults: list[ConfigError] | None
    ) -> tuple[FilledBallot, ...]:
        wrong: list[ConfigError] = [] if faults is None else faults
        found: dict[tuple[str, str], FilledBallot] = {}
        for number, cells in rows:
            try:
                for row in self._row(number, cells):
                    _check_once(row, found)
                    found[row.item, row.person] = row
            except ConfigError as error:
                wrong.append(error)
        if wrong and faults is None:
            wrong[0].others = tuple(wrong[1:])
            raise wrong[0]
        return tuple(found.values())

    def _row(self, number: int, cells: Sequence[str]) -> Iterator[FilledBallot]:
        def of(at: int | None) -> str:
            text = cells[at].strip() if at is not None and at < len(cells) else ""
            return "" if text == NOT_HERE else text

        filled = {key: n for key, n in self._criteria.items() if of(n)}
        choice = of(self._at["choice"])
        if not choice and not filled:
            return
        said = {key: self._said(number, n, of(n)) for key, n in filled.items()}
        for key, answer in said.items():
            if answer == "skip":
                raise self._no_answer(number, filled[key], of(filled[key]))
        place = f"{self._path}:{number}"
        yield FilledBallot(
            place=place,
            item=of(self._at["item"]),
            choice=self._said(number, self._at["choice"], choice),
            criteria={k: a for k, a in said.items() if a != "skip"},
            person=name_person(place, of(self._at.get("person")) or self._person or ""),
        )

    def _said(self, number: int, at: int, text: str) -> Said:
        said = " ".join(text.casefold().split())
        for answer, words in SAID.items():
            if said in (*words, " ".join(words), " / ".join(words)):
                return answer
        if said in _MORE:
            return _MORE[said]
        raise self._no_answer(number, at, text)

    def _no_answer(self, number: int, at: int, text: str) -> ConfigError:
        return ConfigError(
            "{place}: cell {cell}: {given} is no answer",
            fix="Write one of: {known}; a row that nobody has answered stays empty.",
            place=f"{self._path}:{number}",
            cell=f"{column_letters(at)}{number}",
            given=repr(text[:40]),
            known=", ".join(" ".join(words) for words in SAID.values()),
        )


def _check_once(row: FilledBallot, found: Mapping[tuple[str, str], FilledBallot]) -> None:
    if first := found.get((row.item, row.person)):
        raise ConfigError(
            "{place}: answered before, at {first}, by the same person",
            fix="Leave one of the two rows.",
            place=row.place,
            first=first.place,
        )


def _head(key: str) -> str:
    return " / ".join(COLUMNS[key])


def _cells(row: BallotRow, criteria: Iterable[str]) -> list[str]:
    told = [row.item, row.situation, row.first, row.second]
    told = [t if len(t) <= MOST_TEXT else t[:MOST_TEXT] + "…" for t in told]
    return [*told, *("" if key in row.criteria else NOT_HERE for key in criteria), "", ""]


def _csv(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        # No cell may be a formula to a spreadsheet.
        writer.writerow([f"'{c}" if c.startswith(FORMULA) else c for c in row])
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def _xlsx(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    from openpyxl import Workbook  # imported here: few commands write a spreadsheet
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet: Any = book.active
    sheet.title = "投票 votes"
    for number, cells in enumerate([heads, *rows], start=1):
        for at, text in enumerate(cells, start=1):
            cell = sheet.cell(row=number, column=at)
            put_text(cell, text)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            cell.font = Font(bold=number == 1)
    sheet.freeze_panes = "B2"
    keys = ["item", "situation", "first", "second"]
    for at in range(1, len(heads) + 1):
        width = _WIDTHS.get(keys[at - 1], 14) if at <= len(keys) else 18
        sheet.column_dimensions[get_column_letter(at)].width = width
    _offer(sheet, get_column_letter, len(heads), len(rows))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _offer(sheet: Any, letter: Any, columns: int, rows: int) -> None:
    """Let a spreadsheet offer the answers where they are to be written."""
    from openpyxl.worksheet.datavalidation import DataValidation

    choices = ",".join(" ".join(words) for words in SAID.values())
    rule = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True)
    last = max(2, rows + 1)
    rule.add(f"{letter(5)}2:{letter(columns - 1)}{last}")
    sheet.add_data_validation(rule)
