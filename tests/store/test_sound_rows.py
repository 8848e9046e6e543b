"""Rows of a file that fit a table are told from the others, whatever the table."""

import pytest

from arena.store.sound_rows import look_at_rows, sound_of
from arena.store.store import Store


def tables(store):
    return store.transfer._tables()


@pytest.fixture(scope="module")
def store():
    with Store(None) as opened:
        yield opened


def test_every_table_can_be_looked_at(store):
    for table in tables(store):
        types = store.transfer._types(table)
        texts = ", ".join(f'null::varchar as "{name}"' for name in types)
        found = look_at_rows(store._connection, table, types, f"(select {texts})", {})
        assert (found.read, found.bad, found.rows) == (1, 1, (1,)), table


def test_what_does_not_fit_is_numbered_and_the_rest_is_of_the_table_s_types(store):
    types = store.transfer._types("score")
    rows = "('s', '1', 'c', '0.5', ''), ('s', 'one', 'd', '1', ''), ('s', '1', null, '2', '')"
    assert list(types) == ["sheet", "attempt", "criterion", "value", "comment"]
    source = f"(values {rows}) as r ({', '.join(types)})"
    found = look_at_rows(store._connection, "score", types, source, {})
    assert (found.read, found.bad, found.rows) == (3, 2, (2, 3))
    kept = f"select sheet, attempt, criterion, value from {sound_of('score')}"
    assert store._connection.execute(kept).fetchall() == [("s", 1, "c", 0.5)]
