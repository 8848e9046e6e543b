"""A database as it lies there, looked at without changing it."""

from dataclasses import dataclass
from pathlib import Path

import duckdb

from arena.store.connection import explain
from arena.store.migrate import applied, newest_schema
from arena.store.statements import sql


@dataclass(frozen=True, slots=True)
class Condition:
    """The schema of a database, the newest that this version knows, and its youngest row's time.

    `schema` is 0 for a file without tables; `newest` None: nothing is in it.
    """

    schema: int
    known: int
    newest: str | None


def look_at(path: Path) -> Condition | None:
    """The condition of a database; None where there is no file.

    Raises StoreHeld at once where another process has it open, and StoreBroken for a file that is
    not ours, of a newer version, or cannot be read.
    """
    if not path.exists():
        return None
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as error:
        raise explain(error, path) from None
    try:
        done = applied(connection)
        row = connection.execute(sql("newest_row")).fetchone() if done else None
        return Condition(max(done, default=0), newest_schema(), row[0] if row else None)
    except duckdb.Error as error:
        raise explain(error, path) from None
    finally:
        connection.close()
