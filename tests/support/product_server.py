"""A messenger product on 127.0.0.1 for tests: sessions, error codes in a 200, tokens, signatures.

::

    with ProductServer() as product:
        product.next("429", "500")          # what the next messages meet, in order
        … product.url + "/chat" …
        product.sessions                    # session id → what users said in it, in order

================ ================================================================================
``/chat``        {text, sid, user} → {errcode, data: {text, sid}}: the product keeps the dialogue.
                 A session belongs to the user that began it; another gets errcode 40003
``/whole``       {messages: [{role, content}], user} → {reply}: the dialogue is sent whole
``/token``       {app, secret} → {access_token, expires_in}; each is good for ``token_uses`` calls
``/secure``      as /chat, with ``Authorization: Bearer`` (401 when it is no good any more), or
                 ``?access_token=`` (errcode 42001)
``/signed``      as /chat; X-Timestamp, and X-Sign = HMAC-SHA256 of "timestamp\nbody" in hex
``/submit``      → {errcode, task}; ``/result/TASK`` is pending twice, then {status: done, text}
``/stream``      server-sent events, {delta} each, then [DONE]; ``/cut`` ends before it
``/several``     two texts, an image and a card
``/hello``       {sid, greeting}: a session that begins with the product's own words
``/html`` ``/empty`` ``/missing`` ``/big`` ``/redirect`` ``/elsewhere``   what they say
================ ================================================================================

Behaviours of ``next``: an HTTP status, ``busy`` (errcode 45009 in a 200), ``broken`` (errcode
50001),
``hang``, ``drop`` (the connection closes without an answer), ``lost`` (answered by the product, but
the connection closes before the client reads it), ``ok``.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SECRET = "signing-secret-4711"
APP_SECRET = "app-secret-4711-long"
REPLY = "You said {text} ({n})."


class ProductServer:
    """The product; use as a context manager. Everything that it was sent is in ``seen``."""

    def __init__(self, *, token_uses: int = 10**9, retry_after: str | None = None) -> None:
        self.token_uses = token_uses
        self.retry_after = retry_after
        self.seen: list[dict[str, Any]] = []
        self.sessions: dict[str, list[str]] = {}
        self.owners: dict[str, str] = {}
        self.tokens: dict[str, int] = {}
        self.polls: dict[str, int] = {}
        self.failing: deque[str] = deque()
        self.answered = 0
        self.lock = threading.Lock()
        self.let_go = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    def next(self, *behaviours: str) -> None:
        """What the next messages meet."""
        self.failing.extend(behaviours)

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("not started")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def messages(self) -> int:
        """Messages that reached the product."""
        return sum(len(said) for said in self.sessions.values())

    def __enter__(self) -> ProductServer:
        product = self

        class Handler(_Handler):
            pass

        Handler.product = product
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.let_go.set()
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    product: ProductServer

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self._serve(raw)

    def _serve(self, raw: bytes | None) -> None:
        parts = urlsplit(self.path)
        name = parts.path.split("/")[1]
        asked = {
            "path": parts.path,
            "query": {k: v[0] for k, v in parse_qs(parts.query).items()},
            "headers": {k.lower(): v for k, v in self.headers.items()},
            "raw": (raw or b"").decode(),
            "body": json.loads(raw) if raw else {},
        }
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            with self.product.lock:
                self.product.seen.append(asked)
                talk = name in ("chat", "whole", "secure", "signed", "submit", "stream")
                how = self.product.failing.popleft() if talk and self.product.failing else "ok"
            if how == "ok" or how == "lost":
                getattr(self, f"_{name}")(asked, lost=how == "lost")
            else:
                self._misbehave(how)

    def _misbehave(self, how: str) -> None:
        if how == "hang":
            self.product.let_go.wait(60)
            self.close_connection = True
        elif how == "drop":
            self.close_connection = True
        elif how == "busy":
            self._json({"errcode": 45009, "errmsg": "too busy"})
        elif how == "broken":
            self._json({"errcode": 50001, "errmsg": f"no such model for {APP_SECRET}"})
        else:
            self._json({"error": {"message": f"status {how} it is"}}, int(how))

    def _json(self, value: Any, status: int = 200, *, lost: bool = False) -> None:
        if lost:
            self.close_connection = True
            return
        self._send(json.dumps(value).encode(), "application/json", status)

    def _send(self, body: bytes, kind: str, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status in (429, 503) and self.product.retry_after is not None:
            self.send_header("Retry-After", self.product.retry_after)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _talk(self, body: dict[str, Any]) -> dict[str, Any]:
        """One message of a dialogue that the product keeps."""
        product, user = self.product, str(body.get("user", ""))
        with product.lock:
            sid = body.get("sid") or f"S{len(product.sessions) + 1}"
            if product.owners.setdefault(sid, user) != user:
                return {"errcode": 40003, "errmsg": "another user's session"}
            said = product.sessions.setdefault(sid, [])
            said.append(body["text"])
            product.answered += 1
            return {
                "errcode": 0,
                "data": {"text": REPLY.format(text=body["text"], n=len(said)), "sid": sid},
            }

    def _chat(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._json(self._talk(asked["body"]), lost=lost)

    def _whole(self, asked: dict[str, Any], *, lost: bool) -> None:
        said = asked["body"]["messages"]
        self.product.answered += 1
        self._json({"reply": REPLY.format(text=said[-1]["content"], n=len(said))}, lost=lost)

    def _token(self, asked: dict[str, Any], *, lost: bool) -> None:
        if asked["body"].get("secret") != APP_SECRET:
            self._json({"errcode": 40013, "errmsg": "invalid appid"})
            return
        with self.product.lock:
            token = f"token-{len(self.product.tokens) + 1}-long-enough"
            self.product.tokens[token] = self.product.token_uses
        self._json({"errcode": 0, "access_token": token, "expires_in": 7200})

    def _secure(self, asked: dict[str, Any], *, lost: bool) -> None:
        in_query = asked["query"].get("access_token")
        token = in_query or asked["headers"].get("authorization", "").removeprefix("Bearer ")
        with self.product.lock:
            left = self.product.tokens.get(token, 0)
            self.product.tokens[token] = left - 1
        if left > 0:
            self._json(self._talk(asked["body"]), lost=lost)
        elif in_query:
            self._json({"errcode": 42001, "errmsg": "access_token expired"})
        else:
            self._json({"errmsg": "who are you"}, 401)

    def _signed(self, asked: dict[str, Any], *, lost: bool) -> None:
        text = f"{asked['headers'].get('x-timestamp')}\n{asked['raw']}"
        right = hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(right, asked["headers"].get("x-sign", "")):
            self._json({"errcode": 40001, "errmsg": "bad signature"})
            return
        self._json(self._talk(asked["body"]), lost=lost)

    def _submit(self, asked: dict[str, Any], *, lost: bool) -> None:
        said = self._talk(asked["body"])
        task = f"T{len(self.product.polls) + 1}/x"
        self.product.polls[task] = 0
        self._json({**said, "task": task, "text": said["data"]["text"]}, lost=lost)

    def _result(self, asked: dict[str, Any], *, lost: bool) -> None:
        task = asked["query"]["task"]
        self.product.polls[task] += 1
        if self.product.polls[task] == 2:
            self._json({"error": "hiccup"}, 500)
        elif self.product.polls[task] < 3:
            self._json({"errcode": 0, "status": "pending"})
        else:
            self._json({"errcode": 0, "status": "done", "text": f"late {task}"})

    def _stream(self, asked: dict[str, Any], *, lost: bool) -> None:
        said = self._talk(asked["body"])["data"]
        events = [json.dumps({"delta": piece, "sid": said["sid"]}) for piece in said["text"]]
        text = ": a comment\r\n\r\n" + "".join(f"data: {e}\n\n" for e in events)
        if not lost:
            text += "data: [DONE]\n\n"
        self._send(text.encode(), "text/event-stream; charset=utf-8")

    def _several(self, asked: dict[str, Any], *, lost: bool) -> None:
        parts = [
            {"msgtype": "text", "text": {"content": "First."}},
            {"msgtype": "image", "image": {"url": "https://pictures.example/1.png"}},
            {"msgtype": "text", "text": {"content": "Second."}},
            {"msgtype": "<b>Card</b>", "title": "x"},
        ]
        self._json({"errcode": 0, "messages": parts})

    def _hello(self, asked: dict[str, Any], *, lost: bool) -> None:
        with self.product.lock:
            sid = f"S{len(self.product.sessions) + 1}"
            self.product.sessions[sid] = []
            self.product.owners[sid] = asked["body"].get("user", "")
        self._json({"errcode": 0, "sid": sid, "greeting": "Good morning, I am Homebot."})

    def _html(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._send(b"<!doctype html><p>Sign in, please", "text/html")

    def _empty(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._json({"errcode": 0, "data": {"text": "  ", "sid": "S"}})

    def _missing(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._json({"errcode": 0, "data": {}})

    def _big(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._json({"errcode": 0, "data": {"text": "x" * 5000, "sid": "S"}})

    def _redirect(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._send(b"", "text/plain", 307, Location="/chat")

    def _elsewhere(self, asked: dict[str, Any], *, lost: bool) -> None:
        self._send(b"", "text/plain", 307, Location="http://localhost:1/chat")
