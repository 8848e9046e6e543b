"""Runs of eqbench-eldercare-zh as records: who said what, in which mode, and what is no result."""

import json

import pytest

from arena.exchange import eldercare
from arena.exchange.eldercare_results import find_results, read_results
from arena.exchange.eldercare_suite import make
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.stages.take_in.take_in import look_through
from arena.suites.load import load_suite
from tests.support.original_results import played
from tests.support.originals import CASES, write_eldercare
from tests.support.shared import shared_data

KPI = {"judge": "someone", "mode": "multi-turn probe + rubric"}


def suite_of(folder, place):
    write_folder(place, contents_of(make(eldercare.read(folder), folder), place.name, "x"))
    return load_suite(place)


@pytest.fixture
def original(tmp_path):
    def write(results, figures=KPI, name="baselines/model-x/one"):
        return write_eldercare(tmp_path / "original", runs={name: (results, figures)})

    return write


def test_a_line_is_a_transcript_in_the_suite_s_own_words_and_a_sheet(original, tmp_path):
    folder = original([played(CASES[0])])
    suite = suite_of(folder, tmp_path / "made")
    found = read_results(folder, suite)
    (transcript,), (sheet,) = found.transcripts, found.sheets
    assert (transcript.agent, transcript.mode) == ("model-x", "probe")
    assert transcript.place == "results/baselines/model-x/one/results.jsonl:1"
    assert transcript.shown == suite.shown_digest(suite.scenarios[0], "probe")
    replies = [m.text for m in transcript.messages if m.role == "assistant"]
    assert replies == ["回第0句", "回第1句", "我看了。"]
    assert (sheet.judge, sheet.summary) == ("someone", "还行")
    assert json.loads(transcript.raw)["debrief"] == "我看了。"
    assert look_through(found, suite).unreadable["sheet"] == 0


def test_a_line_is_of_the_mode_in_whose_words_it_is(original, tmp_path):
    case = CASES[0]
    natural = played(case, back=None)
    natural["transcript"] = "\n\n---\n\n".join(
        f"User:\n{turn}\n\nAssistant:\n嗯。" for turn in case["turns"]
    )
    short = {**played(CASES[1]), "answer": "首轮。"}
    folder = original([natural, short, played(CASES[2], archetype="drafting", back=None)])
    found = read_results(folder, suite_of(folder, tmp_path / "made"))
    assert [t.mode for t in found.transcripts] == ["natural", "lite", "probe"]
    assert [m.text for m in found.transcripts[1].messages] == [CASES[1]["turns"][0], "首轮。"]


def test_what_is_no_result_is_counted_by_reason(original, tmp_path):
    folder = original(
        [
            played(CASES[0]),
            {"id": "X-02", "status": "truncated", "archetype": "talk", "domain": "d"},
            {"id": "X-03", "status": "error", "stage": "judge", "archetype": "a", "domain": "d"},
            {"id": "X-04", "status": "error", "stage": "candidate", "error": "x"},
            {"id": "Y-01", "status": "ok", "archetype": "talk", "domain": "d"},
        ]
    )
    path = folder / "results/baselines/model-x/one/results.jsonl"
    path.write_text(path.read_text("utf-8") + "{broken\n[]\n", "utf-8")
    found = read_results(path, suite_of(folder, tmp_path / "made"))
    assert {k: v["n"] for k, v in found.left_out.to_json().items()} == {
        "agent_error": 1,
        "judge_error": 1,
        "truncated": 1,
        "unknown_scenario": 1,
    }
    assert found.bad.places == {"malformed": ["results.jsonl:6", "results.jsonl:7"]}


def test_true_and_text_are_no_scores_and_a_missing_one_counts_nothing(original, tmp_path):
    folder = original(
        [
            played(CASES[0], scores={"demonstrated_empathy": None, "health_safety": 4}),
            played(CASES[1], scores={"demonstrated_empathy": 250, "health_safety": 4}),
            played(CASES[2], scores={"demonstrated_empathy": True, "health_safety": 4}),
            played(CASES[3], scores={"demonstrated_empathy": "12", "health_safety": 4}),
        ]
    )
    suite = suite_of(folder, tmp_path / "made")
    seen = look_through(read_results(folder, suite), suite)
    assert (seen.ready["sheet"], seen.unreadable["sheet"]) == (2, 2)
    assert seen.bad.counts == {"not_a_number": 2}


def test_the_judge_is_unknown_unless_somebody_says(original, tmp_path):
    folder = original([played(CASES[0])], figures=None, name="runs/tagged")
    suite = suite_of(folder, tmp_path / "made")
    found = read_results(folder, suite)
    assert (found.sheets[0].judge, found.sheets[0].agent) == ("unknown", "tagged")
    assert read_results(folder, suite, judge="me").sheets[0].judge == "me"


def test_the_published_runs_are_whole(tmp_path):
    folder = shared_data("eldercare-zh")
    suite = suite_of(folder, tmp_path / "made")
    found = read_results(folder, suite)
    assert len(find_results(folder)) == 2
    seen = look_through(found, suite)
    assert seen.ready == {"transcript": 94, "sheet": 94, "verdict": 0}
    assert seen.unreadable["sheet"] == 0
    assert not seen.left_out.counts
    scenarios = {s.scenario: s for s in suite.scenarios}
    assert {t.shown for t in found.transcripts} == {
        suite.shown_digest(scenarios[t.scenario], t.mode) for t in found.transcripts
    }
