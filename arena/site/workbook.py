"""Tables as an .xlsx file: no formula, whatever stands in a cell, and the same bytes each time."""

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arena.site.text import plain

Value = str | float | int | None
FIRST = (1980, 1, 1, 0, 0, 0)
"""The time of every part of the file: the earliest that such a file can tell."""
LONGEST = 32_000
"""Characters that a cell holds; spreadsheets refuse more than 32 767."""
WIDEST = 60
LEAST_WIDE = 8
_CHANGED = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A sheet: its name, the heads of its columns, and its rows; None is an empty cell."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def make_workbook(tables: Sequence[Table], at: str) -> bytes:
    """The tables as an .xlsx file; `at` is the time that it tells of itself, UTC."""
    from openpyxl import Workbook  # imported here: it takes long, and little needs it
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    del book[book.sheetnames[0]]
    for table in tables:
        sheet = book.create_sheet(table.name)
        for number, row in enumerate((table.heads, *table.rows), start=1):
            for column, value in enumerate(row, start=1):
                cell = sheet.cell(row=number, column=column)
                _fill(cell, value)
                cell.alignment = Alignment(vertical="top", wrap_text=isinstance(value, str))
                if number == 1:
                    cell.font = Font(bold=True)
        sheet.freeze_panes = "A2"
        for column in range(len(table.heads)):
            letter = sheet.cell(row=1, column=column + 1).column_letter
            sheet.column_dimensions[letter].width = _width(table, column)
    written = io.BytesIO()
    book.save(written)
    return _settled(written.getvalue(), at)


def _fill(cell: Any, value: Value) -> None:
    if not isinstance(value, str):
        cell.value = value
        return
    cell.value = plain(value)[:LONGEST]
    # Text stays text: neither the library nor whoever edits the cell makes a formula of it.
    cell.data_type = "s"
    cell.quotePrefix = True


def _width(table: Table, column: int) -> int:
    cells = [table.heads[column], *(row[column] for row in table.rows)]
    longest = max(len(line) for cell in cells for line in str(cell or "").split("\n"))
    return min(max(longest + 2, LEAST_WIDE), WIDEST)


def _settled(book: bytes, at: str) -> bytes:
    """The same file without the time at which it was written."""
    try:
        told = datetime.fromisoformat(at).strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    except ValueError:
        told = b"1980-01-01T00:00:00Z"
    settled = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(settled, "w") as new:
        for name in sorted(old.namelist(), key=lambda n: (n != "[Content_Types].xml", n)):
            content = old.read(name)
            if name == "docProps/core.xml":
                content = _CHANGED.sub(lambda m: m[1] + told, content)
            part = zipfile.ZipInfo(name, date_time=FIRST)
            part.compress_type = zipfile.ZIP_DEFLATED
            part.create_system = 0
            new.writestr(part, content)
    return settled.getvalue()
