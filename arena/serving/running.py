"""Running the service: a socket of ours first, so that its port is known, then uvicorn on it."""

import socket
from collections.abc import Callable
from threading import Event

import uvicorn

from arena.errors import UsageError
from arena.serving.guard import App

BACKLOG = 128


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; `port` 0: any that is free. Raises UsageError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(BACKLOG)
    except OSError as error:
        made.close()
        raise UsageError(
            "cannot listen on {host}:{port}: {reason}",
            fix="Name another port with --port.",
            host=host,
            port=port,
            reason=error.strerror or str(error),
        ) from None
    return made


class Service:
    """A service on a socket; `run` returns once it was stopped. `ending` is set as it ends."""

    def __init__(self, app: App, listening: socket.socket, ending: Event) -> None:
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on",
            limit_concurrency=500,
            timeout_graceful_shutdown=3,
        )
        self._server = uvicorn.Server(config)
        self._shutdown, self._ending = self._server.shutdown, ending
        self._server.shutdown = self._end
        self._listening = listening

    async def _end(self, sockets: list[socket.socket] | None = None) -> None:
        # Before replies are waited for: those without an end must come to theirs.
        self._ending.set()
        await self._shutdown(sockets)

    @property
    def address(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self._listening.getsockname()[:2]
        return host, port

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serve until stopped; `ready` is called just before."""
        ready()
        self._server.run(sockets=[self._listening])

    def stop(self) -> None:
        """Let `run` return; from any thread."""
        self._server.should_exit = True
