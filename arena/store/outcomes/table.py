"""A loaded table of outcomes in a DuckDB of its own."""

import re
import tempfile
from pathlib import Path
from typing import Self

import duckdb

from arena.store.connection import SETTINGS

ROW = "#row"
"""The column of the loaded table that counts its data rows, from 1."""
LOADED = (
    *("source", "object"),
    *("rejectedtrue", "rejected_fromtrue", "rejectedfalse", "rejected_fromfalse"),
)
"""Temporary tables that loading a file leaves behind."""


class OutcomeSource:
    """A loaded table of outcomes; a context manager that owns its connection and scratch files.

    `columns`: name → DuckDB type, in the file's order. `malformed`: rows with a wrong number of
    fields or no JSON object, with the number of the first. `encoding`: what the file was decoded
    from where that was not UTF-8. `name`: what to call it in messages.
    `borrowed`: whether the connection is somebody else's.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, name: str) -> None:
        self.connection = connection
        self.name = name
        self.table = "source"
        self.columns: dict[str, str] = {}
        self.malformed = 0
        self.first_malformed: int | None = None
        self.encoding: str | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self.borrowed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and remove the scratch files; harmless to repeat.

        A connection that is somebody else's stays open, without the loaded table.
        """
        if self.borrowed:
            for table in LOADED:
                self.connection.execute(f"drop table if exists temp.{table}")
        else:
            self.connection.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    def labels(self, column: str, most: int = 5) -> list[tuple[str, int]]:
        """The commonest values of a column with their counts, commonest first."""
        found = self.connection.execute(
            f"select {quoted(column)}::varchar as label, count(*) from {self.table} "
            "where label is not null group by label order by 2 desc, 1 limit $most",
            {"most": most},
        )
        return [(str(label), int(count)) for label, count in found.fetchall()]

    def describe(self) -> None:
        """Take the names and types of the columns from the loaded table."""
        found = self.connection.execute(f"describe {self.table}").fetchall()
        self.columns = {name: kind for name, kind, *_ in found if name != ROW}

    def lock(self) -> None:
        """Let the connection, where it is its own, reach nothing outside itself from here on."""
        if self.borrowed:
            return
        self.connection.execute("set enable_external_access = false")
        self.connection.execute("set lock_configuration = true")

    @classmethod
    def private(cls, name: str) -> Self:
        """An empty source over a database in memory of its own, with a scratch folder."""
        scratch = tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True)
        settings = {key: value for key, value in SETTINGS.items() if key != "checkpoint_threshold"}
        settings["temp_directory"] = str(Path(scratch.name) / "spill")
        settings["python_enable_replacements"] = False
        source = cls(duckdb.connect(":memory:", config=settings), name)
        source._scratch = scratch
        return source

    @classmethod
    def beside(cls, connection: duckdb.DuckDBPyConnection, name: str) -> Self:
        """An empty source inside somebody's open connection; its tables are temporary there."""
        source = cls(connection, name)
        source._scratch = tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True)
        source.borrowed = True
        return source

    @property
    def scratch(self) -> Path:
        """The folder of its scratch files."""
        if self._scratch is None:
            raise ValueError("a source over another's connection has no scratch folder")
        return Path(self._scratch.name)


def quoted(name: str) -> str:
    """An identifier for SQL, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def first_line(error: Exception) -> str:
    """What DuckDB says first, without the name of its class of errors."""
    line = str(error).strip().splitlines()[0][:300]
    return re.sub(r"^[A-Z][\w ]* Error: ", "", line)
