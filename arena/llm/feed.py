"""The feed: work that is ready, handed out so that no endpoint starves another.

A stage may add items while others are under way (turn k+1 once turn k is committed). An item is
handed out only when its endpoint has a free place and the window has one, and it holds both until
`done`: so no more calls are begun and uncommitted than the window allows.
"""

import asyncio
from collections import deque
from collections.abc import Mapping

from arena.llm.executor import Item


class Feed:
    """An async iterator of items that ends when nothing is ready and nothing is under way."""

    def __init__(self, places: Mapping[str, int], *, window: int) -> None:
        self._window = window
        self._free = dict(places)
        self._ready: dict[str, deque[Item]] = {endpoint: deque() for endpoint in places}
        self._turn: deque[str] = deque(places)
        self._under_way = 0
        self._stopped = False
        self._changed = asyncio.Event()

    def put(self, endpoint: str, item: Item) -> None:
        """Make an item ready."""
        self._ready[endpoint].append(item)
        self._changed.set()

    def done(self, endpoint: str) -> None:
        """Give back the place of an item whose result is committed."""
        self._under_way -= 1
        self._free[endpoint] += 1
        self._changed.set()

    def drop(self, endpoint: str) -> int:
        """Forget what is ready for an endpoint that refused us; returns how many items."""
        dropped = len(self._ready[endpoint])
        self._ready[endpoint].clear()
        self._changed.set()
        return dropped

    def stop(self) -> None:
        """Hand out nothing more; what is under way goes on to its end."""
        self._stopped = True
        self._changed.set()

    def __aiter__(self) -> "Feed":
        return self

    async def __anext__(self) -> Item:
        while True:
            self._changed.clear()
            if self._stopped:
                raise StopAsyncIteration
            if (item := self._next()) is not None:
                return item
            if self._under_way == 0 and not any(self._ready.values()):
                raise StopAsyncIteration
            await self._changed.wait()

    def _next(self) -> Item | None:
        if self._under_way >= self._window:
            return None
        for _ in range(len(self._turn)):
            endpoint = self._turn[0]
            self._turn.rotate(-1)
            if self._free[endpoint] > 0 and self._ready[endpoint]:
                self._free[endpoint] -= 1
                self._under_way += 1
                return self._ready[endpoint].popleft()
        return None
