"""The keys a plan wants, as a temporary table for the joins of one question."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import duckdb

from arena.store.statements import sql


@contextmanager
def wanted(connection: duckdb.DuckDBPyConnection, keys: Sequence[str]) -> Iterator[None]:
    """Within the block the temporary table `wanted` holds (place, key), in the plan's order."""
    connection.execute("drop table if exists wanted")
    connection.execute(sql("wanted_keys"))
    if keys:
        appender = connection.appender("wanted")
        appender.append_rows(list(enumerate(keys)))
        appender.flush()
    try:
        yield
    finally:
        connection.execute("drop table if exists wanted")


def ask(connection: duckdb.DuckDBPyConnection, name: str, keys: Sequence[str]) -> list[tuple]:  # type: ignore[type-arg]
    """The rows of a named statement over the keys wanted."""
    with wanted(connection, keys):
        return connection.execute(sql(name)).fetchall()
