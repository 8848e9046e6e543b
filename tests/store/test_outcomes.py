"""What rows say: labels, names, exclusions, weights, margins, conditions, codes."""

import csv
import io

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

LABELLED = ("agent_a", "agent_b", "outcome")


def source_of(rows, columns=LABELLED):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([columns, *rows])
    return load_file("-", io.BytesIO(text.getvalue().encode()))


def read(rows, columns=LABELLED, asked=(), given=None, **options):
    with source_of(rows, columns) as source:
        layout = recognise(list(source.columns), given)
        return read_outcomes(source, layout, Reading(**options), asked)


def told(board):
    """Every comparison in names, as a list that can be compared."""
    names = [
        [c.names[code] if code >= 0 else "" for code in c.codes.tolist()]
        for _, c in sorted(board.codes.items())
    ]
    weight = np.ones(len(board.share)) if board.weight is None else board.weight
    return list(
        zip(
            [board.agents[code] for code in board.first],
            [board.agents[code] for code in board.second],
            board.share.tolist(),
            board.tie.tolist(),
            weight.tolist(),
            *names,
            strict=True,
        )
    )


def excluded(board):
    return {reason: found.rows for reason, found in board.counts.excluded.items()}


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


def test_weights_are_kept_and_an_empty_one_is_one():
    columns = (*LABELLED, "weight")
    board = read([("x", "y", "a", "0.25"), ("x", "y", "b", ""), ("x", "y", "b", " 1 ")], columns)
    assert told(board) == [
        ("x", "y", 0.0, 0.0, 1.0),
        ("x", "y", 0.0, 0.0, 1.0),
        ("x", "y", 1.0, 0.0, 0.25),
    ]
    assert read([("x", "y", "a", "1")], columns).weight is None


@pytest.mark.parametrize("weight", ["0", "-1", "1.0001", "nan", "inf", "heavy", "1,5"])
def test_a_weight_that_cannot_be_is_named_with_its_row(weight):
    with pytest.raises(UsageError, match="row 2: `weight` is") as raised:
        read([("x", "y", "a", "1"), ("x", "y", "b", weight)], (*LABELLED, "weight"))
    assert weight in str(raised.value)


def test_a_wrong_weight_in_a_row_that_is_filtered_out_does_no_harm():
    rows = [("x", "y", "a", "1"), ("x", "z", "b", "7")]
    assert len(read(rows, (*LABELLED, "weight"), where="agent_b <> 'z'").share) == 1


@pytest.mark.parametrize("order", ["first", "a", "1", "abba"])
def test_an_order_that_cannot_be_is_named_with_its_row(order):
    with pytest.raises(UsageError, match=f"row 1: `order` is {order}"):
        read([("x", "y", "a", order)], (*LABELLED, "order"))


MARGINS = (*LABELLED, "margin")


@pytest.mark.parametrize(
    ("rows", "shares", "maximum"),
    [
        # Strengths speak for whoever won; a negative one speaks for b.
        ([("a", "3"), ("b", "3"), ("b", "-3"), ("a", "5")], [0.2, 0.2, 0.8, 1.0], 5.0),
        ([("a", "0.5"), ("b", "0.5"), ("b", "-1")], [0.0, 0.25, 0.75], 1.0),
        ([("tie", "0.5"), ("tie", ""), ("a", "0")], [0.5, 0.5, 0.5], 1.0),
    ],
)
def test_margins_become_shares_of_their_maximum(rows, shares, maximum):
    board = read([("x", "y", *row) for row in rows], MARGINS, outcome="margin")
    assert board.share.tolist() == pytest.approx(shares, abs=1e-12)
    assert board.maximum == maximum
    # Written from the other side, all is the same.
    turned = {"a": "b", "b": "a", "tie": "tie"}
    signed = [(turned[said], margin.lstrip("-")) for said, margin in rows]
    mirrored = read([("y", "x", *row) for row in signed], MARGINS, outcome="margin")
    assert mirrored.share.tolist() == board.share.tolist()


def test_margins_that_contradict_their_outcome_or_lack_are_excluded():
    rows = [("x", "y", "a", "1"), ("x", "y", "a", "-1"), ("x", "y", "b", "")]
    assert excluded(read(rows, MARGINS, outcome="margin")) == {
        "ambiguous_outcome": 1,
        "no_margin": 1,
    }
    assert excluded(read(rows, MARGINS)) == {}


@pytest.mark.parametrize("margin", ["5.1", "-6", "nan", "strong", "inf"])
def test_a_margin_that_cannot_be_is_named_with_its_row(margin):
    rows = [("x", "y", "a", "1"), ("x", "y", "b", margin)]
    with pytest.raises(UsageError, match="row 2: `margin` is"):
        read(rows, MARGINS, outcome="margin")
    assert len(read(rows, MARGINS).share) == 2


JUDGED = (*LABELLED, "judge")
BY_JUDGE = [
    ("x", "y", "a", "gpt-4"),
    ("x", "y", "b", "gpt-3"),
    ("x", "y", "tie", "human:7"),
    ("x", "y", "tie", "key"),
    ("x", "y", "tie", ""),
]


@pytest.mark.parametrize(
    ("judges", "kept", "reasons"),
    [
        ((), ["", "gpt-3", "gpt-4", "key"], {"human": 1}),
        (("gpt-*",), ["gpt-3", "gpt-4"], {"human": 1, "other_judge": 2}),
        (("human:*",), ["human:7"], {"other_judge": 4}),
        (("gpt-4", "human:7"), ["gpt-4", "human:7"], {"other_judge": 3}),
        (("*",), ["gpt-3", "gpt-4", "human:7", "key"], {"other_judge": 1}),
        (("GPT-?",), [], None),
    ],
)
def test_people_stay_out_unless_a_pattern_names_them(judges, kept, reasons):
    if reasons is None:
        with pytest.raises(UsageError, match="other_judge 4"):
            read(BY_JUDGE, JUDGED, judges=judges)
        return
    board = read(BY_JUDGE, JUDGED, judges=judges)
    assert sorted(row[-1] for row in told(board)) == kept
    assert excluded(board) == reasons
    assert {judge for judge, found in board.counts.by_judge.items() if "used" in found} == set(kept)
    assert sum(n for found in board.counts.by_judge.values() for n in found.values()) == 5


def test_patterns_of_judges_need_a_column_of_judges():
    with pytest.raises(UsageError, match="no column of judges"):
        read([("x", "y", "a")], judges=("gpt-*",))


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("scenario = 's1'", 1),
        ("agent_a like 'x%' and outcome <> 'b'", 2),
        ("try_cast(replace(scenario, 's', '') as int) >= 2 -- a remark", 2),
        ("scenario in (select max(scenario) from source)", 1),
    ],
)
def test_a_condition_selects_rows_by_the_files_own_columns(where, kept):
    rows = [("x", "y", "a", "s1"), ("x", "y", "a", "s2"), ("y", "x", "b", "s3")]
    board = read(rows, (*LABELLED, "scenario"), where=where)
    assert len(board.share) == kept
    assert excluded(board) == {"filtered": 3 - kept}


@pytest.mark.parametrize(
    "where",
    [
        "nope = 1",
        "outcome",
        "outcome = 'a', 1",
        "outcome = 'a'; drop table source",
        "1 = 1) ; drop table source; --",
        "agent_a::int > 1",
        "",
        "exists (select * from read_csv('/etc/passwd'))",
        "exists (select * from '/etc/passwd')",
        "exists (select * from read_text('/etc/passwd'))",
    ],
)
def test_a_condition_that_fails_or_reaches_out_is_a_usage_error(where):
    with pytest.raises(UsageError, match="--where: ") as raised:
        read([("x", "y", "a")], where=where)
    assert len(str(raised.value).splitlines()) <= 2


def test_a_condition_that_holds_for_no_row_says_so():
    with pytest.raises(UsageError, match="no comparison is left\nRows excluded: filtered 1"):
        read([("x", "y", "a")], where="outcome = 'b'")


def test_columns_asked_for_are_coded_beside_the_roles():
    rows = [("x", "y", "a", "s2", "u"), ("x", "y", "b", "s1", ""), ("x", "y", "?", "s0", "w")]
    board = read(rows, (*LABELLED, "scenario", "team"), asked=("team", "scenario"))
    assert sorted(board.codes) == ["scenario", "team"]
    # Names that no comparison has are not there.
    assert board.codes["scenario"].names == ("s1", "s2")
    assert board.codes["team"].names == ("u",)
    assert sorted(board.codes["team"].codes.tolist()) == [-1, 0]
    with pytest.raises(UsageError, match="no column `nope`"):
        read(rows, (*LABELLED, "scenario", "team"), asked=("nope",))


def test_several_tags_of_a_row_are_memberships():
    rows = [
        ("x", "y", "a", "b; a"),
        ("x", "y", "a", '["a", "c"]'),
        ("x", "y", "a", ""),
        ("x", "y", "a", "a;;a ; "),
        ("x", "y", "a", "[not json"),
    ]
    board = read(rows, (*LABELLED, "tag"))
    tags = board.tags
    assert tags.names == ("[not json", "a", "b", "c")
    of_row: dict[int, set[str]] = {}
    for entry, code in zip(tags.entry, tags.codes, strict=True):
        of_row.setdefault(int(board.row[entry]), set()).add(tags.names[code])
    assert of_row == {1: {"a", "b"}, 2: {"a", "c"}, 4: {"a"}, 5: {"[not json"}}
    assert len(tags.entry) == 6


def test_lists_of_parquet_are_tags_like_lists_of_json(tmp_path):
    path = str(tmp_path / "f.parquet")
    duckdb.sql(
        "select * from (values (1.5::decimal(3, 1), 'y', 'a', ['u', 'v; w']), (2, 'y', 'b', null))"
        " as t(agent_a, agent_b, winner, tag)"
    ).write_parquet(path)
    with load_file(path) as source:
        board = read_outcomes(source, recognise(list(source.columns)))
    assert board.agents == ("1.5", "2.0", "y")
    assert board.tags.names == ("u", "v; w")
    assert board.row[board.tags.entry].tolist() == [1, 1]


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


def test_codes_and_shares_take_the_smallest_types_that_are_exact():
    few = read([("x", "y", "a", f"s{k}") for k in range(200)], (*LABELLED, "scenario"))
    assert few.first.dtype == np.int8
    assert few.codes["scenario"].codes.dtype == np.int16
    assert few.share.dtype == np.float32
    margins = read([("x", "y", "a", "0.3")], MARGINS, outcome="margin")
    assert margins.share.dtype == np.float64


CLASHES = ["row", "reason", "won", "shown", "place", "code", "first", "second", "role0", "source"]
CLASHES += ["vote", "said", "value", "number", "name", "share", "b", "margin_a", "foldable", "base"]


def test_columns_may_be_called_like_anything_inside():
    columns = (*LABELLED, "weight", "order", "scenario", "judge", "margin", *CLASHES)
    rows = [
        ("x", "y", said, "0.5", order, "s", "j", "1", *map(str, range(len(CLASHES))))
        for order, said in (("ab", "a"), ("ba", "b"))
    ]
    plain = [row[:8] for row in rows]
    for options in ({}, {"outcome": "margin"}, {"where": "\"reason\" = '1'"}):
        condition = {"where": "true"} if "where" in options else options
        board = read(rows, columns, **options)
        assert told(board) == told(read(plain, columns[:8], **condition))
        assert told(board) == [("x", "y", 0.5, 0.0, 0.5, "j", "s")]


def test_every_row_is_counted_once():
    rows = [("x", "y", "a"), ("x", "y", "?"), ("x", "x", "a"), ("", "y", "a"), ("x", "y", "")]
    board = read(rows)
    assert board.counts.read == 5
    assert board.counts.used == 1
    assert set(board.counts.excluded) <= set(REASONS)
    assert sum(found.rows for found in board.counts.excluded.values()) == 4
