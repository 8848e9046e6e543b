"""Data on which others invent numbers, fall over or say nothing: what `arena rank` says."""

import math
from itertools import combinations

import pytest

import arena
from arena.errors import UsageError
from tests.support.outcome_files import (
    IN_SCENARIOS,
    PLAIN,
    POINTS,
    arena_rank,
    beaten,
    board_of,
    even,
    notes,
    ratings,
    standing,
    states,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = {"resamples": 200}


def unrated(found):
    """Nothing that could pass for an estimate."""
    numbers = (found.rating, found.se, found.se_clustered, found.p_best)
    ranks = (found.rank_low, found.rank_high, found.resample_rank_low, found.resample_rank_high)
    return all(value is None for value in (*numbers, *ranks))


# --- The table of hazards ------------------------------------------------------------------------


@pytest.mark.reported("R30")
def test_two_groups_of_equal_size_that_never_met_rate_nobody(tmp_path):
    rows = even("PQ", 12) + even("XY", 12)
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    assert set(states(board).values()) == {"disconnected"}
    assert all(unrated(s) and s.low is None and s.high is None for s in board.agents)
    assert "nobody_rated" in notes(board)
    for s in board.agents:
        one, other = s.why.facts["connect"]
        assert (one in "PQ") != (other in "PQ")


def test_the_smaller_of_two_groups_is_told_what_would_connect_it(tmp_path):
    alone = ratings(board_of(tmp_path, IN_SCENARIOS, even(PQR, 20), **QUICK))
    rows = even(PQR, 20) + even("XY", 20, seed=1)
    path = write(tmp_path, IN_SCENARIOS, rows)
    board = arena.rank(path, **QUICK)
    assert {n: s for n, s in states(board).items() if s != "ranked"} == {
        "X": "disconnected",
        "Y": "disconnected",
    }
    assert unrated(standing(board, "X"))
    assert {n: ratings(board)[n] for n in PQR} == pytest.approx(alone)
    one, other = standing(board, "X").why.facts["connect"]
    assert {one, other} & set(PQR)
    # The comparison that is named does connect: X is rated, and Y with it.
    joined = board_of(
        tmp_path, IN_SCENARIOS, [*rows, ("s0", one, other, one), ("s1", one, other, other)], **QUICK
    )
    assert "disconnected" not in states(joined).values()
    assert None not in ratings(joined).values()


def test_people_are_told_which_comparison_would_connect(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 20) + even(["Xan", "Yma"], 20, seed=1))
    connect = standing(arena.rank(path, **QUICK), "Xan").why.facts["connect"]
    done = arena_rank(path, "--resamples", "200")
    line = [said for said in done.stderr.splitlines() if "Xan" in said]
    assert line, done.stderr
    assert all(name in line[0] for name in connect)


@pytest.mark.reported("R31")
def test_who_wins_all_has_a_lower_bound_only_and_changes_nobody(tmp_path):
    rows = even(PQR, 20)
    board = board_of(tmp_path, IN_SCENARIOS, rows + beaten("top", PQR, 20), **QUICK)
    top = standing(board, "top")
    assert (top.state, top.open, top.why.key) == ("unbounded", "above", "undefeated")
    assert unrated(top)
    assert top.high is None
    others = ratings(board_of(tmp_path, IN_SCENARIOS, rows, **QUICK))
    assert {n: ratings(board)[n] for n in PQR} == pytest.approx(others, abs=1e-9)


def test_the_bound_over_equal_opponents_is_exact(tmp_path):
    # Each of P, Q, R beats each other ten times, so all three are at 1000.
    rows = [
        (f"s{s}", a, b, "ab"[s % 2]) for s in range(20) for a, b in combinations("PQR", 2)
    ] + beaten("top", PQR, 20)
    top = standing(board_of(tmp_path, IN_SCENARIOS, rows, **QUICK), "top")
    lost = 1 - 0.025 ** (1 / 20)
    assert top.low == pytest.approx(1000 + POINTS * math.log((1 - lost) / lost), abs=1e-3)
    assert top.low == pytest.approx(1277.4, abs=0.1)


def test_who_never_earns_a_point_has_an_upper_bound_only(tmp_path):
    rows = even(PQR, 20) + [(f"s{s}", name, "low", name) for s in range(20) for name in PQR]
    low = standing(board_of(tmp_path, IN_SCENARIOS, rows, **QUICK), "low")
    assert (low.state, low.open, low.why.key) == ("unbounded", "below", "pointless")
    assert unrated(low)
    assert low.low is None
    assert low.high < 800


def test_a_block_that_always_beats_a_block_of_its_size_rates_nobody(tmp_path):
    rows = even("PQ", 20) + even("XY", 20, seed=1)
    rows += [row for winner in "PQ" for row in beaten(winner, "XY", 20)]
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    assert set(states(board).values()) == {"unbounded"}
    assert {s.open for s in board.agents} == {"both"}
    assert all(unrated(s) and s.low is None and s.high is None for s in board.agents)


def test_the_larger_block_is_rated_and_the_smaller_bounded(tmp_path):
    rows = even(PQR, 20) + even("XY", 20, seed=1)
    rows += [row for winner in PQR for row in beaten(winner, "XY", 20)]
    board = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    assert {n: s for n, s in states(board).items() if s != "ranked"} == {
        "X": "unbounded",
        "Y": "unbounded",
    }
    assert standing(board, "X").high < min(ratings(board)[n] for n in PQR)


def test_a_single_comparison_is_no_rating(tmp_path):
    board = board_of(tmp_path, PLAIN, [("P", "Q", "a")])
    assert set(states(board).values()) == {"unbounded"}
    assert all(unrated(s) and s.low is None and s.high is None for s in board.agents)


def test_the_same_pair_written_both_ways_is_one_pair_and_a_self_pair_counts_for_nobody(tmp_path):
    rows = [(f"s{s}", "P", "Q", "a") for s in range(8)] + [
        (f"t{s}", "Q", "P", "a") for s in range(4)
    ]
    plain = board_of(tmp_path, IN_SCENARIOS, rows)
    with_self = board_of(
        tmp_path, IN_SCENARIOS, [("s0", "P", "P", "a"), *rows, ("t0", "Q", "Q", "tie")]
    )
    assert ratings(plain)["P"] - ratings(plain)["Q"] == pytest.approx(POINTS * math.log(2))
    assert ratings(with_self) == ratings(plain)
    assert with_self.diagnostics.rows.excluded == {"self_pair": 2}
    assert with_self.diagnostics.rows.first == {"self_pair": 1}
    assert standing(with_self, "P").excluded == {"self_pair": 1}
    assert standing(with_self, "P").comparisons == 12


def test_only_ties_are_equal_ratings_of_unknown_error(tmp_path):
    rows = [(f"s{s}", a, b, "tie") for s in range(20) for a, b in combinations(PQR, 2)]
    board = board_of(tmp_path, IN_SCENARIOS, rows)
    assert ratings(board) == pytest.approx({"P": 1000, "Q": 1000, "R": 1000})
    for s in board.agents:
        # Zero would claim certainty.
        assert (s.low, s.high, s.rank_low) == (None, None, None)
        assert not s.se
        assert s.state == "provisional"


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([("P", "P", "a")], "self_pair"),
        ([("P", "Q", ""), ("Q", "P", "")], "no_outcome"),
        ([], "no rows"),
    ],
    ids=["one agent", "two agents without an outcome", "a header alone"],
)
def test_nothing_to_rate_is_an_error_that_says_why(tmp_path, rows, word):
    path = write(tmp_path, PLAIN, rows)
    with pytest.raises(UsageError) as caught:
        arena.rank(path)
    assert word in str(caught.value)
    done = arena_rank(path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) <= 3


def test_an_agent_that_never_plays_is_named_and_costs_the_others_nothing(tmp_path):
    rows = even(PQR, 20)
    before = ratings(board_of(tmp_path, IN_SCENARIOS, rows, **QUICK))
    board = board_of(
        tmp_path, IN_SCENARIOS, [*rows, ("s0", "new", "P", ""), ("s1", "new", "Q", "??")], **QUICK
    )
    new = standing(board, "new")
    assert (new.state, new.why.key, new.comparisons) == ("disconnected", "no_comparisons", 0)
    assert new.excluded == {"no_outcome": 1, "unknown_outcome": 1}
    assert new.share is None
    assert unrated(new)
    assert {n: ratings(board)[n] for n in PQR} == before


def test_one_loss_in_ten_thousand_is_rated_with_a_wide_interval(tmp_path):
    rows = [("P", "Q", "b" if n == 17 else "a") for n in range(10_000)]
    board = board_of(tmp_path, PLAIN, rows, **QUICK)
    first, second = standing(board, "P"), standing(board, "Q")
    assert first.rating - second.rating == pytest.approx(POINTS * math.log(9999), abs=1e-6)
    # One event: its count varies by as much as itself, the log-odds by about 1.
    assert first.se_clustered == pytest.approx(POINTS / 2, rel=0.01)
    assert first.se > 0.4 * POINTS / 2
    assert first.low > second.high


# --- Too little ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenarios", "interval", "ranked"),
    [(1, False, False), (4, False, False), (5, True, False), (9, True, False), (10, True, True)],
)
def test_few_scenarios_give_no_rank_and_very_few_no_interval(tmp_path, scenarios, interval, ranked):
    # Seven rounds a scenario: comparisons are not what is short.
    rows = [row for turn in range(7) for row in even(PQR, scenarios, seed=turn)]
    board = board_of(tmp_path, IN_SCENARIOS, rows)
    for s in board.agents:
        assert s.rating is not None
        assert (s.low is not None) == interval
        assert (s.rank_low is not None) == ranked
        assert (s.state == "ranked") == ranked
        if not ranked and s.comparisons >= 30:
            assert s.why.key == "few_scenarios"
    assert ("few_scenarios" in notes(board)) == (not ranked)


def test_few_comparisons_are_provisional_and_shift_nobody(tmp_path):
    rows = even(PQR, 20)
    few = [(f"s{s}", "new", "P", "ab"[s % 2]) for s in range(12)]
    board = board_of(tmp_path, IN_SCENARIOS, rows + few, **QUICK)
    new = standing(board, "new")
    assert (new.state, new.why.key) == ("provisional", "few_comparisons")
    assert new.rating is not None
    assert (new.rank_low, new.p_best) == (None, None)
    # Equal to P, and outside the mean and the ranges of the others.
    assert new.rating == pytest.approx(ratings(board)["P"], abs=1e-6)
    assert sum(ratings(board)[n] for n in PQR) / 3 == pytest.approx(1000)
    assert max(s.rank_high for s in board.agents if s.rank_high) == 3
    enough = board_of(tmp_path, IN_SCENARIOS, rows + few, min_comparisons=12, **QUICK)
    assert standing(enough, "new").state == "ranked"


# --- What cannot be read is not a tie ------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "no_outcome"),
        ("  ", "no_outcome"),
        ("win", "unknown_outcome"),
        ("0.5", "unknown_outcome"),
        ("null", "unknown_outcome"),
        ("NaN", "unknown_outcome"),
        ("R", "unknown_outcome"),
    ],
)
def test_what_is_not_readable_is_left_out_and_counted(tmp_path, said, reason):
    rows = even(PQR, 20)
    before = board_of(tmp_path, IN_SCENARIOS, rows, **QUICK)
    board = board_of(tmp_path, IN_SCENARIOS, [("s0", "P", "Q", said), *rows], **QUICK)
    assert ratings(board) == ratings(before)
    assert standing(board, "P").ties == 0
    assert standing(board, "P").excluded == {reason: 1}
    assert standing(board, "R").excluded == {}
    assert board.diagnostics.rows.excluded == {reason: 1}
    assert board.diagnostics.rows.first == {reason: 1}
    assert board.diagnostics.rows.read == board.diagnostics.rows.used + 1


def test_the_first_line_says_what_was_read_used_and_left_out(tmp_path):
    rows = [*even(PQR, 20), ("s0", "P", "Q", "?"), ("s0", "P", "Q", ""), ("s1", "P", "Q", "?")]
    done = arena_rank(write(tmp_path, IN_SCENARIOS, rows), "--resamples", "200")
    line = done.stderr.splitlines()[0]
    for part in ("63", "60", "outcome=outcome", "2 of unknown outcome (first: row 61)"):
        assert part in line
    assert "1 without an outcome (first: row 62)" in line


def test_many_missing_are_bracketed_by_the_worst_and_the_best_case(tmp_path):
    rows = even(PQR, 20)
    lacking = [(f"s{s}", "P", "Q", "") for s in range(6)]
    board = board_of(tmp_path, IN_SCENARIOS, rows + lacking, **QUICK)
    found = standing(board, "P")
    assert found.worst < found.rating < found.best
    assert standing(board, "R").worst is None
    assert standing(board, "R").best is None
    assert "many_missing" in notes(board)
    # The two cases are the boards in which all six were lost, or won; R is missing nothing.
    for outcome, case in (("b", found.worst), ("a", found.best)):
        imputed = [(*row[:3], outcome) for row in lacking]
        other = board_of(tmp_path, IN_SCENARIOS, rows + imputed, **QUICK)
        assert case == pytest.approx(ratings(other)["P"], abs=1e-6)


def test_a_few_missing_are_not_made_much_of(tmp_path):
    board = board_of(tmp_path, IN_SCENARIOS, [*even(PQR, 20), ("s1", "P", "Q", "")], **QUICK)
    assert standing(board, "P").worst is None
    assert "many_missing" not in notes(board)


# --- Twice the same vote -------------------------------------------------------------------------

VOTES = (*IN_SCENARIOS, "judge")


def test_equal_votes_of_a_judge_count_once_and_contradictory_ones_not_at_all(tmp_path):
    rows = [(*row, "j") for row in even(PQR, 20)]
    one, two = rows[0], rows[1]
    other = two[1] if two[3] == two[2] else two[2]
    board = board_of(tmp_path, VOTES, [*rows, one, (*two[:3], other, "j")], **QUICK)
    assert board.diagnostics.rows.excluded == {"duplicate": 1, "contradictory": 2}
    assert board.diagnostics.rows.first == {"duplicate": 61, "contradictory": 2}
    # What is left is the file without the second row.
    assert ratings(board) == ratings(board_of(tmp_path, VOTES, rows[:1] + rows[2:], **QUICK))


def test_without_a_key_every_row_is_a_vote(tmp_path):
    rows = even(PQR, 20)
    board = board_of(tmp_path, IN_SCENARIOS, rows + rows[:1], **QUICK)
    assert board.diagnostics.rows.excluded == {}
    assert board.comparisons == 61
    keyed = board_of(tmp_path, IN_SCENARIOS, rows + rows[:1], key=("scenario",), **QUICK)
    assert keyed.diagnostics.rows.excluded == {"duplicate": 1}
