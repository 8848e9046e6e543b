"""The test server in a thread of its own, for tests without an event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from tests.support.llm_server import LLMServer


class ServerThread:
    """The server in a thread of its own, for tests without an event loop.

    Takes LLMServer's options. ``server`` is the LLMServer; its counts may be read from here.
    An ``answer`` is called in the server's thread.
    """

    def __init__(self, **options: Any) -> None:
        self.server = LLMServer(**options)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def root(self) -> str:
        return self.server.root

    @property
    def headers(self) -> list[dict[str, str]]:
        return list(self.server.headers)

    def stats(self, digests: bool = True) -> dict[str, Any]:
        async def read() -> dict[str, Any]:
            return self.server.stats(digests)

        return self._run(read())

    def wait_begun(self, number: int, timeout: float | None = None) -> None:
        self._run(self.server.wait_begun(number, timeout))

    def wait_answered(self, number: int, timeout: float | None = None) -> None:
        self._run(self.server.wait_answered(number, timeout))

    def _run(self, work: Any) -> Any:
        if self._loop is None:
            work.close()
            raise RuntimeError("the server is not running")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm-server")
        self._thread.daemon = True
        self._thread.start()
        try:
            self._run(self.server.start())
        except BaseException:
            self._end_loop()
            raise

    def stop(self) -> None:
        if self._loop is not None:
            self._run(self.server.stop())
            self._end_loop()

    def _end_loop(self) -> None:
        assert self._loop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = None

    def __enter__(self) -> ServerThread:
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
