"""The test server does what its text says: its behaviours."""

import http.client
import json
import time

import pytest

from tests.support.answers import SchemaError, from_schema
from tests.support.behaviours import HOSTILE, behaviour_of
from tests.support.llm_client import VERDICT, Client, judged, message
from tests.support.server_thread import ServerThread


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-4o-mini", "ok"),
        ("hang", "hang"),
        ("hang/agent-7", "hang"),
        ("org/agent--429-then-ok", "429-then-ok"),
        ("cut/agent--none", "none"),
        ("cut/agent--other", "cut"),
        ("slow:0.5/x", "slow"),
        ("slow:soon", "ok"),
        ("404:x", "ok"),
    ],
)
def test_a_model_name_chooses_the_behaviour(model, expected):
    assert behaviour_of(model)[0] == expected


def test_ok_looks_like_openai_and_repeats(client):
    response, raw = client.chat(prompt="one two three")
    body = json.loads(raw)
    assert response.status == 200
    assert body["object"] == "chat.completion"
    assert body["model"] == "ok"
    assert body["id"].startswith("chatcmpl-")
    assert abs(body["created"] - time.time()) < 60
    assert body["choices"][0]["finish_reason"] == "stop"
    text = body["choices"][0]["message"]["content"]
    said = len(text.split())
    assert body["usage"] == {
        "prompt_tokens": 3,
        "completion_tokens": said,
        "total_tokens": said + 3,
    }
    assert message(client.chat(prompt="one two three")[1])["content"] == text
    assert message(client.chat(prompt="one two four")[1])["content"] != text
    assert client.get("/stats")["connections"] == 1


def test_answers_come_from_the_option():
    def answer(request):
        content = request["messages"][-1]["content"]
        if content == "broken":
            raise LookupError("no answer")
        return f"re: {content}" if content != "pass" else None

    with ServerThread(answer=answer) as server:
        client = Client(server.server.port)
        assert message(client.chat(prompt="您好")[1])["content"] == "re: 您好"
        assert "re:" not in message(client.chat(prompt="pass")[1])["content"]
        assert json.loads(judged("x", client))["winner"] in ("A", "B", "tie")
        assert client.chat(prompt="broken")[0].status == 500
        assert isinstance(server.server.errors[0], LookupError)
        client.http.close()


def test_judges_get_json_that_fits_their_schema(client):
    verdicts = [json.loads(judged(f"prompt {n}", client)) for n in range(40)]
    assert {v["winner"] for v in verdicts} == {"A", "B", "tie"}
    assert {v["score"] for v in verdicts} == {1, 2, 3, 4, 5}
    assert all(len(v["reason"]) <= 60 and list(v) == list(VERDICT["properties"]) for v in verdicts)
    assert json.loads(judged("prompt 7", client)) == verdicts[7]


def test_the_generator_knows_the_usual_schemas():
    jsonschema = pytest.importorskip("jsonschema")
    schema = {
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 90},
                    "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
                },
                "required": ["name", "next"],
            }
        },
        "type": "object",
        "properties": {
            "root": {"$ref": "#/$defs/Node"},
            "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "half": {"type": "number", "multipleOf": 0.5, "minimum": -1, "maximum": 1},
            "even": {"type": "integer", "multipleOf": 2, "exclusiveMinimum": 2, "maximum": 8},
            "below": {"type": ["integer", "null"], "exclusiveMaximum": 0},
            "tags": {
                "type": "array",
                "items": {"enum": ["a", "b", "c"]},
                "minItems": 2,
                "uniqueItems": True,
            },
            "pair": {"prefixItems": [{"const": 1}, {"type": "boolean"}], "items": False},
            "both": {"allOf": [{"required": ["p"]}, {"properties": {"p": {"type": "integer"}}}]},
            "map": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "minProperties": 2,
            },
        },
        "required": ["root", "share", "tags"],
    }
    values = [from_schema(schema, str(n)) for n in range(200)]
    for value in values:
        jsonschema.validate(value, schema)
    assert len({json.dumps(value) for value in values}) == 200
    with pytest.raises(SchemaError, match="pattern"):
        from_schema({"type": "string", "pattern": "^x$"}, "0")
    with pytest.raises(SchemaError, match="empty range"):
        from_schema({"type": "integer", "minimum": 2, "maximum": 1}, "0")


def test_429_then_ok_fails_once_for_each_prompt(server, client):
    for prompt in ("a", "b"):
        response, _ = client.chat("429-then-ok/x", prompt)
        assert (response.status, response.headers["retry-after"]) == (429, "0")
        assert client.chat("429-then-ok/x", prompt)[0].status == 200
    assert [client.chat("429-forever")[0].status for _ in range(3)] == [429] * 3
    assert client.get("/stats")["statuses"] == {"200": 2, "429": 5}


def test_fail_first_sets_how_often():
    with ServerThread(fail_first=2) as server:
        client = Client(server.server.port)
        assert [client.chat("x--503-then-ok")[0].status for _ in range(3)] == [503, 503, 200]
        client.http.close()


@pytest.mark.parametrize("status", [401, 402, 403, 404, 422, 500])
def test_statuses(client, status):
    response, raw = client.chat(f"{status}/x")
    assert response.status == status
    assert json.loads(raw)["error"]["message"]


@pytest.mark.parametrize("name", ["500-then-ok", "529-then-ok"])
def test_other_statuses_then_ok(client, name):
    assert [client.chat(name)[0].status for _ in range(2)] == [int(name[:3]), 200]


def test_policy_refusals(client):
    for model, code in (("policy", "content_policy_violation"), ("policy-azure", "content_filter")):
        response, raw = client.chat(model)
        assert (response.status, json.loads(raw)["error"]["code"]) == (400, code)


def test_contents_that_are_not_answers(client):
    def choice(model):
        return json.loads(client.chat(model)[1])["choices"][0]

    assert json.loads(client.chat("no-choices")[1])["choices"] == []
    assert choice("none")["message"]["content"] is None
    assert choice("empty")["message"]["content"] == ""
    assert choice("length")["finish_reason"] == "length"
    assert choice("content_filter")["finish_reason"] == "content_filter"
    assert choice("content_filter")["message"]["content"] is None
    assert choice("think")["message"]["content"].partition("</think>")[2].strip()
    assert choice("open-think")["message"]["content"].startswith("<think>")
    assert "</think>" not in choice("open-think")["message"]["content"]
    assert choice("reasoning")["message"]["reasoning_content"]
    assert choice("reasoning")["message"]["content"]
    assert "usage" not in json.loads(client.chat("no-usage")[1])


def test_bodies_that_are_not_completions(client):
    response, raw = client.chat("html")
    assert (response.status, response.headers.get_content_type()) == (200, "text/html")
    response, raw = client.chat("garbage")
    assert (response.status, response.headers.get_content_type()) == (200, "application/json")
    with pytest.raises(json.JSONDecodeError):
        json.loads(raw)


def test_hostile_text_also_under_a_schema(client):
    assert message(client.chat("hostile")[1])["content"] == HOSTILE
    schema = {"type": "object", "properties": {"reason": {"type": "string"}, "n": {"const": 3}}}
    assert json.loads(judged("x", client, "hostile", schema)) == {"reason": HOSTILE, "n": 3}
    for piece in ("<script>", "{{", "{%", "%s", "\\1", "<<<", "[END OF", "\u202e", "\u200b"):
        assert piece in HOSTILE


def test_drift_after_five(client):
    models = [json.loads(client.chat("drift/x", str(n))[1])["model"] for n in range(7)]
    assert models == ["drift/x"] * 5 + ["drift/x-drifted"] * 2


def test_cut_sends_half_and_closes(server, client):
    with pytest.raises(http.client.IncompleteRead) as caught:
        client.chat("cut-then-ok")
    assert caught.value.partial.startswith(b'{"id":')
    client.http.close()
    assert client.chat("cut-then-ok")[0].status == 200
    assert server.stats()["models"]["cut-then-ok"] == {
        "behaviour": "cut-then-ok",
        "begun": 2,
        "answered": 1,
    }


def test_hang_ends_when_the_client_goes(server):
    client = Client(server.server.port, timeout=0.2)
    with pytest.raises(TimeoutError):
        client.chat("hang-then-ok")
    server.wait_begun(1, timeout=5)
    assert server.stats()["in_flight"] == 1
    client.http.close()
    client.http.timeout = 10
    assert client.chat("hang-then-ok")[0].status == 200
    stats = server.stats()
    assert (stats["begun"], stats["answered"], stats["in_flight"]) == (2, 1, 0)
    client.http.close()


def test_slow_and_latency():
    with ServerThread(latency=0.05) as server:
        client = Client(server.server.port)
        start = time.monotonic()
        client.chat("ok")
        middle = time.monotonic()
        client.chat("slow:0.2/x")
        assert 0.05 <= middle - start < 5
        assert time.monotonic() - middle >= 0.25
        client.http.close()


def test_counts_log_and_headers(tmp_path):
    with ServerThread(log=tmp_path / "log", keep_headers=2) as server:
        client = Client(server.server.port)
        for n, prompt in enumerate(["a", "b", "a"]):
            client.chat("ok/x y", prompt, headers={"Authorization": f"Bearer key-{n}"})
            assert len((tmp_path / "log").read_text().splitlines()) == n + 1
        stats = client.get("/stats")
        assert [h["authorization"] for h in server.headers] == ["Bearer key-1", "Bearer key-2"]
        assert "key-2" not in json.dumps(stats) + (tmp_path / "log").read_text()
        assert (stats["begun"], stats["answered"], stats["distinct"]) == (3, 3, 2)
        assert sorted(c["begun"] for c in stats["digests"].values()) == [1, 2]
        assert stats["models"] == {"ok/x y": {"behaviour": "ok", "begun": 3, "answered": 3}}
        lines = [line.split("\t") for line in (tmp_path / "log").read_text().splitlines()]
        assert {digest for digest, _ in lines} == set(stats["digests"])
        assert lines[0] == lines[2]
        assert lines[0][1] == "ok/x y"
        assert "digests" not in client.get("/stats?digests=0")
        client.http.close()
