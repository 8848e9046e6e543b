"""What rows say: labels, names, exclusions, codes."""

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.layout import REASONS, Reading
from arena.errors import UsageError
from arena.exchange.columns import recognise
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import adopt_table, load_file
from tests.store.reading import LABELLED, excluded, read, told

LABELS = [
    ("a", 1), ("A", 1), (" a ", 1), ("agent_a", 1), ("Model_A", 1), ("LEFT", 1), ("y", 1),
    ("b", 0), ("agent_b", 0), ("model_b", 0), ("right\t", 0), ("x", 0),
    ("tie", 0.5), ("Draw", 0.5), ("tie (bothbad)", 0.5), ("both_bad", 0.5), ("\u3000TIE", 0.5),
]  # fmt: skip


@pytest.mark.parametrize("condition", [None, "true"], ids=["short way", "long way"])
@pytest.mark.parametrize(("label", "share_of_y"), LABELS)
def test_a_label_says_who_won_whichever_way_the_row_is_written(label, share_of_y, condition):
    board = read([("y", "x", label)], where=condition)
    assert told(board) == [("x", "y", 1 - share_of_y, float(share_of_y == 0.5), 1.0)]
    assert board.counts.excluded == {}


@pytest.mark.parametrize("condition", [None, "true"], ids=["short way", "long way"])
@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("x", "y", ""), "no_outcome"),
        (("x", "y", "  "), "no_outcome"),
        (("x", "y", "c"), "unknown_outcome"),
        (("x", "y", "z"), "unknown_outcome"),
        (("x", "y", "aa"), "unknown_outcome"),
        (("x", "y", "0.5"), "unknown_outcome"),
        (("x", "y", "null"), "unknown_outcome"),
        (("tie", "y", "tie"), "ambiguous_outcome"),
        (("x", "a", "a"), "ambiguous_outcome"),
        (("left", "right", "right"), None),
        (("right", "left", "right"), "ambiguous_outcome"),
        (("", "y", "b"), "no_agent"),
        (("x", "", "a"), "no_agent"),
        (("x", "x", "a"), "self_pair"),
        (("x", "X", "a"), None),
        (("x", " x", "a"), None),
    ],
)
@pytest.mark.reported("R24")
def test_what_cannot_be_read_is_excluded_by_its_reason_and_never_a_tie(row, reason, condition):
    board = read([("x", "z", "a"), row], where=condition)
    assert excluded(board) == ({reason: 1} if reason else {})
    assert board.counts.used == len(board.share) == 2 - bool(reason)
    assert board.tie.sum() == 0
    if reason:
        assert board.counts.excluded[reason].first_row == 2
        missing = reason in {"no_outcome", "unknown_outcome", "ambiguous_outcome"}
        assert board.missing.comparisons.sum() == missing
        named = {name for name in row[:2] if name} if row[0] and row[1] else set()
        assert set(board.counts.by_agent) == named


def test_an_agent_all_of_whose_comparisons_are_missing_is_on_the_board():
    board = read([("x", "y", "a"), ("x", "z", ""), ("z", "y", "?"), ("q", "q", "a")])
    assert board.agents == ("x", "y", "z")
    pairs = zip(board.missing.first, board.missing.second, strict=True)
    assert [(board.agents[i], board.agents[j]) for i, j in pairs] == [("x", "z"), ("y", "z")]
    assert board.counts.by_agent["z"] == {"no_outcome": 1, "unknown_outcome": 1}
    assert board.counts.by_agent["q"] == {"self_pair": 1}


def test_agents_are_sorted_by_code_point_and_stay_as_written():
    names = ["a b", "B", "a", "é", "康伴", "007", "7", "NULL", '"', "a'b", "b;drop"]
    board = read([(names[k], names[k - 1], "a") for k in range(len(names))])
    assert list(board.agents) == sorted(names)
    assert (board.first < board.second).all()


NAMES = st.sampled_from(["a", "b", "tie", "left", "x", "y", "Y", "", "康", "right"])
PLAIN = st.sampled_from(["x", "y", "Y", "", "康", "10", "9"])
SAID = st.sampled_from(["a", "b", "tie", "LEFT", "right", "x", "y", "康", "", " ", "?", "draw"])
TAGS = st.sampled_from(["", "s1", "s2", "s10"])


@settings(max_examples=15, deadline=None)
@given(rows=st.lists(st.tuples(NAMES, NAMES, SAID, TAGS, TAGS), min_size=1, max_size=60))
def test_the_short_way_and_the_long_way_agree_in_everything(rows):
    columns = (*LABELLED, "scenario", "domain")
    rows = [("x", "y", "a", "s1", ""), *rows]
    short = read(rows, columns)
    long = read(rows, columns, where="true")
    assert told(short) == told(long)
    assert short.counts == long.counts
    for field in ("first", "second", "share", "tie", "row"):
        assert getattr(short, field).tolist() == getattr(long, field).tolist()
        assert getattr(short, field).dtype == getattr(long, field).dtype
    for field in ("first", "second", "comparisons"):
        assert getattr(short.missing, field).tolist() == getattr(long.missing, field).tolist()
    assert short.counts.read == len(rows)


@settings(max_examples=15, deadline=None)
@given(
    # Names that are labels too cannot be turned: "a" would name another agent afterwards.
    rows=st.lists(st.tuples(PLAIN, PLAIN, SAID, TAGS), min_size=1, max_size=30),
    seed=st.integers(0, 2**32 - 1),
)
def test_neither_the_order_of_rows_nor_the_side_of_an_agent_shows(rows, seed):
    columns = (*LABELLED, "scenario")
    rows = [("x", "y", "a", "s1"), *rows]
    turned = {"a": "b", "b": "a", "LEFT": "right", "right": "LEFT"}
    mirrored = [(b, a, turned.get(said, said), scenario) for a, b, said, scenario in rows]
    random = np.random.default_rng(seed)
    shuffled = [mirrored[k] for k in random.permutation(len(rows))]
    assert told(read(rows, columns)) == told(read(shuffled, columns))


def test_columns_that_are_numbered_already_give_the_same():
    random = np.random.default_rng(5)
    names = np.array(["zeta", "a", "", "mid", "b"])
    said = np.array(["a", "b", "tie", "zeta", "", "what"])
    picked = random.integers(0, 5, (400, 2))
    labels = random.integers(0, 6, 400)
    rows = [
        (str(names[i]), str(names[j]), str(said[k]), f"s{n % 7}")
        for n, ((i, j), k) in enumerate(zip(picked, labels, strict=True))
    ]
    plain = read(rows, (*LABELLED, "scenario"))
    connection = duckdb.connect()
    connection.execute(
        "create type who as enum ('zeta', 'unused', 'a', '', 'mid', 'b');"
        "create type said as enum ('what', 'b', 'a', 'zeta', 'tie', '', 'never');"
        'create table t ("#row" uinteger, agent_a who, agent_b who, outcome said, scenario text)'
    )
    connection.executemany(
        "insert into t values (?, ?, ?, nullif(?, ''), ?)",
        [(n, *row) for n, row in enumerate(rows, start=1)],
    )
    source = adopt_table(connection, "t")
    layout = recognise(list(source.columns))
    for reading in (Reading(), Reading(where="true")):
        numbered = read_outcomes(source, layout, reading)
        assert told(numbered) == told(plain)
        assert numbered.counts == plain.counts
    # Nothing is left in the database of others but what is temporary.
    kept = connection.execute("select table_name from duckdb_tables() where not temporary")
    assert kept.fetchall() == [("t",)]
    connection.close()


def test_agents_that_are_numbers_are_compared_as_text(tmp_path):
    path = str(tmp_path / "f.parquet")
    duckdb.sql(
        "select * from (values (10, '9', 'tie'), (9, '10', '9')) as t(agent_a, agent_b, winner)"
    ).write_parquet(path)
    with load_file(path) as source:
        board = read_outcomes(source, recognise(list(source.columns)))
    assert told(board) == [("10", "9", 0.0, 0.0, 1.0), ("10", "9", 0.5, 1.0, 1.0)]


TRIPLE = ("model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie")


@pytest.mark.parametrize(
    ("flags", "share", "reason"),
    [
        ("100", 1, None),
        ("010", 0, None),
        ("001", 0.5, None),
        (("True", "False", "false"), 1, None),
        (("0.0", "", "1.0"), 0.5, None),
        ("000", None, "unknown_outcome"),
        ("110", None, "ambiguous_outcome"),
        ("111", None, "ambiguous_outcome"),
        (("", "", ""), None, "no_outcome"),
        (("1", "x", "0"), None, "unknown_outcome"),
    ],
)
def test_three_flags_are_an_outcome_where_exactly_one_is_set(flags, share, reason):
    rows = [("x", "y", "1", "0", "0"), ("x", "y", *flags)]
    board = read(rows, TRIPLE)
    assert excluded(board) == ({reason: 1} if reason else {})
    if share is not None:
        assert sorted(board.share.tolist()) == sorted([1.0, share])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("x", "y", "won"), ("x", "y", "won"), ("x", "y", "lost")], ["'won' 2, 'lost' 1"]),
        ([("x", "y", "")], ["no_outcome 1"]),
        ([("x", "x", "a")], ["self_pair 1"]),
        ([], ["no rows below the header"]),
    ],
)
def test_a_file_without_one_comparison_is_an_error_that_says_why(rows, words):
    with pytest.raises(UsageError) as raised:
        read(rows)
    assert [word for word in words if word not in str(raised.value)] == []
    assert raised.value.exit_code == 2


def test_a_long_plain_file_stays_in_row_order_and_says_so(monkeypatch):
    rows = [("x", "y", said) for said in "babab"]
    monkeypatch.setattr("arena.store.outcomes.reading.SORTED_UP_TO", 4)
    monkeypatch.setattr("arena.store.outcomes.pieces.PIECE", 2)
    board = read(rows)
    assert not board.in_order
    assert board.row is None
    assert board.share.tolist() == [0, 1, 0, 1, 0]
    # From the first row that is left out on, they are no longer simply counted.
    rows[3:3] = [("x", "y", "?")]
    assert read(rows).row.tolist() == [1, 2, 3, 5, 6]
    assert read(rows).share.tolist() == [0, 1, 0, 1, 0]
    del rows[3]
    monkeypatch.setattr("arena.store.outcomes.reading.SORTED_UP_TO", 5)
    assert read(rows).share.tolist() == [0, 0, 0, 1, 1]


def test_every_row_is_counted_once():
    rows = [("x", "y", "a"), ("x", "y", "?"), ("x", "x", "a"), ("", "y", "a"), ("x", "y", "")]
    board = read(rows)
    assert board.counts.read == 5
    assert board.counts.used == 1
    assert set(board.counts.excluded) <= set(REASONS)
    assert sum(found.rows for found in board.counts.excluded.values()) == 4
