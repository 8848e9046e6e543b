"""A simulated user from the first call to the board, and a run that goes on where it was killed."""

import json

import duckdb
import pytest

from tests.e2e.conftest import Workspace

SUITE = "clinic-interview-zh"
SCENARIO = "CI-01"
AGENTS = ("attentive", "careless")


def configure(workspace, **more):
    def judge(name, use):
        model = f"scripted/{SUITE}/scripted-{name}"
        asked = {"uses": [use], "response_format": "json_schema"}
        return {"judge": f"scripted-{name}", "vendor": "arena-judges", "model": model, **asked}

    suite = {"suite": SUITE, "mode": "natural", "user": "patient"}
    patient = {"model": f"scripted/{SUITE}/user", "sampling": {"seed": 7}}
    workspace.configure(
        [
            {"agent": f"scripted-{a}", "vendor": "arena", "model": f"scripted/{SUITE}/scripted-{a}"}
            for a in AGENTS
        ],
        [judge("scorer", "rubric"), judge("arbiter", "pairwise")],
        **({"suites": [suite], "users": {"patient": patient}} | more),
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    workspace = Workspace(tmp_path_factory.mktemp("simulated"))
    configure(workspace)
    done = workspace.run("collect", "--yes", "--scenario", SCENARIO, "--json")
    assert done.code == 0, done
    return workspace, done.document


def dialogues(workspace):
    rows = workspace.rows("select agent, messages from transcript order by agent")
    return {agent: json.loads(messages) for agent, messages in rows}


def test_the_forecast_counts_the_calls_of_the_user_too(played):
    workspace, document = played
    made = dict(workspace.rows("select speaker, count(*) from call group by speaker"))
    assert made == {"agent": 10, "user": 8}
    assert document["forecast"]["calls"] == 18


def test_who_asks_is_told_and_who_never_asks_is_not(played):
    workspace, _ = played
    told = {a: "\n".join(t for r, t in m if r == "user") for a, m in dialogues(workspace).items()}
    assert "鹦鹉" in told["scripted-attentive"]
    assert "鹦鹉" not in told["scripted-careless"]


def test_the_user_is_part_of_the_key(played):
    workspace, _ = played
    kinds = {r[0] for r in workspace.rows("select distinct user_kind from transcript")}
    assert len(kinds) == 1
    assert kinds.isdisjoint({"canned", ""})


def test_what_the_digest_of_the_user_s_calls_stands_for_can_be_looked_up(played):
    workspace, _ = played
    rows = workspace.rows(
        "select distinct entrant.entrant, model from call join entrant using (entrant_digest)"
        " where speaker = 'user' and kind = 'user'"
    )
    assert rows == [("patient", f"scripted/{SUITE}/user")]


def test_a_run_goes_on_after_the_last_answer_that_was_kept(played):
    workspace, _ = played
    before = dialogues(workspace)
    with duckdb.connect(str(workspace.results / "arena.duckdb")) as file:
        file.execute("delete from transcript")
        # One was killed before the user's third turn, the other after it.
        for agent, last in (("scripted-attentive", "user"), ("scripted-careless", "agent")):
            (serves,) = file.execute(
                "select distinct serves from call where entrant = ?", [agent]
            ).fetchone()
            file.execute("delete from call where serves = ? and round > 3", [serves])
            file.execute(
                "delete from call where serves = ? and round = 3"
                " and (speaker = 'agent' or ? = 'user')",
                [serves, last],
            )
        kept = file.execute("select count(*) from call").fetchone()[0]
    again = workspace.run("collect", "--yes", "--scenario", SCENARIO, "--json").document
    assert dialogues(workspace) == before
    assert again["forecast"]["calls"] == 18 - kept
    assert sum(s["calls"] for s in again["stages"]) == 18 - kept


def test_a_user_that_nobody_listed_is_named(tmp_path):
    workspace = Workspace(tmp_path)
    configure(workspace, users={})
    done = workspace.run("run", "--yes", "--lang", "en")
    assert done.code == 2
    assert "`user` names nobody of `users`: patient" in done.err


def test_a_suite_without_records_is_refused_for_a_simulated_user(tmp_path):
    workspace = Workspace(tmp_path)
    configure(workspace, suites=[{"suite": "everyday-en", "mode": "natural", "user": "patient"}])
    done = workspace.run("run", "--yes", "--lang", "en")
    assert done.code == 2
    assert "EV-01 of everyday-en has no `record`" in done.err


def test_a_region_that_is_not_allowed_holds_for_users_too(tmp_path):
    workspace = Workspace(tmp_path)
    configure(workspace, allow_regions=["cn"])
    path = workspace.data / "arena.yaml"
    config = json.loads(path.read_text("utf-8"))
    for entrant in (*config["agents"], *config["judges"]):
        entrant["region"] = "cn"
    path.write_text(json.dumps(config), "utf-8")
    done = workspace.run("run", "--yes", "--lang", "en")
    assert done.code == 4
    assert "patient: region unknown" in done.err
