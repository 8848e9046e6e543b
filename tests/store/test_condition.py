"""A database is looked at without being changed; pings are spent money and nothing else."""

import subprocess
import sys
from decimal import Decimal

import duckdb
import pytest

from arena.domain.call import Status
from arena.errors import StoreBroken, StoreHeld
from arena.store.condition import look_at
from arena.store.migrate import newest_schema
from arena.store.store import Store


def test_looking_makes_no_file_and_changes_none(tmp_path):
    path = tmp_path / "arena.duckdb"
    assert look_at(path) is None
    assert not path.exists()
    old = duckdb.connect(str(path))
    old.execute("create table schema_version (version integer primary key, file text)")
    old.close()
    before = path.read_bytes()
    found = look_at(path)
    assert (found.schema, found.known, found.newest) == (0, newest_schema(), None)
    assert path.read_bytes() == before


async def test_the_youngest_row_says_when(make, database):
    with Store(database) as store:
        await make.keep(store, make.call(key="k", serves="s", at="2031-01-01T00:00:00.000Z"))
    assert look_at(database).newest == "2031-01-01T00:00:00.000Z"
    assert look_at(database).schema == newest_schema()


def test_what_is_not_ours_is_said(tmp_path):
    path = tmp_path / "arena.duckdb"
    path.write_text("no database")
    with pytest.raises(StoreBroken):
        look_at(path)


def test_who_holds_it_is_named(tmp_path):
    path = tmp_path / "arena.duckdb"
    code = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(StoreHeld) as caught:
        look_at(path)
    assert caught.value.pid == holder.pid
    holder.communicate("\n")


def test_a_ping_is_spent_money_once_and_no_observation(make, store):
    ping = make.call(
        key="p", serves="p", cost=Decimal("0.5"), currency="CNY", tokens_in=3, tokens_out=1
    )
    store.pings.add(ping)
    store.pings.add(ping)
    failed = make.call(key="q", serves="q", cost=None, currency="CNY", status=Status.ERROR)
    store.pings.add(failed)
    (line,) = store.summaries.spend()
    assert (line.calls, line.cost, line.unpriced) == (2, Decimal("0.5"), 1)
    assert store.summaries.observed() == {}
    assert store.summaries.counts()["calls"] == 0
