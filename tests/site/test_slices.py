"""Slices on the page: never a rank out of little, always how many were looked at."""

from dataclasses import replace

import pytest

from arena.domain.standing import State
from arena.site.names import make_names
from arena.site.slices import MOST_CELLS, OPEN_ROWS, build_slices
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, part, slice_of, standing
from tests.site.hostile import make_job

JOB = make_job()
LANGS = ["zh", "en"]


def board_of(agents, slices, ranges=(1, 2)):
    """Ranked agents from best to worst, all with one rank range."""
    ranked = [
        standing(a, rating=1100.0 - n, rank_low=ranges[0], rank_high=ranges[1])
        for n, a in enumerate(agents)
    ]
    return make_board(ranked, slices=tuple(slices))


def built(board, lang="en"):
    edition = edition_of(board, JOB)
    return build_slices(edition, make_names(edition, say_in(lang)))


def said(board, lang="en"):
    (table,) = built(board, lang).tables
    return table.said[1:]


def test_no_slices_no_section():
    assert built(board_of("ab", [])) is None


@pytest.mark.parametrize("lang", LANGS)
def test_how_many_were_looked_at_is_said_over_all_columns(lang):
    slices = [slice_of("tag", f"t{n}", part("a")) for n in range(17)]
    slices += [slice_of("domain", "alpha", part("a"))]
    shown = built(board_of("ab", slices), lang)
    assert "18" in shown.about
    assert [len(t.rows) for t in shown.tables] == [17, 1]
    assert [t.unfolded for t in shown.tables] == [OPEN_ROWS >= 17, True]
    assert len({t.id for t in shown.tables}) == 2


@pytest.mark.parametrize("lang", LANGS)
def test_every_state_has_its_own_cell(lang):
    one = slice_of(
        "domain",
        "alpha",
        part("a", rating=1040.0),
        part("b", State.PROVISIONAL, 960.0),
        part("c", State.UNBOUNDED, low=1111.0),
        part("d", State.UNBOUNDED, high=888.0),
        part("e", State.UNBOUNDED),
        part("f", State.DISCONNECTED),
    )
    two = slice_of("domain", "beta", part("a"), part("g", State.PROVISIONAL))
    (table,) = built(board_of("abcdefg", [one, two]), lang).tables
    row = table.rows[0]
    assert (row.cells[0].text, row.cells[0].note) == ("1040", "980–1100")
    assert (row.cells[1].text, row.cells[1].note) == ("960", "")
    assert "1111" in row.cells[2].text
    assert "888" in row.cells[3].text
    assert row.cells[6].text == "—"
    assert [c.state for c in row.cells] == [
        *("ranked", "provisional", "unbounded", "unbounded", "unbounded", "disconnected", ""),
    ]
    assert len({c.text for c in row.cells}) == 7
    assert row.label == "Alpha"


def test_columns_are_in_the_order_of_the_board_and_only_agents_that_were_met():
    slices = [slice_of("domain", "alpha", part("c"), part("a"))]
    (table,) = built(board_of("abc", slices)).tables
    assert table.heads == ("a", "c")


def test_a_table_too_large_begins_with_the_largest_slices_and_says_how_many_are_left_out():
    agents = [f"agent-{n}" for n in range(24)]
    slices = [slice_of("tag", f"t{n:03}", *map(part, agents), comparisons=n) for n in range(50)]
    (table,) = built(board_of(agents, slices)).tables
    kept = MOST_CELLS // 24
    assert [r.label for r in table.rows] == [f"t{n:03}" for n in range(49, 49 - kept, -1)]
    assert str(50 - kept) in table.more


def test_without_a_judge_nothing_changes_and_it_says_so():
    same = slice_of("without_judge", "judge-a", part("a", rating=1100.0), part("b"))
    (line,) = said(board_of("ab", [same]))
    assert "no rank range and no order changes" in line
    assert "J <a>" in line


def test_without_a_judge_a_rank_range_an_order_and_a_lost_rank_are_named():
    slices = [
        slice_of(
            "without_judge",
            "judge-a",
            part("b", rating=1010.0),
            part("a", rating=1000.0, ranks=(1, 3)),
            part("c", State.PROVISIONAL),
        )
    ]
    (line,) = said(board_of("abc", slices))
    assert "a from 1–2 to 1–3" in line
    assert "c from 1–2 to no rank" in line
    assert "b from" not in line
    assert "b above a" in line
    assert "c above" not in line


def test_order_is_not_read_from_agents_that_are_not_ranked_on_both():
    rated = part("b", State.PROVISIONAL, 1500.0)
    slices = [slice_of("without_judge", "judge-a", part("a", ranks=(1, 2)), rated)]
    (line,) = said(board_of("ab", slices))
    assert "above" not in line


def test_without_a_judge_nobody_ranked_is_said():
    slices = [slice_of("without_judge", "judge-b", part("a", State.PROVISIONAL))]
    (line,) = said(board_of("ab", slices))
    assert "too little is left" in line


@pytest.mark.parametrize("lang", LANGS)
def test_many_changes_are_cut_with_the_number_of_the_others(lang):
    agents = [f"agent{n}" for n in range(10)]
    moved = [part(a, rating=1000.0 + n, ranks=(1, 9)) for n, a in enumerate(agents)]
    board = board_of(agents, [slice_of("without_judge", "judge-a", *moved)])
    (line,) = said(board, lang)
    assert "39" in line  # 45 pairs turned round, 6 of them named
    assert "agent9" not in line.split("（" if lang == "zh" else "(")[1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("by", ["tag", "criterion", "judge", "without_judge", "nobody's column"])
def test_every_column_has_a_title_and_names_its_values(by, lang):
    board = board_of("ab", [slice_of(by, "judge-a", part("a"))])
    table = built(replace(board, panel=("judge-a",)), lang).tables[0]
    assert "{" not in table.title
    assert table.rows[0].label
    if by in ("judge", "without_judge"):
        assert "J <a>" in table.rows[0].label
