"""The suites that are judged by rounds, from the first call to the page, offline."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.e2e.conftest import Workspace, board_of

SUITES = ("clinic-interview-zh", "memoir-interview-zh")
AGENTS = ("attentive", "steady", "hasty", "careless")
"""From best to worst; the careless doctor never asks anything."""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=SUITES)
def played(request, tmp_path_factory):
    suite = request.param
    workspace = Workspace(tmp_path_factory.mktemp(suite))

    def judge(name, use):
        model = f"scripted/{suite}/scripted-{name}"
        more = {"uses": [use], "response_format": "json_schema"}
        return {"judge": f"scripted-{name}", "vendor": "arena-judges", "model": model, **more}

    workspace.configure(
        [
            {"agent": f"scripted-{a}", "vendor": "arena", "model": f"scripted/{suite}/scripted-{a}"}
            for a in AGENTS
        ],
        [judge("scorer", "rubric"), judge("arbiter", "pairwise")],
        suites=[{"suite": suite, "mode": "natural"}],
    )
    done = workspace.run("run", "--yes")
    assert done.code == 0, done
    return workspace, suite


def test_agents_of_graded_skill_come_out_in_their_true_order_on_both_scores(played):
    workspace, _ = played
    rated = {s["agent"]: s for s in board_of(workspace)["agents"]}
    for figure in (lambda s: s["rating"], lambda s: s["absolute"]["mean"]):
        order = sorted(rated, key=lambda name: -figure(rated[name]))
        assert order == [f"scripted-{a}" for a in AGENTS]


def test_last_round_mean_and_trend_stand_on_the_board_with_their_coverage(played):
    workspace, _ = played
    document = board_of(workspace)
    for standing in document["agents"]:
        assert set(standing["rounds"]) == {"last", "mean", "trend"}
        assert all(r["scenarios"] == r["planned"] == 12 for r in standing["rounds"].values())


def test_rounds_and_wholes_are_set_against_each_other_where_both_are_scored(played):
    workspace, suite = played
    scopes = board_of(workspace)["scopes"]
    if suite == "clinic-interview-zh":
        assert scopes == []
        return
    assert len(scopes) == 16
    assert {found["transcripts"] for found in scopes} == {48}
    assert all(found["spearman"] > 0.5 for found in scopes)
    assert {found["scenarios"] for found in scopes} == {12}
    for found in scopes:
        assert found["spearman_low"] < found["spearman"] < found["spearman_high"]
        assert found["difference_low"] < found["difference"] < found["difference_high"]


def test_rounds_are_asked_one_after_the_other_where_a_judge_sees_its_earlier_scores(played):
    workspace, suite = played
    rows = workspace.rows(
        "select transcript, round, ended_at from sheet where scope = 'turn' order by all"
    )
    assert len({(transcript, round) for transcript, round, _ in rows}) == len(rows) > 200
    if suite == "clinic-interview-zh":
        times = [(transcript, at) for transcript, _, at in rows]
        assert times == sorted(times)


def test_running_again_asks_nothing(played):
    workspace, _ = played
    again = json.loads(workspace.run("run", "--yes", "--json").out)
    assert again["forecast"]["calls"] == 0
    assert sum(s["calls"] for s in again["stages"]) == 0


def test_quotations_were_looked_for_and_found(played):
    workspace, suite = played
    remarks = [json.loads(r[0]) for r in workspace.rows("select remarks from sheet")]
    quoted = [e for r in remarks for e in r.get("backing", {}).get("evidence", [])]
    if suite == "memoir-interview-zh":
        assert quoted
        assert all(e["found"] for e in quoted)
    flags = {f for r in workspace.rows("select flags from sheet") for f in json.loads(r[0])}
    assert not any(f.startswith(("evidence_unfound", "total_mismatch")) for f in flags)


def test_nothing_to_judge_is_missing_in_round_one_and_a_real_zero_from_then_on(played):
    workspace, suite = played
    if suite != "clinic-interview-zh":
        pytest.skip("only the record of the clinic may be left unjudged")
    rows = workspace.rows(
        "select sheet.round, scenario, flags, value from sheet"
        " join transcript on transcript.key = sheet.transcript"
        " left join score on score.sheet = sheet.key and score.attempt = sheet.attempt"
        " and criterion = 'past_history_similarity' where sheet.status = 'ok'"
    )
    # The true past history of one case is empty: nobody is asked about it.
    assert {value for _, scenario, _, value in rows if scenario == "CI-05"} == {None}
    first = [row for row in rows if row[0] == 1 and row[1] != "CI-05"]
    left = [row for row in first if row[3] is None]
    assert left
    assert {row[2] for row in left} == {'["cannot_judge:1"]'}
    assert all(value is None or value > 0 for *_, value in first)
    later = [row for row in rows if row[0] > 1 and row[1] != "CI-05"]
    assert all(value is not None for *_, value in later)
    assert 0.0 in {value for *_, value in later}
    for standing in board_of(workspace)["agents"]:
        found = standing["criteria"]["past_history_similarity"]
        assert found["scenarios"] == found["planned"] == 11


def test_a_judge_may_state_the_rounds_in_which_it_finds_nothing(tmp_path):
    suite, criterion = "clinic-interview-zh", "chief_complaint_similarity"
    workspace = Workspace(tmp_path)
    folder = Path(__file__).parents[2] / "data" / "suites" / suite
    own = shutil.copytree(folder, workspace.data / "suites" / suite) / "scripted.yaml"
    stated = f"cannot_judge: [{{criterion: {criterion}, rounds: [1, 2]}}]"
    text = re.sub(r"cannot_judge: .*", stated, own.read_text(encoding="utf-8"))
    own.write_text(text, encoding="utf-8")
    model = f"scripted/{suite}/scripted"
    scorer = {"uses": ["rubric"], "response_format": "json_schema"}
    workspace.configure(
        [{"agent": a, "vendor": "arena", "model": f"{model}-{a}"} for a in AGENTS[:2]],
        [{"judge": "scorer", "vendor": "other", "model": f"{model}-scorer", **scorer}],
        suites=[{"suite": suite}],
    )
    for command in ("collect", "score"):
        assert workspace.run(command, "--yes", "--scenario", "CI-01").code == 0
    rows = workspace.rows(
        "select round, min(value), max(value), count(*) from score"
        " join sheet on sheet.key = score.sheet where criterion = ? group by round order by round",
        criterion,
    )
    assert [(number, count) for number, _, _, count in rows] == [(n, 2) for n in (2, 3, 4, 5)]
    assert rows[0][1:3] == (0.0, 0.0)
    assert all(low > 0 for _, low, _, _ in rows[1:])


def test_the_page_shows_the_record_by_rounds_beside_the_true_one(played):
    workspace, suite = played
    (page,) = workspace.leaderboard.rglob("s/*-01.html")
    text = page.read_text(encoding="utf-8")
    tables = re.findall(r'<details class="record">.*?</details>', text, re.DOTALL)
    if suite == "memoir-interview-zh":
        assert tables == []
        return
    assert len(tables) == len(AGENTS)
    for table in tables:
        heads = re.findall(r'<th scope="row" class="left">(.*?)</th>', table)
        assert heads == ["True record", *(f"Round {n}" for n in range(1, 6))]
        assert "10余天前病死一只" in table.partition("Round 1")[0]
        assert "—" in table


def test_the_page_shows_the_rounds(played):
    workspace, _ = played
    page = (workspace.leaderboard / "index.html").read_text(encoding="utf-8")
    assert 'id="rounds"' in page
    cards = "".join(p.read_text(encoding="utf-8") for p in workspace.leaderboard.rglob("*-01.html"))
    assert "Round by round" in cards
