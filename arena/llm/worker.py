"""A process of a cluster: it is given items, and hands outcomes over as they finish.

Both go in batches, because every message between processes costs: what is given while a message
is under way goes with the next one, and one `take` brings all that has finished meanwhile.
"""

import asyncio
import importlib
import os
import socket
from collections.abc import Callable
from typing import Any

from arena.llm.executor import Item, Task
from arena.llm.limiter import Limiter
from arena.llm.sharing import FarLimiter, LimiterLost, Line

GATHER = 0.005
"""Seconds that a finished outcome waits for others to go with it."""

Opening = Callable[[Any, Limiter], tuple[Any, Item]]
"""Makes a process's tools of what it was sent, which holds no secret; says what it found there."""


class Worker:
    """What the process does. `opens` names an Opening, `parcel` is what that is given."""

    def __init__(self, name: str, opens: str, parcel: Any, line: Line) -> None:
        self._name = name
        self._opens = opens
        self._parcel = parcel
        self._line = line
        self._tools: Any = None
        self._running: set[asyncio.Task[None]] = set()
        self._finished: list[Item] = []
        self._some = asyncio.Event()

    async def hello(self) -> Item:
        """Make the tools; says what and where this is, and what the making of tools found."""
        opening: Opening = named(self._opens)
        self._tools, found = opening(self._parcel, FarLimiter(self._name, self._line))
        return {"host": socket.gethostname(), "pid": os.getpid(), **found}

    async def give(self, fn: str, items: list[Item]) -> None:
        """Begin numbered items: `{"number": …, "item": …}`; `fn` names the function to run."""
        task = named(fn)
        for one in items:
            running = asyncio.create_task(self._run(task, one["number"], one["item"]))
            self._running.add(running)
            running.add_done_callback(self._running.discard)

    async def take(self) -> list[Item]:
        """What has finished, at least one: `{"number", "result", "error", "lost"}`.

        `lost`: it could not go on, because the limiter is gone.
        """
        await self._some.wait()
        await asyncio.sleep(GATHER)
        finished, self._finished = self._finished, []
        self._some.clear()
        return finished

    async def _run(self, fn: Task, number: int, item: Item) -> None:
        outcome: Item = {"number": number, "result": None, "error": None, "lost": False}
        try:
            outcome["result"] = await fn(item, self._tools)
        except LimiterLost:
            outcome["lost"] = True
        except Exception as error:
            outcome["error"] = f"{type(error).__name__}: {error}"
        self._finished.append(outcome)
        self._some.set()


def named(name: str) -> Any:
    """What `module:name` names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def name_of(function: Callable[..., Any]) -> str:
    """The name by which another process imports a function."""
    return f"{function.__module__}:{function.__qualname__}"
