"""The original eldercare folder as a suite: the same words where agents and judges see them."""

import itertools
import json

import pytest

from arena.errors import ConfigError
from arena.exchange import eldercare
from arena.exchange.eldercare_suite import make
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.stages.doctor import examine
from arena.suites.load import load_script, load_suite
from tests.support.originals import CASES, SHOWN, case, lines, write_eldercare
from tests.support.shared import shared_data


def imported(original, place):
    write_folder(place, contents_of(make(eldercare.read(original), original), place.name, "x"))
    return load_suite(place)


@pytest.fixture
def original(tmp_path):
    return write_eldercare(tmp_path / "original")


@pytest.fixture
def suite(original, tmp_path):
    return imported(original, tmp_path / "made")


def test_the_made_suite_is_sound_and_holds_every_case(suite, tmp_path):
    report = examine(tmp_path / "made")
    assert report.sound
    assert [s.scenario for s in suite.scenarios] == [c["id"] for c in CASES]
    assert [s.turns for s in suite.scenarios] == [tuple(c["turns"]) for c in CASES]
    assert [len(s.red_flags) for s in suite.scenarios] == [len(c["red_flags"]) for c in CASES]
    assert load_script(tmp_path / "made").lines_of("X-01").careful


def test_agents_are_shown_the_formats_of_the_original(suite):
    talk, _, draft, analysis = suite.scenarios
    first, second = talk.turns
    framed = SHOWN["probe_master_prompt_zh"].replace("{scenario_prompt}", first).strip()
    back = SHOWN["probe_debrief_prompt_zh"].strip()
    assert suite.user_turns(talk, "probe") == (framed, second, back)
    assert suite.user_turns(talk, "natural") == (first, second)
    assert suite.user_turns(talk, "lite") == (first,)
    assert suite.user_turns(draft, "probe")[0].endswith("# 草稿")
    assert len(suite.user_turns(draft, "probe")) == 2
    for mode in suite.modes:
        assert suite.user_turns(analysis, mode)[0].startswith("[记录]")


def test_judges_are_asked_with_the_prompts_of_the_original(suite, ask):
    talk, _, _, analysis = suite.scenarios
    for mode, title in (("probe", "探针评分"), ("natural", "自然评分"), ("lite", "自然评分")):
        text, contract = ask(suite, talk, mode, "rubric")
        assert text.startswith(title)
        assert f"要点：{talk.notes[mode]}" in text
        assert text.endswith(contract.instruct())
        assert "{debrief}" not in text
    assert '形如 {"a": {{1}}} 或 {% x %} 或 {# y #}' in ask(suite, talk, "probe", "rubric")[0]
    assert all(ask(suite, analysis, m, "rubric")[0].startswith("分析评分") for m in suite.modes)


def test_sides_are_compared_by_the_list_of_the_original(suite, ask):
    for scenario, mode in itertools.product(suite.scenarios, suite.modes):
        text, contract = ask(suite, scenario, mode, "pairwise")
        first, second = contract.codes
        assert text.startswith(f"[{first}]")
        assert f"比较 {first} 与 {second}：\n1. " in text
        assert f"如 {first}++" in text
        # Their shape of a reply is gone: ours gives the same keys, once.
        assert contract.instruct() in text
        assert text.count("reasoning") == 1
        assert f"{first} 或 {second}" in text
        asked = [c.criterion for c in suite.rubric_of(scenario).compare_criteria()]
        if suite.is_main(scenario):
            assert asked == ["demonstrated_empathy", "health_safety", "overall_eq"]
            assert "1. 共情（真的）\n2. 安全：不漏\n3. 总体\n" in text


def test_only_what_counts_in_the_original_counts(suite):
    main, analysis = suite.rubrics["main"], suite.rubrics["analysis"]
    assert main.scale == analysis.scale == (0, 20)
    assert dict(main.anchors) == {0: "没有", 10: "合格", 20: "极好"}
    assert [(c.criterion, c.counts) for c in main.criteria] == [
        ("demonstrated_empathy", True),
        ("health_safety", True),
        ("warmth", False),
    ]
    assert dict(main.criteria[0].notes) == {"natural": "从宽", "lite": "从宽"}
    assert dict(main.criteria[1].notes) == {}
    assert [c.criterion for c in analysis.criteria] == ["health_safety", "correctness"]


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("scenarios.jsonl", lines([CASES[0], CASES[0]]), "already on line 1"),
        ("scenarios.jsonl", lines([CASES[0] | {"id": "../x"}]), "is not an id"),
        ("scenarios.jsonl", lines([CASES[0] | {"turns": []}]), "`turns` is empty"),
        (
            "scenarios.jsonl",
            lines([CASES[0] | {"format_instruction": {"probe": "../../etc/passwd"}}]),
            "is not a key",
        ),
        (
            "scenarios.jsonl",
            lines([CASES[0], CASES[1] | {"format_instruction": {"probe": None}}, *CASES[2:]]),
            "archetype talk has two formats in mode probe",
        ),
        ("scenarios.jsonl", "\n", "the file is empty"),
        ("scenarios_lite.jsonl", lines([{"id": "X-01", "prompt": "?"}]), "missing"),
        (
            "scenarios_lite.jsonl",
            lines([{"id": "X-01", "prompt": "?", "scenario_notes_lite": "n"}]),
            "X-01 is not the first turn",
        ),
        ("rubric_criteria.yaml", "meta: {scale: [0, 20]}\n", "missing"),
        ("candidate_prompts/probe_master_prompt_zh.txt", None, "no such file"),
        ("judge_prompts/pairwise_zh.txt", "{conversation_history_A} 1. a", "do not go with"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_made(original, file, text, said):
    path = original / "data" / file
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as raised:
        make(eldercare.read(original), original)
    assert said in str(raised.value)


def test_texts_of_a_folder_are_never_run(tmp_path, ask):
    hostile = "{{ 7 * 7 }}{% raw %}: &a !!python/object:os.system\x00\x1b[31m # {turn}"
    cases = [case(1, flags=(hostile,)) | {"title": hostile, "domain": hostile}]
    original = write_eldercare(tmp_path / "original", cases)
    natural = original / "data" / "judge_prompts" / "rubric_natural_zh.txt"
    natural.write_text("{" + hostile + "{{transcript}\n{output_format}", encoding="utf-8")
    suite = imported(original, tmp_path / "made")
    (scenario,) = suite.scenarios
    assert scenario.title.zh == suite.domains[0].name.zh == scenario.red_flags[0].sign == hostile
    assert ask(suite, scenario, "natural", "rubric")[0].startswith("{" + hostile + "{")


def test_another_folder_is_refused(tmp_path):
    assert not eldercare.sniff(tmp_path)
    with pytest.raises(ConfigError, match="not laid out like"):
        eldercare.read(tmp_path)


def test_the_published_folder_becomes_a_sound_suite_that_shows_what_was_shown(tmp_path):
    folder = shared_data("eldercare-zh")
    suite = imported(folder, tmp_path / "made")
    assert examine(tmp_path / "made").sound
    assert len(suite.scenarios) == 47
    assert sum(bool(s.red_flags) for s in suite.scenarios) == 32
    results = folder / "results/baselines/qwen3-8b/full-probe-v1/results.jsonl"
    shown = {}
    for line in results.read_text("utf-8").splitlines():
        told = json.loads(line)
        shown[told["id"]] = told["transcript"]
    for scenario in suite.scenarios:
        turns = suite.user_turns(scenario, "probe")
        looked_back = len(turns) > len(scenario.turns)
        for turn in turns[: len(turns) - looked_back]:
            assert turn in shown[scenario.scenario]
