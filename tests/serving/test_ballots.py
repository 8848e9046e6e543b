"""Votes by spreadsheet: blind on the way out, each once on the way back, wrong cells named."""

import csv

import pytest
from openpyxl import load_workbook

from arena.domain.verdict import Outcome
from arena.errors import ConfigError
from arena.exchange.ballots import read
from tests.serving.conftest import SECRET, kept_votes


@pytest.fixture
def sheet(workspace):
    path = workspace.root / "votes.xlsx"
    done = workspace.run("export", "votes", str(path), "--json")
    assert done.code == 0, done
    return workspace, path, done.document["votes"]


def fill(path, answers):
    """Fill in cells, by row and heading's beginning."""
    book = load_workbook(path)
    table = book.active
    heads = [cell.value for cell in table[1]]
    for row, told in answers.items():
        for head, text in told.items():
            at = next(n for n, h in enumerate(heads) if h.startswith(head))
            table.cell(row=row, column=at + 1).value = text
    book.save(path)


def test_votes_go_out_blind_and_come_back_once(sheet):
    workspace, path, rows = sheet
    table = load_workbook(path).active
    text = "\n".join(str(c.value) for row in table.iter_rows() for c in row).lower()
    assert table.max_row == rows + 1
    assert [name for name in SECRET if name.lower() in text] == []
    fill(
        path,
        {
            2: {"总体": "第一段 first", "Warmth": "equal", "Advice": "2"},
            3: {"总体": "tie", "评审人": "wu"},
            4: {"总体": "跳过"},
        },
    )
    back = ("import", "votes", str(path), "--judged-by", "li", "--json")
    told = workspace.run(*back).document
    assert (told["votes"], told["new"], told["other"], told["left_out"]) == (3, 3, 0, 0)
    again = workspace.run(*back).document
    assert (again["votes"], again["new"], again["other"]) == (3, 0, 0)
    fill(path, {3: {"总体": "1"}})
    other = workspace.run(*back).document
    assert (other["new"], other["other"]) == (0, 1)
    votes = {(v.person, v.place): v for v in kept_votes(workspace)}
    assert {v.via for v in votes.values()} == {"sheet"}
    first = votes["human:li", 0]
    assert first.outcome == (Outcome.A if first.order == "ab" else Outcome.B)
    assert first.criteria["warmth"] is Outcome.TIE
    assert first.criteria["advice"] is not first.outcome
    assert votes["human:wu", 1].outcome is Outcome.TIE
    assert votes["human:li", 2].outcome is None


def test_every_wrong_cell_is_named_and_nothing_comes_in(sheet):
    workspace, path, _ = sheet
    fill(path, {2: {"总体": "first"}, 3: {"总体": "left"}, 5: {"总体": "1", "Advice": "skip"}})
    with pytest.raises(ConfigError) as caught:
        read(path, person="li")
    assert "cell G3" in str(caught.value)
    assert ["cell F5" in str(error) for error in caught.value.others] == [True]
    done = workspace.run("import", "votes", str(path), "--judged-by", "li")
    assert done.code == 2
    assert "G3" in done.err
    assert kept_votes(workspace) == []


def test_a_csv_comes_back_too_and_half_an_answer_is_none(workspace):
    path = workspace.root / "votes.csv"
    assert workspace.run("export", "votes", str(path)).code == 0
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.reader(stream))
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row)
    rows[1][6], rows[2][4] = "不相上下", "first"
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    # A criterion alone is an answer that was begun: what is missing is told.
    with pytest.raises(ConfigError, match="cell G3"):
        read(path, person="li")
    rows[2][4] = ""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    (found,) = read(path, person="li")
    assert (found.choice, found.person, found.criteria) == ("tie", "human:li", {})
    with pytest.raises(ConfigError, match="is not a name"):
        read(path)
