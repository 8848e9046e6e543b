"""The spread of a criterion where there is a red flag: always; a share only with a threshold."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from arena.domain.call import Status
from arena.domain.score import Score
from arena.domain.suite import Criterion, RedFlag, RedFlagKind, Rubric
from arena.maths.means import wilson
from arena.site.facts import JudgeFact, SheetFact, TranscriptFact
from arena.site.grids import build_grids
from arena.site.names import make_names
from arena.site.spread import build_spreads, counts_between, edges_of, gather_spreads
from arena.site.words import say_in
from tests.site.boards import edition_of

SAFETY = {"criterion": "safety", "name": "Safety <b>", "question": "q"}


def rubric_with(spread, *, scale=(0, 20), anchors=None):
    return Rubric.model_validate(
        {
            "rubric": "main",
            "name": "sheet",
            "scale": scale,
            "anchors": anchors or {0: "a", 5: "b", 10: "c", 15: "d", 20: "e"},
            "criteria": [SAFETY | ({} if spread is None else {"spread": spread})],
            "compare": ["safety"],
        }
    )


def fact(agent, scenario, *values, replicate=1):
    """A transcript with a sheet a judge; None: one that could not be read."""
    sheets = tuple(
        SheetFact(
            judge=f"judge-{n}",
            status=Status.UNPARSED if value is None else Status.OK,
            absolute=None,
            scores=() if value is None else (Score(criterion="safety", value=value),),
        )
        for n, value in enumerate(values)
    )
    return TranscriptFact(
        agent=agent,
        scenario=scenario,
        replicate=replicate,
        rounds=(),
        status=Status.OK,
        broken=0,
        error="",
        sheets=sheets,
        absolute=None,
        cost=None,
        latencies=(),
    )


@pytest.fixture
def edition(make):
    def build(spread, facts, *, flagged=3, board=True, **more):
        suite = make.suite(scenarios=5)
        flag = RedFlag(flag="chest", sign="It hurts.", turn=2)
        scenarios = tuple(
            s.model_copy(update={"red_flags": (flag,)}) if n < flagged else s
            for n, s in enumerate(suite.scenarios)
        )
        suite = replace(
            suite,
            red_flags=(RedFlagKind(flag="chest", name=make.words("Chest")),),
            rubrics={"main": rubric_with(spread, **more)},
            scenarios=scenarios,
        )
        job = make.job(suite=suite)
        made = edition_of(make.every_state(suite), job)
        judges = tuple(
            JudgeFact(
                id=j.judge,
                judge=j,
                returned=(),
                score_templates=(),
                compare_templates=(),
                sheets={},
                verdicts={},
            )
            for j in job.judges
        )
        by_scenario = {
            s.scenario: tuple(f for f in facts if f.scenario == s.scenario) for s in scenarios
        }
        made = replace(made, scenarios=scenarios, transcripts=by_scenario, judges=judges)
        return made if board else replace(made, board=None)

    return build


def grids(edition):
    return build_spreads(edition, make_names(edition, say_in("en")))


FACTS = (
    fact("CON", "EC-13", 18.0, 20.0),
    fact("CON", "ec-13", 4.0, None),
    fact("CON", "COM1", None, None),
    fact("CON", "S-4", 1.0),
    fact("a/b", "EC-13", 10.0),
)


def test_scenarios_count_once_and_what_is_missing_is_left_out_and_told(edition):
    made = edition({"where": "red_flags"}, FACTS)
    rubric = made.job.suite.rubrics["main"]
    found = gather_spreads(made, rubric, rubric.criteria[0])["CON"]
    # A mean over judges; a scenario without a flag does not enter, one that failed gives nothing.
    assert (found.values, found.planned) == ((19.0, 4.0), 3)
    (grid,) = grids(made)
    assert [head.label for head in grid.heads] == ["0–5", "5–10", "10–15", "15–20", "Median"]
    assert len(grid.rows) == 2
    rows = {row.cells[-1].note: [c.text for c in row.cells] for row in grid.rows}
    assert rows["n=2 of 3"] == ["1", "0", "0", "1", "11.5"]
    assert rows["n=1 of 3"] == ["0", "0", "1", "0", "10.0"]
    assert "No threshold is set" in grid.about
    assert "(j/a)" in grid.about


def test_a_share_with_its_interval_stands_there_once_a_threshold_is_set(edition):
    (grid,) = grids(edition({"at_least": 10}, FACTS))
    assert grid.heads[-1].label == "At least 10"
    shares = {row.cells[-2].note: row.cells[-1] for row in grid.rows}
    low, high = wilson(1, 2)
    assert shares["n=2 of 3"].text == "50%"
    assert shares["n=2 of 3"].note == f"{low:.0%}–{high:.0%}"
    assert shares["n=1 of 3"].text == "100%"
    assert "Wilson" in grid.about


def test_it_needs_no_board_and_is_not_there_where_nothing_is_asked_or_scored(edition):
    assert grids(edition(None, FACTS)) == ()
    assert grids(edition({}, ())) == ()
    assert grids(edition({}, FACTS, flagged=0)) == ()
    alone = edition({}, FACTS, board=False)
    assert len(build_grids(alone, make_names(alone, say_in("zh")))) == 1


def test_a_sign_that_a_mode_does_not_show_is_no_danger_there(edition):
    made = edition({}, FACTS)
    lite = replace(made, job=replace(made.job, mode="lite"))
    assert grids(lite) == ()


@pytest.mark.parametrize(
    ("scale", "anchors", "edges"),
    [
        ((0, 20), None, (0, 5, 10, 15, 20)),
        ((0, 10), {0: "low", 10: "high"}, (0, 2, 4, 6, 8, 10)),
        ((1, 5), {1: "low", 3: "so so", 4: "good", 5: "high"}, (1, 3, 4, 5)),
    ],
)
def test_a_scale_is_divided_at_its_anchors_else_in_equal_steps(scale, anchors, edges):
    rubric = rubric_with({}, scale=scale, anchors=anchors)
    assert edges_of(rubric, rubric.criteria[0]) == edges


def test_every_value_lies_in_one_part():
    assert counts_between([0, 4.9, 5, 10, 19, 20], (0, 5, 10, 15, 20)) == [2, 1, 1, 2]


def test_asking_for_a_spread_changes_nothing_that_a_judge_is_told():
    assert rubric_with(None).plain
    assert rubric_with({"at_least": 10}).plain
    plain = Criterion.model_validate(SAFETY).model_dump(mode="json")
    assert "spread" not in plain


def test_a_threshold_lies_on_the_scale():
    with pytest.raises(ValidationError, match="not on the scale: 21"):
        rubric_with({"at_least": 21})
