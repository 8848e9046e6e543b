"""All tables of a store as files of a folder, and back: for another workspace, or another program.

A file a table, `<table>.csv`, `.jsonl` or `.parquet`, beside `tables.json` that says the schema's
version and how many rows each has. Coming in, rows that are there already stay as they are, and
nothing comes in unless all of it can.
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import duckdb

from arena.errors import ConfigError, UsageError
from arena.store.migrate import newest_schema
from arena.store.outcomes.table import first_line, quoted
from arena.store.sound_rows import NUMBER, Looked, look_at_rows, sound_of

Kind = Literal["parquet", "csv", "jsonl"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MANIFEST = "tables.json"
SCHEMA = "arena.tables/1"
WRITTEN: Mapping[Kind, str] = {
    "parquet": "format parquet",
    "csv": "format csv, header",
    "jsonl": "format json",
}
MOST_MANIFEST = 1 << 20
MEMORY = "300MB"
"""What DuckDB may hold while tables come in."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Rows of a table: in the file, and of them new in the store (of an export: all).

    `bad`: rows that should be there and are not, or do not fit; `places`: the first of those that
    could be told apart.
    """

    rows: int
    new: int
    bad: int = 0
    places: tuple[str, ...] = ()


class Transfer:
    """The store's tables as a whole."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def write(self, folder: Path, kind: Kind, *, software: str) -> dict[str, Moved]:
        """Write every table into a new folder; rows by table.

        Raises UsageError for a folder that is there already or cannot be written.
        """
        _make(folder)
        moved: dict[str, Moved] = {}
        try:
            for table in self._tables():
                path = folder / f"{table}.{kind}"
                self._connection.execute(
                    f"copy (from {quoted(table)} order by all) to {_literal(path)} "
                    f"({WRITTEN[kind]})"
                )
                count = self._connection.execute(f"select count(*) from {quoted(table)}")
                rows = int(count.fetchall()[0][0])
                moved[table] = Moved(rows, rows)
            manifest = {
                "schema": SCHEMA,
                "schema_version": newest_schema(),
                "kind": kind,
                "software": software,
                "tables": {table: of.rows for table, of in moved.items()},
            }
            text = json.dumps(manifest, indent=1) + "\n"
            (folder / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
        except (duckdb.Error, OSError) as error:
            # The folder is new, so all that is in it was written here.
            shutil.rmtree(folder, ignore_errors=True)
            raise UsageError(
                "{path}: cannot be written: {reason}", path=folder, reason=first_line(error)
            ) from None
        return moved

    def read(self, folder: Path, *, dry: bool = False, skip: bool = False) -> dict[str, Moved]:
        """Take every table of a folder in, all or nothing; rows by table.

        `dry`: only say what would be new. `skip`: take the rows that fit, and count the others.
        Raises ConfigError for a folder that was not written so, for another version of the schema
        and, unless they are skipped, for a table that is missing, cut off or wrong.
        """
        manifest = _manifest(folder / MANIFEST)
        kind, said = manifest["kind"], manifest["tables"]
        execute = self._connection.execute
        execute(f"set memory_limit = '{MEMORY}'")
        files = {
            table: _File(table, folder / f"{table}.{kind}", kind, said[table])
            for table in self._tables()
        }
        looked = {table: self._look(file) for table, file in files.items()} if skip else {}
        moved: dict[str, Moved] = {}
        execute("begin")
        try:
            for table, file in files.items():
                moved[table] = self._take_sound(file, looked[table]) if skip else self._take(file)
            execute("rollback" if dry else "commit")
        except _Unfit as unfit:
            execute("rollback")
            raise self._explain(unfit) from None
        except BaseException:
            execute("rollback")
            raise
        return moved

    def _tables(self) -> list[str]:
        found = self._connection.execute(
            "select table_name from duckdb_tables() where not internal and not temporary "
            "and table_name <> 'schema_version' order by table_name"
        )
        return [str(name) for (name,) in found.fetchall()]

    def _take(self, file: "_File") -> Moved:
        """Every row of a file; raises _Unfit where one cannot be taken."""
        if not file.path.is_file():
            raise ConfigError("{path}: there is no such file or folder", path=file.path)
        types, before = self._types(file.table), self._count(file.table)
        source, names = _source(file.kind, types), _names(types)
        try:
            rows = self._count(source, _facts(file.path))
            if rows == file.expected:
                self._connection.execute(
                    f"insert into {quoted(file.table)} ({names}) select {names} from {source} "
                    "on conflict do nothing",
                    _facts(file.path),
                )
        except duckdb.Error as error:
            raise _Unfit(file, first_line(error)) from None
        if rows != file.expected:
            raise ConfigError(
                "{path}: {rows} rows, where {manifest} says {expected}",
                why="The file was cut off or changed.",
                path=file.path,
                rows=rows,
                manifest=MANIFEST,
                expected=file.expected,
            )
        return Moved(rows, self._count(file.table) - before)

    def _explain(self, unfit: "_Unfit") -> ConfigError:
        """What is said of a file with rows that do not fit: the first of them, where one is found.

        Outside a transaction, since what fails within one ends it.
        """
        looked = self._look(unfit.file)
        if looked.rows:
            return ConfigError(
                "{path}: row {row} does not fit: {reason}",
                fix="Export them again, or leave such rows out with --skip-bad.",
                path=unfit.file.path,
                row=looked.rows[0],
                reason=unfit.reason,
            )
        return ConfigError(
            "{path}: cannot be read: {reason}", path=unfit.file.path, reason=unfit.reason
        )

    def _look(self, file: "_File") -> Looked:
        """Which rows of a file fit; of one that cannot be read at all, none is there."""
        types = self._types(file.table)
        source = _source(file.kind, types, text=True)
        try:
            return look_at_rows(self._connection, file.table, types, source, _facts(file.path))
        except duckdb.Error:
            return Looked(read=0, bad=0, rows=())

    def _take_sound(self, file: "_File", looked: Looked) -> Moved:
        """The rows of a file that fit."""
        table, names = quoted(file.table), _names(self._types(file.table))
        before = self._count(file.table)
        if looked.read:
            self._connection.execute(
                f"insert into {table} ({names}) select {names} from {sound_of(file.table)} "
                f"order by {NUMBER} on conflict do nothing"
            )
        missing = max(file.expected - looked.read, 0)
        places = [f"{file.path.name}:{row}" for row in looked.rows]
        return Moved(
            rows=looked.read,
            new=self._count(file.table) - before,
            bad=looked.bad + missing,
            places=(*places, *([file.path.name] if missing else [])),
        )

    def _types(self, table: str) -> dict[str, str]:
        described = self._connection.execute(f"describe {quoted(table)}").fetchall()
        return {str(name): str(of) for name, of, *_ in described}

    def _count(self, source: str, facts: Mapping[str, Any] | None = None) -> int:
        found = self._connection.execute(f"select count(*) from {source}", dict(facts or {}))
        return int(found.fetchall()[0][0])


@dataclass(frozen=True, slots=True)
class _File:
    """The file of a table, and how many rows it should have."""

    table: str
    path: Path
    kind: Kind
    expected: int


class _Unfit(Exception):
    """A file with something in it that does not fit its table."""

    def __init__(self, file: _File, reason: str) -> None:
        super().__init__(reason)
        self.file, self.reason = file, reason


def _names(types: Mapping[str, str]) -> str:
    return ", ".join(quoted(name) for name in types)


def _source(kind: Kind, types: Mapping[str, str], *, text: bool = False) -> str:
    """SQL that reads a file of the columns of a table, each of its type.

    `text`: each as text, whatever stands in it, and rows that cannot be told apart left out or
    empty.
    """
    if kind == "parquet":
        return "read_parquet($path, hive_partitioning = false)"
    columns = ", ".join(
        f"{_literal(name)}: {_literal('VARCHAR' if text else of)}" for name, of in types.items()
    )
    more = ", ignore_errors = true" if text else ""
    if kind == "jsonl":
        return (
            f"read_json($path, format = 'newline_delimited', columns = {{{columns}}}, "
            f"maximum_object_size = 67108864{more})"
        )
    return (
        f"read_csv($path, auto_detect = false, header = true, columns = {{{columns}}}, "
        "delim = ',', quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, "
        f"max_line_size = 67108864{more})"
    )


def _facts(path: Path) -> dict[str, Any]:
    # DuckDB would expand `*` and `[` in a name; between brackets each stands for itself.
    text = "".join(f"[{c}]" if c in "*?[" else c for c in str(path))
    return {"path": text}


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UsageError(
            "{path} is there already",
            fix="Name another folder; nothing is overwritten.",
            path=folder,
        ) from None
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=folder, reason=error.strerror
        ) from None


def _manifest(path: Path) -> dict[str, Any]:
    """What a folder says of itself."""
    try:
        with path.open("rb") as stream:
            found = json.loads(stream.read(MOST_MANIFEST).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise ConfigError(
            "{folder}: no tables that arena export arena wrote",
            fix="Name the folder that holds {manifest}.",
            folder=path.parent,
            manifest=MANIFEST,
        )
    if found.get("schema_version") != newest_schema():
        raise ConfigError(
            "{folder}: its tables have schema {found}, this version of arena knows {known}",
            fix="Export them again with the same version of arena as here.",
            folder=path.parent,
            found=str(found.get("schema_version"))[:20],
            known=newest_schema(),
        )
    tables = found.get("tables")
    if found.get("kind") not in KINDS or not isinstance(tables, dict):
        raise ConfigError("{folder}: {manifest} is damaged", folder=path.parent, manifest=MANIFEST)
    return {"kind": found["kind"], "tables": _Counts(tables)}


class _Counts(dict[str, int]):
    """Rows by table; what is not said cannot be met."""

    def __missing__(self, table: str) -> int:
        return -1


def _literal(text: object) -> str:
    # Neither COPY nor a list of columns takes parameters.
    doubled = str(text).replace("'", "''")
    return f"'{doubled}'"
