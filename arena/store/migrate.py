"""Bringing a database to the newest schema, one numbered file after the other.

`schema_version` holds a row per file that was applied. Views are made anew each time.
"""

from importlib.resources import files

import duckdb

from arena.errors import StoreBroken


def migrate(connection: duckdb.DuckDBPyConnection) -> int:
    """Apply the schema files that are missing; returns the schema's version.

    Raises StoreBroken when the file was written by a newer version of arena.
    """
    folder = files("arena.store").joinpath("sql/schema")
    steps = sorted((p.name, p) for p in folder.iterdir() if p.name.endswith(".sql"))
    done = _applied(connection)
    # A step is known by the number in its name, whatever other steps there are.
    numbered = [(int(name.partition("_")[0]), name, path) for name, path in steps]
    newest = max(number for number, _, _ in numbered)
    if done and max(done) > newest:
        raise StoreBroken(
            "the database has schema {found}, this version of arena knows {known}",
            fix="Install the version of arena that wrote it, or a newer one.",
            found=max(done),
            known=newest,
        )
    for number, name, path in numbered:
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


def _applied(connection: duckdb.DuckDBPyConnection) -> set[int]:
    """Schema files applied before; a file of somebody else's stays as it is."""
    tables = connection.execute("select table_name from duckdb_tables()").fetchall()
    if ("schema_version",) not in tables:
        if tables:
            raise StoreBroken(
                "not a database of arena: it holds {table}",
                fix="Move the file away, or name another workspace with -C.",
                table=tables[0][0],
            )
        return set()
    return {row[0] for row in connection.execute("select version from schema_version").fetchall()}
