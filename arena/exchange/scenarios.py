"""A table of scenarios, one a row, that somebody filled in with a spreadsheet.

Columns are named in Chinese or English (`headers`). Of each row the id, domain, title, person and
first turn are needed; the kind is `conversation` where none is given. A red flag is written
`kind@turn: sign`, one a line.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from arena.domain.suite import Scenario
from arena.domain.words import Words
from arena.errors import ConfigError
from arena.exchange.headers import NEEDED, Header, header_of, recognise_header
from arena.exchange.keys import Keys
from arena.exchange.sheets import PLAIN, SPREADSHEET, Sheet, column_letters, read_sheets
from arena.suites.reading import check

FORMAT = "scenarios"
USUAL = "对话 / Conversation"
"""The kind where none is given; either half of it alone means the same."""
FLAG = re.compile(r"\s*(?P<kind>[^@:：\n]+?)\s*(?:@\s*(?P<turn>\d{1,2}))?\s*[:：]\s*(?P<sign>\S.*)")
BETWEEN = re.compile(r"[,，;；、\n]+")
WRONG = re.compile(r"#(?:REF|N/A|VALUE|NAME|DIV/0|NUM|NULL)[!?]?")
"""What a spreadsheet shows where a formula failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """What a table holds: scenarios, and the names behind the keys that they use, by key.

    `unused`: columns that serve as nothing.
    """

    scenarios: tuple[Scenario, ...]
    domains: Mapping[str, Words]
    archetypes: Mapping[str, Words]
    red_flags: Mapping[str, Words]
    unused: tuple[str, ...]

    @property
    def language(self) -> str:
        """Chinese where most of what users say is Chinese, else English."""
        said = "".join(turn for s in self.scenarios for turn in s.turns)
        letters = [c for c in said if c.isalpha()]
        chinese = sum("CJK UNIFIED" in unicodedata.name(c, "") for c in letters)
        # A Chinese word takes two characters where an English one takes five.
        return "zh" if chinese * 2.5 > len(letters) - chinese else "en"


def sniff(path: Path) -> bool:
    """Whether a file is a table with the columns of scenarios; never raises."""
    if path.suffix.casefold() not in (*SPREADSHEET, *PLAIN):
        return False
    try:
        return any(not _header(sheet).missing for sheet in read_sheets(path) if sheet.rows)
    except ConfigError:
        return False


def read(path: Path) -> Cases:
    """The scenarios of a table.

    Raises ConfigError for a table without the needed columns, and for cells that are missing or
    wrong, each named by sheet, row and column; the first with the `others`.
    """
    sheets = [sheet for sheet in read_sheets(path) if sheet.rows]
    if not sheets:
        raise ConfigError("{path}: the file is empty", path=path)
    sheet = min(sheets, key=lambda one: len(_header(one).missing))
    header = _header(sheet)
    _check_header(path, sheet, header)
    table = _Table(path, sheet, header)
    scenarios = tuple(table.scenarios())
    if table.mistakes:
        table.refuse()
    if not scenarios:
        raise ConfigError("{path}: no scenario in it", path=path)
    return Cases(
        scenarios=scenarios,
        domains=table.domains.names,
        archetypes=table.archetypes.names,
        red_flags=table.flags.names,
        unused=header.unused,
    )


def _header(sheet: Sheet) -> Header:
    return recognise_header(sheet.rows[0][1])


def _check_header(path: Path, sheet: Sheet, header: Header) -> None:
    if header.missing:
        raise ConfigError(
            "{path}: sheet {sheet}: no column for: {missing}",
            why="Columns found: {columns}.",
            fix="A table with all columns: arena import scenarios --template FILE.xlsx",
            path=path,
            sheet=sheet.name,
            missing=", ".join(header_of(name) for name in header.missing),
            columns=", ".join(name for name in sheet.rows[0][1] if name),
        )
    if header.twice:
        raise ConfigError(
            "{path}: sheet {sheet}: two columns serve as one: {names}",
            fix="Remove one of the two.",
            path=path,
            sheet=sheet.name,
            names=", ".join(header.twice),
        )


def _kind(text: str) -> str:
    return USUAL if text.casefold() in ("", *USUAL.casefold().split(" / ")) else text


class _Table:
    """The rows of a sheet as scenarios; mistakes are gathered with their cells."""

    def __init__(self, path: Path, sheet: Sheet, header: Header) -> None:
        self.path, self.sheet, self.header = path, sheet, header
        self.mistakes: list[ConfigError] = []
        self.domains, self.archetypes = Keys("domain"), Keys("archetype")
        self.flags = Keys("flag")
        self.seen: dict[str, int] = {}

    def scenarios(self) -> Iterator[Scenario]:
        """The scenarios of the rows without a mistake."""
        for row, cells in self.sheet.rows[1:]:
            values = {
                name: cells[index] if index < len(cells) else ""
                for name, index in self.header.fields.items()
            }
            before = len(self.mistakes)
            self._check(row, values)
            record = self._record(row, values)
            if len(self.mistakes) > before:
                continue
            try:
                yield check(record, Scenario, place=lambda _, row=row: self._row(row))  # type: ignore[misc]
            except ConfigError as error:
                self.mistakes.append(error)

    def refuse(self) -> NoReturn:
        """Raise the first mistake, with the others."""
        first, *others = self.mistakes
        raised = ConfigError(
            first.what,
            why="{more} more mistake(s) in this file." if others else "",
            fix=first.fix,
            **{**first.facts, "more": len(others)},
        )
        raised.others = tuple(others)
        raise raised

    def _row(self, row: int) -> str:
        return f"{self.path}: {self.sheet.name}:{row}"

    def _cell(self, row: int, name: str) -> dict[str, Any]:
        """The facts that name a cell."""
        letters = column_letters(self.header.fields[name])
        return {
            "path": self.path,
            "sheet": self.sheet.name,
            "row": row,
            "column": f"{letters} ({self.sheet.rows[0][1][self.header.fields[name]]})",
        }

    def _check(self, row: int, values: Mapping[str, str]) -> None:
        """Note needed cells that are empty, turns with a gap, errors of formulas, a second id."""
        turns = [name for name in values if name.startswith("turn_") and values[name]]
        last = max((int(name[5:]) for name in turns), default=0)
        needed = dict.fromkeys((*NEEDED, *(f"turn_{n}" for n in range(1, last))))
        for name in (name for name in needed if not values[name]):
            self.mistakes.append(
                ConfigError(
                    "{path}: sheet {sheet}, row {row}, column {column}: the cell is empty",
                    fix="Fill it in; a formula counts only once its result was saved.",
                    **self._cell(row, name),
                )
            )
        for name, text in values.items():
            if WRONG.fullmatch(text):
                self._complain(row, name, text)
        self._check_id(row, values["scenario"])

    def _check_id(self, row: int, scenario: str) -> None:
        first = self.seen.setdefault(scenario.casefold(), row)
        if scenario and first != row:
            self.mistakes.append(
                ConfigError(
                    "{path}: sheet {sheet}, row {row}, column {column}: as in row {first}: {text}",
                    fix="Give each scenario an id of its own (capitals do not distinguish ids).",
                    text=scenario[:60],
                    first=first,
                    **self._cell(row, "scenario"),
                )
            )

    def _complain(self, row: int, name: str, text: str) -> None:
        self.mistakes.append(
            ConfigError(
                "{path}: sheet {sheet}, row {row}, column {column}: cannot be read: {text}",
                fix="A red flag is written kind@turn: sign, one a line; a formula must not fail.",
                text=text[:60],
                **self._cell(row, name),
            )
        )

    def _record(self, row: int, values: Mapping[str, str]) -> dict[str, Any]:
        """A row as a line of scenarios.jsonl."""
        turns = [values.get(f"turn_{n}", "") for n in range(1, self.header.turns + 1)]
        notes = {"natural": values.get("notes", ""), "lite": values.get("notes_lite", "")}
        english = values.get("title_en") or values["title"]
        return {
            "scenario": values["scenario"],
            "archetype": self.archetypes.of(_kind(values.get("archetype", ""))),
            "domain": self.domains.of(values["domain"]) if values["domain"] else "",
            "title": {"zh": values["title"], "en": english},
            "persona": {"user": values["user"], "context": values.get("context", "")},
            "turns": [turn for turn in turns if turn],
            "notes": {mode: text for mode, text in notes.items() if text},
            "failure_mode": values.get("failure_mode", ""),
            "red_flags": self._red_flags(row, values.get("red_flags", "")),
            "tags": [t.strip() for t in BETWEEN.split(values.get("tags", "")) if t.strip()],
        }

    def _red_flags(self, row: int, text: str) -> list[dict[str, Any]]:
        found = []
        for line in filter(str.strip, text.split("\n")):
            if not (flag := FLAG.fullmatch(line)) or flag["turn"] == "0":
                self._complain(row, "red_flags", line)
                continue
            key = self.flags.of(flag["kind"])
            found.append(
                {"flag": key, "sign": flag["sign"].strip(), "turn": int(flag["turn"] or 1)}
            )
        return found
