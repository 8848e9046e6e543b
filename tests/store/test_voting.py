"""Votes of people: committed once, taken back and kept, each with the chance of its draw."""

from dataclasses import replace

import pytest

from arena.domain.call import Status
from arena.domain.verdict import CriterionVerdict, Outcome
from arena.domain.voting import Cast, Draw, VotePlan
from arena.store.store import Store


def a_plan(**changes):
    draws = tuple(
        Draw(
            a=f"t-{n}a",
            b=f"t-{n}b",
            agent_a="x",
            agent_b="y",
            scenario=f"S-{n}",
            replicate=1,
            order="ab" if n % 2 else "ba",
            why="random" if n < 3 else "disputed",
            probability=0.25 if n < 3 else None,
        )
        for n in range(4)
    )
    values = {"suite": "tiny", "mode": "natural", "seed": 1, "share": 0.7, "frame": 12}
    values |= {"frame_digest": "f", "made_from": "judged", "draws": draws}
    return VotePlan(**(values | changes))


FRAME = [(f"a{n}", f"b{n}") for n in range(12)]


def a_vote(make, plan, place, *, person="human:li", outcome=Outcome.A, attempt=1, via="browser"):
    draw = plan.draws[place]
    presentation = make.presentation(
        a=draw.a, b=draw.b, scenario=draw.scenario, judge=person, order=draw.order
    )
    verdict = make.verdict(
        presentation,
        attempt=attempt,
        status=Status.OK if outcome else Status.REFUSED,
        outcome=outcome,
        margin=None,
        criteria=(CriterionVerdict(criterion="warmth", side=Outcome.TIE, strength=None),)
        if outcome
        else (),
    )
    return Cast(plan=plan.key, place=place, verdict=verdict, via=via)


@pytest.fixture
def held(tmp_path):
    plan = a_plan()
    with Store(tmp_path / "arena.duckdb") as store:
        store.voting.add_plan(plan, FRAME, run="r", at="1")
        yield store, plan


def test_a_plan_comes_back_as_it_was_and_the_last_one_is_in_force(held):
    store, plan = held
    store.voting.add_plan(plan, FRAME, run="r", at="2")
    assert store.voting.plans("tiny", "natural") == [plan]
    other = a_plan(seed=2)
    store.voting.add_plan(other, FRAME, run="r", at="3")
    assert store.voting.plans("tiny", "natural") == [other, plan]
    assert store.voting.plans("tiny", "probe") == []
    assert store.voting.frame(plan.key) == store.voting.frame(other.key) == set(FRAME)
    assert store.voting.frame("another") == set()


def test_votes_come_back_with_the_chance_of_their_draw_and_skips_are_missing(held, make):
    store, plan = held
    votes = [
        a_vote(make, plan, 0),
        a_vote(make, plan, 1, outcome=None),
        a_vote(make, plan, 3, outcome=Outcome.TIE, person="human:wu"),
    ]
    assert store.voting.add(votes, run="r") == ["new"] * 3
    found = store.voting.all("tiny", "natural")
    assert [(v.person, v.scenario, v.order, v.outcome, v.probability) for v in found] == [
        ("human:li", "S-0", "ba", Outcome.A, 0.25),
        ("human:li", "S-1", "ab", None, 0.25),
        ("human:wu", "S-3", "ab", Outcome.TIE, None),
    ]
    assert found[0].presentation_probability == 0.125
    assert found[2].presentation_probability is None
    assert found[0].criteria == {"warmth": Outcome.TIE}
    assert len(store.people.verdicts(["t-0a", "t-1a", "t-3a", "t-0b", "t-1b", "t-3b"])) == 2


def test_the_same_vote_twice_is_one_and_another_in_its_place_is_none(held, make):
    store, plan = held
    vote = a_vote(make, plan, 0)
    assert store.voting.add([vote, vote], run="r") == ["new", "same"]
    other = a_vote(make, plan, 0, outcome=Outcome.B)
    again = a_vote(make, plan, 0, outcome=Outcome.B, attempt=2)
    assert store.voting.add([vote, other, again], run="r") == ["same", "other", "other"]
    assert [v.outcome for v in store.voting.all("tiny", "natural")] == [Outcome.A]


def test_a_vote_that_is_taken_back_stays_and_does_not_count(held, make):
    store, plan = held
    vote = a_vote(make, plan, 0)
    key = vote.verdict.presentation.key
    store.voting.add([vote], run="r")
    assert store.voting.withdraw(key, 1, run="r", at="5")
    assert store.voting.withdraw(key, 1, run="r", at="6")
    assert not store.voting.withdraw(key, 2, run="r", at="6")
    assert store.voting.all("tiny", "natural") == []
    (kept,) = store.voting.all("tiny", "natural", withdrawn=True)
    assert (kept.withdrawn, kept.outcome) == (True, Outcome.A)
    assert store.people.verdicts(["t-0a", "t-0b"]) == []
    # A late repetition of what was taken back does not bring it back.
    assert store.voting.add([vote], run="r") == ["same"]
    assert store.voting.all("tiny", "natural") == []
    skipped = a_vote(make, plan, 0, outcome=None, attempt=2)
    assert store.voting.add([skipped], run="r") == ["new"]
    assert store.people.verdicts(["t-0a", "t-0b"]) == []
    assert [v.outcome for v in store.voting.all("tiny", "natural")] == [None]


def test_a_batch_is_kept_whole_or_not_at_all(held, make):
    store, plan = held
    bad = a_vote(make, plan, 1)
    bad = replace(bad, via="post")
    with pytest.raises(Exception, match="CHECK"):
        store.voting.add([a_vote(make, plan, 0), bad], run="r")
    assert store.voting.all("tiny", "natural", withdrawn=True) == []
    assert store._connection.execute("select count(*) from verdict").fetchone() == (0,)


def test_everybody_has_an_order_of_their_own_over_the_whole_plan():
    plan = a_plan()
    orders = {person: plan.order_for(person) for person in map(str, range(30))}
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 5
    assert len({plan.item(n) for n in range(4)}) == 4
