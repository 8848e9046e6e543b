"""What is planned: selection, limits spread over domains, transcripts in order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.agent import Agent
from arena.domain.plan import Selection, plan_transcripts
from arena.domain.suite import Scenario


def agents(*names):
    return tuple(Agent(agent=n, vendor=n, model="m") for n in names)


def in_domains(suite, scenario, domains):
    """A suite with one scenario a letter, each in the domain of that letter."""
    return suite(tuple(scenario(f"S-{n}", domain=d) for n, d in enumerate(domains, 1)))


def chosen(suite, **selection):
    return [s.scenario for s in Selection(**selection).scenarios_of(suite)]


def test_an_empty_selection_is_everything_in_order(suite, scenario):
    many = in_domains(suite, scenario, "abcab")
    assert chosen(many) == ["S-1", "S-2", "S-3", "S-4", "S-5"]


# The first of each domain comes before the second of any; results keep the suite's order.
@pytest.mark.parametrize(
    ("domains", "limit", "expected"),
    [
        ("aaabbc", 3, ["S-1", "S-4", "S-6"]),
        ("aaabbc", 4, ["S-1", "S-2", "S-4", "S-6"]),
        ("aaabbc", 5, ["S-1", "S-2", "S-4", "S-5", "S-6"]),
        ("aaabbc", 6, ["S-1", "S-2", "S-3", "S-4", "S-5", "S-6"]),
        ("aaabbc", 99, ["S-1", "S-2", "S-3", "S-4", "S-5", "S-6"]),
        ("aaabbc", 1, ["S-1"]),
        ("cba", 2, ["S-1", "S-2"]),
    ],
)
def test_a_limit_is_spread_over_domains(suite, scenario, domains, limit, expected):
    assert chosen(in_domains(suite, scenario, domains), limit=limit) == expected


@given(st.text("abcd", min_size=1, max_size=14), st.integers(1, 16))
def test_no_domain_gets_two_more_than_another_that_has_some_left(domains, limit):
    base = {"archetype": "t", "title": "t", "persona": {"user": "u"}, "turns": ["x"], "notes": {}}
    scenarios = [
        Scenario.model_validate({"scenario": f"S{n}", "domain": d, **base})
        for n, d in enumerate(domains)
    ]

    class Holder:
        pass

    Holder.scenarios = scenarios
    found = Selection(limit=limit).scenarios_of(Holder)
    assert len(found) == min(limit, len(domains))
    assert [s for s in scenarios if s in found] == list(found)
    got, there = Counter(s.domain for s in found), Counter(domains)
    for one in there:
        for other in there:
            if got[other] < there[other]:
                assert got[one] <= got[other] + 1


def test_selections_narrow_together(suite, scenario):
    many = in_domains(suite, scenario, "abab")
    assert chosen(many, domains=("a",)) == ["S-1", "S-3"]
    assert chosen(many, scenarios=("S-3", "S-2")) == ["S-2", "S-3"]
    assert chosen(many, scenarios=("S-2", "S-3"), domains=("a",)) == ["S-3"]
    assert chosen(many, domains=("a",), limit=1) == ["S-1"]
    assert chosen(many, domains=("zzz",), limit=1) == []


def test_every_agent_plays_every_scenario_in_every_replicate(suite):
    tiny = suite()
    planned = plan_transcripts(tiny, "natural", agents("x", "y"), replicates=3)
    assert [(s.scenario, s.agent, s.replicate) for s in planned] == [
        (scenario, agent, n) for scenario in ("S-1", "S-2") for agent in "xy" for n in (1, 2, 3)
    ]
    assert len({s.key for s in planned}) == 12
    assert {s.rounds for s in planned} == {2}


@pytest.mark.parametrize(("mode", "rounds"), [("natural", 2), ("lite", 1), ("wrapped", 3)])
def test_rounds_are_the_user_turns_of_the_mode(suite, mode, rounds):
    planned = plan_transcripts(suite(), mode, agents("x"), replicates=1)
    assert {s.rounds for s in planned} == {rounds}
    assert {s.mode for s in planned} == {mode}


def test_selecting_agents_leaves_the_others_out(suite):
    planned = plan_transcripts(
        suite(), "natural", agents("x", "y"), replicates=1, selection=Selection(agents=("y",))
    )
    assert {s.agent for s in planned} == {"y"}


def test_one_more_scenario_plans_only_itself(suite, scenario):
    def keys(tiny):
        return {s.key for s in plan_transcripts(tiny, "natural", agents("x"), replicates=1)}

    before = keys(suite())
    after = keys(suite((scenario("S-1"), scenario("S-2"), scenario("S-3"))))
    assert before < after
    assert len(after - before) == 1


def test_a_mended_note_plans_nothing_anew(suite, scenario):
    def keys(**changes):
        tiny = suite((scenario("S-1", **changes),))
        return {s.key for s in plan_transcripts(tiny, "natural", agents("x"), replicates=1)}

    assert keys() == keys(notes={"natural": "Another note."}) != keys(turns=["Other words."])
