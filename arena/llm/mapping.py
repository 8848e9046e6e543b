"""One map over items whose work is done elsewhere: what is under way, and what comes of it."""

import asyncio
from collections.abc import AsyncIterable, Callable
from dataclasses import dataclass

from arena.llm.executor import Item, Outcome


@dataclass(slots=True)
class Parcel:
    """An item on its way: its number, and how many workers have died with it."""

    number: int
    item: Item
    deaths: int = 0


class Mapping:
    """What is under way of one map, and what is handed on to whoever maps.

    `fn`: the name of the function that workers run; `window`: items under way at once.
    """

    def __init__(self, fn: str, window: int) -> None:
        self.fn = fn
        self.window = window
        self.said: asyncio.Queue[Outcome | BaseException | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(window)
        self._under_way: set[int] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    async def pump(self, items: AsyncIterable[Item], assign: Callable[[Parcel], None]) -> None:
        """Give every item to `assign` once it has a place; ends when the last is finished."""
        number = 0
        try:
            async for item in items:
                await self._places.acquire()
                number += 1
                self._under_way.add(number)
                self._idle.clear()
                assign(Parcel(number, item))
            await self._idle.wait()
        finally:
            self.said.put_nowait(None)

    def wants(self, parcel: Parcel) -> bool:
        """Whether nothing has come of it yet."""
        return parcel.number in self._under_way

    def finish(self, parcel: Parcel, outcome: Outcome) -> None:
        """Hand an outcome on, and free its place."""
        self._under_way.discard(parcel.number)
        self._places.release()
        if not self._under_way:
            self._idle.set()
        self.said.put_nowait(outcome)
