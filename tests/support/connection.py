"""One client connection of the test server: HTTP/1.1 by hand, so that it can be broken at will."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from tests.support.behaviours import BEHAVIOURS, Ask, Reply, encoded, error

if TYPE_CHECKING:
    from tests.support.llm_server import LLMServer

HOST = "127.0.0.1"
MAX_BODY = 10 * 1024 * 1024
MAX_HEAD = 64 * 1024
CHAT = "/v1/chat/completions"

REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    402: "Payment Required",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    529: "Site Overloaded",
}


@dataclass(slots=True)
class Waiter:
    what: str
    number: int
    wake: Callable[[], None]


@dataclass(slots=True)
class Head:
    method: str
    target: str
    headers: dict[str, str]
    keep_alive: bool
    length: int = 0
    chunked: bool = False
    body: bytearray = field(default_factory=bytearray)


class BadHTTP(Exception):
    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")


def parse_head(raw: bytes) -> Head:
    """The request line and the headers, without the empty line that ends them."""
    lines = raw.decode("latin-1").split("\r\n")
    parts = lines[0].split(" ")
    if len(parts) != 3 or parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadHTTP("not an HTTP/1 request line")
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name = name.lower()
        if not colon or not name or not TOKEN.issuperset(name):
            raise BadHTTP("malformed header line")
        value = value.strip(" \t")
        if name in headers:
            if name in ("content-length", "host"):
                raise BadHTTP(f"{name} given twice")
            value = f"{headers[name]}, {value}"
        headers[name] = value
    connection = headers.get("connection", "").lower()
    keep = "close" not in connection and (parts[2] == "HTTP/1.1" or "keep-alive" in connection)
    head = Head(parts[0], parts[1], headers, keep)
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked" or "content-length" in headers:
            raise BadHTTP("unclear body length")
        head.chunked = True
    elif "content-length" in headers:
        length = headers["content-length"]
        if not (length.isascii() and length.isdigit()) or len(length) > 18:
            raise BadHTTP("malformed content-length")
        head.length = int(length)
        if head.length > MAX_BODY:
            raise BadHTTP("the body is too large", 413)
    return head


class Connection(asyncio.Protocol):
    """One client connection; its requests are served one after the other."""

    def __init__(self, server: LLMServer, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._loop = loop
        self._transport: asyncio.Transport = None  # type: ignore[assignment]
        self._buffer = bytearray()
        self._head: Head | None = None
        self._busy = False
        self._closing = False
        self._ask: Ask | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._waiter: Waiter | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        self._server.connections += 1
        self._server._open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closing = True
        self._forget_waiting()
        if self._ask is not None:
            self._server.end(self._ask, None)
            self._ask = None
        self._server._open.discard(self)

    def _forget_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiter is not None:
            self._server.drop_waiter(self._waiter)
            self._waiter = None

    def abort(self) -> None:
        self._closing = True
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        self._buffer += data
        if not self._busy:
            self._advance()
        elif len(self._buffer) > MAX_HEAD + MAX_BODY:
            self.abort()

    def _advance(self) -> None:
        """Serve what the buffer holds, as far as it goes."""
        try:
            while not self._busy and not self._closing and self._buffer:
                head = self._read_request()
                if head is None:
                    return
                self._head = None
                self._busy = True
                self._serve(head)
        except BadHTTP as problem:
            self._refuse(problem)

    def _read_request(self) -> Head | None:
        """The next request if it has arrived in full."""
        buffer, head = self._buffer, self._head
        if head is None:
            while buffer.startswith(b"\r\n"):
                del buffer[:2]
            end = buffer.find(b"\r\n\r\n", 0, MAX_HEAD)
            if end < 0:
                self._check_start()
                return None
            head = self._head = parse_head(bytes(buffer[:end]))
            del buffer[: end + 4]
            if head.headers.get("expect", "").lower() == "100-continue" and not buffer:
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if head.chunked:
            return head if self._read_chunks(head) else None
        if len(buffer) < head.length:
            return None
        if head.length:
            head.body = buffer[: head.length]
            del buffer[: head.length]
        return head

    def _check_start(self) -> None:
        """Refuse early what can no longer become a request."""
        if len(self._buffer) >= MAX_HEAD:
            raise BadHTTP("the headers are too large", 431)
        line, newline, _ = self._buffer.partition(b"\n")
        if newline and not line.endswith((b" HTTP/1.1\r", b" HTTP/1.0\r")):
            raise BadHTTP("not an HTTP/1 request line")

    def _read_chunks(self, head: Head) -> bool:
        buffer = self._buffer
        while True:
            end = buffer.find(b"\r\n", 0, 1024)
            if end < 0:
                if len(buffer) >= 1024:
                    raise BadHTTP("malformed chunk")
                return False
            digits = bytes(buffer[:end]).partition(b";")[0].strip()
            if not digits or len(digits) > 8 or digits.strip(b"0123456789abcdefABCDEF"):
                raise BadHTTP("malformed chunk size")
            size = int(digits, 16)
            if len(head.body) + size > MAX_BODY:
                raise BadHTTP("the body is too large", 413)
            if len(buffer) < end + 2 + size + 2:
                return False  # trailers are not supported: an empty line follows the last chunk
            if buffer[end + 2 + size : end + 4 + size] != b"\r\n":
                raise BadHTTP("malformed chunk")
            head.body += buffer[end + 2 : end + 2 + size]
            del buffer[: end + 4 + size]
            if size == 0:
                return True

    def _refuse(self, problem: BadHTTP) -> None:
        """Answer what is not HTTP, and close without losing that answer on the way."""
        self._server.malformed += 1
        self._busy = True
        self._closing = True
        self._buffer.clear()
        self._write(error(problem.status, str(problem), "invalid_request_error"), False)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._timer = self._loop.call_later(1.0, self._transport.close)

    def _serve(self, head: Head) -> None:
        path, _, query = head.target.partition("?")
        if path == CHAT:
            if head.method != "POST":
                self._send(self._not_allowed("POST"), head)
            else:
                self._chat(head)
        elif path in ("/stats", "/wait", "/v1/models"):
            if head.method != "GET":
                self._send(self._not_allowed("GET"), head)
            elif path == "/wait":
                self._wait(head, parse_qs(query))
            elif path == "/stats":
                full = parse_qs(query).get("digests") != ["0"]
                self._send(Reply(body=encoded(self._server.stats(full))), head)
            else:
                models = [{"id": n, "object": "model", "owned_by": "test"} for n in BEHAVIOURS]
                self._send(Reply(body=encoded({"object": "list", "data": models})), head)
        else:
            self._send(error(404, f"no such path: {path}", "invalid_request_error"), head)

    @staticmethod
    def _not_allowed(method: str) -> Reply:
        refusal = error(405, f"only {method} is allowed here", "invalid_request_error")
        return replace(refusal, headers=(("allow", method),))

    def _wait(self, head: Head, query: dict[str, list[str]]) -> None:
        what = "answered" if "answered" in query else "begun"
        try:
            number = int(query[what][0])
            timeout = float(query["timeout"][0]) if "timeout" in query else None
            if timeout is not None and not 0 <= timeout < math.inf:
                raise ValueError(timeout)
        except (KeyError, ValueError):
            self._send(error(400, "say ?begun=N or ?answered=N", "invalid_request_error"), head)
            return

        def finish(status: int) -> None:
            self._forget_waiting()
            counts = {"begun": self._server.begun, "answered": self._server.answered}
            self._send(Reply(status=status, body=encoded(counts)), head)
            self._loop.call_soon(self._advance)

        if getattr(self._server, what) >= number:
            finish(200)
            return
        self._waiter = self._server.add_waiter(what, number, lambda: finish(200))
        if timeout is not None:
            self._timer = self._loop.call_later(timeout, finish, 504)

    def _chat(self, head: Head) -> None:
        try:
            request = json.loads(head.body)
            problem = self._problem(request)
        except (ValueError, RecursionError):
            problem = "the body is not JSON"
        if problem:
            self._server.malformed += 1
            self._send(error(400, problem, "invalid_request_error"), head)
            return
        ask = self._ask = self._server.begin(request, head.headers)
        reply = self._server.reply_to(ask)
        if reply.end == "hang":
            return
        delay = self._server.latency + reply.delay
        if delay > 0:
            self._timer = self._loop.call_later(delay, self._send_late, reply, head)
        else:
            self._send(reply, head)

    @staticmethod
    def _problem(request: Any) -> str | None:
        if not isinstance(request, dict):
            return "the body is not an object"
        if not isinstance(request.get("model"), str):
            return "model is missing"
        messages = request.get("messages")
        if not isinstance(messages, list) or not messages:
            return "messages is missing or empty"
        if not all(isinstance(message, dict) for message in messages):
            return "a message is not an object"
        if request.get("stream"):
            return "streaming is not supported"
        if not isinstance(request.get("response_format", {}), dict | None):
            return "response_format is not an object"
        return None

    def _send_late(self, reply: Reply, head: Head) -> None:
        self._timer = None
        self._send(reply, head)
        self._advance()

    def _send(self, reply: Reply, head: Head) -> None:
        ask, self._ask = self._ask, None
        cut = reply.end == "cut"
        self._busy = False
        self._write(reply, head.keep_alive and not cut, cut)
        if ask is not None:
            self._server.end(ask, None if cut else reply.status)
        if cut or not head.keep_alive:
            self._closing = True
            self._transport.close()

    def _write(self, reply: Reply, keep_alive: bool, cut: bool = False) -> None:
        body = reply.body[: len(reply.body) // 2] if cut else reply.body
        more = "".join([f"{name}: {value}\r\n" for name, value in reply.headers])
        self._transport.write(
            f"HTTP/1.1 {reply.status} {REASONS[reply.status]}\r\n"
            f"content-type: {reply.kind}\r\n"
            f"content-length: {len(reply.body)}\r\n"
            f"{more}connection: {'keep-alive' if keep_alive else 'close'}\r\n\r\n".encode("latin-1")
            + body
        )
