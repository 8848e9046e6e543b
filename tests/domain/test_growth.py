"""A suite that uses none of what was added later has the digests that it always had."""

import pytest
from pydantic import ValidationError

from arena.domain.suite import Criterion, Rubric, Scenario
from arena.domain.telling import write_memories

CRITERION = {"criterion": "care", "name": "Care", "question": "Is it caring?"}
RUBRIC = {
    "rubric": "main",
    "name": "sheet",
    "scale": [0, 5],
    "criteria": [CRITERION],
    "compare": ["care"],
}
SCENARIO = {
    "scenario": "S-1",
    "archetype": "talk",
    "domain": "health",
    "title": "T",
    "persona": {"user": "U"},
    "turns": ["One?"],
    "notes": {},
}
ADDED = [
    (Rubric, RUBRIC, {"scopes": ["turn"]}),
    (Rubric, RUBRIC, {"scopes": ["turn"], "earlier_scores": True}),
    (Rubric, RUBRIC, {"guide": "Only what is seen."}),
    (Rubric, RUBRIC, {"groups": [{"group": "g", "name": "G", "criteria": ["care"]}]}),
    (Rubric, RUBRIC, {"evidence": True}),
    (Rubric, RUBRIC, {"confidence": True, "total": True, "suggestions": True}),
    (Rubric, RUBRIC, {"red_flags": "ask"}),
    (Criterion, CRITERION, {"scope_notes": {"turn": "This round only."}}),
    (Criterion, CRITERION, {"cannot_judge": {"rounds": 1, "empty": "past"}}),
    (Scenario, SCENARIO, {"reference": {"past": []}}),
    (Scenario, SCENARIO, {"memories": [{"memory": "m1", "text": "He has a son."}]}),
    (Scenario, SCENARIO, {"record": [{"ask": ["pain"], "say": "Here."}], "unknown": ["No idea."]}),
]


@pytest.mark.parametrize(("model", "base", "more"), ADDED)
def test_a_later_field_is_written_down_only_where_it_is_used(model, base, more):
    plain = model.model_validate(base).model_dump(mode="json")
    used = model.model_validate(base | more).model_dump(mode="json")
    assert not set(plain) & model.LATER
    assert set(used) - set(plain) == set(more)
    assert model.model_validate(used) == model.model_validate(base | more)


@pytest.mark.parametrize(("model", "base", "more"), ADDED)
def test_a_rubric_is_plain_until_it_asks_for_more(model, base, more):
    if model is Scenario:
        assert not model.model_validate(base).uses(*model.LATER)
        assert model.model_validate(base | more).uses(*more)
        return
    wrapped = RUBRIC | {"criteria": [base | more]} if model is Criterion else base | more
    assert Rubric.model_validate(RUBRIC).plain
    assert not Rubric.model_validate(wrapped).plain


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"scopes": ["turn", "turn"]}, "twice"),
        ({"scopes": []}, "at least 1"),
        ({"earlier_scores": True}, "needs the scope"),
        ({"groups": [{"group": "g", "name": "G", "criteria": ["warmth"]}]}, "no criterion"),
        ({"groups": [{"group": "g", "name": "G", "criteria": ["care", "care"]}]}, "lists twice"),
        ({"scopes": ["round"]}, "transcript"),
    ],
)
def test_what_a_rubric_cannot_mean_is_refused(more, said):
    with pytest.raises(ValidationError, match=said):
        Rubric.model_validate(RUBRIC | more)


def test_a_criterion_judged_by_an_empty_section_does_not_apply():
    second = {"criterion": "warmth", "name": "W", "question": "Warm?"}
    judged = CRITERION | {"cannot_judge": {"empty": "past"}}
    rubric = Rubric.model_validate(RUBRIC | {"criteria": [judged, second]})

    def asked(**reference):
        scenario = Scenario.model_validate(SCENARIO | reference)
        return [c.criterion for c in rubric.criteria_for(scenario)]

    assert asked() == asked(reference={"past": ["a fall"]}) == ["care", "warmth"]
    assert asked(reference={"past": []}) == ["warmth"]


def test_memories_stand_before_the_first_turn_and_nowhere_else():
    kept = [
        {"memory": "m1", "text": "He has a son."},
        {"memory": "m2", "text": "He { } kept bees."},
    ]
    scenario = Scenario.model_validate(SCENARIO | {"memories": kept})
    text = write_memories(scenario.memories, "en")
    assert text.count("\n- ") == 2
    assert "- He { } kept bees.\n" in text
    assert write_memories((), "zh") == ""
