"""The blocks of data/arena.yaml: what they take, what they refuse with its line, and their keys."""

import json
from dataclasses import replace

import pytest

from arena.cli.workspace import default_mode
from arena.domain.agent import Agent
from arena.domain.plan import plan_transcripts
from arena.errors import ConfigError
from arena.suites.find import shipped_suites
from arena.suites.load import load_suite
from arena.suites.roster import load_config
from tests.products.conftest import http_agent

HTTP = """\
suites: [{suite: everyday-en}]
agents:
  - {agent: plain, vendor: a, family: m, model: openai/x}
  - agent: homebot
    vendor: homebot
    version: 2026Q4
    http:
      url: https://homebot.example/chat
      headers: {Authorization: "Bearer ${HOMEBOT_KEY}"}
      request: {text: $message, sid: $session}
      reply: $.data.text
      session: $.data.sid
      ok: $.errcode == 0
judges:
  - {judge: j, vendor: b, family: n, model: openai/j}
"""


@pytest.fixture
def load(tmp_path):
    def loaded(text, **files):
        (tmp_path / "data").mkdir(exist_ok=True)
        for name, said in files.items():
            (tmp_path / "data" / f"{name}.jsonl").write_text(said, encoding="utf-8")
        path = tmp_path / "data" / "arena.yaml"
        path.write_text(text, encoding="utf-8")
        return load_config(path)

    return loaded


def test_the_example_loads_and_is_a_product(load):
    found = load(HTTP).agents[1]
    assert (found.kind, found.route, found.place) == ("product", "http/homebot", "homebot.example")
    assert found.stateful
    assert found.http.variables == {"HOMEBOT_KEY"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("reply: $", "replay: $", ":11: unknown key `agents.1.http.replay`\nDid you mean `reply`?"),
        ("reply: $.data.text", "reply: data.text", ":11: `agents.1.http.reply`"),
        ("reply: $.data.text", "reply: $.data[", ":11: `reply` is not a JSONPath: $.data["),
        ("ok: $.errcode == 0", "ok: $.e[ == 0", ":13: `ok` is not a JSONPath: $.e["),
        ("ok: $.errcode == 0", "ok: errcode is 0", ":13: a condition is written like"),
        ("    version: 2026Q4\n", "", ":4: `version` is missing: what a product is changes"),
        ("text: $message", "text: $mesage", ":7: nothing fills the placeholder: $mesage"),
        ("text: $message", "text: hello", ":7: `request` sends no $message"),
        ("text: $message", 'text: "Q: $message"', ":7: a placeholder must be the whole value"),
        ("sid: $session", "app_secret: s3cr3t", ":10: a secret does not stand in this file"),
        ("Bearer ${HOMEBOT_KEY}", "Bearer s3cr3t", ":9: a secret does not stand in this file"),
        ('"Bearer ${HOMEBOT_KEY}"', "{s3cr3t: 1}", ":9: `agents.1.http.headers`"),
        ("https://homebot.example/chat", "ftp://x", ":8: an address must begin with"),
        ("homebot.example/chat", "homebot.example/chat?key=s3cr3t", ":8: an address must not hold"),
        ("homebot.example", "me:s3cr3t@homebot.example", ":8: an address must not hold a user"),
        ("vendor: homebot", "vendor: h\n    model: openai/x", ":4: an agent is reached one way"),
        ("vendor: homebot", "vendor: h\n    sampling: {top_p: 1}", ":4: this is for models"),
        ("      ok:", "      token: {url: https://h.example}\n      ok:", ":13: "),
        (
            "      ok:",
            "      sign: {secret_env: X, template: $body}\n      ok:",
            ":13: `sign` needs",
        ),
        ("sid: $session", "sid: $token", ":7: `token` is missing: $token is used"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_never_with_a_secret(load, old, new, said):
    assert old in HTTP
    with pytest.raises(ConfigError) as caught:
        load(HTTP.replace(old, new, 1))
    assert said.split("\n")[0] in str(caught.value), str(caught.value)
    assert said.split("\n")[-1] in str(caught.value)
    assert "s3cr3t" not in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 3


def agent(**http):
    return Agent.model_validate(http_agent("https://h.example", **http))


@pytest.mark.parametrize(
    "changed",
    [
        {"path": "/other"},
        {"reply": "$.other"},
        {"request": {"text": "$message", "user": "$user"}},
        {"session": "$.other"},
        {"query": {"lang": "zh"}},
        {"stream": {"text": "$.x"}},
        {"welcome": "Hello"},
        {"poll": {"id": "$.i", "url": "https://h.example/r", "until": "$.x"}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_key_carries_addresses_and_templates(changed):
    path = changed.pop("path", "/chat")
    changed_agent = Agent.model_validate(http_agent("https://h.example", path, **changed))
    assert changed_agent.digest() != agent().digest()


def test_the_key_carries_the_version():
    other = Agent.model_validate(http_agent("https://h.example") | {"version": "2027Q1"})
    assert other.digest() != agent().digest()


@pytest.mark.parametrize(
    "changed",
    [
        {"headers": {"Authorization": "Bearer ${OTHER}", "X": "y"}},
        {"retry_codes": [1]},
        {"max_bytes": 5000},
        {"sign": {"secret_env": "X", "template": "$body", "header": "X"}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_key_carries_no_header_no_secret_and_no_limit(changed):
    assert agent(**changed).digest() == agent().digest()


def test_the_key_of_a_model_is_what_it_was():
    # Written down once: what is in people's stores is found by it.
    model = Agent(agent="x", vendor="v", model="openai/m", sampling={"temperature": 0})
    assert model.digest() == "34fc2888e31be9d72618df2bc08d7a82"


@pytest.mark.parametrize(
    ("block", "stateful"),
    [
        ({}, True),
        ({"session": None}, True),
        ({"session": None, "request": {"messages": "$messages"}}, False),
        ({"session": None, "request": {"m": "$message", "h": "$history"}}, False),
        ({"session": None, "request": {"messages": "$messages"}, "welcome": True}, True),
        ({"session": None, "request": {"messages": "$messages"}, "welcome": "Hello"}, False),
    ],
)
def test_a_product_keeps_the_dialogue_unless_it_is_sent_whole(block, stateful):
    assert agent(**block).stateful is stateful


def test_what_is_described_holds_no_header():
    described = json.dumps(agent(headers={"X-Tenant": "acme"}).model_dump(mode="json"))
    assert "X-Tenant" in described
    assert "acme" not in described


MODELS = (
    HTTP.split("  - agent: h")[0]
    + """\
  - {agent: other, vendor: a, family: m, model: openai/y}
judges:
  - {judge: j, vendor: b, family: n, model: openai/j}
"""
)


@pytest.mark.parametrize(("text", "mode"), [(HTTP, "natural"), (MODELS, "probe")])
def test_a_board_with_products_plays_what_they_can_play(load, text, mode):
    suite = replace(load_suite(shipped_suites() / "eldercare-zh"), default_mode="probe")
    assert default_mode(suite, load(text)) == mode


REPLAY = (
    HTTP.split("    http:")[0]
    + "    replay: {file: tapes.jsonl}\njudges:\n"
    + HTTP.split("judges:\n")[1]
)


def line(**more):
    said = {"scenario": "EV-01", "messages": [["user", "a"], ["assistant", "b"]], **more}
    return json.dumps(said) + "\n"


def test_a_file_of_transcripts_is_read_in_several_shapes(load):
    shapes = [
        [["user", "a"], ["assistant", "b"]],
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}],
        [
            {"role": "System", "text": "s"},
            {"role": "用户", "text": "a"},
            {"role": "bot", "text": "b"},
        ],
    ]
    said = "".join(line(messages=m, replicate=n, more=1) for n, m in enumerate(shapes, start=1))
    tapes = load(REPLAY, tapes=said).agents[1].replay.tapes
    assert {tape.rounds for tape in tapes.values()} == {(("a", "b"),)}
    assert sorted(tapes) == [("EV-01", 1), ("EV-01", 2), ("EV-01", 3)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (line() + line(), "tapes.jsonl:2: a second transcript of scenario EV-01, replicate 1"),
        (line(agent="other"), "tapes.jsonl: no transcript of homebot"),
        (line(messages=[["user", "a"]]), "tapes.jsonl:1: `messages` must alternate"),
        (line(messages=[["nurse", "a"], ["user", "b"]]), "tapes.jsonl:1: nobody is called nurse"),
        (line(messages="x"), "tapes.jsonl:1: `messages`"),
        ("{", "tapes.jsonl:1: not valid JSON"),
    ],
)
def test_a_file_that_holds_no_transcripts_is_refused_with_its_line(load, lines, said):
    with pytest.raises(ConfigError) as caught:
        load(REPLAY, tapes=lines)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("file", "said"),
    [("../out.jsonl", ":7: `file` leads out of"), ("none.jsonl", ":7: no such file")],
)
def test_a_file_elsewhere_is_refused(load, file, said):
    with pytest.raises(ConfigError) as caught:
        load(REPLAY.replace("tapes.jsonl", file))
    assert said in str(caught.value)


def test_the_words_of_a_file_are_the_origin_of_its_transcripts(load):
    suite = load_suite(shipped_suites() / "everyday-en")

    def keys(said):
        agents = load(REPLAY, tapes=said).agents[1:]
        specs = plan_transcripts(suite, "natural", agents, replicates=1)
        return {s.scenario: (s.origin, s.key) for s in specs}

    one, more = keys(line()), keys(line(scenario="EV-02") + line())
    changed = keys(line(messages=[["user", "a"], ["assistant", "c"]]))
    assert one["EV-01"] == more["EV-01"] != changed["EV-01"]
    assert one["EV-02"][0] == "missing"
    assert {s for s in one if one[s] != more[s]} == {"EV-02"}
