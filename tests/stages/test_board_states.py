"""What may be said of an agent: what peers get wrong, and too little to rank."""

import math
from dataclasses import replace

import pytest

from arena.domain.board import RowCount, from_json, to_json
from arena.domain.standing import State
from tests.support.boards import AGENTS, board, compare, pair, play, standing, states


def test_hazard_disconnected_groups_of_equal_size_rate_nobody():
    comparisons = [compare("a", "b", s, s % 2) for s in range(20)]
    comparisons += [compare("c", "d", s, s % 2) for s in range(20)]
    made = board(comparisons, "abcd")
    assert set(states(made).values()) == {"disconnected"}
    assert all(s.rating is None and s.low is None for s in made.agents)
    why = standing(made, "a").why
    assert why.key == "equal_components"
    assert why.facts["connect"] == ["a", "c"]
    assert [n.key for n in made.notes] == ["nobody_rated"]


def test_hazard_a_smaller_group_is_disconnected_and_told_how_to_connect():
    comparisons = play("abc", 20) + [compare("x", "y", s, s % 2) for s in range(20)]
    made = board(comparisons, "abcxy")
    assert states(made) == {
        "a": "ranked", "b": "ranked", "c": "ranked", "x": "disconnected", "y": "disconnected",
    }  # fmt: skip
    assert standing(made, "x").why.key == "separate"
    assert standing(made, "x").why.facts["connect"] == ["a", "x"]
    assert pair(made, "a", "x").share is None
    assert pair(made, "a", "x").difference is None


def test_hazard_an_undefeated_agent_has_a_bound_and_shifts_nobody():
    rest = play("abc", 20)
    unbeaten = [compare(o, "z", s, 0.0) for o in "abc" for s in range(20)]
    made, without = board(rest + unbeaten, "abcz"), board(rest, "abc")
    z = standing(made, "z")
    assert (z.state, z.open, z.why.key) == (State.UNBOUNDED, "above", "undefeated")
    assert (z.rating, z.high, z.se, z.rank_low, z.p_best) == (None,) * 5
    assert z.low > 1000
    assert z.why.facts == {"comparisons": 60, "scenarios": 20}
    for agent in "abc":
        old, new = standing(without, agent), standing(made, agent)
        for name in ("rating", "low", "high", "se", "se_clustered"):
            assert getattr(new, name) == pytest.approx(getattr(old, name), abs=1e-9)
        assert (new.rank_low, new.rank_high) == (old.rank_low, old.rank_high)
    assert pair(made, "a", "z").expected is None


def test_an_undefeated_agent_over_equal_opponents():
    # a and b earn half the points of each other, alternately: both on 1000
    comparisons = [compare("a", "b", s, s % 2) for s in range(20)] * 2
    comparisons += [compare(o, "z", s, 0.0) for o in "ab" for s in range(20)]
    made = board(comparisons, "abz")
    assert standing(made, "z").low == pytest.approx(1277.4, abs=0.1)


def test_a_pointless_agent_has_an_upper_bound():
    made = board(play("abc", 20) + [compare("a", "z", s, 1.0) for s in range(20)], "abcz")
    z = standing(made, "z")
    assert (z.state, z.open, z.why.key, z.low) == (State.UNBOUNDED, "below", "pointless", None)
    assert z.high < standing(made, "a").rating


def test_an_agent_that_only_met_an_unbounded_one_is_open_on_both_sides():
    comparisons = play("abc", 20) + [compare("a", "y", s, 0.0) for s in range(20)]
    comparisons += [compare("y", "z", s, 0.0) for s in range(20)]
    z = standing(board(comparisons, "abcyz"), "z")
    assert (z.state, z.open, z.why.key, z.low, z.high) == (
        State.UNBOUNDED, "both", "never_met", None, None,
    )  # fmt: skip


def test_hazard_a_block_that_always_beats_an_equal_block_rates_nobody():
    comparisons = [compare("a", "b", s, s % 2) for s in range(20)]
    comparisons += [compare("c", "d", s, s % 2) for s in range(20)]
    comparisons += [compare(x, y, s, 1.0) for x in "ab" for y in "cd" for s in range(20)]
    made = board(comparisons, "abcd")
    assert {(s.state, s.open, s.why.key) for s in made.agents} == {
        (State.UNBOUNDED, "both", "equal_components")
    }


def test_hazard_a_single_comparison_gives_no_rating():
    made = board([compare("a", "b", 0, 1.0)], "ab")
    assert {(s.state, s.rating, s.low, s.high) for s in made.agents} == {
        (State.UNBOUNDED, None, None, None)
    }


def test_hazard_a_self_pair_is_excluded_and_counted():
    comparisons = play("abc", 20)
    made = board([*comparisons, compare("a", "a", 0, 0.5)], "abc")
    clean = board(comparisons, "abc")
    assert standing(made, "a").excluded == {"self_pair": 1}
    assert made.diagnostics.rows == RowCount(read=61, used=60, excluded={"self_pair": 1})
    assert [s.rating for s in made.agents] == [s.rating for s in clean.agents]


def test_hazard_only_ties_give_ratings_without_false_certainty():
    made = board([compare(a, b, s, 0.5) for a, b in ("ab", "bc", "ac") for s in range(20)], "abc")
    for s in made.agents:
        assert (s.state, s.why.key) == (State.PROVISIONAL, "unvaried")
        assert s.rating == pytest.approx(1000)
        assert (s.low, s.high, s.se, s.rank_low) == (None,) * 4
    assert all(p.p is None and p.decision is None for p in made.pairs)
    assert made.diagnostics.tie_share == 1


@pytest.mark.parametrize("agents", ["", "a", "ab"])
def test_hazard_no_comparisons_leave_everybody_unrated(agents):
    made = board([], agents)
    assert all(s.state == State.DISCONNECTED and s.why.key == "no_comparisons" for s in made.agents)
    assert all(p.share is None for p in made.pairs)
    assert "no_comparisons" in [n.key for n in made.notes]
    assert ("one_agent" in [n.key for n in made.notes]) == (len(agents) < 2)
    assert made.diagnostics.flip_rate is None
    assert from_json(to_json(made)) == made


def test_hazard_an_agent_that_never_plays_costs_the_others_nothing():
    made, clean = board(play("abc", 20), "abcz"), board(play("abc", 20), "abc")
    z = standing(made, "z")
    assert (z.state, z.share, z.why.facts) == (State.DISCONNECTED, None, {"connect": ["a", "z"]})
    assert [s.rating for s in made.agents[:3]] == [s.rating for s in clean.agents]


def test_hazard_one_loss_in_many():
    # 1999 points to 1: odds 1999, 400·log10 1999 = 1320.3 points
    comparisons = [compare("a", "b", s, 1.0) for s in range(20)] * 100
    comparisons[0] = replace(comparisons[0], share=0.0)
    both = pair(board(comparisons, "ab"), "a", "b")
    assert both.difference == pytest.approx(1320.3, abs=0.1)


# ---- too little to rank


@pytest.mark.parametrize(("scenarios", "interval"), [(4, False), (5, True), (9, True)])
def test_few_scenarios_give_no_rank_and_below_five_no_interval(scenarios, interval):
    made = board(play(AGENTS, scenarios) * 4, AGENTS)
    assert set(states(made).values()) == {"provisional"}
    for s in made.agents:
        assert s.why.key == "few_scenarios"
        assert s.why.facts["scenarios"] == scenarios
        assert (s.low is not None) == (s.se is not None) == interval
        assert (s.rank_low, s.p_best, s.resample_rank_low) == (None, None, None)
    assert all(p.decision is None and p.p_holm is None for p in made.pairs)
    assert math.fsum(s.rating for s in made.agents) == pytest.approx(5000)
    assert [n.key for n in made.notes] == ["nobody_ranked", "few_scenarios"]


def test_a_provisional_agent_is_out_of_the_mean_and_of_others_ranks():
    comparisons = play(AGENTS, 20)
    thin = [c for c in comparisons if "e" not in (c.agent_a, c.agent_b) or int(c.scenario[1:]) < 7]
    made = board(thin, AGENTS)
    e = standing(made, "e")
    assert (e.state, e.why.key, e.why.facts["also"]) == (
        "provisional",
        "few_scenarios",
        ["few_comparisons"],
    )
    assert (e.comparisons, e.scenarios) == (28, 7)
    assert e.low < e.rating < e.high
    ranked = [s for s in made.agents if s.state == State.RANKED]
    assert math.fsum(s.rating for s in ranked) == pytest.approx(4000)
    assert max(s.rank_high for s in ranked) <= 4
    assert made.agents[-1] is e


def test_comparisons_with_the_unbounded_do_not_help_to_be_ranked():
    comparisons = [compare("a", "b", s, s % 2) for s in range(20)]
    comparisons += [compare(o, "z", s, 0.0) for o in "ab" for s in range(20)]
    a = standing(board(comparisons, "abz"), "a")
    assert a.comparisons == 40
    assert (a.state, a.why.key, a.why.facts["comparisons"]) == (
        "provisional",
        "few_comparisons",
        20,
    )


def test_one_agent_that_lacks_nothing_is_not_ranked_against_nobody():
    made = board(play("abc", 20), "abc", planned={"a": 40, "b": 60, "c": 60})
    assert states(made) == {"a": "provisional", "b": "provisional", "c": "provisional"}
    assert standing(made, "a").why.key == "alone"
    assert math.fsum(s.rating for s in made.agents) == pytest.approx(3000)


@pytest.mark.parametrize(("planned", "state"), [(100, "ranked"), (101, "provisional")])
def test_missing_data_make_an_agent_provisional(planned, state):
    made = board(play(AGENTS, 20), AGENTS, planned=dict.fromkeys(AGENTS, 80) | {"c": planned})
    c = standing(made, "c")
    assert str(c.state) == state
    assert c.planned == planned
    if state == "provisional":
        assert c.why.key == "missing"
        assert c.why.facts["readable"] == pytest.approx(80 / 101)


def test_a_plan_by_pair_is_added_up_by_agent():
    plan = {("b", "a"): 30, ("a", "c"): 20, ("a", "gone"): 99}
    made = board(play("abc", 20), "abc", planned=plan)
    assert standing(made, "a").planned == 50
    assert pair(made, "a", "b").planned == 30
    assert pair(made, "b", "c").planned == 0
