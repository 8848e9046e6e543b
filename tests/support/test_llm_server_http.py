"""The test server does what its text says: as HTTP, in a loop, and as a process."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.support.llm_client import CHAT, Client, message, raw_exchange
from tests.support.llm_server import LLMServer


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
