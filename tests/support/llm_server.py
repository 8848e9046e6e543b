"""An OpenAI-compatible chat server on 127.0.0.1 for tests: real sockets, scripted misbehaviour.

Three ways to run it::

    async with LLMServer(latency=0.02) as server:      # in the test's own event loop
        client = OpenAI(base_url=server.url, api_key="…")

    with ServerThread(latency=0.02) as server:         # in a thread, for synchronous tests
        ...

    python -m tests.support.llm_server --port 0 --latency 0.02 --reply-file script.json
    {"ready": 40123, "pid": 4711}

The last one prints that single line and serves until SIGTERM (or SIGINT), and with
``--watch-stdin`` also until its standard input closes.

What the server does with a request is chosen by its model name, which may be written
``behaviour``, ``behaviour/anything`` or ``anything--behaviour``; the part after the last ``--``
counts first, then the part before the first ``/``. A name that holds no known behaviour is ``ok``.

================== ==============================================================================
``ok``             a text (or JSON, see below) derived from a digest of the request
``429-forever``    always 429 with Retry-After
``500`` …          always that status: also ``401 402 403 404 422 503 529``
``policy``         400, error code ``content_policy_violation``
``policy-azure``   400, error code ``content_filter`` with an inner error, as Azure says it
``X-then-ok``      X for the first ``fail_first`` requests of each distinct prompt (the model and
                   messages), then ok; X is one of ``429 500 503 529 hang cut``
``hang``           never answers; the request ends when the client goes away
``cut``            headers and half of the body, then the connection closes
``slow:<seconds>`` ok, that much later than the latency
``html``           200 with a text/html page
``garbage``        200 with application/json that is not JSON
``no-choices``     ``"choices": []``
``none``           content null
``empty``          content ""
``length``         finish_reason length, the text cut at its middle
``content_filter`` finish_reason content_filter, content null
``think``          a closed <think> block, then the text
``open-think``     a <think> that never closes, and nothing after it
``reasoning``      reasoning_content beside content
``no-usage``       usage is missing
``drift``          from a model's sixth request on, the model string returned is another
``hostile``        markup, template marks, prompt injection, bidi and zero-width characters; under
                   a JSON schema they stand in the free string fields
================== ==============================================================================

An ok reply to a request without ``response_format`` is the text of ``answer(request)`` if that
option was given and returned one, else a short deterministic text. With a ``json_schema`` the
reply is JSON generated from the schema itself; values come from the digest, so that equal requests
get equal answers and others differ. ``answer_schemas=True`` lets ``answer`` speak there too.

A reply file takes the place of ``answer`` for the separate process. The first rule that fits wins::

    {"answer_schemas": false,
     "rules": [{"model": "judge*",              optional, a shell pattern
                "contains": ["Answer A", "…"],  optional, text or texts all in the messages
                "reply": ["…", {"winner": "A"}] one reply, or a list picked from by the digest;
                                                what is not text is sent as JSON
                "schema": {…}}],                or: JSON generated from this schema
     "default": "…"}                            optional, when no rule fits

``{digest}`` in a text stands for the first twelve digits of the request's digest.

Beside the chat: ``GET /stats`` (add ``?digests=0`` to leave the long part out), ``GET /v1/models``
and ``GET /wait?begun=N`` (or ``answered=N``, and ``timeout=SECONDS`` for a 504), which blocks until
N chat requests have begun. A request has begun when it has been read in full, is valid, and its
log line is written; it is answered when its whole response, of any status, went to the socket.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.answers import (
    Draws,
    SchemaError,
    Script,
    digest_of,
    from_schema,
    schema_of,
)
from tests.support.behaviours import BEHAVIOURS, Ask, Reply, behaviour_of, error
from tests.support.connection import HOST, Connection, Waiter


@dataclass(slots=True)
class Count:
    """Requests begun and answered."""

    begun: int = 0
    answered: int = 0


class LLMServer:
    """The server, in the running event loop; see the module's text.

    ``url`` is the API's base (it ends in /v1), ``root`` the server's. ``begun``, ``answered``,
    ``models``, ``digests``, ``statuses``, ``in_flight`` and ``peak_in_flight`` are the counts;
    ``headers`` holds the headers of the last ``keep_headers`` chat requests, names in lower case;
    ``errors`` holds what ``answer`` raised (the client got a 500). After ``stop`` another
    ``start`` serves on the same port, with the counts kept.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        latency: float = 0.0,
        answer: Callable[[dict[str, Any]], str | None] | None = None,
        answer_schemas: bool = False,
        fail_first: int = 1,
        retry_after: str | int | None = 1,
        log: str | Path | None = None,
        keep_headers: int = 1000,
    ) -> None:
        self.port = port
        self.latency = latency
        self.answer = answer
        self.answer_schemas = answer_schemas
        self.fail_first = fail_first
        self.retry_after = None if retry_after is None else str(retry_after)
        self.begun = 0
        self.answered = 0
        self.malformed = 0
        self.in_flight = 0
        self.peak_in_flight = 0
        self.connections = 0
        self.models: dict[str, Count] = {}
        self.digests: dict[str, Count] = {}
        self.statuses: dict[int, int] = {}
        self.headers: deque[dict[str, str]] = deque(maxlen=keep_headers)
        self.errors: list[Exception] = []
        self._log_path = log
        self._log: int | None = None
        self._failures: dict[str, int] = {}
        self._waiters: list[Waiter] = []
        self._open: set[Connection] = set()
        self._server: asyncio.Server | None = None

    @property
    def root(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        if self._log_path is not None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
            self._log = os.open(self._log_path, flags, 0o600)
        try:
            self._server = await loop.create_server(
                lambda: Connection(self, loop), HOST, self.port, backlog=1024
            )
        except OSError:
            self._close_log()
            raise
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port and every connection, whatever they wait for."""
        if self._server is None:
            return
        self._server.close()
        while self._open:
            for connection in list(self._open):
                connection.abort()
            await asyncio.sleep(0)
        await self._server.wait_closed()
        self._server = None
        self._close_log()

    def _close_log(self) -> None:
        if self._log is not None:
            os.close(self._log)
            self._log = None

    async def __aenter__(self) -> LLMServer:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    def stats(self, digests: bool = True) -> dict[str, Any]:
        """The counts, as GET /stats gives them."""

        def plain(counts: dict[str, Count]) -> dict[str, dict[str, Any]]:
            return {k: {"begun": c.begun, "answered": c.answered} for k, c in counts.items()}

        out: dict[str, Any] = {
            "begun": self.begun,
            "answered": self.answered,
            "malformed": self.malformed,
            "in_flight": self.in_flight,
            "peak_in_flight": self.peak_in_flight,
            "connections": self.connections,
            "statuses": {str(status): n for status, n in sorted(self.statuses.items())},
            "models": {
                model: {"behaviour": ":".join(filter(None, behaviour_of(model))), **count}
                for model, count in plain(self.models).items()
            },
            "distinct": len(self.digests),
        }
        if digests:
            out["digests"] = plain(self.digests)
        return out

    async def wait_begun(self, number: int, timeout: float | None = None) -> None:
        """Return once so many chat requests have begun; TimeoutError if they do not in time."""
        await self._wait("begun", number, timeout)

    async def wait_answered(self, number: int, timeout: float | None = None) -> None:
        """Return once so many chat requests have been answered."""
        await self._wait("answered", number, timeout)

    async def _wait(self, what: str, number: int, timeout: float | None) -> None:
        reached = asyncio.Event()
        waiter = self.add_waiter(what, number, reached.set)
        try:
            await asyncio.wait_for(reached.wait(), timeout)
        finally:
            self.drop_waiter(waiter)

    def add_waiter(self, what: str, number: int, wake: Callable[[], None]) -> Waiter:
        waiter = Waiter(what, number, wake)
        self._waiters.append(waiter)
        self._wake()
        return waiter

    def drop_waiter(self, waiter: Waiter) -> None:
        if waiter in self._waiters:
            self._waiters.remove(waiter)

    def _wake(self) -> None:
        for waiter in [w for w in self._waiters if getattr(self, w.what) >= w.number]:
            self._waiters.remove(waiter)
            waiter.wake()

    def begin(self, request: dict[str, Any], headers: dict[str, str]) -> Ask:
        """Count a request and write its log line."""
        model, digest = request["model"], digest_of(request)
        self.headers.append(headers)
        if self._log is not None:
            line = f"{digest}\t{' '.join(model.split())}\n"
            os.write(self._log, line.encode(errors="backslashreplace"))
        self.begun += 1
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        per_model = self.models.setdefault(model, Count())
        per_model.begun += 1
        self.digests.setdefault(digest, Count()).begun += 1
        ask = Ask(request, model, digest, *behaviour_of(model), per_model.begun)
        if self._waiters:
            self._wake()
        return ask

    def end(self, ask: Ask, status: int | None) -> None:
        """Count a request as over: answered with a status, or None if it was not."""
        self.in_flight -= 1
        if status is None:
            return
        self.answered += 1
        self.models[ask.model].answered += 1
        self.digests[ask.digest].answered += 1
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if self._waiters:
            self._wake()

    def reply_to(self, ask: Ask) -> Reply:
        """What the chosen behaviour says."""
        try:
            return BEHAVIOURS[ask.behaviour](self, ask)
        except SchemaError as problem:
            return error(400, f"Invalid schema: {problem}", "invalid_request_error")
        except Exception as problem:  # the option `answer` is the caller's code
            traceback.print_exc()
            self.errors.append(problem)
            return error(500, f"The test's answer failed: {problem!r}", "server_error")

    def text_for(self, ask: Ask) -> str:
        """The text of an ok reply."""
        schema = schema_of(ask.request)
        if self.answer is not None and (schema is None or self.answer_schemas):
            text = self.answer(ask.request)
            if text is not None:
                if not isinstance(text, str):
                    raise TypeError(f"answer returned {type(text).__name__}, not str")
                return text
        if schema is not None:
            return json.dumps(from_schema(schema, ask.digest), ensure_ascii=False)
        text = f"{Draws(ask.digest).words(20)} {ask.digest[:12]}."
        if (ask.request.get("response_format") or {}).get("type") == "json_object":
            return json.dumps({"reply": text}, ensure_ascii=False)
        return text

    def fails_yet(self, ask: Ask) -> bool:
        """Whether this is among the first requests of its prompt."""
        key = digest_of([ask.model, ask.request["messages"]])
        seen = self._failures[key] = self._failures.get(key, 0) + 1
        return seen <= self.fail_first


def _until_stdin_closes(then: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    with contextlib.suppress(RuntimeError):  # the loop may have ended first
        then()


async def _serve(options: dict[str, Any], watch_stdin: bool) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with LLMServer(**options) as server:
        if watch_stdin:
            then = lambda: loop.call_soon_threadsafe(ended.set)  # noqa: E731
            threading.Thread(target=_until_stdin_closes, args=(then,), daemon=True).start()
        print(json.dumps({"ready": server.port, "pid": os.getpid()}), flush=True)
        await ended.wait()


def _options(argv: list[str] | None) -> tuple[dict[str, Any], bool]:
    parser = argparse.ArgumentParser(description="An OpenAI-compatible chat server for tests.")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--reply-file", type=Path, help="answers, as the module's text says")
    parser.add_argument("--log", type=Path, help="append digest and model of each request begun")
    parser.add_argument("--fail-first", type=int, default=1, help="failures of X-then-ok")
    parser.add_argument("--retry-after", default="1", help='as sent; "none": no such header')
    parser.add_argument("--watch-stdin", action="store_true", help="end when stdin closes")
    said = parser.parse_args(argv)
    options: dict[str, Any] = {
        "port": said.port,
        "latency": said.latency,
        "log": said.log,
        "fail_first": said.fail_first,
        "retry_after": None if said.retry_after == "none" else said.retry_after,
    }
    if said.reply_file is not None:
        script = Script(json.loads(said.reply_file.read_text(encoding="utf-8")))
        options |= {"answer": script, "answer_schemas": script.answer_schemas}
    return options, said.watch_stdin


def main(argv: list[str] | None = None) -> int:
    options, watch_stdin = _options(argv)
    asyncio.run(_serve(options, watch_stdin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
