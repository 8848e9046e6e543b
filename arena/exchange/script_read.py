"""A script that was filled in by hand, read back: .xlsx, or the same table saved as .csv."""

from collections.abc import Mapping
from pathlib import Path

from arena.domain.by_hand import RETURN, Column, Filled, FilledRow
from arena.errors import ConfigError
from arena.exchange.script_columns import find_columns, header_of, missing_columns
from arena.exchange.sheets import (
    PLAIN,
    SPREADSHEET,
    Sheet,
    column_letters,
    find_computed,
    read_sheets,
)


def sniff(path: Path) -> bool:
    """Whether a file is a script; never raises."""
    if path.suffix.casefold() not in (*SPREADSHEET, *PLAIN):
        return False
    try:
        sheets = read_sheets(path)
    except ConfigError:
        return False
    return any(not missing_columns(_columns(sheet)) for sheet in sheets if sheet.rows)


def read(path: Path) -> Filled:
    """The rows of a script.

    Raises ConfigError for a file that cannot be read, that is no script, or that lacks a column.
    """
    if path.suffix.casefold() in PLAIN:
        _check_encoding(path)
    sheets = [sheet for sheet in read_sheets(path) if sheet.rows]
    if not sheets:
        raise ConfigError("{path}: the file is empty", path=path)
    sheet = min(sheets, key=lambda one: len(missing_columns(_columns(one))))
    found, twice = find_columns(sheet.rows[0][1])
    _check_columns(path, sheet, found, twice)
    computed = {(row, column) for name, row, column in find_computed(path) if name == sheet.name}
    return Filled(
        file=str(path),
        sheet=sheet.name,
        letters={column: column_letters(index) for column, index in found.items()},
        rows=tuple(
            FilledRow(
                number=number,
                values={
                    column: cells[index].replace(RETURN, "").strip() if index < len(cells) else ""
                    for column, index in found.items()
                },
                computed=frozenset(c for c, index in found.items() if (number, index) in computed),
            )
            for number, cells in sheet.rows[1:]
        ),
        cut=path.suffix.casefold() in SPREADSHEET,
    )


def _columns(sheet: Sheet) -> Mapping[Column, int]:
    return find_columns(sheet.rows[0][1])[0]


def _check_columns(
    path: Path, sheet: Sheet, found: Mapping[Column, int], twice: tuple[Column, ...]
) -> None:
    if missing := missing_columns(found):
        raise ConfigError(
            "{path}: sheet {sheet}: no column for: {missing}",
            why="Columns found: {columns}.",
            fix="Export the script again to a new file, and copy the answers over.",
            path=path,
            sheet=sheet.name,
            missing=", ".join(header_of(column) for column in missing),
            columns=", ".join(name[:40] for name in sheet.rows[0][1] if name)[:400],
        )
    if twice:
        raise ConfigError(
            "{path}: sheet {sheet}: two columns serve as one: {names}",
            fix="Remove one of the two.",
            path=path,
            sheet=sheet.name,
            names=", ".join(header_of(column) for column in twice),
        )


def _check_encoding(path: Path) -> None:
    """Raise ConfigError for a .csv file in another encoding, in which characters may be lost."""
    if not path.is_file():
        raise ConfigError("{path}: no such file", path=path)
    raw = path.read_bytes()
    try:
        raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            "{path}: line {line} is not UTF-8",
            why="In other encodings a spreadsheet drops characters that an answer may hold.",
            fix="Save it as .xlsx, or as “CSV UTF-8 (comma delimited)”.",
            path=path,
            line=raw[: error.start].count(b"\n") + 1,
        ) from None
