"""A script as a spreadsheet: what to paste, and locked around the cells for the answers.

Every text is written as text, whatever it begins with, so that no turn is ever a formula.
"""

import io
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from arena.domain.by_hand import CONTROL, LONGEST_CELL, OPENING, Column, Errand
from arena.domain.words import Lang
from arena.errors import UsageError
from arena.exchange.new_file import save_new
from arena.exchange.script_columns import FREE, HIDDEN, NAMES, header_of
from arena.exchange.script_words import open_chat, rules

TABLE = "对话 dialogues"
RULES = "说明 instructions"
FONT = "Microsoft YaHei"
"""A font with Chinese; where it is not installed, spreadsheets take another that has it."""
WIDTHS: dict[Column, int] = {
    "scenario": 12,
    "replicate": 8,
    "round": 6,
    "paste": 60,
    "answer": 60,
    "parts": 14,
    "who": 12,
    "when": 18,
    "version": 14,
    "remark": 24,
}
LINE = 16.5
TALLEST = 400.0
"""Points: the height of a line, and of the tallest row that spreadsheets take."""


def write_sheet(
    errands: Sequence[Errand], path: Path, *, agent: str, version: str, first: Lang
) -> None:
    """Write the script; `first` is the language that stands first.

    Raises UsageError for a file that is there or cannot be written, and for a turn that does not
    fit into a cell.
    """
    content = io.BytesIO()
    _book(errands, agent, version, first).save(content)
    save_new(path, content.getvalue())


def values_of(errand: Errand) -> Iterator[dict[Column, str | int]]:
    """The rows of one dialogue: the opening, then a row a turn."""
    spec = errand.spec
    common: dict[Column, str | int] = {
        "scenario": spec.scenario,
        "replicate": spec.replicate,
        "suite": spec.suite,
        "mode": spec.mode,
        "agent": spec.agent,
        "of_version": errand.version,
        "shown": spec.shown,
    }
    yield common | {"round": OPENING, "paste": ""}
    for number, turn in enumerate(errand.turns, start=1):
        yield common | {"round": number, "paste": turn}


def _book(errands: Sequence[Errand], agent: str, version: str, first: Lang) -> Any:
    from openpyxl import Workbook  # imported here: few commands write a spreadsheet

    book = Workbook()
    sheet = book.active
    sheet.title = TABLE
    _write_header(sheet)
    row = 2
    for errand in errands:
        for values in values_of(errand):
            opening = values["round"] == OPENING
            if opening:
                values["paste"] = open_chat(errand, first)
            _check_length(errand, str(values["paste"]))
            _write_row(sheet, row, values, opening=opening)
            row += 1
    _arrange(sheet)
    _write_rules(book.create_sheet(RULES), agent, version, first)
    return book


def _write_header(sheet: Any) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    for n, column in enumerate(NAMES, start=1):
        cell = sheet.cell(1, n)
        _put(cell, header_of(column))
        cell.font = Font(name=FONT, bold=True)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.fill = PatternFill("solid", fgColor="FFF2CC" if column in FREE else "E7E6E6")
    sheet.row_dimensions[1].height = 2 * LINE


def _write_row(sheet: Any, row: int, values: dict[Column, str | int], *, opening: bool) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill, Protection

    for n, column in enumerate(NAMES, start=1):
        cell = sheet.cell(row, n)
        value = values.get(column, "")
        if isinstance(value, int):
            cell.value = value
        else:
            _put(cell, value)
        cell.font = Font(name=FONT, bold=opening and column not in FREE)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        if column in FREE:
            cell.protection = Protection(locked=False)
        if opening:
            cell.fill = PatternFill("solid", fgColor="DDEBF7")
    lines = _lines(str(values["paste"]), WIDTHS["paste"])
    # Room for an answer, which is as a rule longer than what was asked.
    sheet.row_dimensions[row].height = min(TALLEST, LINE * max(lines, 2 if opening else 6))


def _put(cell: Any, text: str) -> None:
    """A text as text: nothing in it is computed, now or once it is edited."""
    cell.number_format = "@"
    if text:
        cell.value = CONTROL.sub("", text)
        # A text that begins like a formula was taken for one just now.
        cell.data_type = "s"
        cell.quotePrefix = True


def _lines(text: str, width: int) -> int:
    """Lines that a text takes in a column; a Chinese character is as wide as two."""
    return sum(1 + max(0, _width(line) - 1) // width for line in text.split("\n"))


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def _arrange(sheet: Any) -> None:
    """Widths, hidden columns, what stays in sight, how it is printed, what is locked."""
    from openpyxl.utils import get_column_letter

    for n, column in enumerate(NAMES, start=1):
        dimension = sheet.column_dimensions[get_column_letter(n)]
        dimension.width = WIDTHS.get(column, 10)
        dimension.hidden = column in HIDDEN
    sheet.freeze_panes = "A2"
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    # Against slips, not against people: there is no password.
    sheet.protection.sheet = True
    sheet.protection.formatRows = False
    sheet.protection.formatColumns = False


def _write_rules(sheet: Any, agent: str, version: str, first: Lang) -> None:
    from openpyxl.styles import Alignment, Font

    for n, (text, head) in enumerate(rules(agent, version, first), start=1):
        cell = sheet.cell(n, 1)
        _put(cell, text)
        cell.font = Font(name=FONT, bold=head)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        sheet.row_dimensions[n].height = LINE * _lines(text, 100)
    sheet.column_dimensions["A"].width = 104
    sheet.protection.sheet = True


def _check_length(errand: Errand, text: str) -> None:
    if len(text) > LONGEST_CELL:
        raise UsageError(
            "scenario {scenario}: a turn of {n} characters does not fit into a cell",
            why="A spreadsheet holds {most} characters in a cell.",
            fix="Leave the scenario out with --scenario, or shorten the turn.",
            scenario=errand.spec.scenario,
            n=len(text),
            most=LONGEST_CELL,
        )
