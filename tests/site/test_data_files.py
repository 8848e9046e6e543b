"""The files beside the pages: a workbook without formulas, every comparison, and the manifest."""

import io
import json
import zipfile

import pytest

from arena.site.data_text import json_line
from arena.site.workbook import Table, make_workbook
from tests.site.reading import tree

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x")', "＝1")


def opened(content):
    from openpyxl import load_workbook

    return load_workbook(io.BytesIO(content))


def test_text_is_never_a_formula():
    table = Table(name="t", heads=("=head",), rows=tuple((text,) for text in FORMULAS))
    cells = [row[0] for row in opened(make_workbook([table], "")).active.iter_rows()]
    assert [c.data_type for c in cells] == ["s"] * (len(FORMULAS) + 1)
    assert all(c.quotePrefix for c in cells)
    assert cells[0].value == "=head"
    assert cells[1].value == "=1+1"
    with zipfile.ZipFile(io.BytesIO(make_workbook([table], ""))) as parts:
        assert not any(b"<f>" in parts.read(name) for name in parts.namelist())


def test_unknown_is_an_empty_cell_and_numbers_are_numbers():
    table = Table(name="t", heads=("a", "b", "c"), rows=((None, 0.25, 3),))
    row = [c.value for c in list(opened(make_workbook([table], "")).active.iter_rows())[1]]
    assert row == [None, 0.25, 3]


def test_a_workbook_tells_no_time_but_that_of_the_board():
    table = Table(name="t", heads=("a",), rows=(("x",),))
    content = make_workbook([table], "2026-11-29T08:12:00+00:00")
    assert content == make_workbook([table], "2026-11-29T08:12:00+00:00")
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        assert b"2026-11-29T08:12:00Z</dcterms:modified>" in parts.read("docProps/core.xml")
        assert {part.date_time for part in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_workbook_holds_what_the_board_holds(site, world):
    board = world.store.boards.latest("tiny", "natural")
    book = opened((site.out / "data/leaderboard.xlsx").read_bytes())
    assert book.sheetnames == ["agents", "pairs", "red lines", "spend", "method"]
    assert "\n".join(str(c.value) for c in book["agents"][1]).startswith("智能体\nAgent")
    agents = list(book["agents"].iter_rows(min_row=2, values_only=True))
    assert len(agents) == len(board.agents)
    assert agents[0][10] == board.agents[0].rating
    assert len(list(book["pairs"].iter_rows(min_row=2))) == len(board.pairs)
    assert len(list(book["red lines"].iter_rows(min_row=2))) == len(board.flags)
    for sheet in book:
        assert {len(row) for row in sheet.iter_rows()} == {sheet.max_column}
        kinds = {c.data_type for row in sheet.iter_rows() for c in row if c.value is not None}
        assert kinds <= {"s", "n"}


def test_every_comparison_is_a_line_and_what_is_missing_is_null(site):
    raw = (site.out / "data/comparisons.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in raw.splitlines()]
    assert len(lines) > 20
    assert {len(line["verdicts"]) for line in lines} == {2}
    missing = [v for line in lines for v in line["verdicts"] if v["status"] is None]
    assert missing
    assert all(v["outcome"] is None and v["margin"] is None for v in missing)
    for line in lines:
        if any(v["status"] != "ok" for v in line["verdicts"]):
            assert line["share"] is None


@pytest.mark.parametrize("text", ["\u202egnp", "a\u200bb", "\x1b[31m", "\ud800"])
def test_data_hides_no_character_from_whoever_opens_it(text):
    line = json_line({"k": text, "中": 1})
    assert line.isprintable()
    assert "中" in line
    assert json.loads(line)["k"] == text


def test_the_manifest_tells_the_size_of_every_file(site):
    files = tree(site.out)
    told = json.loads((site.out / "data/manifest.json").read_text(encoding="utf-8"))
    assert told["bytes"] == {p: len(c) for p, c in files.items() if p != "data/manifest.json"}
    assert set(told["bytes"]) == set(told["sha256"])
