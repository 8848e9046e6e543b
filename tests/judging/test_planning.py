"""Who is asked about what, and whom the vendor guard keeps apart."""

from collections import Counter

import pytest

from arena.domain.agent import kin
from arena.domain.plan import plan_transcripts
from arena.judging.planning import plan_presentations, plan_sheets

GUARDS = ("exclude", "warn", "allow")


@pytest.fixture
def plan(make):
    suite = make.suite()
    agents = [make.agent(n) for n in ("silverpal", "careline", "guardian")]
    judges = [make.judge("one"), make.judge("two"), make.judge("sheets", uses=("rubric",))]

    def run(planner, *, agents=agents, judges=judges, guard="exclude", replicates=2, **changes):
        transcripts = plan_transcripts(suite, "natural", agents, replicates=replicates)
        options = {
            "suite": suite,
            "mode": "natural",
            "transcripts": transcripts,
            "judges": judges,
            "agents": agents,
            "guard": guard,
        }
        return planner(**(options | changes))

    return run


def test_every_transcript_has_a_sheet_of_every_rubric_judge(plan):
    planned = plan(plan_sheets)
    # 2 scenarios × 3 agents × 2 replicates × 3 judges
    assert len(planned.items) == len({s.key for s in planned.items}) == 36
    assert Counter(s.judge for s in planned.items) == {"one": 12, "two": 12, "sheets": 12}
    assert planned.guarded == ()


def test_every_pair_is_shown_in_both_orders_to_every_pairwise_judge(plan):
    planned = plan(plan_presentations)
    # 3 pairs × 2 scenarios × 2 replicates × 2 judges × 2 orders
    assert len(planned.items) == len({p.key for p in planned.items}) == 48
    assert Counter(p.order for p in planned.items) == {"ab": 24, "ba": 24}
    assert {p.judge for p in planned.items} == {"one", "two"}
    pairs = {(p.agent_a, p.agent_b) for p in planned.items}
    assert pairs == {("careline", "guardian"), ("careline", "silverpal"), ("guardian", "silverpal")}


def test_a_pair_shares_scenario_and_replicate(plan, make):
    suite, agents = make.suite(), [make.agent("a"), make.agent("b")]
    specs = {s.key: s for s in plan_transcripts(suite, "natural", agents, replicates=2)}
    for p in plan(plan_presentations, agents=agents).items:
        a, b = specs[p.a], specs[p.b]
        assert (a.scenario, a.replicate) == (b.scenario, b.replicate) == (p.scenario, p.replicate)
        assert (a.agent, b.agent) == (p.agent_a, p.agent_b)


def test_the_order_in_which_agents_are_listed_changes_no_key(plan, make):
    agents = [make.agent(n) for n in ("B", "a", "健康", "Z")]
    one = plan(plan_presentations, agents=agents)
    other = plan(plan_presentations, agents=agents[::-1])
    assert {p.key for p in one.items} == {p.key for p in other.items}
    assert all(p.agent_a < p.agent_b for p in one.items)


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("planner", [plan_sheets, plan_presentations])
def test_the_guard_keeps_kin_apart_marks_them_or_lets_them_be(plan, make, planner, guard):
    agents = [
        make.agent("a", vendor="Acme"),
        make.agent("b", family="qwen"),
        make.agent("c"),
        make.agent("d"),
    ]
    judges = [make.judge("j", vendor="acme"), make.judge("k", family="Qwen"), make.judge("n")]
    planned = plan(planner, agents=agents, judges=judges, guard=guard)
    everyone = plan(planner, agents=agents, judges=[make.judge(n) for n in "jkn"])
    by_name = {x.agent: x for x in agents} | {x.judge: x for x in judges}

    def agents_of(item):
        return (item.agent,) if planner is plan_sheets else (item.agent_a, item.agent_b)

    def place(item):
        at = (item.transcript,) if planner is plan_sheets else (item.a, item.b, item.order)
        return (item.judge, *at)

    allowed = {
        place(item)
        for item in everyone.items
        if guard != "exclude"
        or not any(kin(by_name[item.judge], by_name[name]) for name in agents_of(item))
    }
    assert {place(item) for item in planned.items} == allowed
    assert len(allowed) < len(everyone.items) or guard != "exclude"
    assert set(planned.guarded) == (set() if guard == "allow" else {("j", "a"), ("k", "b")})
    assert len(set(planned.guarded)) == len(planned.guarded)


@pytest.mark.reported("R37")
def test_families_that_are_unknown_are_no_kin(plan, make):
    agents = [make.agent("a", family="unknown"), make.agent("b")]
    planned = plan(plan_presentations, agents=agents, judges=[make.judge("j", family="unknown")])
    assert planned.guarded == ()
    assert len(planned.items) == 8


def test_a_judge_whose_use_is_not_planned_is_not_guarded(plan, make):
    agents = [make.agent("a"), make.agent("b")]
    judges = [make.judge("j", vendor="a", uses=("rubric",)), make.judge("n")]
    assert plan(plan_presentations, agents=agents, judges=judges).guarded == ()
    assert plan(plan_sheets, agents=agents, judges=judges).guarded == (("j", "a"),)


def test_transcripts_of_other_modes_are_passed_over_and_unknown_agents_are_an_error(plan, make):
    assert plan(plan_sheets, mode="lite").items == ()
    assert plan(plan_presentations, mode="lite").items == ()
    suite = make.suite()
    strangers = plan_transcripts(suite, "natural", [make.agent("stranger")], replicates=1)
    with pytest.raises(KeyError):
        plan(plan_sheets, transcripts=strangers)


def test_what_was_shown_must_be_the_same_to_be_compared(plan, make):
    agents = [make.agent("a"), make.agent("b")]
    old = make.suite(scenarios=(make.scenario("S-1", turns=["An older turn"]),))
    mixed = (
        *plan_transcripts(old, "natural", agents[:1], replicates=1),
        *plan_transcripts(make.suite(), "natural", agents[1:], replicates=1),
    )
    assert plan(plan_presentations, agents=agents, transcripts=mixed).items == ()


def test_a_wording_is_that_of_the_scenario_and_the_use(plan):
    sheets, pairs = plan(plan_sheets).items, plan(plan_presentations).items
    notes = {s.scenario: s.wording.notes for s in sheets}
    assert all(p.wording.notes == notes[p.scenario] for p in pairs)
    assert not {p.wording.template for p in pairs} & {s.wording.template for s in sheets}
