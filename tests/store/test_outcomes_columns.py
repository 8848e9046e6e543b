"""What other columns of rows say: weights, orders, margins, judges, conditions, tags."""

import duckdb
import numpy as np
import pytest

from arena.errors import UsageError
from arena.exchange.columns import recognise
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import load_file
from tests.store.reading import LABELLED, excluded, read, told


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
