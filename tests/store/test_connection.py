"""Opening a database: who holds it, what is not ours, and what DuckDB means."""

import subprocess
import sys

import duckdb
import pytest

from arena.errors import ArenaError, StoreBroken, StoreError, StoreHeld
from arena.store.connection import connect, explain
from arena.store.store import Store

HOLD = """
import duckdb, sys
held = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(database):
    """Another process that holds the database until it is let go."""
    Store(database).close()
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.communicate()


@pytest.mark.reported("R47")
def test_a_second_process_is_refused_and_the_first_is_named(database, holder):
    with pytest.raises(StoreHeld) as caught:
        connect(database, patience=0)
    assert caught.value.pid == holder.pid
    assert f"(process {holder.pid})" in str(caught.value)
    assert str(database) in str(caught.value)
    assert "arena status" in str(caught.value)
    assert caught.value.exit_code == 1


def test_it_waits_while_there_is_patience(database, holder):
    slept = []

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            holder.communicate()

    opened = connect(database, patience=100, clock=lambda: sum(slept), sleep=sleep)
    opened.close()
    assert len(slept) == 3


def test_patience_ends(database, holder):
    slept = []
    with pytest.raises(StoreHeld):
        connect(database, patience=1, clock=lambda: sum(slept), sleep=slept.append)
    assert 1 <= sum(slept) < 1.5


def test_the_same_process_may_open_it_again_after_closing(database):
    for _ in range(2):
        with Store(database) as store:
            assert store.summaries.counts()["calls"] == 0


def test_closing_twice_is_safe(database):
    store = Store(database)
    store.close()
    store.close()


def test_folders_above_the_database_are_made(tmp_path):
    Store(tmp_path / "a" / "b" / "arena.duckdb").close()
    assert (tmp_path / "a" / "b" / "arena.duckdb").is_file()


def test_a_store_in_memory_works_and_forgets(make):
    for _ in range(2):
        with Store(None) as store:
            assert store.summaries.counts() == {
                "transcripts": 0,
                "sheets": 0,
                "verdicts": 0,
                "calls": 0,
                "boards": 0,
            }
            assert list(store.transcripts.todo([make.transcript_spec()])) == [
                make.transcript_spec().key
            ]


@pytest.mark.parametrize(
    "raw", [b"hello, I am a text\n" * 500, b"SQLite format 3\0" + b"\0" * 5000]
)
def test_a_file_that_is_no_database_is_refused_at_once(tmp_path, raw):
    path = tmp_path / "arena.duckdb"
    path.write_bytes(raw)

    def sleep(_):
        raise AssertionError("nobody holds it")

    with pytest.raises(StoreBroken):
        connect(path, sleep=sleep)
    assert path.read_bytes() == raw


def test_a_damaged_database_is_broken_and_not_held(database):
    with Store(database) as store:
        store.checkpoint()
    raw = bytearray(database.read_bytes())
    for place in range(4096, len(raw), 512):
        raw[place] ^= 0xFF
    database.write_bytes(raw)

    def sleep(_):
        raise AssertionError("nobody holds it")

    with pytest.raises(StoreBroken):
        connect(database, sleep=sleep)


def test_a_folder_is_no_database(tmp_path):
    with pytest.raises(StoreBroken):
        connect(tmp_path, sleep=lambda _: None, clock=lambda: 0, patience=-1)


MEANINGS = [
    (
        'IO Error: Could not set lock on file "f": Conflicting lock is held in '
        "/usr/bin/python3.11 (PID 4711) by user me.",
        StoreHeld,
        ["python3.11", "4711"],
    ),
    ('IO Error: Could not set lock on file "f": Conflicting lock', StoreHeld, ["another process"]),
    ("IO Error: Cannot open file: being used by another process", StoreHeld, ["another process"]),
    ("IO Error: Could not write file: No space left on device", StoreBroken, ["disk is full"]),
    (
        "FATAL Error: database has been invalidated because of a previous fatal error",
        StoreBroken,
        ["Everything committed before is kept"],
    ),
    (
        "IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2"
        " in block at location 4096",
        StoreBroken,
        ["cannot be used"],
    ),
    ("IO Error: Block pointer out of range", StoreBroken, ["cannot be used"]),
    ("Catalog Error: Table with name call does not exist!", StoreBroken, ["cannot be used"]),
]


@pytest.mark.parametrize(("text", "kind", "said"), MEANINGS, ids=[m[0][:40] for m in MEANINGS])
def test_what_duckdb_says_is_understood(tmp_path, text, kind, said):
    error = explain(duckdb.IOException(text), tmp_path / "arena.duckdb")
    assert type(error) is kind
    assert isinstance(error, StoreError)
    assert all(part in str(error) for part in said)
    assert len(str(error).split("\n")) <= 3


@pytest.mark.parametrize("folder", ["{x}", "{0}", "a{b", "%s"])
@pytest.mark.parametrize(("text", "kind"), [(m[0], m[1]) for m in MEANINGS[:5:3]])
def test_any_path_can_be_named(tmp_path, folder, text, kind):
    path = tmp_path / folder / "arena.duckdb"
    error = explain(duckdb.IOException(text), path)
    assert isinstance(error, ArenaError)
    assert str(path) in str(error)


def test_a_program_with_braces_in_its_path_can_be_named(tmp_path):
    text = "IO Error: Conflicting lock is held in /opt/{x}/py{0} (PID 3)"
    assert "process 3" in str(explain(duckdb.IOException(text), tmp_path))


def test_without_a_path_it_is_the_database_in_memory():
    assert "the database in memory" in str(explain(duckdb.Error("boom"), None))


def test_a_very_long_complaint_is_cut():
    assert len(str(explain(duckdb.Error("x" * 5000), None))) < 300
