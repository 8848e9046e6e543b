"""Red flags as a table for people who look at them: a row a flag, the agent not named.

Whoever fills it in (a clinician, say) needs no workspace: the scenario, what was said and the
quotation stand in the row. Read back, only the flag's id, the decision, the note and the name of
the person count.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.domain.flag import DECIDED, Decided
from arena.errors import ConfigError
from arena.exchange.sheets import read_sheets

FORMAT = "flags"
HUMAN = "human:"
PERSON = re.compile(r"^[\w.-]{1,64}$")
MOST_TEXT = 20_000
"""Characters of a cell; a spreadsheet takes some 32,000."""
COLUMNS: Mapping[str, tuple[str, str]] = {
    "flag": ("编号", "flag"),
    "scenario": ("情境", "scenario"),
    "title": ("标题", "title"),
    "danger": ("险情", "danger"),
    "round": ("轮次", "round"),
    "quote": ("摘录", "quotation"),
    "verified": ("摘录已核对", "verified"),
    "user": ("用户的话", "user"),
    "reply": ("智能体的回复", "reply"),
    "judges": ("评审意见", "judges"),
    "decision": ("决定", "decision"),
    "note": ("备注", "note"),
    "person": ("评审人", "reviewer"),
}
"""What a column holds and its heading; the last three are to be filled in."""
SAID: Mapping[Decided, tuple[str, str]] = {
    "confirm": ("确认", "confirm"),
    "reject": ("排除", "reject"),
    "unsure": ("不确定", "unsure"),
}
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_WIDTHS = {"quote": 40, "user": 40, "reply": 60, "danger": 30, "judges": 40, "note": 30}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagRow:
    """What a person is shown of a flag; `judges` empty: hidden."""

    flag: str
    scenario: str
    title: str
    danger: str
    round: str
    quote: str
    verified: bool
    user: str
    reply: str
    judges: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A row that somebody filled in: which flag, what they decided, and who (`human:ID`)."""

    place: str
    flag: str
    decided: Decided
    person: str
    note: str


def write(path: Path, rows: Sequence[FlagRow], *, judges: bool) -> None:
    """Write the table as .xlsx or .csv; raises ConfigError where it is there or cannot be."""
    shown = [key for key in COLUMNS if judges or key != "judges"]
    suffix = path.suffix.casefold()
    if suffix not in (".xlsx", ".csv"):
        raise ConfigError("{path}: its name must end in .xlsx or .csv", path=path)
    save_new(path, _csv(shown, rows) if suffix == ".csv" else _xlsx(shown, rows))


def save_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet; raises ConfigError where it is or cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(content)
    except FileExistsError:
        raise ConfigError(
            "{folder}: is there already, and nothing is overwritten",
            fix="Name another file.",
            folder=path,
        ) from None
    except OSError as error:
        raise ConfigError(
            "{folder}: cannot be written: {reason}", folder=path, reason=error.strerror
        ) from None


def read(
    path: Path, *, person: str | None = None, faults: list[ConfigError] | None = None
) -> tuple[Filled, ...]:
    """The rows of a table in which a decision stands; `person`: who decided, where none is named.

    Raises ConfigError for a table without the columns, and for a decision or a name that is none
    and a flag that somebody decides twice, unless `faults` is there to take these.
    """
    for sheet in read_sheets(path):
        rows = iter(sheet.rows)
        _, heads = next(rows, (0, ()))
        places = _places(heads)
        if {"flag", "decision"} <= set(places):
            return tuple(_sound(_filled(path, rows, places, person), faults))
    raise ConfigError(
        "{path}: no table with the columns {columns}",
        fix="Fill in the table that arena export flags wrote; keep its first row.",
        path=path,
        columns=f"{_head('flag')}, {_head('decision')}",
    )


def _places(heads: Sequence[str]) -> dict[str, int]:
    names = {
        name.casefold(): key
        for key, words in COLUMNS.items()
        for name in (*words, " / ".join(words))
    }
    read = [names.get(head.strip().casefold()) for head in heads]
    return {key: n for n, key in reversed(list(enumerate(read))) if key}


def _sound(
    rows: Iterable[Callable[[], Filled]], faults: list[ConfigError] | None
) -> Iterator[Filled]:
    """The rows that can be read, each person's decision on a flag once."""
    seen: dict[tuple[str, str], str] = {}
    for make in rows:
        try:
            row = make()
            if first := seen.get((row.flag, row.person)):
                raise ConfigError(
                    "{place}: decided before, at {first}, by the same person",
                    fix="Leave one of the two rows.",
                    place=row.place,
                    first=first,
                )
        except ConfigError as fault:
            if faults is None:
                raise
            faults.append(fault)
            continue
        seen[row.flag, row.person] = row.place
        yield row


def _filled(
    path: Path,
    rows: Iterator[tuple[int, tuple[str, ...]]],
    places: Mapping[str, int],
    person: str | None,
) -> Iterator[Callable[[], Filled]]:
    for number, cells in rows:

        def of(key: str, cells: tuple[str, ...] = cells) -> str:
            at = places.get(key, len(cells))
            return cells[at].strip() if at < len(cells) else ""

        def make(place: str = f"{path}:{number}", of: Callable[[str], str] = of) -> Filled:
            return Filled(
                place=place,
                flag=of("flag"),
                decided=_decided(place, of("decision")),
                person=name_person(place, of("person") or person or ""),
                note=of("note"),
            )

        if of("decision"):
            yield make


def name_person(place: str, name: str) -> str:
    """A person as judges are called, `human:ID`; raises ConfigError for what is no name."""
    bare = name.strip().removeprefix(HUMAN)
    if not PERSON.match(bare):
        raise ConfigError(
            "{place}: who decided? {given} is not a name",
            why="A name is of letters, digits, dot, - and _, at most 64.",
            fix="Fill in the column {column}, or give --judged-by NAME.",
            place=place,
            given=repr(bare[:40]),
            column=_head("person"),
        )
    return HUMAN + bare


def _decided(place: str, text: str) -> Decided:
    said = " ".join(text.casefold().split())
    for decided in DECIDED:
        words = SAID[decided]
        if said in (*words, " ".join(words), " / ".join(words)):
            return decided
    raise ConfigError(
        "{place}: {given} is no decision",
        fix="Write one of: {known}; leave it empty where nobody has looked yet.",
        place=place,
        given=repr(text[:40]),
        known=", ".join(" ".join(words) for words in SAID.values()),
    )


def _head(key: str) -> str:
    return " / ".join(COLUMNS[key])


def _cells(row: FlagRow, shown: Sequence[str]) -> list[str]:
    told = {key: str(getattr(row, key, "")) for key in shown}
    told["verified"] = ("是 yes" if row.verified else "否 no") if row.quote else "—"
    return [text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…" for text in told.values()]


def _csv(shown: Sequence[str], rows: Sequence[FlagRow]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_head(key) for key in shown])
    for row in rows:
        # No cell may be a formula to a spreadsheet.
        writer.writerow([f"'{c}" if c.startswith(FORMULA) else c for c in _cells(row, shown)])
    return text.getvalue().encode("utf-8-sig", "backslashreplace")


def _xlsx(shown: Sequence[str], rows: Sequence[FlagRow]) -> bytes:
    from openpyxl import Workbook  # imported here: few commands write a spreadsheet
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook()
    sheet = book.active
    sheet.title = "险情 flags"
    for n, cells in enumerate([[_head(key) for key in shown], *(_cells(r, shown) for r in rows)]):
        for at, text in enumerate(cells, start=1):
            put_text(sheet.cell(row=n + 1, column=at), text)
    sheet.freeze_panes = "B2"
    for at, key in enumerate(shown, start=1):
        sheet.column_dimensions[get_column_letter(at)].width = _WIDTHS.get(key, 14)
    choices = ",".join(" ".join(words) for words in SAID.values())
    rule = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True)
    letter = get_column_letter(shown.index("decision") + 1)
    # A table without flags keeps its one row for the rule: a range must not end before it begins.
    rule.add(f"{letter}2:{letter}{max(2, len(rows) + 1)}")
    sheet.add_data_validation(rule)
    for cell in (cell for row in sheet.iter_rows() for cell in row):
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        cell.font = Font(bold=cell.row == 1)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def put_text(cell: Any, text: str) -> None:
    """Put a text into a cell of a spreadsheet as text, whatever it begins with."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    said = ILLEGAL_CHARACTERS_RE.sub("\ufffd", text).encode("utf-8", "replace").decode("utf-8")
    cell.value = said or None
    if said:
        # A text that begins with = stays a text.
        cell.data_type = "s"
