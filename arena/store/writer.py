"""The one writer: what finished calls bring is committed in small batches.

`add` returns once its rows are committed: a call counts as done only then. Rows wait at most
`delay` seconds or until `size` rows are there. Rows that belong together are never split.
"""

import asyncio
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from arena.errors import StoreError
from arena.store.connection import explain
from arena.store.rows import Row, Rows

TABLES = (
    "call",
    "transcript",
    "sheet",
    "score",
    "verdict",
    "verdict_criterion",
    "commentary",
    "imported",
    "origin",
)
DELAY = 0.05
SIZE = 100
TURN = 0.0005
"""Seconds after which a busy thread lets another one in, while a writer is open.

A batch is some ten statements, and after each the writer's thread must be let in again by an event
loop that is busy with other calls. At the usual 5 ms, waiting for turns is most of a batch's time.
"""


class Writer:
    """Commits rows on a thread of its own, so that the event loop goes on.

    Use as an async context manager: leaving it commits what is waiting. After a failed commit
    every `add` raises StoreError, so that no further call is made in vain.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: Path | None,
        *,
        delay: float = DELAY,
        size: int = SIZE,
    ) -> None:
        self._connection = connection.cursor()
        self._path = path
        self._delay = delay
        self._size = size
        self._waiting: list[tuple[Rows, asyncio.Future[None]]] = []
        self._rows = 0
        self._full = asyncio.Event()
        self._filled = asyncio.Event()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="arena-writer")
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._broken: StoreError | None = None
        self._usual_turn = sys.getswitchinterval()
        self.committed = 0

    async def __aenter__(self) -> "Writer":
        await asyncio.get_running_loop().run_in_executor(self._thread, self._make_stages)
        self._usual_turn = sys.getswitchinterval()
        sys.setswitchinterval(min(TURN, self._usual_turn))
        self._task = asyncio.create_task(self._commit_batches())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing = True
        self._filled.set()
        self._full.set()
        if self._task:
            await self._task
        self._thread.shutdown(wait=True)
        self._connection.close()
        sys.setswitchinterval(self._usual_turn)

    async def add(self, rows: Rows) -> None:
        """Write rows; returns when they are committed. Raises StoreError when they cannot be."""
        if self._broken:
            raise self._broken
        if self._closing:
            raise StoreError("the writer is closed")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((rows, future))
        self._rows += len(rows)
        self._filled.set()
        if self._rows >= self._size:
            self._full.set()
        await future

    async def _commit_batches(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._filled.wait()
            if not self._closing:
                try:
                    async with asyncio.timeout(self._delay):
                        await self._full.wait()
                except TimeoutError:
                    pass
            batch, self._waiting, self._rows = self._waiting, [], 0
            self._full.clear()
            self._filled.clear()
            if batch:
                await self._settle(loop, batch)
            if self._closing and not self._waiting:
                return
            if self._waiting or self._closing:
                self._filled.set()

    async def _settle(
        self, loop: asyncio.AbstractEventLoop, batch: list[tuple[Rows, asyncio.Future[None]]]
    ) -> None:
        try:
            if self._broken:
                raise self._broken
            await loop.run_in_executor(self._thread, self._commit, [rows for rows, _ in batch])
        except Exception as error:  # whatever it is, nobody may wait for ever
            broken = error if isinstance(error, StoreError) else explain(error, self._path)
            self._broken = broken
            for _, future in batch:
                if not future.done():
                    future.set_exception(broken)
            return
        self.committed += sum(len(rows) for rows, _ in batch)
        for _, future in batch:
            if not future.done():
                future.set_result(None)

    def _make_stages(self) -> None:
        # An appended batch fails as a whole on one duplicate, so rows are appended to a stage
        # without keys and inserted from there.
        for table in TABLES:
            self._connection.execute(
                f"create or replace temp table stage_{table} as from {table} limit 0"
            )

    def _commit(self, batch: Sequence[Rows]) -> None:
        by_table: dict[str, list[Row]] = {}
        for rows in batch:
            for table, more in rows.tables:
                by_table.setdefault(table, []).extend(more)
        self._connection.execute("begin")
        try:
            for table in TABLES:
                if values := by_table.get(table):
                    self._insert(table, values)
            self._connection.execute("commit")
        except BaseException:
            self._roll_back()
            raise

    def _insert(self, table: str, values: list[Row]) -> None:
        appender = self._connection.appender(f"stage_{table}")
        try:
            appender.append_rows(values)
            appender.flush()
        except BaseException:
            appender.clear()
            raise
        self._connection.execute(f"insert into {table} from stage_{table} on conflict do nothing")
        self._connection.execute(f"delete from stage_{table}")

    def _roll_back(self) -> None:
        try:
            self._connection.execute("rollback")
        except duckdb.Error:
            return  # the database is invalidated; reopening it shows what was committed
