"""Executors: where calls run. Asyncio in this process is the default.

An executor maps an importable async function over JSON-able items, as many at once as `window`
allows, and yields outcomes as they finish. It knows no provider: what the function needs reaches
it as `tools`, which each process makes for itself.
"""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

Item = dict[str, Any]
"""JSON-able data: one call."""
Task = Callable[[Item, Any], Awaitable[Item]]
"""An importable async function of an item and the process's tools."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an item: a result, or the error that the function raised (a bug)."""

    item: Item
    result: Item | None
    error: str | None = None


class Executor(Protocol):
    """Runs a function over items and yields outcomes as they finish."""

    def map_unordered(
        self, fn: Task, items: AsyncIterable[Item], *, window: int
    ) -> AsyncIterator[Outcome]:
        """Outcomes in the order they finish; at most `window` items are under way."""
        ...

    async def aclose(self) -> None:
        """Release what the executor holds."""
        ...


class LocalExecutor:
    """Asyncio tasks in this process."""

    def __init__(self, tools: Any) -> None:
        self._tools = tools

    async def map_unordered(
        self, fn: Task, items: AsyncIterable[Item], *, window: int
    ) -> AsyncIterator[Outcome]:
        """Outcomes in the order they finish; closing the iterator cancels what is under way."""
        finished: asyncio.Queue[Outcome | None] = asyncio.Queue()
        places = asyncio.Semaphore(window)
        running: set[asyncio.Task[None]] = set()

        async def one(item: Item) -> None:
            try:
                outcome = Outcome(item, await fn(item, self._tools))
            except Exception as error:
                outcome = Outcome(item, None, f"{type(error).__name__}: {error}")
            places.release()
            finished.put_nowait(outcome)

        async def pump() -> None:
            try:
                async for item in items:
                    await places.acquire()
                    task = asyncio.create_task(one(item))
                    running.add(task)
                    task.add_done_callback(running.discard)
                if running:
                    await asyncio.wait(running)
            finally:
                finished.put_nowait(None)

        pumping = asyncio.create_task(pump())
        try:
            while (outcome := await finished.get()) is not None:
                yield outcome
            await pumping
        finally:
            for task in (pumping, *running):
                task.cancel()
            await asyncio.gather(pumping, *running, return_exceptions=True)

    async def aclose(self) -> None:
        """Nothing is held between maps."""
