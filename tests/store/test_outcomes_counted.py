"""Outcomes by their counts: what they tell is what the same rows tell one by one."""

import csv
import io

import duckdb
import numpy as np
import pytest

from arena.domain.layout import Layout, Reading
from arena.errors import UsageError
from arena.maths.tallying import tally
from arena.stages.rank.from_outcomes import from_counts, from_outcomes
from arena.store.outcomes.columns import OutcomeColumns
from arena.store.outcomes.counted import OutcomeCounts, count_outcomes
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import adopt_table, load_file

COLUMNS = ("a", "b", "outcome", "scenario")
LAYOUT = Layout(name="custom", **{role: role for role in COLUMNS})
AGENTS, LABELS = ["z", "y", "x", "w"], ["a", "b", "tie", "z", "?", ""]


def some_rows(size, seed=1):
    """Votes by label and by name; a few say nothing, or nothing that can be read."""
    rng = np.random.default_rng(seed)
    scenarios = [f"s{k}" for k in range(6)]
    columns = [rng.choice(values, size) for values in (AGENTS, AGENTS, LABELS, scenarios)]
    return [tuple(map(str, row)) for row in zip(*columns, strict=True)]


def loaded(rows):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([COLUMNS, *rows])
    return load_file("-", io.BytesIO(text.getvalue().encode()))


def numbered(rows, threads=1, times=1):
    """A table of the rows with types for names, some of which nobody has; its connection."""
    connection = duckdb.connect(config={"threads": threads})
    names = {
        "agent": ["", "nobody", *AGENTS],
        "label": LABELS,
        "place": ["nowhere", *(f"s{k}" for k in range(6))],
    }
    for kind, values in names.items():
        listed = ", ".join(f"'{value}'" for value in values)
        connection.execute(f"create type {kind} as enum ({listed})")
    connection.execute("create table once (a agent, b agent, outcome label, scenario place)")
    columns = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(
        "insert into once select unnest($1), unnest($2), unnest($3), unnest($4)", columns
    )
    connection.execute(
        'create table t as select (row_number() over ())::uinteger as "#row", once.* '
        f"from once, range({times})"
    )
    return connection


def both(source):
    counted = count_outcomes(source, LAYOUT, Reading(), "scenario")
    return counted, read_outcomes(source, LAYOUT, None, ("scenario",))


def agree(counted, read):
    assert isinstance(counted, OutcomeCounts)
    one, other = from_counts(counted), from_outcomes(read, cluster=("scenario",), by=())
    for name in ("agents", "scenarios", "excluded", "row_count", "judges"):
        assert getattr(one, name) == getattr(other, name), name
    assert counted.counts == read.counts
    np.testing.assert_array_equal(one.missing, other.missing)
    assert (one.rows.size, one.rows.even) == (other.rows.size, other.rows.even)
    assert one.digest(tally(one.rows)) == other.digest(tally(other.rows))


def test_counts_of_text_are_those_of_the_rows():
    with loaded(some_rows(400)) as source:
        counted, read = both(source)
    agree(counted, read)
    assert set(counted.counts.excluded) == {"self_pair", "no_outcome", "unknown_outcome"}


@pytest.mark.parametrize("threads", [1, 2])
def test_counts_of_numbered_columns_are_those_of_the_rows(threads, monkeypatch):
    # Pieces that do not end where batches do, and a batch that is not the last.
    monkeypatch.setattr("arena.store.outcomes.pieces.PIECE", 30_011)
    with numbered(some_rows(700), threads, times=200) as connection:
        agree(*both(adopt_table(connection, "t")))


def test_names_that_only_rows_without_an_outcome_have_stay_on_the_board():
    rows = [("x", "y", "a", "s1"), ("y", "w", "", "s2"), ("z", "z", "a", "s3")]
    with numbered(rows) as connection:
        counted, read = both(adopt_table(connection, "t"))
    agree(counted, read)
    assert counted.agents == ("w", "x", "y")
    assert counted.clusters == ("s1",)
    assert counted.missing.comparisons.tolist() == [1]


def test_the_order_of_the_rows_does_not_show():
    rows = some_rows(300)
    shuffled = [rows[k] for k in np.random.default_rng(2).permutation(len(rows))]
    with loaded(rows) as one, loaded(shuffled) as two:
        found = [both(source)[0] for source in (one, two)]
    assert found[0].verdicts.planes.tobytes() == found[1].verdicts.planes.tobytes()


def test_more_than_a_byte_of_one_kind_is_counted():
    rows = [("x", "y", "a", "s1")] * 300 + [("x", "y", "tie", "s1")]
    with loaded(rows) as source:
        counted, read = both(source)
    agree(counted, read)
    assert counted.verdicts.planes.max() == 300


def test_the_cluster_may_be_any_column():
    with loaded(some_rows(100)) as source:
        found = count_outcomes(source, LAYOUT, Reading(), "outcome")
        assert isinstance(found, OutcomeCounts)
        assert found.clusters == ("a", "b", "tie", "z")
        with pytest.raises(UsageError, match="no column `nope`"):
            count_outcomes(source, LAYOUT, Reading(), "nope")


@pytest.mark.parametrize(
    ("layout", "reading"),
    [
        (LAYOUT, Reading(where="true")),
        (LAYOUT, Reading(key=("scenario",))),
        (Layout(name="custom", a="a", b="b", outcome="outcome", scenario="scenario", id="a"), None),
    ],
    ids=["chosen", "counted once", "with an id"],
)
def test_rows_that_need_more_than_counting_come_one_by_one(layout, reading):
    with loaded(some_rows(50)) as source:
        found = count_outcomes(source, layout, reading or Reading(), "scenario")
    assert isinstance(found, OutcomeColumns)


def test_a_row_without_a_cluster_is_one_of_its_own_so_that_all_come_one_by_one():
    rows = [*some_rows(50), ("x", "y", "a", "")]
    with loaded(rows) as source:
        found = count_outcomes(source, LAYOUT, Reading(), "scenario")
    assert isinstance(found, OutcomeColumns)
    assert (found.codes["scenario"].codes < 0).sum() == 1


def test_pairs_and_clusters_too_many_for_a_table_come_one_by_one(monkeypatch):
    monkeypatch.setattr("arena.maths.tallying._DENSE", 10)
    with loaded(some_rows(50)) as source:
        found = count_outcomes(source, LAYOUT, Reading(), "scenario")
    assert isinstance(found, OutcomeColumns)


def test_a_file_in_which_nothing_can_be_read_says_what_it_holds():
    with loaded([("x", "y", "?", "s1")]) as source, pytest.raises(UsageError, match="no row has"):
        count_outcomes(source, LAYOUT, Reading(), "scenario")
