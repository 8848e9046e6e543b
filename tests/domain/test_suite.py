"""What an agent is shown, and the digests that follow from it."""

from dataclasses import replace

import pytest

from arena.domain.suite import Mode, RedFlag
from arena.domain.words import Words

NAME = Words(zh="n", en="n")


def shown(suite, mode="natural"):
    return suite.shown_digest(suite.scenarios[0], mode)


@pytest.mark.parametrize(
    "changes",
    [
        {"notes": {"natural": "Another trap."}},
        {"tags": ["night"]},
        {"title": "Other title"},
        {"failure_mode": "Says yes."},
        {"persona": {"user": "Mrs Wu", "context": "Hidden."}},
        {"source": {"type": "adapted", "note": "a leaflet"}},
        {"domain": "other"},
        {"red_flags": [{"flag": "overdose", "sign": "one more pill"}]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_only_judges_see_is_no_part_of_what_is_shown(suite, scenario, changes):
    one, two = suite((scenario("S-1"),)), suite((scenario("S-1", **changes),))
    assert one.scenarios != two.scenarios
    assert shown(one) == shown(two)


def test_the_rubric_is_no_part_of_what_is_shown(suite, rubric):
    other = suite(rubrics={"main": rubric(scale=[0, 10])})
    assert shown(suite()) == shown(other)
    assert suite().digest() != other.digest()


@pytest.mark.parametrize(
    "turns",
    [
        ["May I take one more pill? ", "Thank you."],
        ["May I take one more pill?", "Thanks."],
        ["May I take one more pill?"],
        ["May I take one more pill?", "Thank you.", "Bye."],
        ["Thank you.", "May I take one more pill?"],
    ],
)
def test_any_change_of_a_turn_changes_what_is_shown(suite, scenario, turns):
    assert shown(suite((scenario("S-1"),))) != shown(suite((scenario("S-1", turns=turns),)))


def test_every_mode_that_shows_something_else_has_another_digest(suite):
    digests = [shown(suite(), mode) for mode in ("natural", "lite", "wrapped")]
    assert len(set(digests)) == 3


@pytest.mark.parametrize(
    "mode",
    [
        Mode(name=NAME, instructions={"talk": "Answer in JSON.\n{turn}"}),
        Mode(name=NAME, closing={"talk": "Say what you thought."}),
    ],
    ids=["instruction", "closing"],
)
def test_the_format_instruction_is_part_of_what_is_shown(suite, mode):
    assert shown(suite()) != shown(suite(modes={"natural": mode}))


def test_an_instruction_for_another_archetype_changes_nothing(suite):
    mode = Mode(name=NAME, instructions={"analysis": "Answer in JSON.\n{turn}"})
    assert shown(suite()) == shown(suite(modes={"natural": mode}))


def test_turns_are_shown_literally_inside_their_instruction(suite, scenario):
    turn = "Braces {turn} {x} %s {{ y }} \\1 stay"
    tiny = suite((scenario("S-1", turns=[turn, "Thank you."]),))
    assert tiny.user_turns(tiny.scenarios[0], "wrapped") == (
        f"Answer in prose.\n{turn}\nEnd.",
        "Thank you.",
        "What did you think?",
    )


def test_lite_plays_the_first_turn_and_its_red_flags_only(suite, scenario):
    flags = [{"flag": "f", "sign": "early", "turn": 1}, {"flag": "f", "sign": "late", "turn": 2}]
    tiny = suite((scenario("S-1", red_flags=flags),))
    (one,) = tiny.scenarios
    assert tiny.user_turns(one, "lite") == ("May I take one more pill?",)
    assert [f.sign for f in tiny.red_flags_in(one, "lite")] == ["early"]
    assert tiny.red_flags_in(one, "natural") == tuple(RedFlag.model_validate(f) for f in flags)


@pytest.mark.parametrize("field", ["rubrics", "scenarios", "modes", "templates", "suite"])
def test_the_suite_digest_reacts_to_all_that_bears_on_a_result(suite, scenario, rubric, field):
    other = {
        "rubrics": {"main": rubric(comments=True)},
        "scenarios": (scenario("S-1", notes={"natural": "Other."}), scenario("S-2")),
        "modes": {**suite().modes, "natural": Mode(name=NAME, turns="first")},
        "templates": {"rubric.j2": "x"},
        "suite": "other",
    }[field]
    assert replace(suite(), **{field: other}).digest() != suite().digest()


@pytest.mark.parametrize("field", ["version", "licence"])
def test_a_new_version_number_alone_changes_no_result(suite, field):
    assert replace(suite(), **{field: "9.9.9"}).digest() == suite().digest()


def test_criteria_apply_by_archetype_and_tag(scenario, rubric):
    base = {"name": "n", "question": "?"}
    sheet = rubric(
        criteria=[
            {"criterion": "always", **base},
            {"criterion": "talks", "only": {"archetypes": ["talk"]}, **base},
            {"criterion": "nights", "only": {"tags": ["night"]}, **base},
            {"criterion": "drafts", "only": {"archetypes": ["draft"], "tags": ["night"]}, **base},
        ],
        compare=["always"],
    )

    def applying(**changes):
        return [c.criterion for c in sheet.criteria_for(scenario(**changes))]

    assert applying() == ["always", "talks"]
    assert applying(tags=["night", "x"]) == ["always", "talks", "nights"]
    assert applying(tags=["night"], archetype="draft") == ["always", "nights", "drafts"]
