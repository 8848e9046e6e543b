"""Servers that misbehave: what is asked again, what is kept, and what never becomes a number."""

import json
from datetime import datetime
from types import SimpleNamespace

import pytest

from tests.e2e.conftest import LIMITS, Workspace, agent, begun, board_of, fair, judge, recover
from tests.support.connection import HOST
from tests.support.server_thread import ServerThread

TIMED_OUT = {**LIMITS, "concurrency": 2, "timeout": 1}
ROOM = {"max_tokens": 40}
SCENARIOS = 2
# agent: (how the server behaves, status, requests for two scenarios of one turn, more)
CASES = {
    "fine": ("ok", "ok", 2, {}),
    "limited": ("429-then-ok", "ok", 4, {}),
    "broken": ("500-then-ok", "ok", 4, {}),
    "away": ("503-then-ok", "ok", 4, {}),
    "crowded": ("529-then-ok", "ok", 4, {}),
    "cut-once": ("cut-then-ok", "ok", 4, {}),
    "hung-once": ("hang-then-ok", "ok", 4, {"limits": {**TIMED_OUT, "timeout": 3}}),
    "always-limited": ("429-forever", "error", 4, {}),
    "always-broken": ("500", "error", 4, {}),
    "always-away": ("503", "error", 4, {}),
    "always-crowded": ("529", "error", 4, {}),
    "always-cut": ("cut", "error", 4, {}),
    "hung": ("hang", "error", 4, {"limits": TIMED_OUT}),
    "proxy-page": ("html", "error", 4, {}),
    "no-json": ("garbage", "error", 4, {}),
    "no-choices": ("no-choices", "empty", 2, {}),
    "no-content": ("none", "empty", 2, {}),
    "empty": ("empty", "empty", 2, {}),
    "empty-with-room": ("empty/room", "empty", 4, {"sampling": ROOM}),
    "unfinished-thought": ("open-think", "empty", 2, {}),
    "thoughtful": ("think", "ok", 2, {}),
    "reasoning": ("reasoning", "ok", 2, {}),
    "too-long": ("length", "truncated", 2, {}),
    "too-long-with-room": ("length/room", "truncated", 4, {"sampling": ROOM}),
    "filtered": ("content_filter", "blocked", 2, {}),
    "policy": ("policy", "blocked", 2, {}),
    "azure-policy": ("policy-azure", "blocked", 2, {}),
    "bad-key": ("401", "error", 1, {}),
    "no-money": ("402", "error", 1, {}),
    "not-allowed": ("403", "error", 1, {}),
    "unknown-model": ("404", "error", 2, {}),
    "bad-request": ("422", "error", 2, {}),
    "no-usage": ("no-usage", "ok", 2, {}),
}
PRICE = {"input_per_million": 1, "output_per_million": 2, "currency": "CNY"}


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """One `arena collect` of all agents; every one of them meets a server of its own mind."""
    workspace = Workspace(tmp_path_factory.mktemp("collect"))
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    with (
        ServerThread(retry_after=0) as server,
        ServerThread(retry_after=1) as patient,
        ServerThread(retry_after=3600) as closed,
    ):
        agents = [
            agent(name, server.url, model=how, **{"limits": LIMITS, "price": PRICE, **more})
            for name, (how, _, _, more) in CASES.items()
        ]
        agents += [
            agent("told-to-wait", patient.url, model="429-then-ok", limits=LIMITS),
            agent("told-to-go", closed.url, model="429-forever", limits=LIMITS),
        ]
        workspace.configure(agents, [judge("referee", server.url)])
        ran = workspace.run("collect", "--yes")
        yield SimpleNamespace(
            workspace=workspace,
            ran=ran,
            begun=begun(server),
            begun_patient=patient.server.begun,
            begun_closed=closed.server.begun,
        )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.reported("R14", "R15", "R16", "R56")
def test_each_misbehaviour_has_its_status_and_its_number_of_requests(collected, name):
    how, status, requests, _ = CASES[name]
    with collected.workspace.database() as database:
        last = database.rows("select distinct status from latest_call where entrant = ?", name)
        kept = database.one("select count(*) from call where entrant = ?", name)
        transcripts = database.one("select count(*) from transcript where agent = ?", name)
    assert last == [(status,)]
    assert collected.begun[how] == requests
    assert kept == requests
    assert transcripts == (SCENARIOS if status == "ok" else 0)


def test_the_run_goes_on_for_the_others_and_says_what_is_missing(collected):
    statuses = [status for _, status, _, _ in CASES.values()]
    counted = {s: SCENARIOS * statuses.count(s) for s in set(statuses)}
    # Two more wait or give up; three were refused at once, so that one question each was asked.
    there = counted["ok"] + SCENARIOS
    failed = counted["error"] + SCENARIOS - 3
    assert collected.ran.code == 3
    assert f"collect: {there} of {SCENARIOS * (len(CASES) + 2)} there" in collected.ran.err
    assert (
        f"not counted: {counted['truncated']} cut off, {counted['empty']} empty, "
        f"{counted['blocked']} blocked, {failed} failed (never a tie, never a zero)"
    ) in collected.ran.err
    for name in ("bad-key", "no-money", "not-allowed"):
        assert f"{name} refused us and was not asked again" in collected.ran.err


@pytest.mark.parametrize("name", ["empty-with-room", "too-long-with-room"])
@pytest.mark.reported("R07", "R14")
def test_what_its_token_limit_cut_is_asked_once_more_with_twice_the_room(collected, name):
    sent = collected.workspace.rows(
        "select attempt, params_sent from call where entrant = ? order by serves, attempt", name
    )
    room = ROOM["max_tokens"]
    assert [(n, json.loads(p)["max_tokens"]) for n, p in sent] == [(1, room), (2, 2 * room)] * 2


@pytest.mark.reported("R56")
def test_retry_after_is_waited_for(collected):
    ended = collected.workspace.rows(
        "select serves, attempt, ended_at from call where entrant = 'told-to-wait' order by all"
    )
    assert [attempt for _, attempt, _ in ended] == [1, 2, 1, 2]
    assert collected.begun_patient == 4
    times = [datetime.fromisoformat(at) for _, _, at in ended]
    for first, second in (times[:2], times[2:]):
        assert (second - first).total_seconds() >= 1


def test_a_retry_after_beyond_the_deadline_is_not_waited_for(collected):
    assert collected.begun_closed == SCENARIOS
    statuses = collected.workspace.rows("select status from call where entrant = 'told-to-go'")
    assert statuses == [("error",)] * SCENARIOS


def test_a_reply_without_usage_has_no_tokens_and_no_cost(collected):
    known = collected.workspace.rows(
        "select distinct entrant, tokens_in is null, tokens_out is null, cost is null from call "
        "where entrant in ('fine', 'no-usage') order by all"
    )
    assert known == [("fine", False, False, False), ("no-usage", True, True, True)]


@pytest.mark.reported("R13")
def test_thinking_is_kept_with_the_call_and_left_out_of_the_transcript(collected):
    with collected.workspace.database() as database:
        raw = database.rows("select text from call where entrant = 'thoughtful'")
        apart = database.rows("select thinking from call where entrant = 'reasoning'")
        shown = database.rows("select messages from transcript where agent = 'thoughtful'")
        texts = database.rows("select text, thinking from call where entrant = 'thoughtful'")
    assert len(raw) == len(apart) == len(shown) == SCENARIOS
    assert all(thinking for (thinking,) in apart)
    assert all("<think>" in text or thinking for text, thinking in texts)
    assert not any("think>" in messages for (messages,) in shown)


@pytest.mark.reported("R13")
def test_thinking_is_not_shown_to_its_agent_in_the_next_turn(workspace):
    asked = []

    def remember(request):
        asked.append(request)
        if request["model"] == "opening-eaten":
            return f"They want {len(asked)} kinds of help.\n</think>\n\nGood morning {len(asked)}."

    hows = ("think", "reasoning", "opening-eaten")
    with ServerThread(answer=remember) as server:
        workspace.configure(
            [agent(how, server.url) for how in hows], [judge("referee", server.url)]
        )
        ran = workspace.run("collect", "--yes")
    assert ran.code == 0, str(ran)
    for how in hows:
        first = workspace.rows(
            "select thinking, text from call where entrant = ? and round = 1 order by serves", how
        )
        thoughts = [
            (thinking or text.partition("</think>")[0].removeprefix("<think>")).strip()
            for thinking, text in first
        ]
        spoken = [text.rpartition("</think>")[2].strip() for _, text in first]
        assert all(thoughts)
        following = [r["messages"] for r in asked if r["model"] == how and len(r["messages"]) > 1]
        assert sorted(messages[1]["content"] for messages in following) == sorted(spoken)
        shown = workspace.rows("select messages from transcript where agent = ?", how)
        for kept in (json.dumps(following, ensure_ascii=False), str(shown)):
            assert "think>" not in kept
            assert not [thought for thought in thoughts if thought in kept]


# --- A whole run, and the runs after it -----------------------------------------------------------


TROUBLED = {"500": "error", "empty": "empty", "content_filter": "blocked"}


@pytest.fixture(scope="module")
def troubled(tmp_path_factory):
    """Runs in one workspace: the first, one with the 500s over, one that retries, all recovered."""
    workspace = Workspace(tmp_path_factory.mktemp("troubled"))
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    phases = []
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        ServerThread(retry_after=0, answer=fair, answer_schemas=True) as server,
    ):
        workspace.configure(
            [agent(n, server.url, limits=LIMITS) for n in ("alpha", "bravo", *TROUBLED)],
            [judge("referee", server.url)],
        )

        def phase(*args):
            ran = workspace.run("run", "--yes", *args)
            tables = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")
            with workspace.database() as database:
                rows = {table: database.rows(f"from {table}") for table in tables}
            board = board_of(workspace)
            phases.append(SimpleNamespace(ran=ran, begun=begun(server), rows=rows, board=board))

        phase()
        recover(monkeypatch, "500")
        phase()
        recover(monkeypatch, *TROUBLED)
        phase()
        phase("--retry-errors")
    return SimpleNamespace(workspace=workspace, phases=phases)


@pytest.mark.reported("R39")
def test_a_missing_reply_becomes_neither_a_tie_nor_a_zero(troubled):
    first = troubled.phases[0]
    assert first.ran.code == 3
    assert "not counted: 2 empty, 2 blocked, 2 failed (never a tie, never a zero)" in first.ran.err
    assert len(first.rows["transcript"]) == 2 * SCENARIOS
    assert len(first.rows["sheet"]) == 2 * SCENARIOS
    assert len(first.rows["verdict"]) == 2 * SCENARIOS
    assert len(first.rows["score"]) == 2 * 2 * SCENARIOS
    assert first.begun["referee"] == 4 * SCENARIOS
    standings = {s["agent"]: s for s in first.board["agents"]}
    for name in TROUBLED:
        standing = standings[name]
        assert standing["state"] == "disconnected"
        assert (standing["comparisons"], standing["ties"], standing["losses"]) == (0, 0, 0)
        assert standing["rating"] is None
        assert standing["absolute"] is None


def test_the_board_counts_what_is_excluded(troubled):
    first = troubled.phases[0]
    pairs = 5 * 4 // 2
    without = 2 * SCENARIOS * (pairs - 1)
    counted = first.board["diagnostics"]["rows"]
    assert counted["used"] == 2 * SCENARIOS
    assert counted["excluded"] == {"no_transcript": without}
    assert f"Not counted: {without} without transcript." in first.ran.err


@pytest.mark.reported("R42")
def test_the_next_run_asks_again_what_failed_and_nothing_else(troubled):
    first, second = troubled.phases[:2]
    assert second.begun["500"] == first.begun["500"] + SCENARIOS
    for name in ("alpha", "bravo", "empty", "content_filter"):
        assert second.begun[name] == first.begun[name]
    assert second.begun["referee"] == first.begun["referee"] + SCENARIOS * (1 + 2 * 2)
    assert second.ran.code == 3


def test_what_was_empty_or_blocked_waits_for_retry_errors(troubled):
    second, third, fourth = troubled.phases[1:]
    assert third.begun == second.begun
    assert third.ran.code == 3
    assert fourth.ran.code == 0, str(fourth.ran)
    for name in ("empty", "content_filter"):
        assert fourth.begun[name] == third.begun[name] + SCENARIOS
    for name in ("alpha", "bravo", "500"):
        assert fourth.begun[name] == third.begun[name]
    assert len(fourth.rows["transcript"]) == 5 * SCENARIOS
    assert len(fourth.rows["verdict"]) == 20 * SCENARIOS
    assert not any(fourth.board["diagnostics"]["rows"]["excluded"].values())


def test_failed_attempts_are_rows_that_no_later_run_changes(troubled):
    for before, after in zip(troubled.phases, troubled.phases[1:], strict=False):
        for table, rows in before.rows.items():
            assert set(rows) <= set(after.rows[table]), table


def test_the_status_of_every_attempt_is_kept(troubled):
    for name, status in TROUBLED.items():
        kept = troubled.workspace.rows(
            "select status, count(*) from call where entrant = ? group by all", name
        )
        failed = SCENARIOS * LIMITS["attempts"] if status == "error" else SCENARIOS
        assert dict(kept) == {status: failed, "ok": SCENARIOS}


# --- Refusals -------------------------------------------------------------------------------------


@pytest.mark.reported("R63")
def test_when_every_provider_refuses_before_any_work_the_exit_code_is_6(workspace, server):
    workspace.configure(
        [agent("401", server.url, limits=LIMITS), agent("402", server.url, limits=LIMITS)],
        [judge("referee", server.url)],
    )
    ran = workspace.run("run", "--yes")
    assert ran.code == 6, str(ran)
    assert ran.out == ""
    assert f"{HOST}:{server.server.port}" in ran.err
    assert begun(server) == {"401": 1, "402": 1}
    assert workspace.rows("select status, count(*) from call group by all") == [("error", 2)]
    with workspace.database() as database:
        for table in ("transcript", "sheet", "verdict", "board"):
            assert database.one(f"select count(*) from {table}") == 0
    assert not workspace.leaderboard.exists()


def test_a_refusal_beside_a_fault_is_not_every_provider(workspace, server):
    workspace.configure(
        [agent("401", server.url, limits=LIMITS), agent("500", server.url, limits=LIMITS)],
        [judge("referee", server.url)],
    )
    ran = workspace.run("run", "--yes")
    assert ran.code == 3, str(ran)
    assert "401 refused us and was not asked again" in ran.err


def test_a_judge_that_refuses_costs_no_transcript(workspace, server):
    workspace.configure(
        [agent("alpha", server.url), agent("bravo", server.url)],
        [judge("401", server.url, limits=LIMITS)],
    )
    ran = workspace.run("run", "--yes")
    assert ran.code == 3, str(ran)
    assert workspace.rows("select count(*) from transcript") == [(4,)]
    # Each stage finds it out for itself.
    assert begun(server)["401"] == 2


def test_under_a_cap_an_answer_that_never_came_counts_as_paid(workspace, server):
    how = "hang-then-ok"
    one = {"per_call": 1, "currency": "CNY"}
    limits = {**LIMITS, "timeout": 1}
    agents = [agent(n, server.url, model=how, limits=limits, price=one) for n in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url, price=one)])
    ran = workspace.run("collect", "--yes", "--agent", "alpha", "--max-cost", "1.5 CNY")
    assert ran.code == 4, str(ran)
    assert begun(server) == {how: 1}
    assert workspace.rows("select status, cost from call") == [("error", None)]


def test_a_run_says_what_each_failing_agent_was_told(workspace, server):
    workspace.configure(
        [agent("404", server.url, limits=LIMITS), agent("alpha", server.url)],
        [judge("referee", server.url)],
    )
    ran = workspace.run("collect", "--yes")
    assert ran.code == 3, str(ran)
    (line,) = [line for line in ran.err.splitlines() if "404, failed: " in line]
    assert "NotFoundError" in line


def test_status_asks_for_a_plain_run_where_one_will_do(workspace, server):
    workspace.configure(
        [agent("500", server.url, limits=LIMITS), agent("alpha", server.url)],
        [judge("referee", server.url)],
    )
    assert workspace.run("collect", "--yes").code == 3
    assert workspace.run("status").err.splitlines()[-1] == "Next: arena run"
    workspace.configure(
        [agent("empty", server.url, limits=LIMITS), agent("alpha", server.url)],
        [judge("referee", server.url)],
    )
    assert workspace.run("collect", "--yes").code == 3
    assert workspace.run("status").err.splitlines()[-1] == "Next: arena run --retry-errors"
