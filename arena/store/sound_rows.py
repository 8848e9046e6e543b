"""Which rows of a file fit a table, one by one: each value of its type, each condition met."""

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from arena.store.outcomes.table import quoted

INCOMING = "incoming_rows"
"""A table of the session: a file's rows as text, with their numbers."""
NUMBER, LOST = '"#number"', '"#lost"'
"""Columns beside those of a table, which has none so called."""
LISTED = 20


@dataclass(frozen=True, slots=True)
class Looked:
    """What is in a file: rows that could be told apart, and those of them that do not fit."""

    read: int
    bad: int
    rows: tuple[int, ...]


def look_at_rows(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    types: Mapping[str, str],
    source: str,
    facts: Mapping[str, str],
) -> Looked:
    """Read a file into the session; `source`: SQL that reads it, with every column as text.

    Afterwards `sound_of(table)` holds the rows that fit, with the columns of the table. Raises
    duckdb.Error for a file that cannot be read at all.
    """
    run, sound_rows = connection.execute, sound_of(table)
    names = ", ".join(quoted(name) for name in types)
    run(
        f"create or replace temp table {INCOMING} as "
        f"select row_number() over () as {NUMBER}, {names} from {source}",
        dict(facts),
    )
    cast = ", ".join(f"try_cast({quoted(n)} as {of}) as {quoted(n)}" for n, of in types.items())
    lost = " or ".join(
        f"({quoted(n)} is not null and try_cast({quoted(n)} as {of}) is null)"
        for n, of in types.items()
    )
    fits = " and ".join([f"not {LOST}", *_conditions(connection, table)])
    run(
        f"create or replace temp table {sound_rows} as select * from "
        f"(select {NUMBER}, {lost} as {LOST}, {cast} from {INCOMING}) where {fits}"
    )
    ((read, sound),) = run(
        f"select (select count(*) from {INCOMING}), (select count(*) from {sound_rows})"
    ).fetchall()
    first = run(
        f"select {NUMBER} from {INCOMING} anti join {sound_rows} using ({NUMBER}) "
        f"order by {NUMBER} limit {LISTED}"
    ).fetchall()
    run(f"drop table {INCOMING}")
    return Looked(int(read), int(read) - int(sound), tuple(int(n) for (n,) in first))


def sound_of(table: str) -> str:
    """The table of the session with the rows that fit a table."""
    return f"sound_{table}"


def _conditions(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """What the table demands of a row: columns that are never empty, and its checks."""
    found = connection.execute(
        "select constraint_type, expression, constraint_column_names from duckdb_constraints() "
        "where table_name = $table and constraint_type in ('CHECK', 'NOT NULL', 'PRIMARY KEY')",
        {"table": table},
    ).fetchall()
    needed = {column for kind, _, columns in found if kind != "CHECK" for column in columns}
    checks = [f"coalesce({said}, true)" for kind, said, _ in found if kind == "CHECK"]
    return [*(f"{quoted(column)} is not null" for column in sorted(needed)), *checks]
