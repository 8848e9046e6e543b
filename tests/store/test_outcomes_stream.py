"""A query's rows as arrays, batch by batch."""

import duckdb
import numpy as np
import pytest

from arena.store.outcomes.stream import stream


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        yield opened


def test_batches_follow_each_other_and_keep_the_types_of_their_columns(connection):
    size = 300_000
    query = f"select range::uinteger as n, (range % 3)::utinyint as few from range({size})"
    # Kept beyond its turn a batch still holds what it held, whatever memory is used since.
    batches = list(stream(connection, query))
    others = list(stream(connection, query.replace("range::", "(7 * range)::")))
    assert len(batches) == len(others) > 1
    assert {batch["n"].dtype.name for batch in batches} == {"uint32"}
    assert {batch["few"].dtype.name for batch in batches} == {"uint8"}
    assert (np.concatenate([batch["n"] for batch in batches]) == np.arange(size)).all()


def test_null_is_minus_one_whatever_the_type_holds(connection):
    query = "select unnest([0, null, 255])::utinyint as few, unnest([null, null, 7])::bigint as big"
    (batch,) = stream(connection, query)
    assert batch["few"].tolist() == [0, -1, 255]
    assert batch["big"].tolist() == [-1, -1, 7]


def test_a_query_without_rows_has_no_batch_or_empty_ones(connection):
    assert sum(len(b["n"]) for b in stream(connection, "select 1 as n where false")) == 0


def test_the_connection_is_free_before_and_after(connection):
    # A result of which nobody read the end.
    connection.execute("select unnest([1, 2])").fetchone()
    batches = stream(connection, "select range as n from range(300000)")
    next(batches)
    batches.close()
    assert connection.execute("select 7").fetchall() == [(7,)]
