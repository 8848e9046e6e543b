"""Scores over rounds: what is missing stays missing, and a trend is a slope."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.domain.rounds import LAST, MEAN, TREND, measure, slope
from arena.domain.score import Backing, Score, Sheet, SheetSpec
from arena.domain.suite import Rubric, Scenario
from arena.domain.verdict import Wording

WORDING = Wording(template="t", rubric="r", notes="n", cut="none")
SCENARIO = Scenario.model_validate(
    {
        "scenario": "S-1",
        "archetype": "talk",
        "domain": "health",
        "title": "T",
        "persona": {"user": "U"},
        "turns": ["One?", "Two.", "Three."],
        "notes": {},
    }
)


def rubric(*scopes):
    criteria = [
        {"criterion": "care", "name": "Care", "question": "?"},
        {"criterion": "match", "name": "Match", "question": "?", "cannot_judge": {"rounds": 1}},
    ]
    return Rubric.model_validate(
        {
            "rubric": "main",
            "name": "sheet",
            "scale": [0, 5],
            "scopes": scopes,
            "criteria": criteria,
            "compare": ["care"],
        }
    )


def sheet(round, status=Status.OK, unjudged=(), **scores):
    spec = SheetSpec(
        transcript="t",
        agent="x",
        scenario="S-1",
        judge="j",
        judge_digest="0",
        wording=WORDING,
        scope="turn" if round else "transcript",
        round=round,
    )
    return Sheet(
        spec=spec,
        attempt=1,
        status=status,
        scores=tuple(Score(criterion=k, value=v) for k, v in scores.items()),
        summary="",
        strengths=(),
        issues=(),
        flags=(),
        call="c",
        at="",
        backing=Backing(unjudged=tuple(unjudged)),
    )


def over(*sheets, scopes=("turn",), rounds=3):
    return measure(sheets, rubric(*scopes), SCENARIO, rounds=rounds)


def test_last_mean_and_trend_of_rounds():
    found = over(sheet(1, care=1, match=1), sheet(2, care=2, match=2), sheet(3, care=3, match=3))
    assert found.by_round == {1: 20, 2: 40, 3: 60}
    assert found.rounds == {LAST: 60, MEAN: 40, TREND: 20}
    assert found.absolute == 40
    assert found.criteria == {"care": 2, "match": 2}


def test_what_cannot_be_judged_is_missing_and_a_zero_is_a_zero():
    left = over(sheet(1, care=5, unjudged=["match"]), sheet(2, care=5, match=0), rounds=2)
    assert left.by_round == {1: 100, 2: 50}
    assert left.criteria == {"care": 5, "match": 0}


def test_a_round_of_which_nothing_could_be_judged_has_no_score():
    found = over(sheet(1, unjudged=["care", "match"]), sheet(2, care=5, match=5), rounds=2)
    assert found.by_round == {2: 100}
    assert TREND not in found.rounds


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.OK])
def test_an_unreadable_round_is_missing_and_never_zero(status):
    found = over(sheet(1, care=5, match=5), sheet(2, status), rounds=2)
    assert found.absolute == 100
    assert LAST not in found.rounds


def test_nothing_readable_is_no_score_at_all():
    found = over(sheet(1, Status.UNPARSED))
    assert (found.absolute, found.criteria, found.rounds) == (None, {}, {})
    assert over().absolute is None


def test_where_the_whole_is_scored_the_rounds_stand_beside_it():
    both = ("turn", "transcript")
    found = over(sheet(1, care=5, match=5), sheet(0, care=1, match=1), scopes=both, rounds=1)
    assert found.absolute == 20
    assert found.criteria == {"care": 1, "match": 1}
    assert found.rounds == {LAST: 100, MEAN: 100}
    assert over(sheet(1, care=5, match=5), scopes=both, rounds=1).absolute is None


@given(st.floats(-50, 50), st.floats(-50, 50), st.sets(st.integers(1, 9), min_size=2))
def test_the_slope_of_a_line_is_its_own(start, step, rounds):
    assert slope({n: start + step * n for n in rounds}) == pytest.approx(step, abs=1e-6)


def test_one_round_has_no_trend():
    assert slope({1: 3.0}) is None
