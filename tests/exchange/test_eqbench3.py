"""EQ-Bench 3's prompts as a suite: kinds, formats, look back, and what judges are asked."""

import pytest

from arena.errors import ConfigError
from arena.exchange import eqbench3
from arena.exchange.eqbench3_suite import make
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.stages.doctor import examine
from arena.suites.load import load_script, load_suite
from tests.support.originals import EQBENCH, write_eqbench3
from tests.support.shared import shared_data


def imported(original, place):
    write_folder(place, contents_of(make(eqbench3.read(original), original), place.name, "x"))
    return load_suite(place)


@pytest.fixture
def original(tmp_path):
    return write_eqbench3(tmp_path / "original")


@pytest.fixture
def suite(original, tmp_path):
    return imported(original, tmp_path / "made")


def test_kinds_and_turns_are_those_of_the_original(suite, tmp_path):
    assert examine(tmp_path / "made").sound
    assert load_script(tmp_path / "made").agents
    kinds = {s.scenario: (s.archetype, s.turns) for s in suite.scenarios}
    assert kinds == {
        "1": ("roleplay", ("The bus.", "It is late.")),
        "131": ("mediation", ("Whose lamp?",)),
        "208": ("drafting", ("Write it.",)),
        "401": ("analysis", ("# Act 1\nThey quarrel.",)),
    }
    assert dict(suite.scenarios[0].notes) == dict.fromkeys(
        ("probe", "natural"), "The bus is a pretext."
    )
    assert dict(suite.scenarios[1].notes) == {}
    assert [d.domain for d in suite.domains][:2] == ["work_dilemma", "mediation_family"]


def test_the_first_turn_has_a_format_and_the_last_looks_back(suite):
    bus, lamp, note, quarrel = suite.scenarios
    back = EQBENCH["debrief_prompt.txt"]
    assert suite.user_turns(bus, "probe")[1:] == ("It is late.", back)
    assert suite.user_turns(bus, "probe")[0].endswith("# My response")
    assert suite.user_turns(lamp, "probe")[0].endswith("# My response")
    assert suite.user_turns(note, "probe")[0].endswith("# Draft")
    assert suite.user_turns(quarrel, "probe") == suite.user_turns(quarrel, "natural")
    assert len(suite.user_turns(quarrel, "probe")) == 1
    assert suite.user_turns(bus, "natural") == bus.turns


def test_judges_are_asked_in_the_original_words(suite, ask):
    bus, *_, quarrel = suite.scenarios
    text, contract = ask(suite, bus, "probe", "pairwise")
    first, second = contract.codes
    assert text.startswith(f"[{first}]")
    assert f"[{second}]" in text
    assert f"1. Empathy (felt)\n2. Overall\n\nThe bus is a pretext.\nLike {first}++." in text
    assert "A0493" not in text
    assert "User: back" not in text
    weighed, _ = ask(suite, quarrel, "probe", "pairwise")
    assert weighed.startswith("Weigh.\n[")
    assert "transcript_being_analysed" not in weighed
    assert ask(suite, bus, "natural", "rubric")[0].startswith("Score.\n")
    assert ask(suite, quarrel, "probe", "rubric")[0].startswith("Score the analysis.\n")


def test_what_is_better_when_higher_counts(suite):
    main, analysis = suite.rubrics["main"], suite.rubrics["analysis"]
    counted = [(c.criterion, c.counts) for c in main.criteria]
    assert counted == [("empathy", True), ("insight", True), ("warmth", False)]
    assert [c.criterion for c in main.compare_criteria()] == ["empathy", "overall_eq"]
    assert [c.criterion for c in analysis.criteria] == ["insight", "correctness"]
    assert all(c.counts for c in analysis.criteria)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("scenario_prompts.txt", "none", "no scenario in it"),
        ("scenario_prompts.txt", "######## 1 | A\n####### Prompt1\nx\n", "no scenario with an id"),
        ("scenario_prompts.txt", "######## 1 | A | B\n", "no scenario with an id"),
        ("scenario_prompts.txt", "######## ../1 | A | B\n####### 1\nx\n", "no scenario with an id"),
        ("rubric_scoring_criteria.txt", "Not Keys", "not a list of criteria: Not"),
        ("rubric_scoring_criteria.txt", "", "not a list of criteria: -"),
        ("rubric_scoring_prompt.txt", "{transcript}", "better when higher"),
        ("pairwise_prompt_eqbench3.txt", "1. a\n2. b\n", "do not go with"),
        ("debrief_prompt.txt", None, "not laid out like"),
        ("scenario_master_prompt.txt", None, "no such file"),
    ],
)
def test_what_cannot_be_read_is_named(original, file, text, said):
    (original / file).unlink()
    if text is not None:
        (original / file).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        make(eqbench3.read(original), original)


def test_the_published_prompts_become_a_sound_suite(tmp_path):
    suite = imported(shared_data("eqbench3"), tmp_path / "made")
    assert examine(tmp_path / "made").sound
    assert len(suite.scenarios) == 46
    assert sum(len(s.turns) for s in suite.scenarios) == 93
    assert sum(c.counts for c in suite.rubrics["main"].criteria) == 6
