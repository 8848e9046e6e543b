"""Ctrl-C, SIGTERM and kill -9: what is finished is saved, and whoever looks on is told so."""

import signal
import time
from types import SimpleNamespace

import pytest

from tests.e2e.conftest import Workspace, agent, fair, judge, wait_for_calls
from tests.support.server_thread import ServerThread

pytestmark = pytest.mark.slow

SCENARIOS, TURNS, WINDOW = 8, 2, 4
REPLIES = 2 * SCENARIOS * TURNS
PLANNED = REPLIES + 2 * SCENARIOS + 2 * SCENARIOS
"""Calls of two agents and one judge: replies, sheets, and one pair in both orders."""
MOMENTS = (
    (signal.SIGINT, WINDOW, REPLIES),
    (signal.SIGTERM, REPLIES + 2 * SCENARIOS + 1, PLANNED),
)
"""A signal, after how many calls it is sent, and how many there are at its stage's end."""
TABLES = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")


def rows(workspace):
    with workspace.database() as database:
        return {table: database.rows(f"from {table}") for table in TABLES}


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """One workspace: interrupted by SIGINT, then by SIGTERM, then run to its end."""
    workspace = Workspace(tmp_path_factory.mktemp("signals"))
    workspace.write_suite(scenarios=SCENARIOS, turns=TURNS)
    with ServerThread(latency=0.1, answer=fair, answer_schemas=True) as server:
        workspace.configure(
            [agent("alpha", server.url), agent("bravo", server.url)], [judge("referee", server.url)]
        )
        stops = []
        for number, moment, _ in MOMENTS:
            with workspace.started("run", "--yes", "-j", str(WINDOW)) as run:
                wait_for_calls(server.server.port, moment, run)
                run.signal(number)
                ran = run.wait()
            stops.append(SimpleNamespace(ran=ran, rows=rows(workspace), begun=server.server.begun))
        last = workspace.run("run", "--yes")
        return SimpleNamespace(
            workspace=workspace,
            stops=stops,
            last=last,
            finals=rows(workspace),
            begun=server.server.begun,
        )


def test_exit_codes_name_the_signal(interrupted):
    assert [stop.ran.code for stop in interrupted.stops] == [130, 143]
    assert interrupted.last.code == 0, str(interrupted.last)


def test_the_last_lines_say_what_is_saved_and_how_to_go_on(interrupted):
    before = 0
    for stop in interrupted.stops:
        items = sum(len(stop.rows[table]) for table in ("transcript", "sheet", "verdict"))
        what, how = stop.ran.err.splitlines()[-2:]
        assert what == f"error: interrupted; {items - before} finished items are saved"
        assert how == (
            "Run the same command to go on: "
            f"arena run -C {interrupted.workspace.root} --yes -j {WINDOW}"
        )
        assert stop.ran.out == ""
        assert "Traceback" not in stop.ran.err
        before = items


def test_calls_under_way_are_finished_and_saved_and_no_more_are_begun(interrupted):
    for (_, moment, end), stop in zip(MOMENTS, interrupted.stops, strict=True):
        kept = len(stop.rows["call"])
        assert moment <= kept < end
        assert kept == stop.begun


def test_what_was_saved_stays_and_nothing_is_asked_twice(interrupted):
    for stop in interrupted.stops:
        for table, saved in stop.rows.items():
            assert set(saved) <= set(interrupted.finals[table])
    assert interrupted.begun == PLANNED
    assert {row[8] for row in interrupted.finals["call"]} == {"ok"}


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """What is seen beside a run that never ends, and after it was killed.

    `early`: status once its first call has begun; `late`: once two agents are through.
    """
    workspace = Workspace(tmp_path_factory.mktemp("beside"))
    workspace.write_suite(scenarios=2, turns=1)
    with ServerThread(answer=fair, answer_schemas=True) as server:
        forever = {"timeout": 3600, "deadline": 3600}
        agents = [agent(n, server.url, model=f"slow:3/{n}") for n in ("alpha", "bravo")]
        agents.append(agent("silent", server.url, model="hang", limits=forever))
        workspace.configure(agents, [judge("referee", server.url)])
        with workspace.started("run", "--yes", "--note", "beside") as run:
            wait_for_calls(server.server.port, 1, run)
            early = workspace.run("status", "--json")
            for _ in range(60):
                late = workspace.run("status", "--json")
                if late.code == 0 and any(s["made"] == 4 for s in late.document["stages"]):
                    break
                time.sleep(0.5)
            plain = workspace.run("status")
            second = workspace.run("run", "--yes")
            begun = server.server.begun
            run.kill()
        killed = workspace.run("status", "--json")
        said = workspace.run("status")
        return SimpleNamespace(
            workspace=workspace,
            pid=run.pid,
            early=early,
            late=late,
            plain=plain,
            second=second,
            killed=killed,
            said=said,
            begun=begun,
            end=server.server.begun,
        )


def test_status_works_beside_a_run_from_its_first_call_on(beside):
    assert beside.early.code == 0, str(beside.early)
    document = beside.early.document
    assert document["schema"] == "arena.status/1"
    assert document["live"] is True
    assert document["pid"] == beside.pid


def test_status_beside_a_run_says_how_far_it_is(beside):
    document = beside.late.document
    assert (document["live"], document["pid"]) == (True, beside.pid)
    assert document["command"] == f"arena run -C {beside.workspace.root} --yes --note beside"
    (stage,) = document["stages"]
    assert (stage["stage"], stage["planned"], stage["made"]) == ("collect", 6, 4)
    assert beside.plain.code == 0
    assert f"process {beside.pid}" in beside.plain.err


@pytest.mark.reported("R47")
def test_a_second_run_is_refused_and_told_by_whom(beside):
    assert beside.second.code == 1
    assert beside.second.out == ""
    lines = [line for line in beside.second.err.splitlines() if str(beside.pid) in line]
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert "arena.duckdb is in use" in lines[0]
    assert "Traceback" not in beside.second.err
    assert len(beside.second.err.splitlines()) <= 3


def test_whoever_looks_on_or_is_refused_asks_nothing(beside):
    # Two hanging calls, and one for each scenario of the other two.
    assert beside.begun == beside.end == 6


def test_after_kill_9_status_tells_what_the_store_holds(beside):
    assert beside.killed.code == 0, str(beside.killed)
    document = beside.killed.document
    assert document["live"] is False
    (job,) = document["jobs"]
    stages = {s["stage"]: (s["planned"], s["present"], s["untried"]) for s in job["stages"]}
    assert stages == {"collect": (6, 4, 2), "score": (6, 0, 6), "compare": (12, 0, 12)}
    assert job["next"] == "arena run"
    assert beside.said.code == 0
    assert "Next: arena run" in beside.said.err


def test_ctrl_c_while_publishing_does_not_say_that_nothing_was_begun(
    workspace, server, monkeypatch
):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    workspace.configure(
        [agent("alpha", server.url), agent("bravo", server.url)], [judge("referee", server.url)]
    )
    monkeypatch.setattr("arena.cli.course.publish_all", interrupt)
    ran = workspace.run("run", "--yes")
    assert ran.code == 130
    assert "interrupted" in ran.err
    assert "nothing was begun" not in ran.err
    assert workspace.rows("select count(*) from verdict") == [(4,)]
