"""What the options of `arena rank FILE` claim: formulas hold, planted parameters come back."""

import math
from itertools import pairwise

import duckdb
import numpy as np
import pytest
from scipy import stats

import arena
from tests.support.outcome_files import (
    IN_SCENARIOS,
    JUDGED,
    PLAIN,
    POINTS,
    board_of,
    centred,
    even,
    judged,
    names_of,
    notes,
    pair,
    ratings,
    standing,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = {"resamples": 200}


# --- Intervals -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """15 scenarios, every pair in both orders: everybody has the same number everywhere."""
    rows = judged([-0.8, -0.2, 0.2, 0.8], 15, np.random.default_rng(6), noise=0.5)
    return write(tmp_path_factory.mktemp("full"), JUDGED, rows)


@pytest.mark.parametrize(("kind", "error"), [("bootstrap", "se"), ("clustered", "se_clustered")])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_an_interval_is_its_error_times_students_t(full, kind, error, level):
    board = arena.rank(full, interval=kind, level=level)
    t = stats.t.ppf(0.5 + level / 2, 14)
    for s in board.agents:
        assert s.high - s.rating == pytest.approx(t * getattr(s, error), rel=1e-9)
        assert s.rating - s.low == pytest.approx(t * getattr(s, error), rel=1e-9)
    assert board.method.level == level
    assert "narrow_interval" not in notes(board)


def drawn(path, board_path, **options):
    """The draws as agent → ratings by resample, and the board."""
    board = arena.rank(board_path, draws=path, **options)
    connection = duckdb.connect()
    found = connection.execute(
        f"select agent, list(rating order by resample) from '{path}' group by agent"
    ).fetchall()
    columns = [c[0] for c in connection.execute(f"describe from '{path}'").fetchall()]
    connection.close()
    assert columns == ["resample", "agent", "rating"]
    return {agent: np.array(values) for agent, values in found}, board


def test_draws_are_ratings_of_every_resample_and_make_errors_and_percentiles(tmp_path, full):
    values, board = drawn(tmp_path / "draws.parquet", full, resamples=400, interval="percentile")
    assert {name: len(v) for name, v in values.items()} == dict.fromkeys(names_of(range(4)), 400)
    assert sum(values.values()) / 4 == pytest.approx(np.full(400, 1000.0))
    for s in board.agents:
        mine = values[s.agent]
        assert s.se == pytest.approx(mine.std(ddof=1) * math.sqrt(15 / 14), rel=0.01)
        assert s.low == pytest.approx(np.quantile(mine, 0.025), abs=8)
        assert s.high == pytest.approx(np.quantile(mine, 0.975), abs=8)
        first = np.mean([mine[r] == max(v[r] for v in values.values()) for r in range(400)])
        assert s.p_best == pytest.approx(first, abs=1e-9)
    above = np.mean(values["m1"] > values["m0"])
    assert pair(board, "m0", "m1").p_a_above_b == pytest.approx(1 - above, abs=0.01)


def test_percentiles_are_narrower_than_the_default_and_expanded_ones_make_up_for_it(full):
    boards = {
        kind: arena.rank(full, interval=kind) for kind in ("bootstrap", "percentile", "expanded")
    }
    widths = {
        kind: np.mean([s.high - s.low for s in board.agents]) for kind, board in boards.items()
    }
    assert widths["percentile"] < 0.97 * widths["bootstrap"]
    assert widths["percentile"] < 0.97 * widths["expanded"]
    assert widths["expanded"] == pytest.approx(widths["bootstrap"], rel=0.15)
    for kind in ("percentile", "expanded"):
        assert "narrow_interval" in notes(boards[kind])
        assert all(s.low <= s.rating <= s.high for s in boards[kind].agents)
        assert ratings(boards[kind]) == ratings(boards["bootstrap"])


def test_a_pair_has_the_interval_of_its_difference(full):
    board = arena.rank(full)
    t = stats.t.ppf(0.975, 14)
    for p in board.pairs:
        assert p.difference == pytest.approx(ratings(board)[p.a] - ratings(board)[p.b])
        assert p.high - p.difference == pytest.approx(t * p.se, rel=1e-9)
        wanted = 2 * stats.t.sf(abs(p.difference) / p.se, 14)
        assert p.p == pytest.approx(wanted, rel=1e-6)
        better = "a" if p.difference > 0 else "b"
        assert p.decision == (better if p.p_holm <= 0.05 else None)
    held = sorted(board.pairs, key=lambda p: p.p)
    adjusted = np.maximum.accumulate([(6 - n) * p.p for n, p in enumerate(held)]).clip(max=1)
    assert [p.p_holm for p in held] == pytest.approx(adjusted, rel=1e-9)


def test_an_anchor_moves_every_number_alike(full):
    plain, moved = arena.rank(full), arena.rank(full, anchor="m2=1500")
    by = 1500 - ratings(plain)["m2"]
    assert ratings(moved)["m2"] == pytest.approx(1500)
    for one, other in zip(plain.agents, moved.agents, strict=True):
        for name in ("rating", "low", "high"):
            assert getattr(other, name) == pytest.approx(getattr(one, name) + by)
        assert (one.se, one.rank_low, one.p_best) == (other.se, other.rank_low, other.p_best)
    assert [p.difference for p in plain.pairs] == pytest.approx([p.difference for p in moved.pairs])


def test_draws_are_anchored_too(tmp_path, full):
    values, board = drawn(tmp_path / "d.parquet", full, resamples=400, anchor="m2=1500")
    for s in board.agents:
        assert values[s.agent].mean() == pytest.approx(s.rating, abs=0.3 * s.se)


# --- What hangs together -------------------------------------------------------------------------


def by_hand(shares, groups):
    """Clustered SE of the log-odds of one share, V = G/(G−1) Σ_g (Σ u)² / H²."""
    p = np.mean(shares)
    residual = np.asarray(shares) - p
    sums = [residual[np.asarray(groups) == g].sum() for g in dict.fromkeys(groups)]
    g = len(sums)
    return g / (g - 1) * np.square(sums).sum() / (len(shares) * p * (1 - p)) ** 2


TINY = [
    ("s1", "P", "Q", "a", "w1"),
    ("s1", "P", "Q", "a", "w2"),
    ("s2", "P", "Q", "b", "w1"),
    ("s2", "P", "Q", "b", "w3"),
    ("s3", "P", "Q", "a", "w2"),
    ("s3", "P", "Q", "tie", "w3"),
    ("s3", "P", "Q", "a", "w3"),
    ("s4", "P", "Q", "a", "w4"),
    ("s5", "P", "Q", "b", "w4"),
    ("s5", "P", "Q", "a", "w5"),
    ("s6", "P", "Q", "a", "w1"),
]


def test_two_columns_cross_by_v1_plus_v2_less_v12(tmp_path):
    path = write(tmp_path, (*IN_SCENARIOS, "worker_id"), TINY)
    shares = [{"a": 1, "b": 0, "tie": 0.5}[row[3]] for row in TINY]
    groups = {"scenario": [r[0] for r in TINY], "worker_id": [r[4] for r in TINY]}
    both = [f"{r[0]} {r[4]}" for r in TINY]
    variances = {c: by_hand(shares, g) for c, g in groups.items()}
    wanted = {
        ("scenario",): variances["scenario"],
        ("worker_id",): variances["worker_id"],
        ("scenario", "worker_id"): sum(variances.values()) - by_hand(shares, both),
        ("worker_id", "scenario"): sum(variances.values()) - by_hand(shares, both),
        (): by_hand(shares, range(len(TINY))),
    }
    for cluster, variance in wanted.items():
        board = arena.rank(path, cluster=cluster, interval="clustered")
        # Each of the two is half of the difference away from the mean.
        error = POINTS * math.sqrt(variance) / 2
        assert standing(board, "P").se_clustered == pytest.approx(error, rel=1e-9), cluster
        assert board.method.cluster == cluster


@pytest.mark.reported("R33")
def test_copies_of_scenarios_are_no_news_unless_rows_are_drawn(tmp_path):
    rows = even(PQR, 20)
    once, often = (
        {
            cluster: standing(board_of(tmp_path, IN_SCENARIOS, many, cluster=cluster), "P")
            for cluster in (("scenario",), ())
        }
        for many in (rows, rows * 4)
    )
    assert often["scenario",].se_clustered == pytest.approx(once["scenario",].se_clustered)
    assert often["scenario",].se == pytest.approx(once["scenario",].se, rel=0.02)
    assert often[()].se_clustered == pytest.approx(once[()].se_clustered / 2, rel=0.02)
    assert often[()].se == pytest.approx(once[()].se / 2, rel=0.15)


def test_scenario_is_what_hangs_together_by_default(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, even(PQR, 20))
    assert arena.rank(path, **QUICK) == arena.rank(path, cluster=["scenario"], **QUICK)


# --- Ties ----------------------------------------------------------------------------------------


def test_two_agents_with_ties_by_hand(tmp_path):
    """36 wins, 24 ties, 9 losses: both models fit the three shares exactly."""
    rows = [("P", "Q", o) for o in ["a"] * 36 + ["tie"] * 24 + ["b"] * 9]
    path = write(tmp_path, PLAIN, rows)
    davidson = arena.rank(path, ties="davidson", **QUICK)
    assert davidson.diagnostics.tie_parameter == pytest.approx(24 / math.sqrt(36 * 9), abs=1e-6)
    assert pair(davidson, "P", "Q").difference == pytest.approx(POINTS * math.log(4), abs=1e-5)
    rao = arena.rank(path, ties="rao-kupper", **QUICK)
    kappa = math.sqrt(33 / 36 * 60 / 9)
    assert rao.diagnostics.tie_parameter == pytest.approx(kappa, abs=1e-6)
    assert pair(rao, "P", "Q").difference == pytest.approx(
        POINTS * math.log(kappa * 36 / 33), abs=1e-5
    )
    half = arena.rank(path, **QUICK)
    assert half.diagnostics.tie_parameter is None
    assert pair(half, "P", "Q").difference == pytest.approx(POINTS * math.log(48 / 21), abs=1e-5)


def test_davidsons_model_gives_a_planted_tie_parameter_and_strengths_back(tmp_path):
    truth = [-0.9, -0.3, 0.3, 0.9]
    rows = judged(truth, 80, np.random.default_rng(12), nu=0.8, orders=1)
    board = board_of(tmp_path, IN_SCENARIOS, [row[:4] for row in rows], ties="davidson", **QUICK)
    # 480 comparisons: log ν is known to ± 0.1.
    assert math.log(board.diagnostics.tie_parameter) == pytest.approx(math.log(0.8), abs=0.35)
    for name, rating in centred(truth).items():
        s = standing(board, name)
        assert abs(s.rating - rating) < 4 * s.se


# --- Elo, priors, weights and ways of reading ----------------------------------------------------


def test_elo_ranks_nobody_and_says_how_far_the_order_of_rows_decides(tmp_path):
    contained = []
    for seed in range(6):
        rows = even(["P", "Q", "R", "S", "T"], 30, seed=seed)
        board = board_of(tmp_path, IN_SCENARIOS, rows, method="elo", k=16)
        back = board_of(tmp_path, IN_SCENARIOS, rows[::-1], method="elo", k=16)
        assert ratings(board) != ratings(back)
        assert "order_matters" in notes(board)
        assert {s.rank_low for s in board.agents} == {None}
        assert {s.low for s in board.agents} == {None}
        assert sum(ratings(board).values()) == pytest.approx(5000)
        for s in board.agents:
            low, high = board.diagnostics.orders[s.agent]
            contained.append(low <= s.rating <= high)
    assert np.mean(contained) >= 0.8


def test_two_comparisons_of_elo_by_hand(tmp_path):
    board = board_of(tmp_path, PLAIN, [("P", "Q", "a"), ("P", "Q", "tie")], method="elo", k=32)
    gain = 32 * (0.5 - 1 / (1 + 10 ** (-32 / 400)))
    assert ratings(board) == pytest.approx({"P": 1016 + gain, "Q": 984 - gain})
    assert board.method.k == 32
    usual = board_of(tmp_path, PLAIN, [("P", "Q", "a")], method="elo")
    assert ratings(usual) == pytest.approx({"P": 1002, "Q": 998})


def test_a_prior_pulls_to_the_middle_and_inf_is_none(tmp_path):
    rows = judged([-1.0, 0.0, 1.0], 12, np.random.default_rng(3))
    path = write(tmp_path, JUDGED, rows)
    spreads = []
    for sd in (math.inf, 2.0, 0.5, 0.1):
        found = ratings(arena.rank(path, prior_sd=sd, **QUICK))
        spreads.append(max(found.values()) - min(found.values()))
    assert all(wide > narrow for wide, narrow in pairwise(spreads))
    assert spreads[-1] < 0.5 * spreads[0]
    assert arena.rank(path, prior_sd=math.inf, **QUICK) == arena.rank(path, **QUICK)


def test_a_prior_keeps_an_undefeated_agent_unbounded(tmp_path):
    rows = even(PQR, 20) + [(f"s{s}", "top", n, "top") for s in range(20) for n in PQR]
    board = board_of(tmp_path, IN_SCENARIOS, rows, prior_sd=1.0, **QUICK)
    assert standing(board, "top").state == "unbounded"
    assert standing(board, "top").rating is None


def test_weights_weigh(tmp_path):
    columns = (*PLAIN, "weight")
    rows = [("P", "Q", "a", 1.0)] * 6 + [("P", "Q", "b", 0.5)] * 6
    board = board_of(tmp_path, columns, rows, **QUICK)
    assert pair(board, "P", "Q").difference == pytest.approx(POINTS * math.log(2))
    assert standing(board, "P").share == pytest.approx(2 / 3)
    plain = board_of(tmp_path, columns, [(*r[:3], "") for r in rows], **QUICK)
    assert pair(plain, "P", "Q").difference == pytest.approx(0, abs=1e-9)


def test_a_margin_adds_no_rows(tmp_path):
    rows = [
        (*row[:3], "a" if row[3] == row[1] else "b", 1 + n % 5)
        for n, row in enumerate(even(PQR, 20))
    ]
    path = write(tmp_path, (*IN_SCENARIOS, "margin"), rows)
    winner, margin = (arena.rank(path, outcome=how, **QUICK) for how in ("winner", "margin"))
    assert winner.comparisons == margin.comparisons == 60
    won = np.mean(
        [0.5 + 0.1 * r[4] * (1 if r[3] == "a" else -1) for r in rows if r[1:3] == ("P", "Q")]
    )
    assert pair(margin, "P", "Q").share == pytest.approx(won)


def test_a_single_readable_order_is_dropped_unless_it_is_kept(tmp_path):
    rows = judged([0.0, 0.2], 20, np.random.default_rng(5))
    rows[3] = (*rows[3][:3], "", *rows[3][4:])
    path = write(tmp_path, JUDGED, rows)
    dropped, kept = (arena.rank(path, single_order=how, **QUICK) for how in ("drop", "keep"))
    assert (dropped.comparisons, kept.comparisons) == (19, 20)
    assert dropped.diagnostics.rows.excluded == {"no_outcome": 1, "one_order": 1}
    assert kept.diagnostics.rows.excluded == {"no_outcome": 1}
    assert kept.method.source["single_order"] == "keep"


def test_people_stay_out_of_the_judges_board_unless_asked_for(tmp_path):
    rows = [(*row, "robot") for row in even(PQR, 20)]
    people = [(f"h{s}", "P", "Q", "a", "human:bo") for s in range(10)]
    path = write(tmp_path, (*IN_SCENARIOS, "judge"), rows + people)
    board = arena.rank(path, **QUICK)
    assert (board.comparisons, board.panel) == (60, ("robot",))
    assert board.diagnostics.rows.excluded == {"human": 10}
    everybody = arena.rank(path, judge=["*"], **QUICK)
    assert everybody.comparisons == 70
    assert everybody.diagnostics.rows.excluded == {}


@pytest.mark.reported("R36")
def test_flips_and_cycles_are_counted(tmp_path):
    rows = [
        (f"s{s}", a, b, "a", order, "j")
        for s in range(12)
        for a, b in (("P", "Q"), ("Q", "R"), ("R", "P"))
        for order in ("ab", "ba")
    ]
    # Whoever is shown first, P beats Q beats R beats P.
    board = board_of(tmp_path, JUDGED, rows, **QUICK)
    assert (board.diagnostics.cycles, board.diagnostics.triads) == (1, 1)
    assert board.diagnostics.flip_rate == 0
    turned = [(*r[:3], "a" if r[4] == "ab" else "b", *r[4:]) for r in rows]
    first = board_of(tmp_path, JUDGED, turned, **QUICK)
    assert (first.diagnostics.flip_rate, first.diagnostics.cycles) == (1, 0)
    assert {p.share for p in first.pairs} == {0.5}
