"""The ranking's newer parts: second ratings, worst and best case, notes, and no comparison yet."""

from dataclasses import replace
from decimal import Decimal

import pytest

from arena.domain.money import Money
from arena.domain.standing import Points, State, Why
from arena.site.names import make_names
from arena.site.notes import say_notes
from arena.site.ranking import build_ranking
from arena.site.scatter import build_scatters
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, standing
from tests.site.hostile import make_job

JOB = make_job()
LANGS = ["zh", "en"]


def shown(board, lang="en"):
    edition = edition_of(board, JOB)
    return build_ranking(edition, make_names(edition, say_in(lang)))


def notes(board, lang="en"):
    return say_notes(board, make_names(edition_of(board, JOB), say_in(lang)))


def test_second_ratings_stand_beside_the_rating_and_never_replace_it():
    points = Points(rating=1234.0, low=1200.0, high=1260.0, se=15.0)
    plain = shown(make_board([standing("a"), standing("b")]))
    assert (plain.controlled, plain.calibrated) == (False, False)
    board = make_board([standing("a", controlled=points), standing("b", calibrated=points)])
    found = shown(board)
    assert (found.controlled, found.calibrated) == (True, True)
    assert [r.rating.text for r in found.rows] == ["1000", "1000"]
    assert (found.rows[0].controlled.text, found.rows[0].controlled.note) == ("1234", "1200–1260")
    assert (found.rows[0].calibrated.text, found.rows[1].controlled.text) == ("—", "—")


@pytest.mark.parametrize("lang", LANGS)
def test_worst_and_best_case_stand_beside_what_is_excluded(lang):
    nobody = shown(make_board([standing("a")]), lang)
    assert nobody.extremes == ""
    assert [len(r.cells) for r in nobody.lost] == [len(nobody.reasons)]
    board = make_board(
        [
            standing("a", worst=905.0, best=1075.0),
            standing("b"),
            standing("c", worst=None, best=1190.0, excluded={}),
            standing("d", excluded={}),
        ]
    )
    found = shown(board, lang)
    assert found.extremes
    last = {r.label: r.cells[-1].text for r in found.lost}
    assert last["a"] == "905–1075"
    assert last["b"] == "—"
    assert "1190" in last["c"]
    assert "None" not in last["c"]
    assert "d" not in last


@pytest.mark.parametrize("lang", LANGS)
def test_an_agent_that_was_never_compared_says_so_and_not_that_it_is_cut_off(lang):
    none = {"rating": None, "low": None, "high": None}
    board = make_board(
        [
            standing("a", State.DISCONNECTED, why=Why(key="no_comparisons"), **none),
            standing("b", State.DISCONNECTED, why=Why(key="separate"), **none),
        ]
    )
    first, second = shown(board, lang).rows
    assert first.state == second.state == "disconnected"
    assert first.badges[0] != second.badges[0]
    assert first.why != second.why
    assert ("No comparison yet" if lang == "en" else "还没有比较") == first.badges[0].label


@pytest.mark.parametrize("lang", LANGS)
def test_many_missing_names_the_agents_and_where_they_could_be(lang):
    standings = [standing(f"a{n}", worst=900.0 + n, best=1100.0 + n) for n in range(9)]
    board = make_board(standings)
    for agents in (["a1"], [f"a{n}" for n in range(9)]):
        note = Why(key="many_missing", facts={"agents": agents})
        (said,) = notes(replace(board, notes=(note,)), lang)
        assert "a1" in said
        assert "901–1101" in said
    assert "a7" not in said
    assert "3" in said.split("1105")[1]


@pytest.mark.parametrize("lang", LANGS)
def test_every_note_has_a_sentence_and_an_unknown_one_breaks_nothing(lang):
    facts = {"interval": "percentile", "scenarios": 12, "rows": 5, "agents": []}
    keys = ("rows_drawn", "narrow_interval", "many_missing", "order_matters", "uncontrolled")
    board = make_board([standing("a")])
    board = replace(board, notes=tuple(Why(key=k, facts=facts) for k in (*keys, "of_tomorrow")))
    said = notes(board, lang)
    assert len(said) == len(set(said)) == len(keys)
    assert not [s for s in said if "None" in s or "{" in s]
    orders = {"a": (910.0, 1130.0), "b": (990.0, 1010.0)}
    board = replace(board, diagnostics=replace(board.diagnostics, orders=orders))
    example = [s for s in notes(board, lang) if "1130" in s]
    assert len(example) == 1
    assert "910" in example[0]


def test_the_level_of_a_board_is_the_level_that_is_read_aloud():
    board = make_board([standing("a")])
    found = shown(replace(board, method=replace(board.method, level=0.9)))
    assert found.level == "90%"
    assert "90% interval" in str(found.rows[0].whisker)


def test_pictures_need_three_agents_one_currency_and_a_difference():
    def ids(agents, **facts):
        edition = edition_of(make_board([standing(a) for a in agents]), JOB, **facts)
        return [s.id for s in build_scatters(edition, make_names(edition, say_in("en")))]

    def price(amount, currency="CNY"):
        return {"cost": Money(Decimal(amount), currency)}

    assert ids("ab", a=price("1"), b=price("2")) == []
    assert ids("abc") == ["scatter-absolute"]
    three = {"a": price("1"), "b": price("2"), "c": price("3")}
    assert ids("abc", **three) == ["scatter-absolute", "scatter-cost"]
    assert ids("abc", **{**three, "c": price("3", "USD")}) == ["scatter-absolute"]
    assert ids("abc", a=price("1"), b=price("1"), c=price("1")) == ["scatter-absolute"]


def test_a_picture_leaves_out_who_has_no_rating_and_its_table_has_the_rest():
    board = make_board(
        [*(standing(a) for a in "abc"), standing("d", State.UNBOUNDED, rating=None, low=1200.0)]
    )
    edition = edition_of(board, JOB)
    (found,) = build_scatters(edition, make_names(edition, say_in("en")))
    assert [row[1] for row in found.rows] == ["a", "b", "c"]
    assert str(found.picture).count("<circle") == 3
