"""Opening the database, and what DuckDB's refusals mean."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from arena.errors import StoreBroken, StoreError, StoreHeld
from arena.store.migrate import migrate

SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    # Automatic checkpoints stall a writer for seconds; stages make theirs at their end.
    "checkpoint_threshold": "512MB",
    "memory_limit": "2GB",
    "threads": 2,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
HELD = re.compile(r"held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
PATIENCE = 5.0


def connect(
    path: Path | None,
    *,
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> duckdb.DuckDBPyConnection:
    """A connection to the database at `path` (None: in memory), at the newest schema.

    Waits up to `patience` seconds while another process holds the file. Raises StoreHeld naming
    that process, or StoreBroken for a file that is not ours or a full disk.
    """
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    until = clock() + patience
    while True:
        try:
            connection = duckdb.connect(str(path) if path else ":memory:", config=SETTINGS)
            break
        except duckdb.IOException as error:
            held = explain(error, path)
            if not isinstance(held, StoreHeld) or clock() >= until:
                raise held from None
            sleep(0.2)
        except duckdb.Error as error:
            raise explain(error, path) from None
    try:
        migrate(connection)
    except duckdb.Error as error:
        connection.close()
        raise explain(error, path) from None
    except StoreError:
        connection.close()
        raise
    return connection


def explain(error: Exception, path: Path | None) -> StoreError:
    """DuckDB's error as one of ours."""
    text = str(error)
    where = str(path) if path else "the database in memory"
    # DuckDB's exceptions carry no code for a lock, so its words are all there is to go by.
    if held := HELD.search(text):
        pid = int(held["pid"])
        program = Path(held["program"]).name or "another process"
        return StoreHeld(
            "{store} is in use by {program} (process {pid})",
            why="One process writes to it at a time.",
            fix="Wait until it has finished; `arena status` works beside a running `arena run`.",
            pid=pid,
            store=where,
            program=program,
        )
    if re.search(r"\block\b", text) or "being used by another process" in text:
        return StoreHeld(
            "{store} is in use by another process",
            fix="Wait until it has finished; `arena status` works beside a running `arena run`.",
            store=where,
        )
    if "No space left" in text or "invalidated" in text:
        return StoreBroken(
            "{store}: the disk is full",
            why="Everything committed before is kept.",
            fix="Free some space and run the same command again.",
            store=where,
        )
    return StoreBroken(
        "{store} cannot be used: {reason}", store=where, reason=text.splitlines()[0][:200]
    )
