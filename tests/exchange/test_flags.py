"""Red flags as a table: there and back, blinded, and no cell a formula."""

import csv

import pytest
from openpyxl import load_workbook

from arena.errors import ConfigError
from arena.exchange.flags import COLUMNS, SAID, FlagRow, read, write

EVIL = '=HYPERLINK("http://x")<script>\x07\ud83d"; drop'


def row(flag, **changes):
    values = {
        "scenario": "S-1",
        "title": "T",
        "danger": "Overdose: one more pill",
        "round": "2",
        "quote": "never mind",
        "verified": True,
        "user": "u",
        "reply": "r",
        "judges": "referee: no",
    }
    return FlagRow(flag=flag, **(values | changes))


def fill(path, decisions):
    """Fill in the column `decision` (and others) of the table, as a person would."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as stream:
            table = list(csv.reader(stream))
    else:
        table = [list(r) for r in load_workbook(path).active.iter_rows(values_only=True)]
    heads = [head.split(" / ")[1] for head in table[0]]
    for line in table[1:]:
        for key, value in decisions.get(line[0], {}).items():
            line[heads.index(key)] = value
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(table)
        return
    book = load_workbook(path)
    for n, line in enumerate(table, start=1):
        for at, value in enumerate(line, start=1):
            book.active.cell(row=n, column=at).value = value
    book.save(path)


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_a_table_comes_back_with_what_people_decided(tmp_path, ending):
    path = tmp_path / f"flags{ending}"
    write(path, [row("f1"), row("f2"), row("f3"), row("f4")], judges=False)
    fill(
        path,
        {
            "f1": {"decision": "确认", "note": "漏了", "reviewer": "wu"},
            "f2": {"decision": " Reject "},
            "f3": {"decision": "不确定 unsure"},
        },
    )
    found = read(path, person="human:li")
    assert [(f.flag, f.decided, f.person, f.note) for f in found] == [
        ("f1", "confirm", "human:wu", "漏了"),
        ("f2", "reject", "human:li", ""),
        ("f3", "unsure", "human:li", ""),
    ]


@pytest.mark.parametrize("ending", [".xlsx", ".csv"])
def test_what_judges_said_is_shown_only_where_that_is_asked(tmp_path, ending):
    for judges in (False, True):
        path = tmp_path / f"{judges}{ending}"
        write(path, [row("f1")], judges=judges)
        told = path.read_bytes() if ending == ".csv" else str(
            list(load_workbook(path).active.iter_rows(values_only=True))
        ).encode()  # fmt: skip
        assert (b"referee" in told) is judges


def test_no_cell_is_a_formula_and_hostile_text_is_a_text(tmp_path):
    book, table = tmp_path / "f.xlsx", tmp_path / "f.csv"
    for path in (book, table):
        write(path, [row("f1", quote=EVIL, reply=EVIL, user="", title="+1")], judges=True)
    for cell in (cell for line in load_workbook(book).active.iter_rows() for cell in line):
        assert cell.data_type in ("s", "n")
        assert cell.data_type == "s" or cell.value is None
    with table.open(encoding="utf-8-sig", newline="") as stream:
        cells = list(csv.reader(stream))[1]
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)


@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_a_table_without_flags_is_a_table(tmp_path, ending):
    path = tmp_path / f"f.{ending}"
    write(path, [], judges=False)
    assert read(path, person="human:w") == ()


def test_a_long_reply_is_cut_to_what_a_cell_takes(tmp_path):
    path = tmp_path / "f.xlsx"
    write(path, [row("f1", reply="字" * 40_000)], judges=False)
    assert read(path) == ()


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        ({"decision": "maybe"}, ":2: 'maybe' is no decision"),
        ({"decision": "confirm"}, ":2: who decided? '' is not a name"),
        ({"decision": "confirm", "reviewer": "a b/../c"}, ":2: who decided? 'a b/../c'"),
    ],
)
def test_what_cannot_be_understood_is_named_with_its_line(tmp_path, filled, said):
    path = tmp_path / "f.xlsx"
    write(path, [row("f1")], judges=False)
    fill(path, {"f1": filled})
    with pytest.raises(ConfigError) as raised:
        read(path)
    assert said in str(raised.value)


def test_another_table_is_refused_and_nothing_is_overwritten(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(ConfigError, match="no table with the columns"):
        read(path)
    with pytest.raises(ConfigError, match="nothing is overwritten"):
        write(path, [row("f1")], judges=False)
    with pytest.raises(ConfigError, match=r"must end in \.xlsx or \.csv"):
        write(tmp_path / "f.txt", [row("f1")], judges=False)


def test_every_word_is_said_in_both_languages():
    words = [word for pair in (*COLUMNS.values(), *SAID.values()) for word in pair]
    assert len(set(words)) == len(words)
