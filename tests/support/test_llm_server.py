"""The test server does what its text says."""

import asyncio
import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.support.answers import SchemaError, from_schema
from tests.support.behaviours import HOSTILE, behaviour_of
from tests.support.llm_server import LLMServer
from tests.support.server_thread import ServerThread

CHAT = "/v1/chat/completions"
VERDICT = {
    "type": "object",
    "properties": {
        "winner": {"enum": ["A", "B", "tie"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "reason": {"type": "string", "maxLength": 60},
    },
    "required": ["winner", "score", "reason"],
    "additionalProperties": False,
}


class Client:
    """One keep-alive connection."""

    def __init__(self, port, timeout=10):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def send(self, method, path, body=None, headers=None):
        self.http.request(method, path, body, headers or {})
        response = self.http.getresponse()
        return response, response.read()

    def chat(self, model="ok", prompt="hello there", headers=None, **more):
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], **more}
        return self.send("POST", CHAT, json.dumps(body), headers)

    def get(self, path):
        return json.loads(self.send("GET", path)[1])


@pytest.fixture
def server():
    with ServerThread(retry_after=0) as thread:
        yield thread


@pytest.fixture
def client(server):
    one = Client(server.server.port)
    yield one
    one.http.close()


def message(raw):
    return json.loads(raw)["choices"][0]["message"]


def judged(prompt, client, model="ok", schema=VERDICT):
    wanted = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": schema}}
    _, raw = client.chat(model, prompt, response_format=wanted)
    return message(raw)["content"]


def raw_exchange(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
        sock.sendall(data)
        out = b""
        while piece := sock.recv(65536):
            out += piece
    return out


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


def test_wait_blocks_until_begun(server, client):
    woken = []

    def wait():
        waiting = Client(server.server.port)
        woken.append(waiting.get("/wait?begun=2"))
        waiting.http.close()

    thread = threading.Thread(target=wait)
    thread.start()
    client.chat("ok")
    thread.join(0.1)
    assert not woken
    hanging = Client(server.server.port, timeout=0.1)
    with pytest.raises(TimeoutError):
        hanging.chat("hang")
    server.wait_begun(2, timeout=5)
    thread.join(5)
    assert woken == [{"begun": 2, "answered": 1}]
    assert client.send("GET", "/wait?begun=99&timeout=0.05")[0].status == 504
    assert client.send("GET", "/wait?begun=x")[0].status == 400
    with pytest.raises(TimeoutError):
        server.wait_answered(99, timeout=0.05)
    hanging.http.close()


def test_bad_requests_do_not_count_and_keep_the_connection(server, client):
    bodies = ["{", "[]", "{}", '{"model": "ok", "messages": []}', "[" * 100_000, b"\xff"]
    for body in bodies:
        assert client.send("POST", CHAT, body)[0].status == 400
    assert client.send("POST", "/v1/completions", "{}")[0].status == 404
    assert client.send("GET", CHAT)[0].status == 405
    assert client.chat()[0].status == 200
    stats = client.get("/stats")
    assert (stats["begun"], stats["malformed"], stats["connections"]) == (1, len(bodies), 1)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\n", 400),
        (b"GET /stats HTTP/1.1\n\n", 400),
        (b"GET /stats HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 10485761\r\n\r\n", 413),
        (b"GET /" + b"x" * 70_000, 431),
    ],
)
def test_malformed_http_is_refused_and_the_server_lives_on(server, client, data, status):
    assert raw_exchange(server.server.port, data).startswith(f"HTTP/1.1 {status} ".encode())
    assert client.chat()[0].status == 200


def test_bodies_of_many_kinds(client):
    big = "x" * (9 * 1024 * 1024)
    assert client.chat(prompt=big)[0].status == 200
    body = json.dumps({"model": "ok", "messages": [{"role": "user", "content": "pieces"}]}).encode()
    client.http.request("POST", CHAT, iter([body[:9], body[9:]]), encode_chunked=True)
    response = client.http.getresponse()
    assert response.status == 200
    text = message(response.read())["content"]
    assert message(client.chat(prompt="pieces")[1])["content"] == text


def test_pipelined_requests_are_answered_in_order(server):
    body = json.dumps({"model": "slow:0.05", "messages": [{"role": "user", "content": "x"}]})
    first = f"POST {CHAT} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    second = "GET /stats?digests=0 HTTP/1.1\r\nConnection: close\r\n\r\n"
    out = raw_exchange(server.server.port, (first + second).encode())
    assert out.index(b"chat.completion") < out.index(b'"begun":1,"answered":1')


async def test_in_the_tests_own_loop_and_back_on_the_same_port():
    server = LLMServer()
    for _ in range(2):
        async with server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            body = json.dumps({"model": "hang", "messages": [{"role": "user", "content": "x"}]})
            writer.write(
                f"POST {CHAT} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            await server.wait_begun(server.begun + 1, timeout=5)
            url = server.url
        assert await reader.read() == b""
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
    assert (server.url, server.begun, server.in_flight) == (url, 2, 0)


def start_process(*options):
    command = [sys.executable, "-m", "tests.support.llm_server", *options]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return process, json.loads(process.stdout.readline())


def test_as_a_process_with_a_reply_file(tmp_path):
    rules = [
        {"model": "judge*", "contains": "Answer A", "reply": [{"winner": "A"}, {"winner": "B"}]},
        {"contains": ["score", "this"], "schema": {"type": "integer", "minimum": 7, "maximum": 7}},
    ]
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"rules": rules, "default": "said {digest}"}))
    process, ready = start_process("--reply-file", str(script), "--log", str(tmp_path / "log"))
    with process:
        assert ready == {"ready": ready["ready"], "pid": process.pid}
        client = Client(ready["ready"])
        verdicts = {message(client.chat("judge", f"Answer A {n}")[1])["content"] for n in range(20)}
        assert verdicts == {'{"winner": "A"}', '{"winner": "B"}'}
        assert message(client.chat("m", "score all of this")[1])["content"] == "7"
        assert message(client.chat("m", "else")[1])["content"].startswith("said ")
        assert len((tmp_path / "log").read_text().splitlines()) == 22
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        assert process.stdout.read() == ""
        client.http.close()


def test_a_process_ends_with_its_stdin():
    process, _ = start_process("--watch-stdin")
    with process:
        process.stdin.close()
        assert process.wait(10) == 0


async def hammer(port, connections, seconds):
    """Requests answered each second over so many keep-alive connections."""
    end = time.monotonic() + seconds
    content = "word " * 200

    async def work(who):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        done = 0
        while time.monotonic() < end:
            messages = [{"role": "user", "content": f"{who} {done} {content}"}]
            body = json.dumps({"model": "ok", "messages": messages}).encode()
            writer.write(b"POST %s HTTP/1.1\r\nHost: x\r\n" % CHAT.encode())
            writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            assert json.loads(await reader.readexactly(length))["choices"]
            done += 1
        writer.close()
        await writer.wait_closed()
        return done

    start = time.monotonic()
    return sum(await asyncio.gather(*map(work, range(connections)))) / (time.monotonic() - start)


@pytest.mark.slow
async def test_it_is_fast_enough_for_a_benchmark():
    process, ready = start_process("--latency", "0.02", "--watch-stdin")
    with process:
        assert await hammer(ready["ready"], 200, 2.0) >= 1500
        process.stdin.close()
