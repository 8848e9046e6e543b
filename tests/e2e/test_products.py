"""Agents that are products, from the file to the board: sessions, kills, prices, keys."""

import json
import sys

import pytest

from tests.e2e.conftest import Workspace, agent, judge
from tests.products.conftest import http_agent
from tests.support.product_server import APP_SECRET, ProductServer

PATIENT = {"attempts": 3, "concurrency": 1, "timeout": 30, "deadline": 60}
PRICE = {"per_call": "0.10", "per_session": "1", "currency": "CNY"}
TURNS = 3
SCENARIOS = 2


@pytest.fixture
def product():
    with ProductServer(retry_after="0") as server:
        yield server


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(tmp_path / "workspace")
    made.write_suite(scenarios=SCENARIOS, turns=TURNS)
    return made


def configure(workspace, server, *agents, **more):
    """The products beside a model of the test's server, so that there are two."""
    model = agent("plain", server.url, limits=PATIENT)
    listed = [{"limits": PATIENT, **a} for a in agents]
    workspace.configure([model, *listed], [judge("referee", server.url)], **more)


def spoken(workspace, name="homebot"):
    """The dialogues of an agent, by scenario."""
    rows = workspace.rows(
        "select scenario, messages from transcript where agent = ? order by 1", name
    )
    return {scenario: json.loads(messages) for scenario, messages in rows}


def test_a_product_with_sessions_is_played_judged_and_ranked(workspace, server, product):
    configure(workspace, server, http_agent(product.url) | {"price": PRICE})
    done = workspace.run("run", "--yes", "--json")
    assert done.code == 0, done
    said = [f"Scenario 1, turn {t}: what now?" for t in range(1, TURNS + 1)]
    assert sorted(product.sessions.values())[0] == said
    assert [text for _, text in spoken(workspace)["S-1"]][1::2] == [
        f"You said {text} ({n})." for n, text in enumerate(said, start=1)
    ]
    assert len(set(product.owners.values())) == SCENARIOS
    costs = workspace.rows(
        "select round, cost::double from call where entrant = 'homebot' and serves_kind ="
        " 'transcript' order by serves, round"
    )
    assert [c for _, c in costs] == [1.1, 0.1, 0.1] * SCENARIOS
    again = workspace.run("run", "--yes", "--json")
    assert again.code == 0
    assert product.messages == SCENARIOS * TURNS


def test_a_broken_dialogue_begins_anew_and_what_was_paid_is_kept_and_not_judged(
    workspace, server, product
):
    configure(workspace, server, http_agent(product.url) | {"price": PRICE})
    product.next("ok", "ok", "lost")
    done = workspace.run("collect", "--yes", "--json", "--scenario", "S-1", "--agent", "homebot")
    assert done.code == 0, done
    first, second = product.sessions["S1"], product.sessions["S2"]
    assert len(first) == len(second) == TURNS
    assert product.owners["S1"] != product.owners["S2"]
    rows = workspace.rows(
        "select round, attempt, status, cost::double from call where entrant = 'homebot'"
        " order by round, attempt"
    )
    assert rows == [
        *[(1, 1, "ok", 1.1), (1, 2, "ok", 1.1)],
        *[(2, 1, "ok", 0.1), (2, 2, "ok", 0.1)],
        *[(3, 1, "error", None), (3, 2, "ok", 0.1)],
    ]
    quoted = workspace.rows("select unnest(from_json(calls, '[\"varchar\"]')) from transcript")
    latest = workspace.rows("select key from call where attempt = 2")
    assert sorted(quoted) == sorted(latest)


@pytest.mark.parametrize(("fails", "sessions"), [("429", 1), ("busy", 1), ("500", 2)])
def test_what_was_certainly_not_taken_is_sent_again_and_the_rest_never(
    workspace, server, product, fails, sessions
):
    configure(workspace, server, http_agent(product.url, retry_codes=[45009]))
    product.next("ok", fails)
    done = workspace.run("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    assert done.code == 0, done
    assert len(product.sessions) == sessions
    assert product.messages == TURNS + sessions - 1


def test_a_first_message_is_tried_again_as_somebody_else(workspace, server, product):
    configure(workspace, server, http_agent(product.url))
    product.next("drop", "lost", "ok")
    done = workspace.run("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    assert done.code == 0, done
    users = [one["body"]["user"] for one in product.seen]
    assert len(set(users[:3])) == 3
    assert len(set(users[2:])) == 1


def test_a_dialogue_that_breaks_each_time_is_an_error_in_the_end(workspace, server, product):
    configure(workspace, server, http_agent(product.url))
    product.next(*["ok", "500"] * 3)
    done = workspace.run("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    assert done.code == 3, done
    assert "status 500: {" in done.err
    assert "127.0.0.1:" in done.err
    assert spoken(workspace) == {}
    workspace.run("rank")
    workspace.run("publish")
    pages = "".join(p.read_text("utf-8") for p in workspace.leaderboard.rglob("S-1*.html"))
    # Of three sittings that broke in their second round, the page tells the last.
    assert pages.count("(1).") <= 2
    assert workspace.run("collect", "--yes", "--scenario", "S-1", "--agent", "homebot").code == 0
    assert len(product.sessions) == 4
    assert len(spoken(workspace)["S-1"]) == 2 * TURNS


def test_a_product_that_is_sent_everything_goes_on_where_it_was(workspace, server, product):
    configure(workspace, server, http_agent(product.url, "/whole"))
    product.next("ok", *["500"] * 3)
    only = ("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    assert workspace.run(*only).code == 3
    assert workspace.run(*only).code == 0
    sent = [len(one["body"]["messages"]) for one in product.seen]
    assert sent == [1, 3, 3, 3, 3, 5]


@pytest.mark.slow
def test_killed_in_mid_dialogue_no_turn_is_lost_or_counted_twice(workspace, server, product):
    configure(workspace, server, http_agent(product.url))
    product.next("ok", "ok", "hang")
    only = ("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    with workspace.started(*only) as run:
        while len(product.seen) < 3:
            assert run.running, run.wait()
        run.kill()
    kept = workspace.rows("select round, attempt, status from call order by 1")
    assert kept == [(1, 1, "ok"), (2, 1, "ok")]
    assert workspace.run(*only).code == 0
    rows = workspace.rows("select round, attempt from call order by round, attempt")
    assert rows == [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    users = [one["body"]["user"] for one in product.seen]
    assert len(set(users)) == 2
    assert workspace.run(*only).code == 0
    assert len(product.seen) == 6


def test_an_empty_reply_of_a_dialogue_that_began_anew_is_not_asked_for_again(
    workspace, server, product
):
    configure(workspace, server, http_agent(product.url, "/empty"))
    only = ("collect", "--yes", "--scenario", "S-1", "--agent", "homebot")
    first = workspace.run(*only)
    assert first.code == 3
    assert "an empty reply at `reply`" in first.err
    assert workspace.run(*only).code == 3
    assert len(product.seen) == 1
    workspace.run(*only, "--retry-errors")
    assert len(product.seen) == 2


def test_no_secret_is_stored_said_or_written(workspace, server, product):
    token = {
        "url": product.url + "/token",
        "request": {"app": "a", "secret": "${HOMEBOT_SECRET}"},
        "reply": "$.access_token",
        "expires": "$.expires_in",
    }
    headers = {"Authorization": "Bearer $token", "X-Tenant": "tenant-${HOMEBOT_TENANT}"}
    block = http_agent(product.url, "/secure", headers=headers, token=token)
    configure(workspace, server, block)
    workspace.write(".env", f"HOMEBOT_SECRET={APP_SECRET}\nHOMEBOT_TENANT=acme-4711\n")
    product.next("ok", "broken", "401")
    done = workspace.run("run", "--yes")
    assert "error 50001" in done.err
    assert "tenant-acme-4711" in {one["headers"].get("x-tenant") for one in product.seen}
    stored = b"".join(
        p.read_bytes() for p in workspace.root.rglob("*") if p.is_file() and p.name != ".env"
    )
    for secret in (APP_SECRET, "acme-4711", *product.tokens):
        assert secret not in done.out + done.err
        assert secret.encode() not in stored
    (described,) = workspace.rows("select description from entrant where entrant = 'homebot'")[0]
    assert json.loads(described)["http"]["headers"] == dict.fromkeys(headers, "…")


def test_a_variable_that_is_not_set_is_named_before_anything_is_asked(workspace, server, product):
    headers = {"Authorization": "Bearer ${HOMEBOT_KEY}"}
    configure(workspace, server, http_agent(product.url, headers=headers))
    done = workspace.run("run", "--yes")
    assert done.code == 2
    assert "homebot: the variable HOMEBOT_KEY is not set" in done.err
    assert product.seen == []


def test_a_program_is_played_like_any_agent(workspace, server):
    script = (
        "import json, sys\n"
        "said = json.load(sys.stdin)['messages']\n"
        "print(json.dumps({'reply': [f'{len(said)} messages', {'type': 'image'}]}))\n"
    )
    workspace.write("bot.py", script)
    block = {"run": [sys.executable, "bot.py"]}
    program = {"agent": "homebot", "vendor": "homebot", "version": "1", "command": block}
    configure(workspace, server, program)
    done = workspace.run("run", "--yes", "--json")
    assert done.code == 0, done
    replies = [text for _, text in spoken(workspace)["S-1"]][1::2]
    assert replies == ["1 messages\n[image]", "3 messages\n[image]", "5 messages\n[image]"]


def tape(scenario, agent="elsewhere", turns=TURNS, **more):
    number = scenario.removeprefix("S-")
    messages = [{"role": "assistant", "content": "Hello there."}] if more.pop("hello", 0) else []
    for t in range(1, turns + 1):
        messages.append({"role": "user", "content": f"Scenario {number}, turn {t}: what now?"})
        messages.append({"role": "assistant", "content": f"Reply {t} of {scenario}."})
    return {"agent": agent, "scenario": scenario, "messages": messages, **more}


def replayed(workspace, *lines):
    workspace.write("data/replays.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    replay = {"file": "replays.jsonl", "agent": "elsewhere"}
    return {"agent": "homebot", "vendor": "homebot", "version": "1", "replay": replay}


def test_transcripts_made_elsewhere_are_judged_at_no_known_cost(workspace, server):
    configure(workspace, server, replayed(workspace, tape("S-1", hello=1), tape("S-2")))
    done = workspace.run("run", "--yes", "--json")
    assert done.code == 0, done
    assert spoken(workspace)["S-1"][0] == ["assistant", "Hello there."]
    assert [text for _, text in spoken(workspace)["S-2"]][1::2] == [
        f"Reply {t} of S-2." for t in range(1, TURNS + 1)
    ]
    facts = workspace.rows(
        "select distinct cost, currency, latency_ms from call where entrant = 'homebot'"
    )
    assert facts == [(None, None, None)]
    asked = [one for one in server.requests] if hasattr(server, "requests") else []
    assert all("Hello there." in str(one) for one in asked if "Reply 1 of S-1" in str(one))
    # What was replayed is no spending that a cap would have to know.
    limited = workspace.run("run", "--yes", "--allow-unpriced", "--max-cost", "1 CNY")
    assert limited.code == 0


def test_one_more_line_plans_one_more_transcript_and_no_other(workspace, server):
    configure(workspace, server, replayed(workspace, tape("S-1")))
    done = workspace.run("collect", "--yes")
    assert done.code == 3
    assert "replays.jsonl: no transcript of S-2" in done.err
    before = workspace.rows("select key from transcript where agent = 'homebot'")
    replayed(workspace, tape("S-1"), tape("S-2"))
    assert workspace.run("collect", "--yes").code == 0
    after = workspace.rows("select key from transcript where agent = 'homebot'")
    assert set(before) < set(after)
    assert len(after) == 2


def test_a_turn_that_is_not_the_scenario_s_is_named(workspace, server):
    wrong = tape("S-2")
    wrong["messages"][2]["content"] = "Something else entirely."
    configure(workspace, server, replayed(workspace, tape("S-1"), wrong))
    done = workspace.run("collect", "--yes")
    assert done.code == 3
    assert "replays.jsonl:2: turn 2 is not the scenario's" in done.err
    assert list(spoken(workspace)) == ["S-1"]


def test_judges_and_readers_see_what_a_product_said_first(workspace, server, product):
    welcome = {
        "url": product.url + "/hello",
        "request": {"user": "$user"},
        "reply": "$.greeting",
    }
    block = http_agent(product.url, welcome=welcome, session="$..sid")
    configure(workspace, server, block)
    done = workspace.run("run", "--yes", "--json")
    assert done.code == 0, done
    assert spoken(workspace)["S-1"][0] == ["assistant", "Good morning, I am Homebot."]
    assert len(product.sessions) == SCENARIOS
    pages = "".join(p.read_text("utf-8") for p in workspace.leaderboard.rglob("*.html"))
    assert "Good morning, I am Homebot." in pages


def test_a_fee_is_forecast_once_counted_once_and_kept_under_the_cap(workspace, server, product):
    fee = {"flat": "300", "per_call": "1", "currency": "CNY"}
    block = http_agent(product.url) | {"price": fee}
    free = {"price": {"flat": "0", "currency": "CNY"}}
    configure(workspace, server, block)
    config = workspace.config
    config["agents"][0] |= free
    config["judges"][0] |= free
    workspace.configure(config["agents"], config["judges"], max_cost="302 CNY")
    only = ("collect", "--yes", "--agent", "homebot", "--json")
    done = workspace.run(*only, "--scenario", "S-1", "--dry-run")
    assert done.document["forecast"]["cost"] == [303.0, 303.0]
    assert workspace.run(*only, "--scenario", "S-1").code == 4
    assert product.messages == 2
    workspace.configure(config["agents"], config["judges"])
    assert workspace.run(*only, "--scenario", "S-1").code == 0
    again = workspace.run(*only, "--dry-run")
    assert again.document["forecast"]["cost"] == [3.0, 3.0]
    spent = workspace.run("status", "--json").document["spend"]
    assert [s["cost"] for s in spent if s["calls"] == 0] == ["300"]
    total = sum(float(s["cost"] or 0) for s in spent)
    assert total == 300 + product.messages


@pytest.mark.parametrize("name", ["小护 / 2.1 🙂", "a/llama-3--x", "openai/gpt-4"])
def test_an_agent_may_have_any_name(workspace, server, product, name):
    configure(workspace, server, http_agent(product.url, name=name))
    done = workspace.run("collect", "--yes", "--scenario", "S-1", "--agent", name)
    assert done.code == 0, done
    assert len(spoken(workspace, name)["S-1"]) == 2 * TURNS
