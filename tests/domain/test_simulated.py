"""A simulated user answers what it is asked, from its record, and is part of a transcript's key."""

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from arena.domain.plan import plan_transcripts
from arena.domain.simulated import (
    SimulatedUser,
    answer_from_record,
    user_messages,
    user_prompt,
)
from arena.domain.suite import Scenario

RECORD = [
    {"ask": ["pain", "hurt"], "say": "My chest, on the stairs."},
    {"ask": ["drug", "pills"], "say": "A small white one."},
    {"ask": ["smoke"], "say": "Twenty a day."},
    {"ask": ["family"], "say": "My brother had it."},
]


def scenario(**more):
    return Scenario.model_validate(
        {
            "scenario": "S-1",
            "archetype": "talk",
            "domain": "health",
            "title": "T",
            "persona": {"user": "Mr {record} Lin", "context": "Alone."},
            "turns": ["Good morning.", "Yes.", "No."],
            "notes": {},
            "record": RECORD,
            "unknown": ["I could not say.", "No idea."],
        }
        | more
    )


ANSWERS = [
    ("Where does it HURT?", "My chest, on the stairs."),
    ("What pills? And do you smoke?", "A small white one. Twenty a day."),
    ("Lovely weather.", "I could not say."),
    ("", "I could not say."),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_only_what_is_asked_for_is_told(question, answer):
    assert answer_from_record(scenario(), question, []) == answer


def test_no_answer_tells_more_than_three_things():
    said = answer_from_record(scenario(), "pain, pills, smoke, family?", [])
    assert sum(entry["say"] in said for entry in RECORD) == 3
    rest = answer_from_record(scenario(), "pain, pills, smoke, family?", [said])
    assert rest == "My brother had it."


def test_what_was_told_is_not_told_again_and_not_knowing_varies():
    told = ["Good morning.", "My chest, on the stairs."]
    assert answer_from_record(scenario(), "pain?", told) in scenario().unknown
    first = answer_from_record(scenario(), "?", ["a"])
    assert first != answer_from_record(scenario(), "?", ["a", "b"])


def test_a_user_who_is_never_asked_never_tells():
    told = ["Good morning."]
    for _ in range(5):
        told.append(answer_from_record(scenario(), "Rest and drink water.", told))
    assert not any(entry["say"] in text for entry in RECORD for text in told)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_prompt_holds_the_record_literally(lang):
    text = user_prompt(scenario(), lang)
    assert "Mr {record} Lin" in text
    assert text.count("- pain / hurt: My chest, on the stairs.") == 1
    assert "- No idea." in text
    assert "{context}" not in text
    assert "{unknown}" not in text


def test_the_user_sees_the_dialogue_from_its_own_side():
    messages = user_messages(scenario(), "en", ["Good morning."], ["Where does it hurt?"])
    assert [m.role for m in messages] == ["system", "assistant", "user"]
    assert messages[-1].text == "Where does it hurt?"


def user(**more):
    return SimulatedUser.model_validate({"user": "patient", "model": "openai/x"} | more)


@pytest.mark.parametrize(
    "more", [{"model": "openai/y"}, {"sampling": {"seed": 2}}, {"version": "2"}]
)
def test_model_and_seed_are_part_of_the_key(more):
    suite = SimpleNamespace(language="en")
    assert user().key(suite, scenario()) != user(**more).key(suite, scenario())


def test_the_record_is_part_of_the_key_and_price_is_not():
    suite = SimpleNamespace(language="en")
    known = user().key(suite, scenario())
    assert user().key(suite, scenario(record=RECORD[:1])) != known
    assert user(limits={"concurrency": 2}).key(suite, scenario()) == known
    assert user(vendor="v").key(suite, scenario()) == known


def test_a_key_in_the_sampling_is_refused_as_everywhere():
    with pytest.raises(ValidationError, match="does not belong here"):
        user(sampling={"api_key": "x"})


def test_plans_with_and_without_a_simulated_user_are_apart_and_later_turns_do_not_matter():
    agent = SimpleNamespace(agent="x", replay=None, digest=lambda: "0")

    def plan(one, who):
        suite = SimpleNamespace(
            suite="s",
            language="en",
            scenarios=(one,),
            user_turns=lambda s, _: s.turns,
            shown_digest=lambda s, _: "-".join(s.turns),
        )
        (spec,) = plan_transcripts(suite, "natural", [agent], replicates=1, user=who)
        return spec

    canned, played = plan(scenario(), None), plan(scenario(), user())
    assert (canned.user, canned.rounds, played.rounds) == ("canned", 3, 3)
    assert canned.key != played.key
    other = scenario(turns=["Good morning.", "Maybe.", "No."])
    assert plan(other, user()).key == played.key
    assert plan(other, None).key != canned.key
    assert plan(scenario(turns=["Good day.", "Yes.", "No."]), user()).key != played.key
