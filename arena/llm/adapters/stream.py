"""A reply that comes as server-sent events: `data:` lines, read as they come."""

import json
from typing import Any

from arena.domain.web import Stream
from arena.suites.paths import find, holds

CLOSE = "close"


class Events:
    """Takes the bytes of a stream and keeps the data of its events.

    `ended`: the event after which nothing comes was there. An event that is no JSON, where JSON
    is read, is kept as text.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._rest = b""
        self._data: list[str] = []
        self._after_return = False
        self.events: list[Any] = []
        self.ended = False

    def push(self, chunk: bytes) -> bool:
        """Take what has come; whether the stream has ended."""
        if self._after_return and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_return = chunk.endswith(b"\r")
        text = self._rest + chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, self._rest = text.split(b"\n")
        for line in lines:
            self._take(line.decode("utf-8", "replace"))
            if self.ended:
                return True
        return False

    def finish(self) -> None:
        """The connection was closed: an event without an empty line after it counts as well."""
        if not self.ended and self._rest:
            self._take(self._rest.decode("utf-8", "replace"))
        if not self.ended:
            self._take("")

    @property
    def whole(self) -> bool:
        """Whether the reply came to its end."""
        return self.ended or (self._stream.ends == CLOSE and bool(self.events))

    def pieces(self) -> list[str]:
        """The pieces of text, in order."""
        path = self._stream.text
        if path is None:
            return [e if isinstance(e, str) else json.dumps(e) for e in self.events]
        return [str(one) for e in self.events for one in find(path, e) if one is not None]

    def text(self) -> str:
        """What was said."""
        pieces = self.pieces()
        if self._stream.join == "last":
            return next((p for p in reversed(pieces) if p), "")
        return "".join(pieces)

    def _take(self, line: str) -> None:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif not line and self._data:
            self._close("\n".join(self._data))
            self._data = []

    def _close(self, data: str) -> None:
        ends = self._stream.ends
        if data.strip() == ends:
            self.ended = True
            return
        event = data if self._stream.text is None and not ends.startswith("$") else _json(data)
        self.events.append(event)
        self.ended = ends.startswith("$") and holds(ends, event)


def _json(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data
