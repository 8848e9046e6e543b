"""After a plan was drawn anew, nobody is asked again what they have answered; undo still works."""

from dataclasses import replace

from arena.domain.verdict import Outcome
from arena.domain.voting import Draw, HumanVote, VotePlan
from arena.serving.ballots import Ballots


def draw(number):
    return Draw(
        a=f"a{number}",
        b=f"b{number}",
        agent_a="careful",
        agent_b="curt",
        scenario=f"S{number}",
        replicate=1,
        order="ab" if number % 2 else "ba",
        why="random",
        probability=0.5,
    )


def plan(seed, numbers):
    return VotePlan(
        suite="mine",
        mode="natural",
        seed=seed,
        share=1.0,
        frame=10,
        frame_digest="f",
        made_from="all",
        draws=tuple(draw(n) for n in numbers),
    )


def vote(of, place, *, person="human:li", attempt=1, outcome=Outcome.A, withdrawn=False, at="1"):
    shown = of.draws[place]
    names = ("a", "b", "agent_a", "agent_b", "scenario", "replicate", "order", "why", "probability")
    return HumanVote(
        verdict=f"{person}/{shown.a}",
        attempt=attempt,
        plan=of.key,
        place=place,
        person=person,
        via="browser",
        at=at,
        outcome=outcome,
        criteria={},
        withdrawn=withdrawn,
        **{name: getattr(shown, name) for name in names},
    )


OLD, NEW = plan(1, [0, 1, 2, 3]), plan(2, [5, 3, 1, 6])


def test_what_was_answered_under_an_earlier_plan_is_answered():
    ballots = Ballots(NEW, [vote(OLD, 1), vote(OLD, 3, outcome=None, at="2")])
    assert ballots.progress("human:li").done == 2
    assert ballots.progress("human:li").skipped == 1
    left = []
    while (place := ballots.next_place("human:li")) is not None:
        left.append(NEW.draws[place].a)
        ballots.note("human:li", place, ballots.turn("human:li", place), skipped=False)
    assert sorted(left) == ["a5", "a6"]
    # Others were not asked yet.
    assert ballots.progress("human:wu").done == 0


def test_an_answer_of_an_earlier_plan_can_be_taken_back_and_given_again():
    ballots = Ballots(NEW, [vote(OLD, 1)])
    place, attempt = ballots.last("human:li")
    assert (NEW.draws[place].a, attempt) == ("a1", 1)
    ballots.take_back("human:li", place, attempt)
    assert ballots.progress("human:li").done == 0
    assert ballots.turn("human:li", place) == 2


def test_an_answer_that_was_taken_back_earlier_has_used_its_attempt():
    ballots = Ballots(NEW, [vote(OLD, 1, withdrawn=True)])
    place = next(n for n, d in enumerate(NEW.draws) if d.a == "a1")
    assert ballots.stands("human:li", place) is None
    assert ballots.turn("human:li", place) == 2


def test_the_same_transcripts_in_the_other_order_are_another_question():
    turned = replace(
        OLD, draws=tuple(replace(d, order="ab" if d.order == "ba" else "ba") for d in OLD.draws)
    )
    ballots = Ballots(NEW, [vote(turned, 1), vote(turned, 3)])
    assert ballots.progress("human:li").done == 0
