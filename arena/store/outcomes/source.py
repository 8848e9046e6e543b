"""Files, Arrow tables and data frames of outcomes, loaded as they are into a private DuckDB.

Text stays text: "007" and "NULL" are names. Once loaded, the connection can reach no file, no
network and no Python object, so that a condition written by anyone is safe to evaluate.
"""

from pathlib import Path
from typing import Any, BinaryIO

import duckdb

from arena.errors import UsageError
from arena.store.outcomes.file import prepare
from arena.store.outcomes.load import check_names, load_csv, load_json, load_parquet
from arena.store.outcomes.table import ROW, OutcomeSource, first_line, quoted


def load_file(
    name: str | Path,
    stdin: BinaryIO | None = None,
    *,
    within: duckdb.DuckDBPyConnection | None = None,
) -> OutcomeSource:
    """Load a file: CSV, TSV, JSON lines or Parquet, the first three also gzipped; `-`: stdin.

    `within`: an open connection to load it into, beside what is there; None: one of its own.
    Raises UsageError for whatever makes the file unreadable as a whole. Rows that are malformed
    on their own are left out and counted.
    """
    shown = "standard input" if str(name) == "-" else str(name)
    source = OutcomeSource.beside(within, shown) if within else OutcomeSource.private(shown)
    try:
        prepared = prepare(str(name), stdin, source.scratch)
        source.encoding = prepared.encoding
        check_names(shown, prepared.header)
        loaders = {"csv": load_csv, "parquet": load_parquet}
        loaders.get(prepared.kind, load_json)(source, prepared)
        _settle(source)
    except duckdb.Error as error:
        source.close()
        raise UsageError(
            "{path}: cannot be read: {reason}",
            path=shown,
            reason=first_line(error).replace(str(source.scratch / "source"), shown),
        ) from None
    except BaseException:
        source.close()
        raise
    return source


def load_frame(frame: Any) -> OutcomeSource:
    """Load an Arrow table, a data frame of pandas or polars, or a dict of numpy arrays.

    Raises UsageError for any other object.
    """
    source = OutcomeSource.private("the table")
    try:
        source.connection.register("given", _arrow(frame))
        source.connection.execute(
            f"create table source as select (row_number() over ())::uinteger as {quoted(ROW)}, * "
            "from given"
        )
        source.connection.unregister("given")
        _settle(source)
    except (duckdb.Error, TypeError):
        source.close()
        raise UsageError(
            "a table of type {type} cannot be read",
            fix="Give a path, an Arrow table, a pandas or polars frame, or a dict of numpy arrays.",
            type=type(frame).__name__,
        ) from None
    except BaseException:
        source.close()
        raise
    return source


def adopt_table(connection: duckdb.DuckDBPyConnection, table: str) -> OutcomeSource:
    """A table of an open connection as a source; it must have the column ROW, from 1, distinct.

    Nothing is copied and nothing is locked; temporary tables are made in the connection.
    """
    source = OutcomeSource(connection, table)
    source.table = quoted(table)
    source.describe()
    return source


class _Stream:
    """Only the Arrow stream of an object, so that DuckDB needs no pyarrow to read it."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.frame.__arrow_c_stream__(requested_schema)


def _arrow(frame: Any) -> Any:
    # pandas and pyarrow are read by DuckDB itself, without a detour.
    known = type(frame).__module__.split(".")[0] in {"pandas", "pyarrow"}
    return _Stream(frame) if hasattr(frame, "__arrow_c_stream__") and not known else frame


def _settle(source: OutcomeSource) -> None:
    source.describe()
    source.lock()
