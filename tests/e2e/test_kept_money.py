"""Money once things go wrong: reserves that are kept, transcripts that stay, SIGTERM."""

import json
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal

import pytest

from tests.e2e.conftest import PATIENCE, agent, fair, judge, recover, settled_environment
from tests.support import behaviours
from tests.support.server_thread import ServerThread

pytestmark = pytest.mark.slow

PRICE = {"input_per_million": 500, "output_per_million": 2000, "currency": "CNY"}
ROOM = {"max_tokens": 60}
ONCE = {"attempts": 1, "concurrency": 1}


def priced(workspace, server, model, **top):
    more = {"price": PRICE, "sampling": ROOM, "limits": ONCE}
    agents = [agent("alpha", server.url, model=model, **more), agent("bravo", server.url, **more)]
    workspace.configure(agents, [judge("referee", server.url, **more)], **top)


def test_a_later_run_counts_what_unknown_calls_held_and_goes_on(workspace, server, monkeypatch):
    priced(workspace, server, "cut", max_cost="10 CNY")
    first = workspace.run("collect", "--yes")
    assert first.code == 3, str(first)
    lost = workspace.rows("select cost, held, currency from call where status = 'error'")
    assert len(lost) == 2
    assert all(cost is None and held > 0 and code == "CNY" for cost, held, code in lost)
    recover(monkeypatch, "cut")
    second = workspace.run("run", "--yes")
    assert second.code == 0, str(second)
    # Unknown stays unknown where it is told.
    told = workspace.run("status", "--json").document["spend"]
    (alpha,) = [line for line in told if line["who"] == "agent:alpha"]
    assert alpha["unpriced"] == 2
    assert Decimal(alpha["held"]) == sum(held for _, held, _ in lost)


def test_reserves_of_unknown_calls_use_the_cap_up(workspace, server, monkeypatch):
    priced(workspace, server, "cut", max_cost="10 CNY")
    assert workspace.run("collect", "--yes").code == 3
    ((held,),) = workspace.rows("select sum(held) from call")
    recover(monkeypatch, "cut")
    priced(workspace, server, "cut", max_cost=f"{held} CNY")
    before = server.server.begun
    ran = workspace.run("collect", "--yes")
    assert ran.code == 4, str(ran)
    assert server.server.begun == before


def test_calls_that_held_nothing_still_close_a_cap(workspace, server):
    workspace.configure(
        [agent("alpha", server.url), agent("bravo", server.url)], [judge("referee", server.url)]
    )
    assert workspace.run("collect", "--yes").code == 0
    priced(workspace, server, "ok", max_cost="10 CNY")
    ran = workspace.run("run", "--yes")
    assert ran.code == 4, str(ran)
    assert "8 calls of unknown cost so far" in ran.err
    assert workspace.run("run", "--yes", "--allow-unpriced").code == 0


@pytest.mark.parametrize("how", ["500", "401", "garbage", "policy"])
def test_a_paid_transcript_is_never_thrown_away_because_judging_failed(
    workspace, server, monkeypatch, how
):
    agents = [agent("alpha", server.url), agent("bravo", server.url)]
    workspace.configure(agents, [judge("referee", server.url, model=how, limits=ONCE)])
    failed = workspace.run("run", "--yes")
    assert failed.code == 3, str(failed)
    kept = workspace.rows("from transcript order by key")
    paid = workspace.rows("from call where speaker = 'agent' order by key")
    assert (len(kept), len(paid)) == (4, 8)
    assert workspace.rows("select count(*) from score") == [(0,)]
    recover(monkeypatch, how)
    again = workspace.run("run", "--yes", "--retry-errors")
    assert again.code == 0, str(again)
    assert workspace.rows("from transcript order by key") == kept
    assert workspace.rows("from call where speaker = 'agent' order by key") == paid
    assert workspace.rows("select count(*) from score")[0][0] > 0


def test_a_quota_that_is_used_up_for_everybody_ends_before_any_work(workspace, server, monkeypatch):
    def spent(server, ask):
        return behaviours.error(429, "You exceeded it", "insufficient_quota", "insufficient_quota")

    monkeypatch.setitem(behaviours.BEHAVIOURS, "spent", spent)
    agents = [agent(n, server.url, model=f"spent/{n}", limits=ONCE) for n in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url)])
    ran = workspace.run("run", "--yes")
    assert ran.code == 6, str(ran)
    assert "Traceback" not in ran.err
    assert server.server.begun == 2


def test_a_call_larger_than_a_minute_allows_is_an_error_that_says_so(workspace, server):
    more = {"limits": {"tpm": 20}}
    agents = [agent("alpha", server.url, **more), agent("bravo", server.url)]
    workspace.configure(agents, [judge("referee", server.url)])
    ran = workspace.run("collect", "--yes")
    assert ran.code == 3, str(ran)
    assert "`tpm`" in ran.err
    assert {m for m in server.stats()["models"]} == {"bravo"}


def test_agents_and_judges_are_told_apart_with_the_date_of_the_rates(workspace, server):
    dollars = {"input_per_million": 50, "output_per_million": 200, "currency": "USD"}
    agents = [agent(n, server.url, price=dollars, sampling=ROOM) for n in ("alpha", "bravo")]
    judges = [judge("referee", server.url, price=PRICE, sampling=ROOM)]
    rates = {"USD": 7, "as_of": "2026-11-29"}
    workspace.configure(agents, judges, currency="CNY", rates=rates)
    dry = workspace.run("run", "--dry-run", "--json")
    apart, cost = (dry.document["forecast"][key] for key in ("cost_apart", "cost"))
    assert set(apart) == {"agent", "judge"}
    assert [a + j for a, j in zip(*apart.values(), strict=True)] == pytest.approx(cost)
    assert workspace.run("run", "--yes").code == 0
    for said in (dry.err, workspace.run("status").err):
        assert "of this: agents " in said
        assert " · judges " in said
        assert "exchange rates as of 2026-11-29" in said
    page = (workspace.leaderboard / "index.html").read_text(encoding="utf-8")
    assert "exchange rates as of 2026-11-29" in page


def test_what_comes_out_otherwise_than_forecast_is_told(workspace):
    long = " ".join(["word"] * 2000)
    with ServerThread(answer=lambda r: fair(r) or long, answer_schemas=True) as server:
        workspace.configure(
            [agent("alpha", server.url), agent("bravo", server.url)],
            [judge("referee", server.url)],
        )
        ran = workspace.run("collect", "--yes")
    assert ran.code == 0, str(ran)
    assert "came out otherwise than forecast: " in ran.err
    assert "Tokens out +" in ran.err
    assert "Calls" not in ran.err.split("came out otherwise")[1]


SLOW = """
import sys, time
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "litellm":
            open(sys.argv[1], "w").close()
            time.sleep(600)
sys.meta_path.insert(0, Finder())
from arena.cli.main import app
app(sys.argv[2:])
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_litellm_is_imported_ends_with_a_saved_state(workspace, server, number):
    workspace.configure(
        [agent("alpha", server.url), agent("bravo", server.url)], [judge("referee", server.url)]
    )
    mark = workspace.root / "importing"
    words = [sys.executable, "-c", SLOW, str(mark), "run", "-C", str(workspace.root), "--yes"]
    run = subprocess.Popen(
        words,
        env=settled_environment({}),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + PATIENCE
    while not mark.exists():
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)
    os.kill(run.pid, number)
    out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == (143 if number == signal.SIGTERM else 130), err
    assert out == ""
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "interrupted; what was finished before is saved"
    state = json.loads((workspace.results / "status.json").read_text(encoding="utf-8"))
    assert state["state"] == "interrupted"
    assert server.server.begun == 0
