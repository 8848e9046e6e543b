"""Bringing a database to the newest schema, one numbered file after the other.

`schema_version` holds a row per file that was applied. Views are made anew each time.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable

import duckdb

from arena.errors import StoreBroken


def newest_schema() -> int:
    """The number of the newest schema file that this version carries."""
    return _number(_steps()[-1][0])


def migrate(connection: duckdb.DuckDBPyConnection) -> int:
    """Apply the schema files that are missing; returns the schema's version.

    Raises StoreBroken when the file was written by a newer version of arena.
    """
    done, newest = applied(connection), newest_schema()
    for name, path in _steps():
        number = _number(name)
        if number in done:
            continue
        connection.execute("begin")
        connection.execute(
            "create table if not exists schema_version (version integer primary key, file text)"
        )
        connection.execute(path.read_text(encoding="utf-8"))
        connection.execute("insert into schema_version values (?, ?)", [number, name])
        connection.execute("commit")
    for view in sorted(files("arena.store").joinpath("sql/views").iterdir(), key=lambda p: p.name):
        connection.execute(view.read_text(encoding="utf-8"))
    return newest


def _number(name: str) -> int:
    """The number that a schema file is called by, whatever stands beside it."""
    return int(name.split("_", 1)[0])


def _steps() -> list[tuple[str, Traversable]]:
    """The schema files by name, in the order in which they are applied."""
    folder = files("arena.store").joinpath("sql/schema")
    steps = {p.name: p for p in folder.iterdir() if p.name.endswith(".sql")}
    return sorted(steps.items(), key=lambda step: _number(step[0]))


def applied(connection: duckdb.DuckDBPyConnection) -> set[int]:
    """Numbers of the schema files applied before; a file of somebody else's stays as it is.

    Raises StoreBroken for a database that is not ours, or of a newer version of arena.
    """
    tables = connection.execute("select table_name from duckdb_tables()").fetchall()
    if ("schema_version",) not in tables:
        if tables:
            raise StoreBroken(
                "not a database of arena: it holds {table}",
                fix="Move the file away, or name another workspace with -C.",
                table=tables[0][0],
            )
        return set()
    rows = connection.execute("select version from schema_version").fetchall()
    done, known = {row[0] for row in rows}, newest_schema()
    if done and max(done) > known:
        raise StoreBroken(
            "the database has schema {found}, this version of arena knows {known}",
            fix="Install the version of arena that wrote it, or a newer one.",
            found=max(done),
            known=known,
        )
    return done
