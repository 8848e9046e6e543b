"""Reported faults of ratings made of a file: R08, R22-R24, R26-R34, R45."""

import json
import math
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

import arena
from arena.domain.board import to_json
from arena.domain.verdict import Outcome, fold
from tests.support.outcome_files import (
    IN_SCENARIOS,
    JUDGED,
    PLAIN,
    arena_rank,
    beaten,
    board_of,
    even,
    judged,
    pair,
    ratings,
    standing,
    states,
    write,
)

QUICK = {"resamples": 200}


@pytest.mark.parametrize("said", ["", "unparsed", "I cannot decide in this format", "?", "nan"])
def test_r08_what_cannot_be_read_has_no_vote_and_leaves_the_denominator(tmp_path, said):
    won = [(f"s{n}", "weak", "strong", "a" if n < 2 else "b") for n in range(10)]
    lacking = [(f"t{n}", "weak", "strong", said) for n in range(10)]
    board = board_of(tmp_path, IN_SCENARIOS, won + lacking, **QUICK)
    weak = standing(board, "weak")
    assert weak.share == pytest.approx(0.2)
    assert (weak.wins, weak.ties, weak.losses) == (2, 0, 8)
    assert sum(weak.excluded.values()) == 10
    assert sum(board.diagnostics.rows.excluded.values()) == 10


def test_r22_an_agent_that_wins_in_both_places_has_won_both(tmp_path):
    # The file says who won in terms of the agents; the order says who was shown first.
    rows = [
        (f"s{n}", *sides, (sides.index("careline") and "b") or "a", order, "j")
        for n in range(12)
        for sides, order in ((("careline", "silverpal"), "ab"), (("silverpal", "careline"), "ab"))
    ]
    board = board_of(tmp_path, JUDGED, rows, **QUICK)
    found = standing(board, "careline")
    assert (found.wins, found.ties, found.losses) == (12, 0, 0)
    assert board.diagnostics.flips == 0


@pytest.mark.parametrize("known", list(Outcome))
def test_r23_half_a_pair_is_no_comparison_and_no_nan(tmp_path, known):
    assert fold(known, None) is fold(None, known) is None
    full = judged([0.4, 0.0, -0.4], 12, np.random.default_rng(1))
    half = ("x1", "m0", "m1", known.value, "ab", "j")
    lost = ("x1", "m0", "m1", "unparsed", "ba", "j")
    board = board_of(tmp_path, JUDGED, [*full, half, lost], **QUICK)
    before = board_of(tmp_path, JUDGED, full, **QUICK)
    assert ratings(board) == ratings(before)
    assert not any(isinstance(v, float) and math.isnan(v) for v in ratings(board).values())
    assert sum(board.diagnostics.rows.excluded.values()) == 2


@pytest.mark.parametrize("label", ["tie (both bad)", "both", "draw?", "A wins", "2", "NaN", "c"])
def test_r24_an_unknown_label_is_no_tie_and_spreads_to_nobody(tmp_path, label):
    rows = even(["careline", "guardian", "silverpal"], 20)
    path = write(tmp_path, IN_SCENARIOS, [("x", "careline", "silverpal", label), *rows])
    done = arena_rank(path, "--resamples", "200", "--json")
    board = json.loads(done.stdout)
    alone = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    assert {a["agent"]: a["rating"] for a in board["agents"]} == pytest.approx(ratings(alone))
    assert board["diagnostics"]["rows"]["excluded"] == {"unknown_outcome": 1}
    assert board["diagnostics"]["rows"]["first"] == {"unknown_outcome": 1}
    assert "first: row 1" in done.stderr
    assert "NaN" not in done.stdout


def test_r24_a_file_of_nothing_else_is_an_error(tmp_path):
    done = arena_rank(write(tmp_path, PLAIN, [("a", "b", "tie (both bad)")] * 3))
    assert (done.exit_code, done.stdout) == (2, "")


def test_r26_a_tie_is_half_a_point_in_the_share_and_stands_apart(tmp_path):
    records = {"X": (40, 0, 60), "Y": (33, 34, 33)}
    rows = [
        (f"s{n}", agent, "base", outcome)
        for agent, (won, tied, lost) in records.items()
        for n, outcome in enumerate(["a"] * won + ["tie"] * tied + ["b"] * lost)
    ]
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    for agent, record in records.items():
        found = standing(board, agent)
        assert (found.wins, found.ties, found.losses) == record
    assert standing(board, "X").share == pytest.approx(0.40)
    assert standing(board, "Y").share == pytest.approx(0.50)
    assert standing(board, "Y").rating > standing(board, "X").rating


def test_r27_the_order_of_rows_changes_no_rating(tmp_path):
    rows = [(f"s{n}", "A", "B", "a" if n < 6 else "b") for n in range(12)]
    rows += even("ABC", 20, first=20)
    boards = [
        board_of(tmp_path, IN_SCENARIOS, [rows[i] for i in order], **QUICK)
        for order in (
            range(len(rows)),
            range(len(rows) - 1, -1, -1),
            *(np.random.default_rng(seed).permutation(len(rows)) for seed in range(3)),
        )
    ]
    for board in boards[1:]:
        assert ratings(board) == pytest.approx(ratings(boards[0]), abs=1e-6)


def test_r28_a_copy_of_an_agent_gets_the_same_interval(tmp_path):
    rows = [
        (f"s{s}", x, y, outcome)
        for s in range(40)
        for (x, y), outcome in zip(
            [("careline", "guardian"), ("careline", "silverpal"), ("guardian", "silverpal")],
            np.random.default_rng(s).choice(["a", "b", "tie"], 3),
            strict=True,
        )
    ]
    copies = [
        (s, *("copy" if n == "careline" else n for n in (x, y)), outcome)
        for s, x, y, outcome in rows
        if "careline" in (x, y)
    ]
    board = board_of(tmp_path, IN_SCENARIOS, rows + copies, resamples=2000)
    one, two = standing(board, "careline"), standing(board, "copy")
    assert one.rating == pytest.approx(two.rating, abs=1e-6)
    assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-6)


def test_r28_fresh_processes_with_one_seed_write_the_same_bytes(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even("PQR", 20))
    command = [sys.executable, "-m", "arena", "rank", str(path), "--seed", "7", "--json"]
    first, second = (subprocess.run(command, capture_output=True, check=True) for _ in range(2))
    assert first.stdout == second.stdout
    method = json.loads(first.stdout)["method"]
    assert method["seed"] == 7
    assert method["resamples"] >= 1000


def test_r29_resamples_move_intervals_and_no_rating(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even("PQRS", 20))
    few, many = (arena.rank(path, resamples=n) for n in (50, 2000))
    assert ratings(few) == ratings(many)
    assert [p.share for p in few.pairs] == [p.share for p in many.pairs]
    other = arena.rank(path, resamples=2000, seed=99)
    assert ratings(other) == ratings(many)
    assert {s.se for s in other.agents} != {s.se for s in many.agents}


def test_r30_groups_that_never_met_share_no_scale(tmp_path):
    rows = [
        (f"s{n}", *sides, outcome)
        for sides, outcomes in (
            (("careline", "silverpal"), "aaaabbb"),
            (("guardian", "elder"), "aaaaabb"),
        )
        for n, outcome in enumerate(outcomes)
    ]
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    assert set(states(board).values()) == {"disconnected"}
    for found in board.agents:
        assert found.rating is None
        one, other = found.why.facts["connect"]
        assert {one, other} & {"careline", "silverpal"}
        assert {one, other} & {"guardian", "elder"}


def test_r31_who_won_everything_is_no_giant_number(tmp_path):
    rows = beaten("guardian", "ABC", 10) + even("ABC", 30, first=20)
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    found = standing(board, "guardian")
    assert (found.state.value, found.rating, found.open) == ("unbounded", None, "above")
    assert (found.wins, found.losses) == (30, 0)
    assert found.low is not None
    assert found.low > max(s.rating for s in board.agents if s.rating is not None)
    alone = board_of(tmp_path, IN_SCENARIOS, even("ABC", 30, first=20), **QUICK)
    for name in "ABC":
        assert ratings(board)[name] == pytest.approx(ratings(alone)[name])
    assert board.method.prior_sd is None or math.isinf(board.method.prior_sd)


def test_r32_a_pair_that_never_met_has_no_share(tmp_path):
    rows = [("s1", "a1", "b1", "a"), ("s2", "a1", "b1", "b"), ("s3", "a1", "b1", "a")]
    rows += [(f"t{n}", "b1", "c1", "a" if n % 2 else "b") for n in range(4)]
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    document = json.loads(json.dumps(to_json(board)))
    met = {(p["a"], p["b"]): p for p in document["pairs"]}
    assert met["a1", "b1"]["n"] == 3
    unmet = met.get(("a1", "c1"), {"n": 0, "share": None})
    assert (unmet["n"], unmet["share"]) == (0, None)


def test_r33_repeats_of_a_scenario_add_no_certainty(tmp_path):
    once = [(f"s{s}", "A", "B", "a" if s < 5 else "b") for s in range(8)]
    repeated = [(*row, str(n)) for row in once for n in range(25)]
    columns = (*IN_SCENARIOS, "replicate")
    one = board_of(tmp_path, IN_SCENARIOS, once, resamples=2000)
    many = board_of(tmp_path, columns, repeated, resamples=2000)
    by_row = board_of(tmp_path, PLAIN, [row[1:4] for row in repeated], resamples=2000)
    assert many.comparisons == 200
    assert many.scenarios == 8
    assert pair(many, "A", "B").share == pytest.approx(5 / 8)
    errors = [standing(board, "A").se_clustered for board in (one, many, by_row)]
    assert errors[1] == pytest.approx(errors[0])
    assert errors[1] > 4 * errors[2]


def test_r34_analytic_and_resampled_errors_agree(tmp_path):
    truth, rng = np.array([0.6, 0.2, -0.2, -0.6]), np.random.default_rng(1)
    pairs = list(combinations(range(4), 2))
    rows = []
    for n in range(2000):
        i, j = pairs[rng.integers(len(pairs))]
        won = rng.random() < 1 / (1 + math.exp(truth[j] - truth[i]))
        rows.append((f"s{n}", f"m{i}", f"m{j}", "a" if won else "b"))
    board = board_of(tmp_path, IN_SCENARIOS, rows, resamples=2000)
    for found in board.agents:
        assert 0.9 < found.se / found.se_clustered < 1.1


def test_r45_a_verdict_twice_counts_once_and_a_contradicted_one_not_at_all(tmp_path):
    rows = judged([0.4, 0.0, -0.4], 12, np.random.default_rng(2))
    first = rows[0]
    other = "b" if first[3] == "a" else "a"
    alone = board_of(tmp_path, JUDGED, rows, **QUICK)
    twice = board_of(tmp_path, JUDGED, [*rows, first], **QUICK)
    assert ratings(twice) == ratings(alone)
    assert twice.diagnostics.rows.excluded == {"duplicate": 1}
    against = board_of(tmp_path, JUDGED, [*rows, (*first[:3], other, *first[4:])], **QUICK)
    assert against.diagnostics.rows.excluded["contradictory"] == 2
    # The other order of the pair is left alone, and half a pair is no comparison.
    without = [row for row in rows if (row[0], *row[1:3]) != first[:3]]
    assert ratings(against) == ratings(board_of(tmp_path, JUDGED, without, **QUICK))
