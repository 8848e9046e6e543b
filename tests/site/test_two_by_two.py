"""Pairs on the page: which way round, what is claimed, and what is not."""

import itertools

import pytest

from arena.domain.standing import State
from arena.site.names import make_names
from arena.site.two_by_two import MOST_PAIRS, build_two_by_two
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, pair, standing
from tests.site.hostile import make_job

JOB = make_job()


def built(ranked, pairs, others=(), lang="en"):
    """Ranked agents from best to worst."""
    standings = [
        standing(a, rating=1100.0 - n, rank_low=1, rank_high=9) for n, a in enumerate(ranked)
    ]
    board = make_board([*standings, *others], pairs)
    return build_two_by_two(board, make_names(edition_of(board, JOB), say_in(lang)))


def every_pair(agents):
    return [pair(*sorted(two)) for two in itertools.combinations(agents, 2)]


def test_fewer_than_two_ranked_agents_are_no_pairs():
    assert built("a", [], [standing("b", State.PROVISIONAL)]) is None
    assert build_two_by_two(None, None) is None


def test_the_higher_comes_first_and_everything_turns_with_it():
    as_is = built("ab", [pair("a", "b", difference=80.0, low=10.0, high=150.0, share=0.75)])
    turned = built(
        "ba",
        [pair("a", "b", difference=-80.0, low=-150.0, high=-10.0, share=0.25, p_a_above_b=0.01)],
    )
    for found, upper, lower in ((as_is, "a", "b"), (turned, "b", "a")):
        (row,) = found.neighbours
        assert (row.upper, row.lower) == (upper, lower)
        assert (row.difference, row.interval) == ("+80", "+10 … +150")
        assert row.share == "75%"
        assert row.above == "99%"


def test_a_decision_names_the_better_one_whichever_stands_first():
    found = built("ba", [pair("a", "b", "b", difference=-80.0, p_holm=0.0002)])
    (row,) = found.neighbours
    assert row.decided
    assert row.decision == "b is distinguishably better (p\u00a0<\u00a00.001)"


def test_without_a_decision_nothing_is_claimed():
    rows = [
        built("ab", [pair("a", "b", p_holm=0.3)]).neighbours[0],
        built("ab", [pair("a", "b", p_holm=None, low=None, high=None)]).neighbours[0],
    ]
    assert [r.decided for r in rows] == [False, False]
    assert "Not distinguishable" in rows[0].decision
    assert "better" not in rows[0].decision + rows[1].decision
    assert rows[1].interval == "—"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_is_adjusted_and_what_is_not_is_said_and_no_probability_claimed(lang):
    found = built("abc", every_pair("abc"), lang=lang)
    about = " ".join(found.about)
    assert ("not adjusted" if lang == "en" else "没有按对数校正") in about
    assert "Holm" in about
    assert "3" in about
    assert "5%" in about
    assert ("not the probability" if lang == "en" else "不是更好的概率") in about
    for row in found.every:
        assert "probab" not in row.above + row.decision
        assert "概率" not in row.above + row.decision


def test_neighbours_follow_the_ratings_and_the_full_table_has_every_ranked_pair():
    odd = standing("z", State.PROVISIONAL)
    found = built("cab", [*every_pair("abc"), pair("a", "z")], [odd])
    assert [(r.upper, r.lower) for r in found.neighbours] == [("c", "a"), ("a", "b")]
    assert {(r.upper, r.lower) for r in found.every} == {("c", "a"), ("c", "b"), ("a", "b")}
    assert found.more == ""


def test_one_pair_is_not_listed_twice():
    assert built("ab", [pair("a", "b")]).every == ()


def test_too_many_pairs_are_not_all_listed_and_it_says_where_they_are():
    agents = [f"agent-{n:02}" for n in range(20)]
    found = built(agents, every_pair(agents))
    assert MOST_PAIRS < 20 * 19 // 2
    assert found.every == ()
    assert len(found.neighbours) == 19
    assert "190" in found.more


def test_missing_comparisons_of_a_pair_are_told_and_none_are_not():
    shown = [built("ab", [pair("a", "b", missing=m)]).neighbours[0].count for m in (2.0, 0.0, None)]
    assert shown == ["n=6, 2 missing", "n=6", "n=6"]
