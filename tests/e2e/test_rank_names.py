"""Agents, labels and columns called whatever somebody likes."""

import csv
import io
import json
import unicodedata
from itertools import combinations

import pytest

import arena
from arena.domain.board import to_json
from tests.support.outcome_files import (
    IN_SCENARIOS,
    PLAIN,
    arena_rank,
    board_of,
    csv_text,
    even,
    standing,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = {"resamples": 200}


ODD = [
    *("a", "tie", "left", "NULL", "1e5", "x,y", 'q"q', "two\nlines", "<script>alert(1)</script>"),
    *("\x1b[31mred\x1b[0m", "小明", "[bold]x[/bold]", "=1+1", "\u202egnp.exe", "nan", "007", " b "),
]


def odd_rows():
    """Everybody against everybody, told by label, turned over so that no name decides."""
    return [
        (f"s{s}", x, y, "a" if (s + n) % 2 else "agent_b")
        for s in range(12)
        for n, (x, y) in enumerate(combinations(sorted(ODD, key=lambda name: name != "a"), 2))
    ]


def test_any_text_is_a_name(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, odd_rows())
    board = arena.rank(path, **QUICK)
    assert {s.agent for s in board.agents} == set(ODD)
    assert board.diagnostics.rows.excluded == {}
    assert {s.comparisons for s in board.agents} == {12 * (len(ODD) - 1)}
    text = json.dumps(to_json(board), allow_nan=False)
    assert json.loads(text)["agents"][0]["agent"] in ODD


@pytest.mark.parametrize("how", ["table", "md", "json"])
def test_no_name_reaches_the_terminal_as_a_command(tmp_path, how):
    path = write(tmp_path, IN_SCENARIOS, odd_rows())
    done = arena_rank(path, "--resamples", "200", "--format", how)
    for text in (done.stdout, done.stderr):
        assert "\x1b" not in text
    if how != "json":
        assert "\u202e" not in done.stdout + done.stderr
        assert "⟨U+001B⟩" in done.stdout
    if how == "md":
        assert "<script>" not in done.stdout


def test_a_name_with_a_line_break_stays_in_its_row(tmp_path):
    """Else a name could show a row of the table, or a sentence, that nobody computed."""
    forged = "x\n 1   champion   2000"
    rows = [
        (s, a if a != "P" else forged, b, "a" if o == a else "b") for s, a, b, o in even(PQR, 20)
    ]
    done = arena_rank(write(tmp_path, IN_SCENARIOS, rows), "--resamples", "200")
    for line in (done.stdout + done.stderr).splitlines():
        assert not line.lstrip().startswith("1   champion")
    body = [line for line in done.stdout.splitlines() if line.strip()][2:]
    assert len(body) == 3


def test_no_cell_of_csv_is_a_formula_and_names_come_back(tmp_path):
    done = arena_rank(
        write(tmp_path, IN_SCENARIOS, odd_rows()), "--resamples", "200", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout, newline="")))
    assert len(rows) == len(ODD)
    assert not any(row["agent"].startswith(("=", "+", "-", "@")) for row in rows)
    assert {"x,y", "two\nlines", "小明", 'q"q'} <= {row["agent"] for row in rows}


def test_chinese_names_line_up(tmp_path):
    new = {"P": "阿明", "Q": "a-longer-name", "R": "R"}
    rows = [(s, new[a], new[b], new[o]) for s, a, b, o in even(PQR, 20)]
    done = arena_rank(write(tmp_path, IN_SCENARIOS, rows), "--resamples", "200", "--lang", "zh")
    lines = [line for line in done.stdout.splitlines() if "–" in line]
    assert len(lines) == 3

    def column(line):
        before = line[: line.rindex("/")]
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in before)

    assert len({column(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("row", "won"),
    [
        # An agent called tie, in a row whose outcome is tie: it won, or nobody did.
        (("tie", "y", "tie"), None),
        (("y", "left", "left"), None),
        (("left", "y", "left"), "left"),
        (("y", "b", "b"), "b"),
        (("y", "x", "b"), "x"),
        (("x", "y", "y"), "y"),
    ],
)
def test_a_label_that_could_mean_the_other_agent_is_not_guessed(tmp_path, row, won):
    board = board_of(tmp_path, IN_SCENARIOS, [*even(PQR, 20), ("s0", *row)], **QUICK)
    if won is None:
        assert board.diagnostics.rows.excluded == {"ambiguous_outcome": 1}
    else:
        assert standing(board, won).wins == 1


def test_a_board_on_which_nobody_is_rated_is_printed_in_every_format(tmp_path):
    path = write(tmp_path, PLAIN, [("P", "Q", "a")])
    for how in ("table", "json", "csv", "md"):
        done = arena_rank(path, "--format", how)
        assert done.exit_code == 0, done.stderr
        assert "NaN" not in done.stdout
        assert "nan" not in done.stdout
        assert "P" in done.stdout
    assert json.loads(arena_rank(path, "--json").stdout)["agents"][0]["rating"] is None


def test_standard_input_with_hostile_columns_ends_in_three_lines():
    text = csv_text(["one\ntwo", "agent_b", "outcome"], [("P", "Q", "a")])
    done = arena_rank("-", input=text)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) <= 3
