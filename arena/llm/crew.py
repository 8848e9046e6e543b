"""The driver's side of many processes: who has which items, and what becomes of those that die.

A crew keeps a number of workers busy. What a dead worker had not handed over is given to another,
and a new worker takes its place. It knows nothing of how workers are reached: `hire` does.
"""

import asyncio
import itertools
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena.errors import ClusterLost
from arena.llm.executor import Item, Outcome, Task
from arena.llm.mapping import Mapping, Parcel
from arena.llm.sharing import LimiterLost, Line
from arena.llm.worker import name_of

REPEATS = 3
"""How often an item is given to another worker, at most, because the one that had it died."""
VAIN = 3
"""Workers that may be lost, beyond the size of the crew, with nothing finished in between."""


class WorkerLost(Exception):
    """The process of a worker has died, or nobody can reach it any more."""


class Hand(Protocol):
    """A worker as the driver reaches it; what is awaited raises WorkerLost."""

    name: str

    async def hello(self) -> Item:
        """What it is, once it can work."""
        ...

    async def give(self, fn: str, items: list[Item]) -> None:
        """Let it begin numbered items."""
        ...

    async def take(self) -> list[Item]:
        """What it has finished, at least one."""
        ...

    def end(self) -> None:
        """End its process at once, if it is there; raises nothing."""
        ...


@dataclass(slots=True, eq=False)
class _Member:
    """A worker with what it has: what waits to be sent, and what it has not handed over."""

    hand: Hand
    has: dict[int, Parcel] = field(default_factory=dict)
    outbox: list[Parcel] = field(default_factory=list)
    filled: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)


class Crew:
    """An executor over workers that may die. Use inside one event loop; close it with `aclose`.

    `hire` makes a hand of a name (its process may still be starting, `patience` seconds at most),
    `limiter` is the line on which the death of a worker is told, `check` raises an ArenaError for
    a worker that cannot be used.
    """

    def __init__(
        self,
        hire: Callable[[str], Hand],
        limiter: Line,
        *,
        size: int,
        patience: float,
        check: Callable[[Item], None] = lambda _: None,
    ) -> None:
        self._hire = hire
        self._limiter = limiter
        self._size = size
        self._patience = patience
        self._check = check
        self._members: list[_Member] = []
        self._coming = 0
        self._homeless: list[Parcel] = []
        self._names = itertools.count(1)
        self._vain = 0
        self._mapping: Mapping | None = None
        self._chores: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None

    async def map_unordered(
        self, fn: Task, items: AsyncIterable[Item], *, window: int
    ) -> AsyncIterator[Outcome]:
        """Outcomes in the order they finish; closing the iterator ends what is under way.

        Raises ClusterLost when the workers cannot go on, and what `check` raises.
        """
        if self._failed:
            raise self._failed
        mapping = self._mapping = Mapping(name_of(fn), window)
        pumping = asyncio.create_task(mapping.pump(items, self._assign))
        try:
            while (said := await mapping.said.get()) is not None:
                if isinstance(said, BaseException):
                    raise said
                yield said
            await pumping
        finally:
            pumping.cancel()
            await asyncio.gather(pumping, return_exceptions=True)
            self._mapping = None
            self._drop_what_is_under_way()

    async def aclose(self) -> None:
        """End all workers."""
        for task in tuple(self._chores):
            task.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        for member in tuple(self._members):
            self._dismiss(member)

    def _assign(self, parcel: Parcel) -> None:
        """Give an item to whoever has least; while workers are still coming, to each its share."""
        if self._failed:
            return
        self._fill_up()
        member = min(self._members, key=lambda m: len(m.has), default=None)
        if member is None or (self._coming and len(member.has) >= self._share()):
            self._homeless.append(parcel)
            return
        member.has[parcel.number] = parcel
        member.outbox.append(parcel)
        member.filled.set()

    def _house(self) -> None:
        """Give out what has waited for a worker with room."""
        homeless, self._homeless = self._homeless, []
        for parcel in homeless:
            self._assign(parcel)

    def _share(self) -> int:
        return -(-self._mapping.window // self._size) if self._mapping else 0

    def _fill_up(self) -> None:
        """Hire as many as are missing: all at first, and some after deaths."""
        while len(self._members) + self._coming < self._size:
            self._coming += 1
            self._do(self._take_on(self._hire(f"worker-{next(self._names)}")))

    async def _take_on(self, hand: Hand) -> None:
        """Let a new worker work once it can, and give out what has waited for it."""
        member = None
        try:
            async with asyncio.timeout(self._patience):
                self._check(await hand.hello())
            member = _Member(hand)
            self._members.append(member)
            member.tasks += [self._do(self._send(member)), self._do(self._receive(member))]
        except TimeoutError:
            self._go_on_without()
        except WorkerLost as error:
            self._count_lost(str(error))
        finally:
            self._coming -= 1
            if member is None:
                hand.end()
        self._house()

    def _go_on_without(self) -> None:
        """One that cannot start is not needed where others are at work."""
        self._size = max(self._size - 1, 1)
        if not self._members and self._coming <= 1:
            self._fail(
                ClusterLost(
                    "no worker could start within {seconds} s",
                    why="The cluster has no room, or its machines are busy or cannot be reached.",
                    fix="Look at the cluster (`ray status`), then run the same command again.",
                    seconds=f"{self._patience:g}",
                )
            )

    async def _send(self, member: _Member) -> None:
        with self._burying(member):
            while True:
                await member.filled.wait()
                member.filled.clear()
                batch, member.outbox = member.outbox, []
                if batch and self._mapping is not None:
                    items = [{"number": p.number, "item": p.item} for p in batch]
                    await member.hand.give(self._mapping.fn, items)

    async def _receive(self, member: _Member) -> None:
        with self._burying(member):
            while True:
                for one in await member.hand.take():
                    self._vain = 0
                    self._settle(member, one)
                self._house()

    @contextmanager
    def _burying(self, member: _Member) -> Iterator[None]:
        try:
            yield
        except WorkerLost as error:
            self._bury(member, str(error))

    def _settle(self, member: _Member, one: Item) -> None:
        parcel = member.has.pop(one["number"], None)
        if parcel is None or self._mapping is None:
            return
        if one["lost"]:
            self._fail(_limiter_lost())
            return
        self._mapping.finish(parcel, Outcome(parcel.item, one["result"], one["error"]))

    def _bury(self, member: _Member, said: str) -> None:
        """A worker is lost: give its items to others and hire another."""
        if member not in self._members:
            return
        mapping = self._mapping
        orphans = [p for p in member.has.values() if mapping and mapping.wants(p)]
        self._dismiss(member)
        self._do(self._give_up(member.hand.name))
        for parcel in orphans:
            parcel.deaths += 1
        worst = max((parcel.deaths for parcel in orphans), default=0)
        self._count_lost(said, in_vain=worst > REPEATS)
        for parcel in orphans:
            self._assign(parcel)

    def _count_lost(self, said: str, *, in_vain: bool = False) -> None:
        self._vain += 1
        if in_vain or self._vain > self._size + VAIN:
            self._fail(
                ClusterLost(
                    "workers die one after the other: {said}",
                    why="Their machines may be out of memory, or lack what arena needs.",
                    fix="What is finished is saved: look at the cluster, then run it again.",
                    said=said,
                )
            )

    async def _give_up(self, name: str) -> None:
        try:
            await self._limiter("forsake", name)
        except LimiterLost:
            self._fail(_limiter_lost())

    def _dismiss(self, member: _Member) -> None:
        """End a worker and forget it."""
        self._members = [m for m in self._members if m is not member]
        current = asyncio.current_task()
        for task in member.tasks:
            if task is not current:
                task.cancel()
        member.hand.end()

    def _drop_what_is_under_way(self) -> None:
        """After a map that was cut off: nobody wants what its workers still do."""
        self._homeless = []
        for member in tuple(self._members):
            if member.has:
                self._dismiss(member)
                self._do(self._give_up(member.hand.name))

    def _fail(self, error: BaseException) -> None:
        self._failed = self._failed or error
        if self._mapping is not None:
            self._mapping.said.put_nowait(self._failed)

    def _do(self, chore: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Begin a chore; a mistake in it is raised by the map."""
        task = asyncio.create_task(chore)
        self._chores.add(task)

        def done(task: "asyncio.Task[None]") -> None:
            self._chores.discard(task)
            if not task.cancelled() and (error := task.exception()):
                self._fail(error)

        task.add_done_callback(done)
        return task


def _limiter_lost() -> ClusterLost:
    return ClusterLost(
        "the process that keeps limits and cap was lost",
        why="Without it nobody knows what may still be spent.",
        fix="What is finished is saved: run the same command again.",
    )
