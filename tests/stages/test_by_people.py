"""Votes of people beside judges' boards: what corrects, what does not and why, by hand."""

from dataclasses import asdict, replace
from types import SimpleNamespace

import numpy as np
import pytest

from arena.domain.board import from_json, to_json
from arena.domain.people_words import LEFT_OUT, OPEN_ENDED, WHY
from arena.domain.verdict import Outcome
from arena.domain.voting import Draw, HumanVote, VotePlan
from arena.stages.diagnose.diagnose import diagnose
from arena.stages.rank.labels import Drawn, answered_part, gather_labels, shown_in, weigh
from arena.stages.rank.planned import mark
from tests.support.voted import TIMES, Voted

NAMES = ("m0", "m1", "m2", "m3")
A, B, TIE = Outcome.A, Outcome.B, Outcome.TIE


def by_name(shown):
    """The lower name wins, but in every fourth scenario, so that everybody loses sometimes."""
    return B if int(shown.scenario[2:]) % 4 == 0 else A


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Transcripts of four agents in twelve scenarios, and the verdicts of a judge."""
    hall = Voted(tmp_path_factory.mktemp("by_people"), NAMES, scenarios=12)
    hall.judge(by_name)
    return hall


@pytest.fixture
def hall(kept):
    kept.forget_votes()
    return kept


def test_without_votes_a_board_says_nothing_of_people(hall):
    board = hall.rank()
    assert board.calibration is None
    assert all(s.calibrated is None for s in board.agents)
    assert gather_labels(hall.job, hall.store) is None


def test_people_who_say_what_the_judge_says_change_nothing(hall):
    plain = hall.rank()
    plan = hall.draw(size=72, share=1.0)
    hall.vote(plan, "human:li", by_name)
    board = hall.rank()
    told = board.calibration
    assert (told.labelled, told.scenarios, told.people) == (72, 12, 1)
    assert (told.probability, told.answered, told.why) == (1.0, 1.0, None)
    assert told.agreement[0].value == 1.0
    before = {s.agent: s for s in plain.agents}
    for s in board.agents:
        assert s.rating == before[s.agent].rating
        assert s.calibrated.rating == pytest.approx(s.rating, abs=0.01)
        assert s.calibrated.low < s.calibrated.rating < s.calibrated.high
    assert board.data_digest != plain.data_digest
    assert from_json(to_json(board)) == board
    assert [s.agent for s in hall.rank().agents] == [s.agent for s in board.agents]


def test_votes_of_everybody_on_everything_in_one_order_are_the_board_of_people(hall):
    # Whatever the judge says, and however it is trusted: with every comparison seen once, people's
    # own shares are what the corrected ratings are about.
    def turned(draw):
        return by_name(draw) if draw.agent_a != "m0" else TIE

    plan = hall.draw(size=72, share=1.0)
    hall.vote(plan, "human:li", turned)
    found = {s.agent: s for s in hall.rank().agents}
    assert found["m0"].calibrated.rating < found["m0"].rating - 60
    hall.forget_votes()
    part = hall.draw(size=36, share=1.0)
    hall.vote(part, "human:li", turned)
    less = {s.agent: s for s in hall.rank().agents}
    assert less["m0"].calibrated.se > found["m0"].calibrated.se


def test_skips_are_missing_withdrawn_votes_gone_and_who_differs_is_averaged(hall):
    plan = hall.draw(size=40, share=1.0)
    hall.vote(plan, "human:li", lambda d: None if d.scenario == "S-1" else A)
    hall.vote(plan, "human:wu", lambda d: None if d.scenario == "S-1" else B)
    labels = gather_labels(hall.job, hall.store)
    skipped = sum(d.scenario == "S-1" for d in plan.draws)
    assert set(labels.shares.values()) == {0.5}
    assert labels.left_out == {"skipped": 2 * skipped}
    assert labels.answered == pytest.approx(1 - skipped / 40)
    assert len(labels.weights) == 40 - skipped
    # A chance of 40 in 72, half of it an order's, and of what was drawn a part was answered.
    each = 1 / (40 / 72 / 2 * (1 - skipped / 40))
    assert list(labels.weights.values()) == pytest.approx([each] * (40 - skipped))
    votes = hall.store.voting.all("small-en", "natural")
    gone = next(v for v in votes if v.person == "human:wu" and v.outcome is B)
    hall.store.voting.withdraw(gone.verdict, 1, run="r", at=TIMES[4])
    after = gather_labels(hall.job, hall.store)
    assert after.shares[gone.a, gone.b, gone.order] == 1.0
    assert after.weights == labels.weights


def test_what_was_picked_corrects_nothing_and_counts_for_agreement(hall, tmp_path):
    two = Voted(tmp_path, NAMES, scenarios=12, judges=("referee", "second"))
    two.judge(lambda p: by_name(p) if p.judge == "referee" or int(p.scenario[2:]) % 3 else TIE)
    plan = two.draw(size=40, share=0.5)
    picked = sum(d.why == "disputed" for d in plan.draws)
    assert picked > 5
    two.vote(plan, "human:li", by_name, criteria=("warmth",))
    two.vote(plan, "human:wu", lambda d: None if d.why == "random" else A, criteria=("warmth",))
    board = two.rank()
    assert board.calibration.labelled == 20
    assert board.calibration.left_out == {"picked": 2 * picked, "skipped": 20}
    # Where nobody answers but what was picked, nothing corrects, and that is said.
    two.store._connection.execute("delete from verdict where judge = 'human:li'")
    two.store._connection.execute("delete from vote where person = 'human:li'")
    refused = two.rank()
    assert (refused.calibration.why, refused.calibration.labelled) == ("picked", 0)
    assert all(s.calibrated is None for s in refused.agents)
    found = diagnose(two.job, store=two.store, software="arena", at=TIMES[5], resamples=30)
    assert "people_picked" in found.notes
    figures = {(f.figure, f.of): f for f in found.judges[0].figures}
    raw = figures["agreement_raw", "human:wu"]
    assert (raw.n, raw.facts["picked"]) == (picked, picked)
    assert figures["criterion_raw", "warmth"].n == picked


def test_votes_without_a_known_chance_are_refused(hall):
    plan = hall.draw(size=30)
    hall.vote(plan, "human:li", by_name)
    hall.forget("vote", "vote_draw", "vote_frame", "vote_plan")
    board = hall.rank()
    assert (board.calibration.why, board.calibration.people) == ("no_chance", 1)
    found = diagnose(hall.job, store=hall.store, software="arena", at=TIMES[5], resamples=30)
    assert "people_no_chance" in found.notes


def test_few_scenarios_give_ratings_without_intervals(hall):
    plan = hall.draw(size=72)
    hall.vote(plan, "human:li", lambda d: by_name(d) if int(d.scenario[2:]) <= 9 else None)
    board = hall.rank()
    assert (board.calibration.scenarios, board.calibration.why) == (9, "few_scenarios")
    assert all(s.calibrated.rating is not None for s in board.agents)
    assert all(s.calibrated.low is s.calibrated.se is None for s in board.agents)


def test_votes_that_rate_nobody_are_said_to(hall):
    plan = hall.draw(size=72)
    hall.vote(plan, "human:li", lambda d: A)
    board = hall.rank()
    assert board.calibration.why == "nobody_rated"
    assert all(s.calibrated is None for s in board.agents)


def test_what_was_judged_after_the_drawing_had_no_chance(tmp_path):
    late = {"S-11", "S-12"}
    hall = Voted(tmp_path, NAMES, scenarios=12)
    hall.judge(by_name, only={f"S-{n}" for n in range(1, 11)})
    plan = hall.draw(size=30)
    first = hall.store.voting.frame(plan.key)
    assert len(first) == plan.frame == 60
    hall.vote(plan, "human:li", by_name)
    hall.judge(by_name, only=late, at=TIMES[4])
    assert hall.store.voting.frame(plan.key) == first
    board = hall.rank()
    assert board.calibration.labelled == 30
    assert board.calibration.scenarios == 10


def test_an_agent_that_is_gone_leaves_what_was_said_of_the_others(hall):
    plan = hall.draw(size=72)
    hall.vote(plan, "human:li", by_name)
    fewer = replace(hall.job, agents=hall.job.agents[1:])
    gone = hall.job.agents[0].agent
    left = sum(gone not in (d.agent_a, d.agent_b) for d in plan.draws)
    told = hall.rank(job=fewer).calibration
    assert (told.why, told.labelled, told.left_out) == (None, left, {})


def test_a_plan_whose_frame_was_not_kept_corrects_nothing(hall):
    hall.vote(hall.draw(size=30), "human:li", by_name)
    hall.forget("vote_frame")
    refused = hall.rank().calibration
    assert (refused.why, refused.left_out) == ("frame_lost", {"frame_lost": 30})


def a_vote(plan, draw, attempt=1):
    facts = {**asdict(draw), "verdict": f"{plan.key}{draw.a}", "attempt": attempt}
    facts |= {"plan": plan.key, "place": 0, "person": "human:li", "via": "browser", "at": "1"}
    return HumanVote(**facts, outcome=A, criteria={}, withdrawn=False)


def drawn_by_hand(rng, seed, *, frame, size):
    """A plan that drew so many of the first comparisons, each in an order of its own."""
    chosen = rng.choice(frame, size, replace=False).tolist()
    draws = [
        Draw(
            a=f"a{n}",
            b=f"b{n}",
            agent_a="x",
            agent_b="y",
            scenario=f"S-{n}",
            replicate=1,
            order="ab" if rng.random() < 0.5 else "ba",
            why="random",
            probability=size / frame,
        )
        for n in chosen
    ]
    values = {"suite": "s", "mode": "m", "share": 1.0, "frame": frame, "frame_digest": "f"}
    return VotePlan(**values, seed=seed, made_from="judged", draws=tuple(draws))


def test_over_all_drawings_an_answer_stands_for_one():
    # Two plans, the later one over more; one person answers half of the first, and half of what
    # the second asks anew: what was answered once is not asked again.
    rng, runs = np.random.default_rng(3), 800
    total = {(f"a{n}", f"b{n}", o): 0.0 for n in range(60) for o in ("ab", "ba")}
    for run in range(runs):
        found, earlier, votes = [], frozenset(), []
        for frame, size in ((40, 20), (60, 24)):
            plan = drawn_by_hand(rng, run, frame=frame, size=size)
            fresh = [d for d in plan.draws if (d.a, d.b, d.order) not in earlier]
            votes += [a_vote(plan, d) for d in fresh[: len(fresh) // 2]]
            chances, answered = answered_part(plan, votes, earlier)
            pairs = frozenset((f"a{n}", f"b{n}") for n in range(frame))
            found.append(
                Drawn(
                    frame=pairs, chances=chances, size=size, asked=size / frame, answered=answered
                )
            )
            earlier |= {shown_in(v) for v in votes}
        for shown, weight in weigh(found).items():
            total[shown] += weight
    mean = np.array(list(total.values())) / runs
    # One answer in ten presentations or so, standing for ten: the error of each is √10 / √runs.
    assert np.abs(mean - 1).max() < 4.5 * np.sqrt(10 / runs)
    assert mean[:80].mean() == pytest.approx(1, abs=0.03)
    assert mean[80:].mean() == pytest.approx(1, abs=0.03)


def test_everything_that_can_be_said_of_votes_has_words():
    assert set(OPEN_ENDED) < set(WHY)
    for words in (*WHY.values(), *LEFT_OUT.values()):
        assert words.en
        assert words.zh


def test_where_verdicts_chose_what_was_compared_no_interval_is_given(hall):
    hall.vote(hall.draw(size=72), "human:li", by_name)
    board = hall.rank()
    terms = SimpleNamespace(design="adaptive", baseline=None, seed=1, stop_width=None, looks=1)
    plan = SimpleNamespace(terms=terms, history=("adaptive",), cells=(), stop=None, key="k")
    marked = mark(board, plan)
    assert marked.calibration.why == "adaptive"
    assert all(s.calibrated.rating is not None for s in marked.agents)
    assert all(s.calibrated.low is s.calibrated.se is None for s in marked.agents)
