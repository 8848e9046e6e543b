"""What counts once, what is folded, and what is missing: against a plain reading of the rules."""

import csv
import io
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import pytest

from arena.domain.layout import Reading
from arena.errors import UsageError
from arena.exchange.columns import recognise
from arena.store.outcomes.reading import read_outcomes
from arena.store.outcomes.source import load_file

COLUMNS = ("scenario", "agent_a", "agent_b", "outcome", "judge", "order")


def read(rows, columns=COLUMNS, **options):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([columns, *rows])
    with load_file("-", io.BytesIO(text.getvalue().encode())) as source:
        return read_outcomes(source, recognise(list(source.columns)), Reading(**options))


def excluded(board):
    return {reason: found.rows for reason, found in board.counts.excluded.items()}


def told(board):
    """Every comparison in names, with its share, tie, weight and whether it was folded, flipped."""
    size = len(board.share)
    no = np.zeros(size, dtype=bool)
    weight = np.ones(size) if board.weight is None else board.weight
    code = board.codes
    return sorted(
        zip(
            [code["scenario"].names[c] if c >= 0 else "" for c in code["scenario"].codes.tolist()],
            [board.agents[c] for c in board.first],
            [board.agents[c] for c in board.second],
            [code["judge"].names[c] if c >= 0 else "" for c in code["judge"].codes.tolist()]
            if "judge" in code
            else [""] * size,
            board.share.tolist(),
            board.tie.tolist(),
            weight.tolist(),
            (no if board.folded is None else board.folded).tolist(),
            (no if board.flipped is None else board.flipped).tolist(),
            strict=True,
        )
    )


def one(*rows, **options):
    """The only comparison of these rows: share of x, tie part, weight, folded, flipped."""
    (comparison,) = told(read([("s", *row) for row in rows], **options))
    return comparison[4:]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a", "a", (1, 0, 1, True, False)),
        ("b", "b", (0, 0, 1, True, False)),
        ("a", "b", (0.5, 0, 1, True, True)),
        ("b", "a", (0.5, 0, 1, True, True)),
        ("a", "tie", (0.75, 0.5, 1, True, False)),
        ("tie", "b", (0.25, 0.5, 1, True, False)),
        ("tie", "tie", (0.5, 1, 1, True, False)),
    ],
)
def test_both_orders_fold_into_one_comparison(first, second, expected):
    turned = {"a": "b", "b": "a", "tie": "tie"}
    written = [
        one(("x", "y", first, "j", "ab"), ("x", "y", second, "j", "ba")),
        # Shown the other way, because written the other way.
        one(("x", "y", first, "j", "ab"), ("y", "x", turned[second], "j", "ab")),
        one(("y", "x", turned[first], "j", "ba"), ("y", "x", turned[second], "j", "AB ")),
    ]
    assert written == [expected] * 3


@pytest.mark.parametrize(
    ("judge", "orders"),
    [("human:1", "ab,ba"), ("key", "ab,ba"), ("j", ","), ("j", "ab,"), ("", ",")],
)
def test_people_the_key_and_rows_without_an_order_are_whole_comparisons(judge, orders):
    rows = [(f"s{k}", "x", "y", "a", judge, order) for k, order in enumerate(orders.split(","))]
    board = read(rows, judges=("*",) if judge == "human:1" else ())
    assert len(board.share) == 2
    assert board.folded is None


@pytest.mark.parametrize("judge", ["human:1", "key"])
def test_both_orders_of_people_or_the_key_are_two_comparisons(judge):
    rows = [("s", "x", "y", "a", judge, "ab"), ("s", "x", "y", "b", judge, "ba")]
    board = read(rows, judges=("*",))
    assert sorted(board.share.tolist()) == [0, 1]
    assert board.folded is None


HALF = [
    ("s1", "x", "y", "a", "j", "ab"),
    ("s1", "x", "y", "a", "j", "ba"),
    ("s2", "x", "y", "a", "j", "ab"),
    ("s2", "x", "y", "", "j", "ba"),
    ("s3", "x", "y", "b", "j", "ab"),
]


def test_one_readable_order_is_no_comparison_unless_it_is_kept():
    dropped = read(HALF)
    assert told(dropped) == [("s1", "x", "y", "j", 1, 0, 1, True, False)]
    assert excluded(dropped) == {"no_outcome": 1, "one_order": 2}
    assert dropped.counts.excluded["one_order"].first_row == 3
    assert dropped.counts.used == 2
    # Two halves of s2 and the one half of s3 that the file has.
    assert dropped.missing.comparisons.tolist() == [1.5]
    kept = read(HALF, single_order="keep")
    assert [row[4:] for row in told(kept)] == [
        (1, 0, 1, True, False),
        (1, 0, 1, False, False),
        (0, 0, 1, False, False),
    ]
    assert excluded(kept) == {"no_outcome": 1}


def test_a_judge_of_one_order_a_comparison_is_not_waited_for():
    # Both orders are in the file, but never of one comparison: the order was drawn.
    rows = [(f"s{k}", "x", "y", "a", "j", "ab" if k % 2 else "ba") for k in range(6)]
    assert len(read(rows).share) == 6
    # Another judge that gives both orders changes nothing for this one.
    rows += [("s0", "x", "y", "a", "k", order) for order in ("ab", "ba")]
    rows += [("s1", "x", "y", "a", "k", "ab")]
    board = read(rows)
    assert Counter(row[3] for row in told(board)) == {"j": 6, "k": 1}
    assert excluded(board) == {"one_order": 1}


def test_unreadable_rows_prove_that_both_orders_were_asked_for():
    rows = [("s1", "x", "y", "?", "j", "ab"), ("s1", "x", "y", "a", "j", "ba")]
    rows += [("s2", "x", "y", "a", "k", "")]
    assert excluded(read(rows)) == {"unknown_outcome": 1, "one_order": 1}


def test_a_file_without_judges_counts_as_one_judge():
    columns = ("scenario", "agent_a", "agent_b", "outcome", "order")
    rows = [("s", "x", "y", said, order) for said, order in (("a", "ab"), ("b", "ba"))]
    assert told(read(rows, columns)) == [("s", "x", "y", "", 0.5, 0, 1, True, True)]


def test_without_scenarios_nothing_is_folded():
    columns = ("agent_a", "agent_b", "outcome", "order", "judge")
    rows = [("x", "y", "a", "ab", "j"), ("x", "y", "b", "ba", "j")]
    board = read(rows, columns)
    assert sorted(board.share.tolist()) == [0, 1]
    assert board.folded is None


def test_replicates_and_criteria_are_folded_apart():
    columns = (*COLUMNS, "replicate", "criterion")
    rows = [
        ("s", "x", "y", said, "j", order, replicate, criterion)
        for replicate, criterion, said in (("1", "c", "a"), ("2", "c", "b"), ("1", "d", "tie"))
        for order in ("ab", "ba")
    ]
    board = read(rows, columns)
    assert sorted(board.share.tolist()) == [0, 0.5, 1]
    assert board.folded.all()


def test_more_votes_of_one_order_than_of_the_other_weigh_as_the_rarer():
    columns = ("scenario", "agent_a", "agent_b", "outcome", "order")
    said = [("a", "ab"), ("a", "ab"), ("b", "ab"), ("tie", "ba"), ("b", "ba")]
    (comparison,) = told(read([("s", "x", "y", *row) for row in said], columns))
    share = (Fraction(2, 3) + Fraction(1, 4)) / 2
    assert comparison[4] == pytest.approx(float(share), abs=1e-15)
    assert comparison[5:] == (0.25, 2.0, True, False)


def test_the_weight_of_a_comparison_is_the_mean_of_its_orders():
    columns = (*COLUMNS, "weight")
    rows = [("s", "x", "y", "a", "j", "ab", "0.5"), ("s", "x", "y", "a", "j", "ba", "")]
    assert read(rows, columns).weight.tolist() == [0.75]


def test_margins_are_folded_too_and_flips_are_still_of_outcomes():
    columns = (*COLUMNS, "margin")
    rows = [("s", "x", "y", "a", "j", "ab", "4"), ("s", "x", "y", "b", "j", "ba", "2")]
    board = read(rows, columns, outcome="margin")
    assert board.share.tolist() == pytest.approx([0.5 + 0.5 * (4 - 2) / 2 / 5])
    assert board.flipped.tolist() == [True]


CRITERIA = (*COLUMNS, "criterion")


@pytest.mark.parametrize(
    ("said", "share", "tie"),
    [
        ("aab", 1, 0),
        ("abb", 0, 0),
        ("ab", 0.5, 1),
        ("att", 1, 0),
        ("ttt", 0.5, 1),
        ("a??", 1, 0),
    ],
)
def test_the_majority_of_criteria_is_the_outcome_of_a_presentation(said, share, tie):
    label = {"a": "a", "b": "b", "t": "tie", "?": "?"}
    rows = [("s", "x", "y", label[c], "j", "", f"c{k}") for k, c in enumerate(said)]
    board = read(rows, CRITERIA, outcome="criteria")
    assert (board.share.tolist(), board.tie.tolist()) == ([share], [tie])
    assert "criterion" not in board.codes
    assert board.missing.comparisons.tolist() == []
    # Both orders of it fold as outcomes do.
    both = [(*row[:5], order, row[6]) for row in rows for order in ("ab", "ba")]
    assert read(both, CRITERIA, outcome="criteria").share.tolist() == [share]


def test_a_presentation_without_one_readable_criterion_is_missing_once():
    rows = [("s", "x", "y", "?", "j", "", f"c{k}") for k in range(3)]
    rows += [("t", "x", "y", "a", "j", "", "c0")]
    board = read(rows, CRITERIA, outcome="criteria")
    assert board.missing.comparisons.tolist() == [1]


@pytest.mark.parametrize("outcome", ["criteria", "margin"])
def test_an_outcome_that_the_file_has_no_column_for_is_a_usage_error(outcome):
    with pytest.raises(UsageError, match=f"--outcome {outcome}: the file has no column"):
        read([("s", "x", "y", "a", "j", "")], outcome=outcome)


def votes(*rows, columns=COLUMNS, **options):
    board = read(rows, columns, **options)
    return len(board.share), excluded(board)


def test_equal_votes_of_one_judge_on_one_scenario_count_once():
    row = ("s", "x", "y", "a", "j", "")
    mirrored = ("s", "y", "x", "right", "j", "")
    assert votes(row, mirrored, row) == (1, {"duplicate": 2})
    others = [("t", *row[1:]), (*row[:4], "k", ""), ("s", "x", "z", "a", "j", "")]
    assert votes(row, *others) == (4, {})


@pytest.mark.reported("R45")
def test_contradictory_votes_are_all_excluded():
    rows = [("s", "x", "y", said, "j", "") for said in ("a", "a", "b")]
    assert votes(*rows, ("t", "x", "y", "a", "j", "")) == (1, {"contradictory": 3})
    board = read([*rows, ("t", "x", "y", "a", "j", "")])
    # One vote is missing, however often it was contradicted.
    assert board.missing.comparisons.tolist() == [1]


def test_an_unreadable_row_beside_a_readable_one_is_not_missing():
    rows = [("s", "x", "y", "?", "j", ""), ("s", "x", "y", "a", "j", "")]
    board = read(rows)
    assert (len(board.share), excluded(board)) == (1, {"unknown_outcome": 1})
    assert board.missing.comparisons.tolist() == []


def test_rows_with_an_empty_key_are_votes_of_their_own():
    rows = [("", "x", "y", "a", "j", ""), ("", "x", "y", "a", "j", "")]
    assert votes(*rows) == (2, {})
    rows = [("s", "x", "y", "a", "", ""), ("s", "x", "y", "b", "", "")]
    assert votes(*rows) == (2, {})


@pytest.mark.parametrize(
    ("columns", "key", "kept"),
    [
        (("scenario", "agent_a", "agent_b", "outcome"), (), 2),
        (("id", "agent_a", "agent_b", "outcome"), (), 1),
        (("ticket", "agent_a", "agent_b", "outcome"), (), 2),
        (("ticket", "agent_a", "agent_b", "outcome"), ("ticket",), 1),
    ],
    ids=["no key", "id", "unknown", "given"],
)
def test_what_the_key_is_made_of(columns, key, kept):
    board = read([("1", "x", "y", "a"), ("1", "y", "x", "b")], columns, key=key)
    assert len(board.share) == kept
    assert set(board.codes) <= {"scenario"}


def test_a_key_column_that_is_not_there_is_a_usage_error():
    with pytest.raises(UsageError, match="--key: there is no column `nope`"):
        read([("s", "x", "y", "a", "j", "")], key=("nope",))


def reference(rows, single_order="drop"):
    """The rules in plain Python: comparisons, excluded rows by reason, missing ones by pair."""
    worth = {"a": Fraction(1), "b": Fraction(0), "tie": Fraction(1, 2)}
    read_rows, reasons, asked = [], Counter(), defaultdict(set)
    for scenario, a, b, said, judge, order in rows:
        if a == b:
            reasons["self_pair"] += 1
            continue
        turned = a > b
        shown = {"ab": 1, "ba": -1, "": 0}[order] * (-1 if turned else 1)
        won = worth.get(said)
        pair = (min(a, b), max(a, b))
        if shown and scenario and judge != "key":
            asked[scenario, pair, judge].add(shown)
        if won is None:
            reasons["no_outcome" if said == "" else "unknown_outcome"] += 1
        elif turned:
            won = 1 - won
        read_rows.append((scenario, pair, judge, shown, won))
    both = {judge for (_, _, judge), orders in asked.items() if len(orders) == 2}
    keyed = defaultdict(list)
    for n, (scenario, pair, judge, shown, won) in enumerate(read_rows):
        own = (n,) if not (scenario and judge) else ()
        keyed[scenario, pair, judge, shown, own].append(won)
    comparisons, groups, missing = [], defaultdict(list), Counter()
    for (scenario, pair, judge, shown, own), all_won in keyed.items():
        readable = [won for won in all_won if won is not None]
        foldable = bool(shown and scenario and judge in both and judge != "key")
        if len(set(readable)) == 1:
            reasons["duplicate"] += len(readable) - 1
            place = (scenario, pair, judge)
            groups[(*place, () if foldable else (shown, own, "whole"))].append((shown, readable[0]))
        else:
            reasons["contradictory"] += len(readable)
            missing[pair] += Fraction(1, 2) if foldable else 1
    for (scenario, pair, judge, whole), presentations in groups.items():
        orders = defaultdict(list)
        for shown, won in presentations:
            orders[shown].append(won)
        if not whole and len(orders) == 1 and single_order == "drop":
            reasons["one_order"] += len(presentations)
            missing[pair] += Fraction(len(presentations), 2)
            continue
        means = [sum(won) / len(won) for won in orders.values()]
        ties = [
            Fraction(sum(w == Fraction(1, 2) for w in won), len(won)) for won in orders.values()
        ]
        folded = len(orders) == 2
        comparisons.append(
            (
                scenario,
                *pair,
                judge,
                float(sum(means) / len(means)),
                float(sum(ties) / len(ties)),
                float(min(len(won) for won in orders.values())),
                folded,
                folded and sorted(means) == [0, 1],
            )
        )
    return sorted(comparisons), +reasons, +missing


@pytest.mark.parametrize("single_order", ["drop", "keep"])
@pytest.mark.parametrize("seed", range(6))
def test_a_plain_reading_of_the_rules_gives_the_same(seed, single_order):
    random = np.random.default_rng(seed)
    choices = (
        ["s1", "s2", "s3", ""],
        ["x", "y", "z"],
        ["x", "y", "z"],
        ["a", "b", "tie", "", "?"],
        ["j", "k", "key", ""][: 2 + seed % 3],
        ["ab", "ba", ""] if seed % 2 else ["ab", "ba"],
    )
    size = (40, 200)[seed % 2]
    rows = [tuple(str(random.choice(of)) for of in choices) for _ in range(size)]
    board = read(rows, single_order=single_order)
    comparisons, reasons, missing = reference(rows, single_order)
    found = told(board)
    assert [row[:4] + row[7:] for row in found] == [row[:4] + row[7:] for row in comparisons]
    numbers = [[row[4:7] for row in of] for of in (found, comparisons)]
    assert np.allclose(*numbers, rtol=0, atol=1e-12)
    assert excluded(board) == dict(reasons)
    lacking = {
        (board.agents[i], board.agents[j]): n
        for i, j, n in zip(
            board.missing.first, board.missing.second, board.missing.comparisons, strict=True
        )
    }
    assert lacking == {pair: float(n) for pair, n in missing.items()}
    assert board.counts.read == size
    # And nothing depends on the order of the rows.
    shuffled = read([rows[k] for k in random.permutation(size)], single_order=single_order)
    assert told(shuffled) == found
    assert shuffled.share.tobytes() == board.share.tobytes()
