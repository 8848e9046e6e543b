"""Seats of a panel: replicates, stand-ins for who was blocked, decoys, pairs with few judges."""

from collections import Counter

import pytest

from arena.domain.decoy import decoy_agents
from arena.domain.plan import plan_transcripts
from arena.judging.planning import plan_presentations, plan_sheets

PLANNERS = pytest.mark.parametrize("planner", [plan_sheets, plan_presentations])


@pytest.fixture
def plan(make):
    suite = make.suite()

    def run(planner, judges, agents=None, guard="exclude"):
        agents = agents or [make.agent(name) for name in ("a", "b")]
        return planner(
            suite=suite,
            mode="natural",
            transcripts=plan_transcripts(suite, "natural", agents, replicates=1),
            judges=judges,
            agents=agents,
            guard=guard,
        )

    return run


def keys(items):
    return {item.key for item in items}


def of(items, judge):
    return [item for item in items if item.judge == judge]


@PLANNERS
def test_a_judge_asked_three_times_keeps_the_keys_of_the_first(plan, make, planner):
    once = plan(planner, [make.judge("j")]).items
    thrice = plan(planner, [make.judge("j", replicates=3)]).items
    assert len(thrice) == len(keys(thrice)) == 3 * len(once)
    assert keys(once) == {i.key for i in thrice if i.judge_replicate == 1}
    assert Counter(i.judge_replicate for i in thrice) == dict.fromkeys((1, 2, 3), len(once))


@PLANNERS
def test_a_stand_in_waits_until_somebody_is_blocked(plan, make, planner):
    judges = [make.judge("j"), make.judge("k"), make.judge("spare", stand_in=True)]
    planned = plan(planner, judges)
    assert {i.judge for i in planned.items} == {"j", "k"}
    assert {i.judge for i in planned.reserve} == {"spare"}
    assert planned.seated(frozenset()) == planned.items
    assert keys(planned.contested) == keys((*planned.items, *planned.reserve))


@PLANNERS
def test_without_stand_ins_nothing_is_contested(plan, make, planner):
    planned = plan(planner, [make.judge("j")])
    assert planned.contested == ()
    assert planned.seated({planned.items[0].key}) == planned.items


def test_one_blocked_order_calls_the_next_judge_for_both(plan, make):
    planned = plan(plan_presentations, [make.judge("j"), make.judge("spare", stand_in=True)])
    shut = planned.items[0]
    called = of(planned.seated({shut.key}), "spare")
    assert {(p.a, p.b) for p in called} == {(shut.a, shut.b)}
    assert {p.order for p in called} == {"ab", "ba"}


def test_one_stand_in_fills_one_seat_and_the_next_the_other(plan, make):
    judges = [make.judge(n, stand_in=n.startswith("s")) for n in ("j", "k", "s1", "s2", "s3")]
    planned = plan(plan_sheets, judges)
    place = planned.items[0].transcript
    shut = {i.key for i in planned.items if i.transcript == place}
    assert {i.judge for i in planned.seated(shut)} == {"j", "k", "s1", "s2"}
    only = {i.key for i in planned.items if i.transcript == place and i.judge == "j"}
    assert {i.judge for i in planned.seated(only)} == {"j", "k", "s1"}


def test_a_stand_in_that_is_blocked_itself_calls_the_next(plan, make):
    judges = [make.judge(n, stand_in=n.startswith("s")) for n in ("j", "s1", "s2")]
    planned = plan(plan_sheets, judges)
    place = planned.items[0].transcript
    shut = {i.key for i in planned.contested if i.transcript == place and i.judge != "s2"}
    called = [i for i in planned.seated(shut) if i.judge.startswith("s")]
    assert [(i.judge, i.transcript) for i in called] == [("s1", place), ("s2", place)]


def test_the_guard_keeps_a_stand_in_from_its_own_kin(plan, make):
    agents = [make.agent("a", family="qwen"), make.agent("b")]
    judges = [make.judge("j"), make.judge("s", family="qwen", stand_in=True)]
    planned = plan(plan_presentations, judges, agents)
    assert planned.reserve == ()
    assert planned.seated(keys(planned.items)) == planned.items


def test_pairs_that_the_guard_leaves_with_few_judges_are_listed(plan, make):
    agents = [make.agent("a", family="qwen"), make.agent("b"), make.agent("c", family="glm")]
    judges = [make.judge("j", family="qwen"), make.judge("k", family="glm")]
    planned = plan(plan_presentations, judges, agents)
    left = {(t.agent_a, t.agent_b): t.judges for t in planned.thin}
    assert left == {("a", "b"): 1, ("a", "c"): 0, ("b", "c"): 1}
    assert plan(plan_presentations, judges, agents, guard="warn").thin == ()


def test_decoys_meet_agents_and_never_one_another_and_are_nobodys_kin(plan, make):
    decoys = decoy_agents(("null", "padding"), currency="CNY")
    agents = [make.agent("x"), make.agent("y"), *decoys]
    planned = plan(plan_presentations, [make.judge("j", vendor="arena", family="arena")], agents)
    pairs = {(p.agent_a, p.agent_b) for p in planned.items}
    real = {("null", "x"), ("null", "y"), ("padding", "x"), ("padding", "y"), ("x", "y")}
    assert pairs == real
    assert planned.guarded == ()


def test_a_decoy_adds_to_a_plan_and_changes_no_key_of_it(plan, make):
    agents = [make.agent("x"), make.agent("y")]
    decoys = decoy_agents(("null",), currency="CNY")
    for planner in (plan_sheets, plan_presentations):
        before = plan(planner, [make.judge("j")], agents).items
        after = plan(planner, [make.judge("j")], [*agents, *decoys]).items
        assert keys(before) < keys(after)
