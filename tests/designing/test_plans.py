"""A plan is fixed before the first verdict: exact, balanced, and deaf to what verdicts say."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from arena.designing.current import cell_of, plan_ahead, plan_in_force, planned_presentations
from arena.designing.making import to_the_end
from arena.domain.design import Look
from arena.domain.verdict import Outcome

BUDGETED = ("even", "random", "informed")


def pairs(plan):
    return Counter((c.a, c.b) for c in plan.cells)


def graded(agent, scenario):
    """Agents far apart by their number, but for the first three."""
    number = int(agent[1:])
    return 1 + min(4, max(0, number - 2) * 0.4) + 0.01 * (len(scenario) + number)


@pytest.mark.parametrize(("agents", "design"), [(2, "all"), (6, "all"), (7, "even"), (10, "even")])
def test_the_number_of_agents_decides_where_nothing_is_said(board, agents, design):
    plan = board.plan(board.job(agents=agents))
    assert plan.terms.design == design
    scenarios = len(board.suite.scenarios)
    cells = agents * (agents - 1) // 2 * scenarios
    assert plan.cells is None if design == "all" else len(plan.cells) == -(-cells // 3)
    assert board.plan(board.job(agents=11)).terms.design == "informed"
    assert board.plan(board.job(agents=4, comparisons=20)).terms.design == "even"


@pytest.mark.parametrize("design", BUDGETED)
@pytest.mark.parametrize("budget", [1, 66, 200, 10**6])
def test_a_plan_has_exactly_as_many_comparisons_as_were_asked_for(board, design, budget):
    plan = board.plan(board.job(design=design, comparisons=budget))
    everything = 66 * len(board.suite.scenarios)
    assert len(plan.cells) == len(set(plan.cells)) == min(budget, everything)
    assert all(c.a < c.b for c in plan.cells)


def test_even_is_balanced_over_pairs_agents_and_scenarios(board):
    plan = board.plan(board.job(design="even"))
    assert max(pairs(plan).values()) - min(pairs(plan).values()) <= 1
    agents = Counter(name for c in plan.cells for name in (c.a, c.b))
    assert max(agents.values()) - min(agents.values()) <= 2
    scenarios = Counter(c.scenario for c in plan.cells)
    assert set(scenarios) == {s.scenario for s in board.suite.scenarios}
    assert max(scenarios.values()) - min(scenarios.values()) <= 2


def test_against_compares_everybody_with_one_and_nobody_else(board):
    job = board.job(design="against", baseline="a03")
    plan = board.plan(job)
    assert all("a03" in (c.a, c.b) for c in plan.cells)
    assert len(plan.cells) == 11 * len(board.suite.scenarios)
    few = board.plan(board.job(design="against", baseline="a03", comparisons=50))
    assert len(few.cells) == 50
    assert max(pairs(few).values()) - min(pairs(few).values()) <= 1


def test_informed_reads_scores_and_buys_what_they_hold_close(board):
    job = board.job(design="informed")
    blind = board.plan(job)
    assert (blind.evened, len(blind.unscored)) == (66, 12)
    assert max(pairs(blind).values()) - min(pairs(blind).values()) <= 1
    board.score(job, graded)
    plan = board.plan(job)
    assert (plan.evened, plan.unscored) == (0, ())
    assert plan.scores != blind.scores
    assert len(plan.cells) == len(blind.cells)
    assert pairs(plan)["a00", "a01"] > 1.3 * pairs(plan)["a00", "a11"]


def test_who_has_no_scores_is_named_and_planned_evenly(board):
    job = board.job(design="informed")
    board.score(job, lambda agent, s: None if agent == "a05" else graded(agent, s))
    plan = board.plan(job)
    assert (plan.unscored, plan.evened) == (("a05",), 11)
    own = [n for pair, n in pairs(plan).items() if "a05" in pair]
    assert np.ptp(own) <= 0.4 * np.mean(own)


@pytest.mark.parametrize("design", [*BUDGETED, "adaptive"])
def test_a_plan_goes_on_whatever_scores_and_verdicts_came_since(board, design):
    job = board.job(design=design, comparisons=120)
    board.play(job)
    board.score(job, lambda agent, s: None if agent == "a05" else graded(agent, s))
    plan = board.fix(job)
    assert board.plan(job) == board.store.plans.latest(job.suite.suite, job.mode) == plan
    board.judge(job, plan, lambda _: Outcome.B, only=lambda p: p.agent_a == "a00")
    board.score(job, lambda agent, s: 1.0 if agent == "a05" else None)
    assert board.plan(job) == plan
    assert board.plan(job).key == plan.key


@pytest.mark.parametrize("design", ["even", "informed"])
def test_what_verdicts_say_bears_on_no_plan(everyday, design):
    from tests.designing.conftest import Board

    made = []
    for number, chosen in enumerate((Outcome.A, Outcome.B, Outcome.TIE)):
        board = Board(everyday)
        old = board.job(agents=11, design="random", comparisons=90)
        board.score(board.job(), graded)
        board.judge(old, board.fix(old), lambda _, won=chosen: won)
        made.append(board.plan(board.job(design=design, comparisons=300)))
        assert number == 0 or made[0].cells == made[number].cells
        board.store.close()
    assert len(made[0].cells) >= 300


def test_other_terms_make_another_plan_that_keeps_what_was_compared(board, always_a):
    job = board.job(design="even", comparisons=100)
    first = board.fix(job)
    done = set(first.cells[:60])
    board.judge(job, first, always_a, only=lambda p: cell_of(p) in done)
    more = board.fix(board.job(design="even", comparisons=200))
    assert done <= set(more.cells)
    assert len(more.cells) == 200
    assert (more.after, more.history) == (first.key, ("even",))
    fewer = board.plan(board.job(design="even", comparisons=30))
    assert set(fewer.cells) == done
    assert board.plan(board.job(design="even", comparisons=200)) == more
    assert board.plan(board.job(design="even", comparisons=200, seed=2)).key != more.key


@pytest.mark.parametrize("design", BUDGETED)
def test_a_new_agent_is_placed_and_nothing_old_moves(board, design):
    old = board.job(agents=11, design=design)
    board.score(board.job(), graded)
    before = board.fix(old)
    joined = board.job(agents=12, design=design)
    after = board.fix(joined)
    added = set(after.cells) - set(before.cells)
    assert set(before.cells) <= set(after.cells)
    assert added
    assert all("a11" in (c.a, c.b) for c in added)
    met = Counter(c.a for c in added)
    assert len(met) == 11
    typical = 2 * len(before.cells) / 11
    assert 0.6 * typical < len(added) < 1.6 * typical
    # gone again, or back again: the same plan
    assert board.plan(old) == after
    assert all("a11" not in (p.agent_a, p.agent_b) for p in planned_presentations(old, after).items)
    assert board.plan(joined) == after


def test_a_seventh_agent_is_placed_on_a_board_of_all(board, always_a):
    six = board.job(agents=6)
    board.judge(six, board.fix(six), always_a)
    plan = board.plan(board.job(agents=7))
    old = [c for c in plan.cells if "a06" not in (c.a, c.b)]
    new = Counter(c.a for c in plan.cells if c.b == "a06")
    assert len(old) == 15 * len(board.suite.scenarios)
    assert plan.history == ("all", "even")
    assert len(new) == 6
    assert np.ptp([*new.values()]) <= 1


def test_a_board_without_a_plan_was_one_of_all(board, always_a):
    old = board.job(agents=11, design="all")
    board.judge(old, board.plan(old), always_a)
    plan = board.plan(board.job(design="informed"))
    assert plan.history == ("all", "informed")
    assert {c.b for c in plan.cells[55 * len(board.suite.scenarios) :]} == {"a11"}


def test_more_scenarios_are_added_to_and_fewer_change_nothing(board, narrowed):
    whole = board.job(design="even")
    few = narrowed(whole, limit=6)
    first = board.fix(few)
    assert len(first.cells) == 66 * 6 // 3
    assert len({c.scenario for c in first.cells}) == 6
    second = board.fix(whole)
    assert set(first.cells) <= set(second.cells)
    assert len(second.cells) == -(-66 * len(board.suite.scenarios) // 3)
    assert board.plan(few) == second
    asked = planned_presentations(few, second).items
    assert {p.scenario for p in asked} == {c.scenario for c in first.cells}


def test_replicates_are_places_of_their_own(board):
    plan = board.plan(board.job(design="even", replicates=2))
    assert len(plan.cells) == 66 * 2 * len(board.suite.scenarios) // 3
    assert {c.replicate for c in plan.cells} == {1, 2}


def test_the_guard_comes_after_the_plan_and_what_it_takes_is_marked(board):
    job = board.job(design="even", judges=("one", "two"))
    kin = job.agents[0].model_copy(update={"vendor": "of-one"})
    guarded = replace(job, agents=(kin, *job.agents[1:]))
    plan = board.plan(guarded)
    assert plan.cells == board.plan(job).cells
    planned = planned_presentations(guarded, plan)
    own = {c for c in plan.cells if "a00" in (c.a, c.b)}
    assert {w for w in planned.withheld} == {("one", cell) for cell in own}
    assert len(planned.items) == 2 * (2 * len(plan.cells) - len(own))
    assert planned.guarded == (("one", "a00"),)


def test_the_order_of_the_roster_changes_nothing(board):
    names = [f"a{n:02d}" for n in range(12)]
    forward, backward = (
        board.plan(board.job(design="even", roster=some)) for some in (names, names[::-1])
    )
    assert forward == backward


def test_a_stop_cuts_the_plan_at_its_look(board):
    job = board.job(design="even", comparisons=200, stop_width=50, looks=4)
    plan = board.fix(job)
    assert (plan.parts[-1], len(plan.parts)) == (200, 4)
    assert np.ptp(np.diff([0, *plan.parts])) <= 1
    look = Look(
        number=1, looks=4, level=0.9875, pairs=66, undecided=60, widest=900.0, stopped=False
    )
    board.store.plans.add_look(plan, look, run="r")
    board.store.plans.add_look(plan, replace(look, undecided=1), run="r")
    board.store.plans.add_look(plan, replace(look, number=2, widest=49.0, stopped=True), run="r")
    found = plan_in_force(job, board.store)
    assert found.key == plan.key
    assert [seen.undecided for seen in found.looked] == [60, 60]
    assert found.due == plan.cells[: plan.parts[1]]


def test_an_adaptive_forecast_is_of_all_rounds(board):
    job = board.job(agents=5, design="adaptive", comparisons=60)
    plan = board.plan(job)
    whole = to_the_end(plan, job)
    assert (len(plan.cells), len(whole.cells)) == (15, 60)
    assert whole.cells[:15] == plan.cells
    assert len(set(whole.cells)) == 60


def test_all_knows_no_seed_and_grows_by_itself(board):
    plan = board.fix(board.job(agents=4))
    assert board.plan(board.job(agents=5, seed=9)) == plan
    assert plan_ahead(board.job(agents=6), board.store) == plan
