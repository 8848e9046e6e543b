"""The suites that are judged by rounds, from the first call to the page, offline."""

import json

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


def test_the_page_shows_the_rounds(played):
    workspace, _ = played
    page = (workspace.leaderboard / "index.html").read_text(encoding="utf-8")
    assert 'id="rounds"' in page
    cards = "".join(p.read_text(encoding="utf-8") for p in workspace.leaderboard.rglob("*-01.html"))
    assert "Round by round" in cards
