"""Between the service and the store, which is open only while it is read or written.

Other commands work beside the service, as it holds the database for moments only. While another
process holds it, what was read last is shown and nothing is kept; whoever brings something then
is told so, and may bring it again.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from arena.domain.job import Job
from arena.errors import StoreHeld
from arena.serving.snapshot import Drawing, Snapshot, take
from arena.store.store import Store

T = TypeVar("T")
Look = Callable[[float], AbstractContextManager[tuple[Sequence[Job], Store]]]
"""Opens the workspace with its store, waiting at most so many seconds for another process."""
PATIENCE = 5.0
SHORT_WAIT = 0.3
"""For looking whether anything has changed: whoever asks is served what there is."""
EVERY = 2.0
"""Seconds between two looks whether the database has changed."""
GATHER = 0.01
"""Seconds for which what comes in is gathered, to be written in one opening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the service needs of its workspace; `begin` notes the run in an open store."""

    look: Look
    database: Path
    published: Path
    state: Path
    drawing: Drawing
    now: Callable[[], str]
    begin: Callable[[Store], None]


class Keeper:
    """Reads snapshots and writes what people bring, one after the other on one thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="arena-keeper")
        self._waiting: list[tuple[Callable[[Store], Any], asyncio.Future[Any]]] = []
        self._task: asyncio.Task[None] | None = None
        self._looked = float("-inf")
        self._seen: tuple[int, ...] = ()
        self._begun = False
        self._anew = desk.drawing.anew
        self.snapshot = Snapshot(at=desk.now())
        self.held: StoreHeld | None = None

    @property
    def now(self) -> str:
        """The time."""
        return self._desk.now()

    @property
    def run(self) -> str:
        """Under which run what comes in is kept."""
        return self._desk.drawing.run

    @property
    def published(self) -> Path:
        """The folder of the leaderboard."""
        return self._desk.published

    async def refresh(self, *, patience: float = PATIENCE) -> None:
        """Read the store anew; where another process holds it, what there is stays."""
        loop = asyncio.get_running_loop()
        try:
            self.snapshot = await loop.run_in_executor(self._thread, self._read, patience)
            self.held = None
        except StoreHeld as held:
            self.held = held

    async def look_again(self) -> None:
        """Read anew if the database has changed, or was held; at most every two seconds."""
        clock = time.monotonic()
        if clock - self._looked < EVERY:
            return
        self._looked = clock
        if self.held is not None or self._marks() != self._seen:
            await self.refresh(patience=SHORT_WAIT)

    async def write(self, work: Callable[[Store], T]) -> T:
        """Do something in the open store; returns once it is committed.

        Raises StoreHeld where another process holds the store for longer than five seconds.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._waiting.append((work, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._write_all())
        return await future

    async def close(self) -> None:
        """Write what waits and let go."""
        if self._task is not None:
            await self._task
        self._thread.shutdown(wait=True)

    async def _write_all(self) -> None:
        while self._waiting:
            await asyncio.sleep(GATHER)
            batch, self._waiting = self._waiting, []
            loop = asyncio.get_running_loop()
            try:
                done = await loop.run_in_executor(self._thread, self._commit, [w for w, _ in batch])
            except Exception as error:  # whatever it is, nobody may wait for ever
                done = [error] * len(batch)
            for (_, future), result in zip(batch, done, strict=True):
                _settle(future, result)

    def _commit(self, batch: Sequence[Callable[[Store], Any]]) -> list[Any]:
        done: list[Any] = []
        with Store(self._desk.database, patience=PATIENCE) as store:
            self._begin(store)
            for work in batch:
                try:
                    done.append(work(store))
                except Exception as error:
                    done.append(error)
        self._seen = self._marks()
        self.held = None
        return done

    def _read(self, patience: float) -> Snapshot:
        with self._desk.look(patience) as (jobs, store):
            self._begin(store)
            drawing = replace(self._desk.drawing, anew=self._anew, at=self.now)
            self._anew = False
            found = take(jobs, store, drawing, at=self.now)
        self._seen = self._marks()
        return found

    def _begin(self, store: Store) -> None:
        if not self._begun:
            self._desk.begin(store)
            self._begun = True

    def _marks(self) -> tuple[int, ...]:
        """What changes when somebody else writes to the database."""
        marks: list[int] = []
        for path in (self._desk.database, self._desk.database.with_name("arena.duckdb.wal")):
            try:
                found = path.stat()
            except OSError:
                continue
            marks += [found.st_mtime_ns, found.st_size]
        return tuple(marks)


def _settle(future: asyncio.Future[Any], result: Any) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
