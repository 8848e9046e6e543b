"""Money, consent, regions and keys: nothing is spent unasked, nothing secret leaves."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from tests.e2e.conftest import agent, fair, judge
from tests.support import behaviours
from tests.support.server_thread import ServerThread

PLANNED = 2 * 2 * 2 + 4 + 4
"""Calls of two agents and one judge on the small suite: replies, sheets, verdicts."""
KEY = "k3y-4f9c1e77ab20d6-Zq"
PRICE = {"input_per_million": 500, "output_per_million": 2000, "currency": "CNY"}
ROOM = {"max_tokens": 60}


def plain(workspace, server, *, judges=None, **more):
    """Two agents and a judge; `more` is said of both agents."""
    agents = [agent(name, server.url, **more) for name in ("alpha", "bravo")]
    workspace.configure(agents, judges or [judge("referee", server.url)])


def priced(workspace, server, price=PRICE, **top):
    """The same, all at one price."""
    more = {"price": price, "sampling": ROOM}
    agents = [agent(name, server.url, **more) for name in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url, **more)], **top)


def spent_by_command(workspace):
    rows = workspace.rows(
        "select started_at, coalesce(sum(cost), 0) from run left join call using (run) "
        "group by run, started_at order by started_at"
    )
    return [cost for _, cost in rows]


# --- Consent --------------------------------------------------------------------------------------


def test_the_forecast_is_on_stderr_and_stdout_is_one_json_document(workspace, server):
    plain(workspace, server)
    ran = workspace.run("run", "--yes", "--json")
    assert ran.code == 0, str(ran)
    assert ran.document["schema"] == "arena.run/1"
    assert ran.document["forecast"]["calls"] == PLANNED == server.server.begun
    assert "forecast: 16 calls" in ran.err
    assert [s["made"] for s in ran.document["stages"]] == [4, 4, 4]
    assert Path(ran.document["index"]).is_file()


def test_the_forecast_is_not_on_stdout(workspace, server):
    plain(workspace, server)
    ran = workspace.run("collect", "--yes")
    assert (ran.code, ran.out) == (0, "")
    assert "forecast: 8 calls" in ran.err


@pytest.mark.parametrize("command", ["run", "collect", "score", "compare"])
def test_without_a_terminal_and_without_yes_nothing_is_spent(workspace, server, command):
    plain(workspace, server)
    before = 0
    if command in ("score", "compare"):
        assert workspace.run("collect", "--yes").code == 0
        before = server.server.begun
    ran = workspace.run(command)
    assert ran.code == 4, str(ran)
    assert ran.out == ""
    assert "forecast: " in ran.err
    assert "--yes" in ran.err.splitlines()[-1]
    assert server.server.begun == before
    assert workspace.rows("select count(*) from call") == [(before,)]


@pytest.mark.parametrize("command", ["score", "compare"])
def test_where_there_is_nothing_to_judge_yet_nothing_is_asked_of_anybody(
    workspace, server, command
):
    plain(workspace, server)
    ran = workspace.run(command)
    assert ran.code == 0, str(ran)
    assert "forecast: 0 calls" in ran.err
    assert server.server.begun == 0


def test_a_refusal_is_one_json_document_too(workspace, server):
    plain(workspace, server)
    ran = workspace.run("run", "--json")
    assert ran.code == 4
    assert ran.document["schema"] == "arena.error/1"
    assert ran.document["error"]["kind"] == "refused_to_spend"
    assert server.server.begun == 0


def test_a_dry_run_shows_the_forecast_and_asks_nothing(workspace, server):
    priced(workspace, server)
    ran = workspace.run("run", "--dry-run", "--json")
    assert ran.code == 0, str(ran)
    assert ran.document["forecast"]["calls"] == PLANNED
    low, high = ran.document["forecast"]["cost"]
    assert 0 < low < high
    assert ran.document["stages"] == []
    assert server.server.begun == 0
    assert workspace.run("run", "--dry-run", "--yes").code == 0
    assert server.server.begun == 0
    assert not workspace.leaderboard.exists()


# --- The cap --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("currency", "rates", "cap"),
    [("CNY", {}, "1.5 CNY"), ("USD", {"USD": 7}, "1.5 CNY"), ("CNY", {"USD": 8}, "0.1875 USD")],
)
def test_a_command_never_crosses_its_cap_and_the_next_goes_on(workspace, currency, rates, cap):
    scale = 7 if currency == "USD" else 1
    price = {
        "input_per_million": PRICE["input_per_million"] / scale,
        "output_per_million": PRICE["output_per_million"] / scale,
        "currency": currency,
    }
    limit = Decimal("1.5") / scale
    with ServerThread(latency=0.01, answer=fair, answer_schemas=True) as server:
        priced(workspace, server, price, rates=rates)
        begun = []
        for _ in range(30):
            ran = workspace.run("run", "--yes", "-j", "8", "--max-cost", cap)
            begun.append(server.server.begun)
            if ran.code == 0:
                break
            assert ran.code == 4, str(ran)
            assert "the cap was reached" in ran.err
            assert "Raise --max-cost" in ran.err
        assert ran.code == 0, str(ran)
        assert len(begun) >= 3
        assert begun == sorted(begun)
        assert begun[0] > 0
        assert server.server.begun == PLANNED
    assert max(spent_by_command(workspace)) <= limit
    assert workspace.rows("select count(*) from call where cost is null") == [(0,)]
    assert workspace.rows("select distinct currency from call") == [(currency,)]


def test_what_was_done_before_the_cap_is_kept_and_a_higher_one_does_not_repeat_it(
    workspace, server
):
    priced(workspace, server)
    capped = workspace.run("run", "--yes", "--max-cost", "1.5 CNY", "--json")
    assert capped.code == 4
    assert capped.document["error"]["kind"] == "cap_reached"
    before = workspace.rows("from call")
    assert 0 < len(before) == server.server.begun < PLANNED
    done = workspace.run("run", "--yes", "--max-cost", "100 CNY")
    assert done.code == 0, str(done)
    assert set(before) <= set(workspace.rows("from call"))
    assert server.server.begun == PLANNED


def test_the_cap_of_the_workspace_holds_over_all_commands(workspace, server):
    priced(workspace, server, max_cost="1 CNY")
    for _ in range(4):
        ran = workspace.run("run", "--yes")
        assert ran.code == 4, str(ran)
    ((spent, calls),) = workspace.rows("select sum(cost), count(*) from call")
    assert 0 < spent <= 1
    assert calls == server.server.begun < PLANNED


def test_calls_of_unknown_cost_do_not_open_the_cap_of_the_workspace(workspace, server):
    more = {"price": PRICE, "sampling": ROOM, "model": "no-usage"}
    agents = [agent(name, server.url, **more) for name in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url, **more)], max_cost="1 CNY")
    begun = []
    while len(begun) < 2 or begun[-1] > begun[-2]:
        ran = workspace.run("run", "--yes")
        begun.append(server.server.begun)
    assert ran.code == 4, f"calls begun by each command: {begun}"
    assert 0 < begun[-1] < PLANNED
    assert workspace.rows("select count(cost) from call") == [(0,)]


def test_under_a_cap_what_has_no_price_is_refused_unless_allowed(workspace, server):
    agents = [agent("alpha", server.url, price=PRICE), agent("bravo", server.url)]
    workspace.configure(agents, [judge("referee", server.url, price=PRICE)])
    ran = workspace.run("run", "--yes", "--max-cost", "1000 CNY")
    assert ran.code == 4
    assert "no known price, under a cap: bravo" in ran.err
    assert server.server.begun == 0
    allowed = workspace.run("run", "--yes", "--max-cost", "1000 CNY", "--allow-unpriced")
    assert allowed.code == 0, str(allowed)
    assert server.server.begun == PLANNED


def test_under_a_cap_a_price_without_a_rate_is_no_price(workspace, server):
    priced(workspace, server, {**PRICE, "currency": "EUR"})
    ran = workspace.run("run", "--yes", "--max-cost", "1000 CNY")
    assert ran.code == 4
    assert "no known price, under a cap: alpha, bravo, referee" in ran.err
    assert server.server.begun == 0


# --- Unknown is not nothing -----------------------------------------------------------------------


@pytest.mark.reported("R52")
def test_an_unknown_price_is_null_and_never_0(workspace, server):
    plain(workspace, server)
    ran = workspace.run("run", "--yes", "--json")
    assert ran.code == 0
    forecast = ran.document["forecast"]
    assert [line["cost"] for line in forecast["lines"]] == [None] * 4
    assert set(forecast["unpriced"]) == {"agent:alpha", "agent:bravo", "judge:referee"}
    assert "no known price, NOT included: alpha, bravo, referee" in ran.err
    kept = workspace.rows("select distinct cost, currency from call")
    assert kept == [(None, None)]
    spend = workspace.run("status", "--json").document["spend"]
    assert {line["who"]: (line["cost"], line["unpriced"]) for line in spend} == {
        "agent:alpha": (None, 4),
        "agent:bravo": (None, 4),
        "judge:referee": (None, 8),
    }


def test_a_forecast_of_which_nothing_has_a_price_is_unknown_and_not_0(workspace, server):
    plain(workspace, server)
    ran = workspace.run("run", "--dry-run", "--json")
    assert ran.document["forecast"]["cost"] is None
    assert " 0 CNY" not in ran.err


def test_a_cost_is_kept_in_its_own_currency_and_shown_in_the_workspaces(workspace, server):
    dollars = {"input_per_million": 50, "output_per_million": 200, "currency": "USD"}
    priced(workspace, server, dollars, currency="CNY", rates={"USD": 7})
    yuan = workspace.run("run", "--dry-run", "--json").document["forecast"]["cost"]
    priced(workspace, server, dollars, currency="USD")
    own = workspace.run("run", "--dry-run", "--json").document["forecast"]["cost"]
    assert yuan == pytest.approx([7 * amount for amount in own])
    priced(workspace, server, dollars, currency="CNY", rates={"USD": 7})
    assert workspace.run("run", "--yes").code == 0
    ((currency, spent),) = workspace.rows("select currency, sum(cost) from call group by currency")
    usage = workspace.rows("select sum(tokens_in) * 50 + sum(tokens_out) * 200 from call")
    assert currency == "USD"
    assert float(spent) * 1e6 == pytest.approx(float(usage[0][0]))
    assert f"spent: {PLANNED} calls, {spent * 7:.4f} CNY" in workspace.run("status").err


def test_a_cost_without_a_rate_is_kept_and_never_added(workspace, server):
    priced(workspace, server, {**PRICE, "currency": "EUR"})
    ran = workspace.run("run", "--yes", "--json")
    assert ran.code == 0, str(ran)
    assert ran.document["forecast"]["cost"] is None
    assert "no known price, NOT included: alpha, bravo, referee" in ran.err
    ((currency, spent, unknown),) = workspace.rows(
        "select any_value(currency), sum(cost), count(*) - count(cost) from call"
    )
    assert (currency, unknown) == ("EUR", 0)
    assert spent > 0
    status = workspace.run("status").err
    assert f"{spent:.4f}" not in status
    assert f"{PLANNED} of these calls have no known cost and are not in the sum" in status


# --- Regions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("region", [None, "us"])
def test_a_region_that_is_not_allowed_or_not_known_is_refused_before_any_call(
    workspace, server, region
):
    other = {"region": region} if region else {}
    agents = [agent("alpha", server.url, region="cn"), agent("bravo", server.url, **other)]
    judges = [judge("referee", server.url, region="cn")]
    workspace.configure(agents, judges, allow_regions=["cn"])
    ran = workspace.run("run", "--yes")
    assert ran.code == 4, str(ran)
    assert f"bravo: region {region or 'unknown'} is not in allow_regions" in ran.err
    assert server.server.begun == 0
    agents[1]["region"] = "cn"
    workspace.configure(agents, judges, allow_regions=["cn"])
    assert workspace.run("collect", "--yes").code == 0


# --- Keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{}, {"ALPHA_KEY": ""}])
def test_a_key_that_is_missing_or_empty_is_named_before_any_call(workspace, server, given):
    plain(workspace, server, api_key_env="ALPHA_KEY")
    ran = workspace.run("run", "--yes", env=given)
    assert ran.code == 2, str(ran)
    assert "the variable ALPHA_KEY is not set" in ran.err
    assert server.server.begun == 0


@pytest.mark.parametrize(
    ("file", "given"),
    [
        (f"ALPHA_KEY={KEY}\n", {}),
        (f"\ufeffALPHA_KEY={KEY}\r\nOTHER=1\r\n", {}),
        (f'# mine\r\nexport ALPHA_KEY="{KEY}"\r\n', {}),
        (f"ALPHA_KEY={KEY}\n", {"ALPHA_KEY": ""}),
        ("ALPHA_KEY=of-the-file\n", {"ALPHA_KEY": KEY}),
        ("", {"ALPHA_KEY": KEY}),
    ],
    ids=["file", "bom and crlf", "export and quotes", "empty variable", "variable wins", "no file"],
)
@pytest.mark.reported("R51")
def test_the_key_is_read_from_env_file_or_environment(workspace, server, file, given):
    if file:
        (workspace.root / ".env").write_bytes(file.encode())
    plain(workspace, server, api_key_env="ALPHA_KEY")
    ran = workspace.run("collect", "--yes", "--scenario", "S-1", env=given)
    assert ran.code == 0, str(ran)
    assert {h["authorization"] for h in server.headers} == {f"Bearer {KEY}"}


@pytest.fixture
def indiscreet(monkeypatch):
    """A server whose refusals repeat the key that they were sent."""

    def echo(status):
        def say(server, ask):
            key = server.headers[-1]["authorization"]
            return behaviours.error(
                status, f"Not for {key}: {key.removeprefix('Bearer ')}!", "authentication_error"
            )

        return say

    for status in (400, 401, 500):
        monkeypatch.setitem(behaviours.BEHAVIOURS, f"echo-{status}", echo(status))


@pytest.mark.reported("R62")
def test_the_key_reaches_the_server_and_nothing_that_is_kept_or_shown(
    workspace, server, indiscreet
):
    (workspace.root / ".env").write_text(f"ALPHA_KEY={KEY}\n")
    more = {"api_key_env": "ALPHA_KEY", "limits": {"attempts": 2}}
    names = ("alpha", "bravo", "echo-400", "echo-401", "echo-500")
    workspace.configure(
        [agent(name, server.url, **more) for name in names],
        [judge("referee", server.url, api_key_env="ALPHA_KEY")],
    )
    runs = [workspace.run("run", "--yes", *more) for more in ((), ("--json",))]
    runs += [workspace.run(command, *more) for command in ("status",) for more in ((), ("--json",))]
    runs.append(workspace.run("publish"))
    assert [ran.code for ran in runs] == [3, 3, 0, 0, 0]
    assert {h["authorization"] for h in server.headers} == {f"Bearer {KEY}"}
    errors = workspace.rows("select distinct error from call where error is not null")
    assert len(errors) >= 3
    assert all("[key]" in error for (error,) in errors)
    for ran in runs:
        assert KEY not in ran.out + ran.err
    with workspace.database() as database:
        for (table,) in database.rows("select table_name from duckdb_tables()"):
            assert KEY not in repr(database.rows(f'from "{table}"')), table
    files = [path for path in workspace.root.rglob("*") if path.is_file()]
    assert {path.name for path in files} > {"arena.yaml", "arena.duckdb", "index.html"}
    with_key = [path for path in files if KEY.encode() in path.read_bytes()]
    assert with_key == [workspace.root / ".env"]


def test_an_entrant_without_a_key_does_not_send_that_of_another_provider(workspace, server):
    plain(workspace, server)
    (workspace.root / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    for given in ({}, {"OPENAI_API_KEY": KEY, "OPENAI_LIKE_API_KEY": KEY}):
        ran = workspace.run("run", "--yes", "--retry-errors", env=given)
        assert ran.code == 0, str(ran)
        workspace.write_suite(scenarios=4)
    assert server.server.begun == 2 * PLANNED
    assert KEY not in json.dumps(list(server.headers))


def test_an_entrant_of_its_own_host_is_not_told_the_account_of_another_provider(workspace, server):
    plain(workspace, server)
    variables = ("OPENAI_ORG_ID", "OPENAI_ORGANIZATION", "OPENAI_PROJECT_ID")
    ran = workspace.run("collect", "--yes", env={name: "account-of-mine" for name in variables})
    assert ran.code == 0, str(ran)
    assert server.server.begun == 8
    assert "account-of-mine" not in json.dumps(list(server.headers))


def test_at_the_cap_the_counts_of_what_was_done_are_shown(workspace, server):
    priced(workspace, server)
    ran = workspace.run("run", "--yes", "--max-cost", "1 CNY")
    assert ran.code == 4, str(ran)
    assert "collect: " in ran.err
    assert "the cap was reached" in ran.err.splitlines()[-3]
