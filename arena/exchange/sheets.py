"""Tables of cells as people keep them: the sheets of an .xlsx file, or a .csv file as one sheet.

What stands in a cell becomes text; nothing is computed, and a file that unfolds to far more than
a table of scenarios ever holds is refused.
"""

import csv
import io
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from arena.errors import ConfigError

MOST_BYTES = 200_000_000
MOST_ROWS = 20_000
MOST_COLUMNS = 200
SPREADSHEET = (".xlsx", ".xlsm")
PLAIN = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its name and its rows of text that are not empty, each with its number, from 1."""

    name: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_sheets(path: Path) -> tuple[Sheet, ...]:
    """The sheets of a file; raises ConfigError when it cannot be read."""
    if not path.is_file():
        raise ConfigError("{path}: no such file", path=path)
    if path.suffix.casefold() in SPREADSHEET:
        return _spreadsheet(path)
    if path.suffix.casefold() in PLAIN:
        return (Sheet(path.stem, _texts(path, "csv", _plain_rows(path))),)
    raise ConfigError(
        "{path}: neither a .xlsx nor a .csv file",
        fix="Save the table as .xlsx, or as .csv in UTF-8.",
        path=path,
    )


def find_computed(path: Path) -> frozenset[tuple[str, int, int]]:
    """Cells of a spreadsheet in which a formula or its mistake stands: sheet, row, column from 0.

    Nothing for a .csv file, which has none; what cannot be read is told by `read_sheets`.
    """
    if path.suffix.casefold() not in SPREADSHEET:
        return frozenset()
    from openpyxl import load_workbook  # imported here: few commands read a spreadsheet

    book = load_workbook(path, read_only=True)
    try:
        return frozenset(
            (sheet.title, cell.row, cell.column - 1)
            for sheet in book.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None and cell.data_type in ("f", "e")
        )
    finally:
        book.close()


def column_letters(index: int) -> str:
    """What a spreadsheet calls a column, from 0: A to Z, then AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _spreadsheet(path: Path) -> tuple[Sheet, ...]:
    from openpyxl import load_workbook  # imported here: few commands read a spreadsheet

    try:
        with zipfile.ZipFile(path) as archive:
            unfolded = sum(part.file_size for part in archive.infolist())
        if unfolded > MOST_BYTES:
            raise _too_large(path)
        book = load_workbook(path, read_only=True, data_only=True)
        try:
            return tuple(
                Sheet(sheet.title, _texts(path, sheet.title, sheet.iter_rows(values_only=True)))
                for sheet in book.worksheets
            )
        finally:
            book.close()
    except ConfigError:
        raise
    except Exception as error:  # a damaged file fails anywhere inside the library
        raise ConfigError(
            "{path}: not a spreadsheet that can be read: {reason}",
            fix="Open it and save it again as .xlsx.",
            path=path,
            reason=str(error) or type(error).__name__,
        ) from None


def _plain_rows(path: Path) -> Iterator[list[str]]:
    raw = path.read_bytes()
    if len(raw) > MOST_BYTES:
        raise _too_large(path)
    text = _decoded(path, raw)
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise ConfigError(
            "{path}: not a table that can be read: {reason}",
            fix="Check the quotes, or save it as .xlsx.",
            path=path,
            reason=str(error),
        ) from None


def _decoded(path: Path, raw: bytes) -> str:
    """UTF-8, or the encoding in which a Chinese spreadsheet saves its .csv files."""
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
    raise ConfigError("{path}: line {line} is neither UTF-8 nor GB18030", path=path, line=line)


def _texts(
    path: Path, sheet: str, rows: Iterable[Iterable[Any]]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    found: list[tuple[int, tuple[str, ...]]] = []
    for number, row in enumerate(rows, start=1):
        cells = tuple(_text(cell) for cell in row)
        while cells and not cells[-1]:
            cells = cells[:-1]
        if not cells:
            continue
        if len(found) >= MOST_ROWS or len(cells) > MOST_COLUMNS:
            raise _too_large(path)
        found.append((number, cells))
    return tuple(found)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, datetime | date | time):
        cell = cell.isoformat()
    text = str(cell).replace("\r\n", "\n").replace("\r", "\n").strip()
    return unicodedata.normalize("NFC", text)


def _too_large(path: Path) -> ConfigError:
    return ConfigError(
        "{path}: too large for a table of scenarios",
        fix="At most {rows} rows and {columns} columns.",
        path=path,
        rows=MOST_ROWS,
        columns=MOST_COLUMNS,
    )
