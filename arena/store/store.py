"""The store as a whole: one connection, its tables and its writer."""

import time
from pathlib import Path
from types import TracebackType

import duckdb

from arena.store.boards import Boards, Runs
from arena.store.connection import PATIENCE, connect, explain
from arena.store.flags import FlagDecisions
from arena.store.imports import Imports
from arena.store.people import People
from arena.store.pings import Pings
from arena.store.plans import Plans
from arena.store.reports import Reports
from arena.store.summaries import Summaries
from arena.store.tables import Calls, Commentaries, Sheets, Transcripts, Verdicts
from arena.store.transfer import Transfer
from arena.store.votes.keeping import Votes
from arena.store.voting import Voting
from arena.store.writer import DELAY, SIZE, Writer

CHECKPOINTS = 50
"""Tries to fold the log into the file; where all fail, the log stays, and nothing is lost."""


class Store:
    """An open database. Use as a context manager; opening raises StoreHeld or StoreBroken."""

    def __init__(self, path: Path | None, *, patience: float = PATIENCE) -> None:
        self.path = path
        self._connection = connect(path, patience=patience)
        self.transcripts = Transcripts(self._connection)
        self.sheets = Sheets(self._connection)
        self.verdicts = Verdicts(self._connection)
        self.commentaries = Commentaries(self._connection)
        self.calls = Calls(self._connection)
        self.pings = Pings(self._connection)
        self.plans = Plans(self._connection)
        self.boards = Boards(self._connection)
        self.runs = Runs(self._connection)
        self.imports = Imports(self._connection, path)
        self.votes = Votes(self._connection)
        self.transfer = Transfer(self._connection)
        self.summaries = Summaries(self._connection)
        self.people = People(self._connection)
        self.reports = Reports(self._connection)
        self.decisions = FlagDecisions(self._connection)
        self.voting = Voting(self._connection)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def writer(self, *, delay: float = DELAY, size: int = SIZE) -> Writer:
        """The writer; one at a time."""
        return Writer(self._connection, self.path, delay=delay, size=size)

    def checkpoint(self) -> None:
        """Fold the log into the file; done at the end of stages. Raises StoreBroken when full."""
        for _ in range(CHECKPOINTS):
            try:
                self._connection.execute("checkpoint")
                return
            except duckdb.TransactionException:
                # Another connection of this process is writing; its transactions are short.
                time.sleep(0.1)
            except duckdb.Error as error:
                raise explain(error, self.path) from None

    def close(self) -> None:
        """Close the database; safe to repeat."""
        try:
            self._connection.close()
        except duckdb.Error as error:
            raise explain(error, self.path) from None
