"""arena doctor for a workspace: mistakes are rows, a tiny call each, and no key is ever shown."""

import ast
import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

import arena.cli.checks
from arena.cli.checks.listed import CHECKS
from arena.cli.words import words
from tests.e2e.conftest import agent, begun, judge
from tests.support.product_server import ProductServer
from tests.support.server_thread import ServerThread

KEY = "fish-and-chips-4711"
PRICE = {"input_per_million": 1, "output_per_million": 2, "currency": "CNY"}
QUICK = {"timeout": 1, "concurrency": 1, "deadline": 5}
BOT = {"vendor": "maker", "version": "1"}


def rows(ran, check):
    """State, who and sentences of the rows of a check."""
    return [c for c in ran.document["checks"] if c["check"] == check]


def states(ran, check="call"):
    """State by endpoint."""
    return {who: row["state"] for row in rows(ran, check) for who in row["who"]}


def row_of(ran, who, check="call"):
    return next(row for row in rows(ran, check) if who in row["who"])


def two(url="http://127.0.0.1:9/v1", **more):
    return [agent("a", url, **more), agent("b", url, **more)]


@pytest.fixture
def sound(workspace, server):
    """Two agents and a judge that answer, all with a price and a key that is set."""
    given = {"price": PRICE, "api_key_env": "SOME_KEY"}
    workspace.configure(
        two(server.url, **given),
        [judge("j-2026-01-01", server.url, version="1", **given)],
        currency="CNY",
    )
    workspace.write(".env", f"SOME_KEY={KEY}\n")
    return workspace


def test_everybody_is_asked_once_for_one_token_and_the_money_is_kept(sound, server):
    ran = sound.run("doctor", "--yes", "--json")
    assert ran.code == 0, ran
    assert set(states(ran).values()) == {"ok"}
    assert begun(server) == {"a": 1, "b": 1, "j-2026-01-01": 1}
    calls = ran.document["calls"]
    assert [call["attempts"] for call in calls] == [1, 1, 1]
    assert all(call["latency_ms"] is not None and call["model_returned"] for call in calls)
    told = sum(Decimal(cost) for call in calls for cost in call["cost"])
    assert sound.rows("select sum(cost), count(*) from ping") == [(told, 3)]
    assert told > 0
    assert sound.rows("select count(*) from call") == [(0,)]
    status = sound.run("status", "--json")
    spent = {line["who"]: line["calls"] for line in status.document["spend"]}
    assert spent == {"agent:a": 1, "agent:b": 1, "judge:j-2026-01-01": 1}
    assert {h["authorization"] for h in server.headers} == {f"Bearer {KEY}"}
    assert KEY not in ran.out + ran.err


def test_the_longest_prompt_is_counted_with_each_system_prompt(sound):
    sound.write("data/prompts/long.md", "Be kind. " * 400)
    sound.config["agents"][0]["system"] = "prompts/long.md"
    sound.write("data/arena.yaml", json.dumps(sound.config))
    found = sound.run("doctor", "--offline", "--json")
    told = {row["who"][0]: row["message"] for row in rows(found, "prompt")}
    count = {
        who: int(re.search(r"about ([\d,]+) tokens", said)[1].replace(",", ""))
        for who, said in told.items()
    }
    # 3,600 characters, one token for each four, and the frame of the message.
    assert count["agent:a"] - count["agent:b"] == 904
    assert "904 of them the system prompt" in told["agent:a"]
    assert "no system prompt" in told["agent:b"]


def test_the_request_is_for_one_token_and_what_the_sampling_says(workspace):
    seen = []

    def note(request):
        seen.append(request)
        return "hello"

    with ServerThread(answer=note) as server:
        workspace.configure(
            two(server.url, sampling={"temperature": 0.5, "max_tokens": 900}, price=PRICE), []
        )
        workspace.config["judges"] = [judge("j", server.url, price=PRICE)]
        workspace.write("data/arena.yaml", json.dumps(workspace.config))
        ran = workspace.run("doctor", "--yes", "--json")
    assert ran.code == 0, ran
    assert {request["max_tokens"] for request in seen} == {1}
    assert {request.get("temperature") for request in seen} == {0.5, None}
    assert all(len(request["messages"]) == 1 for request in seen)


def test_offline_asks_nobody_looks_up_nothing_and_makes_no_store(sound, server, monkeypatch):
    def no(*_, **__):
        raise AssertionError("looked up a name")

    monkeypatch.setattr("socket.getaddrinfo", no)
    sound.config["agents"][0]["api_base"] = "https://llm.example.invalid/v1"
    sound.write("data/arena.yaml", json.dumps(sound.config))
    ran = sound.run("doctor", "--offline", "--json")
    assert ran.code == 0, ran
    assert server.server.begun == 0
    assert set(states(ran).values()) == {"skipped"}
    assert not (sound.results / "arena.duckdb").exists()
    assert ran.document["calls"] == []


def test_without_consent_nothing_is_asked_and_the_checks_are_shown_all_the_same(sound, server):
    ran = sound.run("doctor", "--json")
    assert ran.code == 4
    assert server.server.begun == 0
    assert "nobody to ask" in ran.document["refusal"][0]
    assert rows(ran, "price")
    table = sound.run("doctor")
    assert table.code == 4
    assert "Checked" in table.out
    assert "nobody to ask" in table.err


def test_a_cap_that_a_call_could_cross_is_kept(sound, server):
    for one in sound.config["agents"]:
        one["price"] = {"per_call": 5, "currency": "CNY"}
    sound.write("data/arena.yaml", json.dumps(sound.config))
    ran = sound.run("doctor", "--yes", "--max-cost", "6 CNY", "--json")
    assert begun(server).get("a", 0) + begun(server).get("b", 0) == 1
    assert "could have crossed the cap" in json.dumps(ran.document)


# How the server behaves: (status, state, requests, what the next step speaks of)
FAILING = {
    "401": (401, "fail", 1, "key's variable"),
    "403": (403, "fail", 1, "key's variable"),
    "402": (402, "fail", 1, "quota"),
    "404": (404, "fail", 1, "model string"),
    "429-forever": (429, "fail", 2, "rpm"),
    "html": (None, "fail", 2, "api_base"),
    "hang": (None, "fail", 2, "timeout"),
    "500": (500, "fail", 2, "what it said"),
    "500-then-ok": (None, "ok", 2, ""),
    "length": (None, "ok", 1, ""),
    "empty": (None, "ok", 1, ""),
    "policy": (None, "warn", 1, ""),
}


def test_each_refusal_says_its_status_its_host_and_the_next_step(workspace, server):
    names = {how.replace("-", "_"): how for how in FAILING}
    workspace.configure(
        [
            agent(name, server.url, model=how, price=PRICE, limits=QUICK, api_key_env="SOME_KEY")
            for name, how in names.items()
        ],
        [judge("j", server.url, price=PRICE)],
    )
    ran = workspace.run("doctor", "--yes", "--json", env={"SOME_KEY": KEY})
    assert ran.code == 5, ran
    host = re.sub(r"^https?://|/.*", "", server.url.split("//", 1)[1])
    called = {call["who"]: call for call in ran.document["calls"]}
    for name, how in names.items():
        code, state, requests, step = FAILING[how]
        row = row_of(ran, f"agent:{name}")
        assert row["state"] == state, row
        assert begun(server)[how] == requests, how
        assert step in row["hint"], row
        if state == "fail":
            assert host in row["message"]
        if code:
            assert called[f"agent:{name}"]["code"] == code
            assert str(code) in row["message"]
    assert KEY not in ran.out + ran.err
    asked = workspace.rows("select count(*) from ping")[0][0]
    assert asked == sum(n for _, _, n, _ in FAILING.values()) + 1


def test_a_cap_in_a_currency_without_a_rate_asks_nobody(sound, server):
    sound.config["max_cost"] = "5 USD"
    sound.write("data/arena.yaml", json.dumps(sound.config))
    ran = sound.run("doctor", "--yes", "--json")
    assert ran.code == 2
    assert [row["state"] for row in rows(ran, "cap")] == ["fail"]
    assert server.server.begun == 0


def test_when_every_provider_refuses_the_exit_code_is_6(workspace, server):
    workspace.configure(
        [agent(n, server.url, model="401", price=PRICE) for n in ("a", "b")],
        [judge("j", server.url, model="401", price=PRICE)],
    )
    ran = workspace.run("doctor", "--yes", "--json")
    assert ran.code == 6
    assert "every provider refused" in ran.document["refusal"][0]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.reported("R37", "R46", "R51")
def test_seeded_mistakes_are_rows_in_both_languages(workspace, lang):
    workspace.write_suite(scenarios=1, criteria=[])
    base = "http://127.0.0.1:9/v1"
    workspace.configure(
        [
            agent("keyless", base, api_key_env="NOT_THERE"),
            agent("hollow", base, api_key_env="HOLLOW"),
            agent("hidden", base, api_key_env="HIDDEN"),
            {"agent": "stranger", "vendor": "x", "family": "qwen", "model": "nobody-knows/it"},
            {"agent": "program", **BOT, "family": "f", "command": {"run": ["no-such-program-x"]}},
            {"agent": "web", **BOT, "family": "f", "http": {
                "url": "http://127.0.0.1:9/chat", "request": {"t": "$message"}, "reply": "$.r"}},
            agent("foreign", base, region="us", price={**PRICE, "currency": "USD"}),
        ],
        [judge("j", base, vendor="x"), judge("k", base, vendor="x", family="qwen")],
        allow_regions=["cn"],
        max_cost="5 CNY",
        currency="CNY",
    )  # fmt: skip
    workspace.write(".env", f"HIDDEN={KEY}\n")
    env = {"HOLLOW": "", "HIDDEN": "", "ARENA_LANG": lang}
    ran = workspace.run("doctor", "--offline", "--json", env=env)
    assert ran.code == 5, ran
    assert rows(ran, "suite")[0]["state"] == "fail"
    assert "rubric.yaml:" in rows(ran, "suite")[0]["message"]
    keys = states(ran, "key")
    assert keys == {"agent:keyless": "fail", "agent:hollow": "fail", "agent:hidden": "warn"}
    assert states(ran, "model") == {"agent:stranger": "fail"}
    assert states(ran, "program") == {"agent:program": "fail"}
    assert set(states(ran, "region").values()) == {"fail"}
    assert row_of(ran, "agent:foreign", "price")["state"] == "fail"
    assert states(ran, "guard")["judge:j"] == "warn"
    assert {row["state"] for row in rows(ran, "pairs")} == {"fail"}
    assert "agent:keyless" in row_of(ran, "agent:keyless", "family")["who"]
    assert states(ran, "alias") == {"judge:j": "warn", "judge:k": "warn"}
    assert ran.document["schema"] == "arena.doctor.workspace/1"
    assert ran.document["sound"] is False
    assert KEY not in ran.out + ran.err
    table = workspace.run("doctor", "--offline", env=env)
    assert table.code == 5
    assert words(lang)["check_column_found"] in table.out
    assert KEY not in table.out + table.err


def test_a_mistake_in_the_configuration_is_named_with_its_line(workspace):
    workspace.configure(two(), [judge("j", "http://127.0.0.1:9/v1")], nonsense=1)
    ran = workspace.run("doctor", "--offline")
    assert ran.code == 2
    assert "arena.yaml:1" in ran.err
    workspace.configure(two(), [judge("j", "http://127.0.0.1:9/v1")])
    workspace.config["suites"] = [{"suite": "small-eh"}]
    workspace.write("data/arena.yaml", json.dumps(workspace.config))
    ran = workspace.run("doctor", "--offline")
    assert ran.code == 2
    assert "small-en" in ran.err


def test_a_product_is_greeted_only_when_asked_for(workspace):
    with ProductServer() as product:
        block = {
            "url": product.url + "/whole",
            "request": {"messages": "$messages", "user": "$user"},
            "reply": "$.reply",
        }
        workspace.configure(
            [
                {"agent": "web", **BOT, "family": "f", "http": block, "price": PRICE},
                {"agent": "program", **BOT, "family": "f", "command": {"run": ["sh"]}},
            ],
            [],
        )
        workspace.config["judges"] = [
            {
                "judge": "s",
                "vendor": "z",
                "model": f"scripted/{workspace.config['suites'][0]['suite']}/x",
            }
        ]
        workspace.write("data/arena.yaml", json.dumps(workspace.config))
        left = workspace.run("doctor", "--yes", "--json")
        assert left.code == 0, left
        assert states(left) == {
            "agent:web": "skipped",
            "agent:program": "skipped",
            "judge:s": "skipped",
        }
        greeted = workspace.run("doctor", "--yes", "--json", "--call-products")
    assert states(greeted)["agent:web"] == "ok", greeted
    assert states(greeted)["agent:program"] == "skipped"


def test_a_store_that_is_held_is_named_and_nothing_is_asked(sound, server):
    sound.results.mkdir(parents=True, exist_ok=True)
    code = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(sound.results / "arena.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "open\n"
    try:
        ran = sound.run("doctor", "--yes", "--json")
    finally:
        holder.communicate("\n")
    (store,) = rows(ran, "store")
    assert store["state"] == "warn"
    assert str(holder.pid) in store["message"]
    assert server.server.begun == 0


@pytest.mark.reported("R62")
def test_a_key_that_was_published_is_found_and_not_said(sound):
    sound.write("leaderboard/data.json", f'{{"said": "{KEY}"}}')
    ran = sound.run("doctor", "--offline", "--json")
    assert ran.code == 5
    (leak,) = rows(ran, "leak")
    assert "data.json" in leak["message"]
    assert KEY not in ran.out + ran.err


def test_a_key_in_the_environment_of_a_proxy_is_not_shown(sound):
    sound.config["agents"][0]["api_base"] = "https://llm.example.invalid/v1"
    sound.write("data/arena.yaml", json.dumps(sound.config))
    env = {"HTTPS_PROXY": f"http://me:{KEY}@127.0.0.1:9", "NO_PROXY": "", "no_proxy": ""}
    ran = sound.run("doctor", "--offline", "--json", env=env)
    assert row_of(ran, "agent:a", "host")["message"].endswith("through the proxy 127.0.0.1:9")
    assert (
        "proxy" not in row_of(ran, "agent:b", "host")["message"].replace("never through a", "")[:20]
    )
    assert KEY not in ran.out + ran.err


def test_a_clock_behind_the_newest_row_is_a_warning(sound):
    assert sound.run("doctor", "--yes", "--json").code == 0
    with duckdb.connect(str(sound.results / "arena.duckdb")) as store:
        store.execute("insert into run values ('x', 'c', 'v', 1, '', '2999-01-01T00:00:00.000Z')")
    ran = sound.run("doctor", "--offline", "--json")
    assert [row["state"] for row in rows(ran, "clock")] == ["warn"]


def test_every_sentence_of_a_check_exists_in_both_languages():
    folder = Path(arena.cli.checks.__file__).parent
    said = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said |= set(re.findall(r"^check_[a-z_]*[a-z]$", node.value))
    assert len(said) > 60
    assert said <= set(words("en"))
    assert len(set(CHECKS)) == len(CHECKS)


def test_help_tells_what_is_asked(sound):
    ran = sound.run("doctor", "--help")
    assert ran.code == 0
    for option in ("--offline", "--suite", "--call-products", "--max-cost"):
        assert option in ran.out
