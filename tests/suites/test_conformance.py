"""Every suite that ships holds what a suite must hold."""

import itertools
import json
import re
import unicodedata
from pathlib import Path

import pytest
from pydantic import BaseModel

from arena.domain.call import Endpoint, Message, Request
from arena.domain.script import EVERY_SCENARIO
from arena.domain.words import Words
from arena.llm.scripted import Play, Scripted
from arena.suites.find import shipped_suites
from arena.suites.load import is_choice, load_script, load_suite

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "data" / "suites"
EXAMPLE = ROOT / "arena" / "cli" / "starter" / "example"
FOLDERS = [*sorted(p for p in SHIPPED.iterdir() if p.is_dir()), EXAMPLE]
DIALOGUES = [folder for folder in FOLDERS if not is_choice(folder)]
only_dialogues = pytest.mark.parametrize(
    "folder", DIALOGUES, ids=lambda p: p.name, indirect=True, scope="module"
)
LEVELS = ("careful", "plain", "careless")


def texts_of(folder):
    return [p for p in sorted(folder.rglob("*")) if p.is_file()]


def words_in(value):
    """Every text in two languages inside records."""
    if isinstance(value, Words):
        yield value
    elif isinstance(value, BaseModel):
        yield from words_in([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, dict):
        yield from words_in(list(value.values()))
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from words_in(one)


@pytest.fixture(params=FOLDERS, ids=lambda p: p.name, scope="module")
def folder(request):
    return request.param


@pytest.fixture(scope="module")
def suite(folder):
    return load_suite(folder)


@pytest.fixture(scope="module")
def script(folder):
    return load_script(folder)


def test_the_shipped_suites_are_all_here():
    assert {f.name for f in FOLDERS} >= {"ceval", "eldercare-zh", "everyday-en", "example"}
    assert shipped_suites() == SHIPPED


def test_a_suite_in_the_repository_has_a_readme(folder):
    if folder != EXAMPLE:
        assert (folder / "README.md").read_text(encoding="utf-8").strip()


def test_every_mode_plays_every_scenario(suite):
    played = 0
    for mode, how in suite.modes.items():
        for scenario in suite.scenarios:
            turns = suite.user_turns(scenario, mode)
            own = scenario.turns if how.turns == "all" else scenario.turns[:1]
            assert all(turn.strip() for turn in turns)
            assert scenario.turns[0] in turns[0]
            assert turns[1 : len(own)] == own[1:]
            assert len(turns) == len(own) + (scenario.archetype in how.closing)
            played += 1
    assert played == len(suite.modes) * len(suite.scenarios) > 0
    assert suite.default_mode in suite.modes


def test_no_template_mark_is_left_in_what_an_agent_is_shown(suite):
    for mode, scenario in itertools.product(suite.modes, suite.scenarios):
        assert "{turn}" not in "".join(suite.user_turns(scenario, mode))


@only_dialogues
def test_a_judge_has_notes_for_every_mode_and_scenario(suite):
    missing = [
        (mode, scenario.scenario)
        for mode, scenario in itertools.product(suite.modes, suite.scenarios)
        if mode not in scenario.notes
    ]
    assert missing == []


def test_every_scenario_has_something_that_counts_and_something_to_compare(suite):
    for scenario in suite.scenarios:
        rubric = suite.rubric_of(scenario)
        assert any(c.counts for c in rubric.criteria_for(scenario))
        assert all(c.question.strip() for c in rubric.compare_criteria())
    assert any(suite.is_main(s) for s in suite.scenarios)


def test_references_inside_a_suite_lead_somewhere(suite):
    archetypes = {a.archetype for a in suite.archetypes}
    for mode in suite.modes.values():
        assert set(mode.instructions) | set(mode.closing) <= archetypes
    for rubric in suite.rubrics.values():
        for criterion in rubric.criteria:
            assert set(criterion.only.archetypes) <= archetypes
            assert set(criterion.notes) <= set(suite.modes)
            low, high = rubric.scale_of(criterion)
            assert all(low <= point <= high for point in criterion.anchors)
        assert all(rubric.scale[0] <= point <= rubric.scale[1] for point in rubric.anchors)


def test_every_domain_archetype_and_rubric_is_used(suite):
    assert {d.domain for d in suite.domains} == {s.domain for s in suite.scenarios}
    assert {a.archetype for a in suite.archetypes} == {s.archetype for s in suite.scenarios}
    assert set(suite.rubrics) == {a.rubric for a in suite.archetypes}


@pytest.mark.parametrize("what", ["domains", "archetypes", "red_flags"])
def test_keys_are_listed_once(suite, what):
    keys = [next(iter(one.model_dump().values())) for one in getattr(suite, what)]
    assert len(keys) == len(set(keys))


def test_red_flags_are_of_the_closed_list_and_of_a_turn_that_exists(suite):
    known = {f.flag for f in suite.red_flags}
    for scenario in suite.scenarios:
        for flag in scenario.red_flags:
            assert flag.flag in known
            assert 1 <= flag.turn <= len(scenario.turns)


def test_every_name_is_there_in_both_languages(suite, script):
    records = [
        suite.name,
        suite.about,
        suite.modes,
        suite.domains,
        suite.archetypes,
        suite.red_flags,
        suite.rubrics,
        suite.scenarios,
        script,
    ]
    found = list(words_in(records))
    assert len(found) > len(suite.scenarios)
    assert [w for w in found if not (w.zh.strip() and w.en.strip())] == []


def test_no_first_turn_contains_another(suite):
    # A scripted agent knows its scenario by its first turn.
    firsts = [s.turns[0] for s in suite.scenarios]
    assert [(a, b) for a, b in itertools.permutations(firsts, 2) if a in b] == []


@only_dialogues
def test_the_script_has_agents_to_rank_and_judges_for_both_uses(script):
    assert len({a.agent for a in script.agents}) == len(script.agents) >= 2
    assert {use for j in script.judges for use in j.uses} == {"rubric", "pairwise"}
    names = [a.agent for a in script.agents] + [j.judge for j in script.judges]
    assert len(names) == len(set(names))


@only_dialogues
def test_the_script_covers_every_scenario_to_its_last_turn(folder, suite, script):
    if folder == EXAMPLE:
        assert EVERY_SCENARIO in script.lines
        return
    assert set(script.lines) - {EVERY_SCENARIO} == {s.scenario for s in suite.scenarios}
    for scenario in suite.scenarios:
        lines = script.lines_of(scenario.scenario)
        assert {len(getattr(lines, level)) for level in LEVELS} == {len(scenario.turns)}


@only_dialogues
def test_no_line_of_the_script_contains_another(suite, script):
    lines = [
        text.strip()
        for own in script.lines.values()
        for level in LEVELS
        for text in getattr(own, level)
    ]
    assert len(lines) == len(set(lines))
    assert [(a, b) for a, b in itertools.permutations(lines, 2) if a in b] == []
    turns = [turn for s in suite.scenarios for turn in s.turns]
    assert [line for line in lines if any(line in turn for turn in turns)] == []


@only_dialogues
async def test_scripted_agents_play_every_scenario_with_its_own_lines(folder, suite, script):
    play = Scripted({suite.suite: Play(suite, script)})
    who = script.agents[0].agent
    endpoint = Endpoint(id="a", model=f"scripted/{suite.suite}/{who}")
    for mode, scenario in itertools.product(suite.modes, suite.scenarios):
        messages = ()
        lines = script.lines_of(scenario.scenario)
        own = {t for level in LEVELS for t in getattr(lines, level)}
        for turn in suite.user_turns(scenario, mode):
            messages = (*messages, Message("user", turn))
            reply = await play(Request(endpoint=endpoint, messages=messages))
            assert reply.text in own
            messages = (*messages, Message("assistant", reply.text))


def test_texts_are_nfc_without_marks_carriage_returns_or_control_characters(folder):
    files = texts_of(folder)
    assert files
    for path in files:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
        assert not raw.startswith(b"\xef\xbb\xbf"), path.name
        assert unicodedata.is_normalized("NFC", text), path.name
        bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn")} - {"\n"}
        assert not bad, path.name
        assert text.endswith("\n"), path.name
        assert not re.search(r"[ \t]+$", text, re.MULTILINE) or path.suffix == ".md", path.name


@only_dialogues
def test_no_escaped_control_character_hides_in_a_scenario(folder):
    path = folder / "scenarios.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        text = json.dumps(json.loads(line), ensure_ascii=False).replace("\\n", "")
        assert not re.search(r"\\[bfrtu]", text)
        assert "\ufffd" not in text


def test_what_a_script_says_is_nfc_too(script):
    dumped = json.dumps(script.model_dump(mode="json"), ensure_ascii=False)
    assert unicodedata.is_normalized("NFC", dumped)
