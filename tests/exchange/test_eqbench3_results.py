"""Results of EQ-Bench 3 as records, read anew from what judges wrote."""

import gzip
import json

import pytest

from arena.domain.call import Status
from arena.errors import ConfigError
from arena.exchange import eqbench3
from arena.exchange.eqbench3_results import read_results
from arena.exchange.eqbench3_suite import make
from arena.exchange.original_folder import contents_of
from arena.exchange.suite_folder import write_folder
from arena.stages.take_in.take_in import look_through
from arena.suites.load import load_suite
from tests.support.original_results import BACKWARD, FORWARD, SCORES, compared, elo, run, task
from tests.support.originals import write_eqbench3


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    place = tmp_path_factory.mktemp("eqbench3")
    original = write_eqbench3(place / "original")
    made = make(eqbench3.read(original), original)
    write_folder(place / "made", contents_of(made, "made", "x"))
    return load_suite(place / "made")


@pytest.fixture
def read(suite, tmp_path):
    def from_document(document, name="results.json", **more):
        path = tmp_path / name
        text = json.dumps(document).encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        return read_results(path, suite, **more)

    return from_document


def turns(suite, n=0):
    return suite.user_turns(suite.scenarios[n], "probe")


def bus(suite, **more):
    return task(turns(suite)[:2], ["First.", "Second."], **more)


@pytest.mark.parametrize("name", ["runs.json", "runs.json.gz"])
def test_a_task_is_a_transcript_with_its_look_back_and_a_sheet(read, suite, name):
    found = read({"k_x": run("x", {"1": bus(suite)})}, name)
    (transcript,), (sheet,) = found.transcripts, found.sheets
    assert [m.text for m in transcript.messages[1::2]] == ["First.", "Second.", "I see."]
    assert transcript.shown == suite.shown_digest(suite.scenarios[0], "probe")
    assert (transcript.agent, transcript.replicate) == ("x", 1)
    assert transcript.at == "2025-05-08T10:26:40Z"
    assert transcript.place == f"{name}: k_x › 1 › 1"
    assert {s.criterion: s.value for s in sheet.scores} == SCORES
    assert (sheet.judge, sheet.status, sheet.flags) == ("reader", Status.OK, ())


@pytest.mark.parametrize(
    ("text", "listed", "scores", "status", "flags"),
    [
        ('{"empathy": 1, "insight": 2,}', {"empathy": 9}, {"empathy": 1, "insight": 2}, "ok", True),
        ('{"scores": {"empathy": "3"}}', {"empathy": 3}, {"empathy": 3}, "ok", False),
        ("no object", {"empathy": 3}, {}, "unparsed", True),
        ('{"empathy": true}', {"empathy": 1}, {}, "unparsed", True),
        ("", {"empathy": 3}, {"empathy": 3}, "ok", True),
    ],
)
def test_scores_are_read_from_what_the_judge_wrote(
    read, suite, text, listed, scores, status, flags
):
    one = bus(suite, raw_rubric_judge_text=text, rubric_scores=listed)
    (sheet,) = read({"k": run("x", {"1": one})}).sheets
    assert {s.criterion: s.value for s in sheet.scores} == scores
    assert sheet.status == status
    assert bool(sheet.flags) is flags


def test_a_judge_that_failed_scored_nothing(read, suite):
    failed = bus(
        suite, raw_rubric_judge_text=None, rubric_scores=None, rubric_run_error="timed out"
    )
    none = bus(suite, raw_rubric_judge_text=None, rubric_scores=None)
    assert read({"k": run("x", {"1": failed})}).sheets[0].status is Status.ERROR
    assert read({"k": run("x", {"1": none})}, "b.json").sheets == ()


def test_tasks_that_failed_or_repeat_are_counted(read, suite):
    document = {
        "k": run("x", {"1": bus(suite), "208": bus(suite, error="x"), "131": []}),
        "again": run("x", {"1": bus(suite)}),
        "odd": 3,
    }
    found = read(document)
    assert len(found.transcripts) == len(found.sheets) == 1
    assert found.left_out.to_json() == {
        "agent_error": {"n": 1, "first": "results.json: k › 1 › 208"},
        "repeated": {"n": 1, "first": "results.json: again › 1 › 1"},
    }
    assert found.bad.first == {
        "not_a_result": "results.json: k › 1 › 131",
        "not_a_run": "results.json: odd",
    }


@pytest.mark.parametrize(
    ("order", "empathy", "overall", "first", "winner"),
    [
        (FORWARD, "A0493++", "A0488+", "x", "first"),
        (FORWARD, "A0488+++", "A0493+", "x", "second"),
        (BACKWARD, "A0493++", "A0488+", "y", "first"),
        (FORWARD, "A0493＋＋", "A0488++", "x", "tie"),
        (FORWARD, "A0493", "A0488", "x", None),
        (FORWARD, "A0493 over A0488 ++", "A0493+", "x", None),
        (FORWARD, "A0493+", None, "x", None),
        (FORWARD, "A0391++", "A0493+", "x", None),
    ],
)
def test_a_verdict_is_derived_from_the_answer_and_the_order(
    read, order, empathy, overall, first, winner
):
    said = {"empathy": empathy, "unheard_of": "A0488+++++"}
    said |= {} if overall is None else {"overall_eq": overall}
    (verdict,) = read(elo(compared("x", "y", order=order, **said))).verdicts
    assert (verdict.first, verdict.winner) == (first, winner)
    assert verdict.status is (Status.UNPARSED if winner is None else Status.OK)
    assert verdict.judge == "unknown"
    assert json.loads(verdict.raw)["plus_for_test"] == 0


def test_comparisons_without_pair_or_order_are_counted(read, suite):
    good = {"empathy": "A0493++", "overall_eq": "A0493+"}
    found = read(
        elo(
            compared("x", "y", **good),
            compared("x", "y", **good),
            compared("y", "x", order=BACKWARD, **good),
            compared("x", "y", order=BACKWARD, **good),
            {**compared("x", "y"), "order": "forward", "error": "x", "judge_response": None},
            {**compared("x", "y"), "pair": None},
            compared("x", "y", iteration="one"),
            3,
            compared("x", "y", scenario="999", **good),
        ),
        judge="umpire",
    )
    seen = look_through(found, suite)
    assert seen.ready["verdict"] == 2
    assert seen.judges == ("umpire",)
    # The third is the first seen from the other side.
    assert {k: v["n"] for k, v in seen.left_out.to_json().items()} == {
        "judge_error": 1,
        "repeated": 2,
        "unknown_scenario": 1,
    }
    assert seen.bad.counts == {"not_a_result": 3}


def test_runs_and_elo_of_a_folder_come_in_together(suite, tmp_path):
    good = {"empathy": "A0493++", "overall_eq": "A0493+"}
    runs = {"k": run("x", {"1": bus(suite)}), "l": run("y", {"1": bus(suite)})}
    (tmp_path / "runs.json").write_text(json.dumps(runs), "utf-8")
    (tmp_path / "elo.json").write_text(json.dumps(elo(compared("x", "y", **good))), "utf-8")
    (tmp_path / "other.json").write_text('{"a": 1}', "utf-8")
    found = read_results(tmp_path, suite)
    seen = look_through(found, suite)
    assert seen.ready == {"transcript": 2, "sheet": 2, "verdict": 1}
    again = read_results(tmp_path, suite)
    assert again.origin == found.origin
    assert read_results(tmp_path, suite, judge="me").origin != found.origin


@pytest.mark.parametrize("text", ["[]", "{", '{"a": 1}', "\xff"])
def test_a_file_without_results_is_refused_by_name(suite, tmp_path, text):
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=r"x\.json"):
        read_results(path, suite)


def test_what_only_claims_to_be_packed_is_refused(suite, tmp_path):
    path = tmp_path / "x.json.gz"
    path.write_bytes(b"not packed")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_results(path, suite)
