import math

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from arena.errors import ArenaError
from arena.maths.bradley_terry import (
    POINTS_PER_NAT,
    centre,
    expected_shares,
    gradient,
    information,
    log_likelihood,
    resample_strengths,
    strengths,
    to_points,
)

steady = settings(max_examples=40, deadline=None, derandomize=True, database=None)
# Every pair has points both ways, so a maximum exists; quarters are what folding can yield.
tallies = (
    st.integers(2, 6)
    .flatmap(lambda k: arrays(np.float64, (k, k), elements=st.integers(1, 40).map(lambda n: n / 4)))
    .map(lambda wins: wins - np.diag(np.diag(wins)))
)

# 22 games, https://en.wikipedia.org/wiki/Bradley–Terry_model: row beat column.
WIKIPEDIA = np.array([[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]], dtype=float)

# evalica, simple.csv and its golden Bradley–Terry scores (Apache-2.0, D. Ustalov).
SIMPLE = (
    (0, 1, 0.5), (0, 2, 0), (0, 2, 0.5), (0, 4, 0.5), (1, 0, 1), (1, 2, 0.5), (1, 2, 0.5),
    (1, 3, 0.5), (2, 4, 0.5), (3, 0, 1), (3, 1, 1), (3, 2, 1), (3, 4, 0.5), (3, 4, 0.5),
    (4, 0, 1), (4, 3, 1),
)  # fmt: skip
SIMPLE_SCORES = (
    0.050799672530389396,
    0.1311506914535368,
    0.13168568070110523,
    0.33688868041573855,
    0.34947527489923,
)


def test_three_points_to_one_are_log_three_apart():
    # share 3/4: odds 3, θ_a − θ_b = ln 3, centred ± ln 3 / 2
    theta = strengths(np.array([[0.0, 3.0], [1.0, 0.0]]))
    assert theta == pytest.approx([math.log(3) / 2, -math.log(3) / 2], abs=1e-12)


def test_ties_are_half_a_point_each():
    # 1 win and 2 ties of 3: share 2/3, odds 2
    theta = strengths(np.array([[0.0, 2.0], [1.0, 0.0]]))
    assert theta[0] - theta[1] == pytest.approx(math.log(2), abs=1e-12)


def test_four_hundred_points_are_odds_of_ten():
    assert POINTS_PER_NAT * math.log(10) == pytest.approx(400)
    points = to_points(np.array([math.log(10) / 2, -math.log(10) / 2]))
    assert points == pytest.approx([1200, 800])


def test_published_worked_example():
    assert np.exp(strengths(WIKIPEDIA)) == pytest.approx([0.640, 1.043, 0.660, 2.270], abs=5e-4)


def test_golden_scores_of_evalica():
    wins = np.zeros((5, 5))
    for i, j, share in SIMPLE:
        wins[i, j] += share
        wins[j, i] += 1 - share
    scores = np.exp(strengths(wins))
    assert scores / scores.sum() == pytest.approx(SIMPLE_SCORES, rel=1e-12)


@steady
@given(tallies)
def test_agrees_with_choix(wins):
    found = choix.ilsr_pairwise_dense(wins, tol=1e-12)
    assert strengths(wins) == pytest.approx(found - found.mean(), abs=1e-6)


@steady
@given(tallies)
def test_agrees_with_a_general_minimiser(wins):
    games = wins + wins.T

    def loss(theta):
        apart = theta[:, None] - theta[None, :]
        return (wins * np.log1p(np.exp(-apart))).sum() + theta.sum() ** 2

    def slope(theta):
        share = 1 / (1 + np.exp(theta[None, :] - theta[:, None]))
        return (games * share).sum(axis=1) - wins.sum(axis=1) + 2 * theta.sum()

    found = minimize(loss, np.zeros(len(wins)), jac=slope, method="BFGS", options={"gtol": 1e-9})
    assert strengths(wins) == pytest.approx(found.x - found.x.mean(), abs=1e-6)


@steady
@given(tallies, st.randoms(use_true_random=False))
def test_relabelling_agents_permutes_strengths(wins, shuffler):
    order = list(range(len(wins)))
    shuffler.shuffle(order)
    assert strengths(wins[np.ix_(order, order)]) == pytest.approx(strengths(wins)[order], abs=1e-9)


@steady
@given(tallies)
def test_reversing_every_outcome_negates_strengths(wins):
    assert strengths(wins.T) == pytest.approx(-strengths(wins), abs=1e-9)


@steady
@given(tallies, st.integers(2, 7))
def test_multiplying_all_counts_changes_nothing(wins, factor):
    assert strengths(wins * factor) == pytest.approx(strengths(wins), abs=1e-9)


@steady
@given(tallies)
def test_the_gradient_is_zero_at_the_maximum(wins):
    assert np.abs(gradient(strengths(wins), wins)).max() < 1e-9


def test_gradient_and_hessian_match_finite_differences():
    rng = np.random.default_rng(1)
    wins = rng.integers(0, 9, (5, 5)) / 2
    np.fill_diagonal(wins, 0)
    theta, step = rng.normal(size=5), 1e-5
    for i in range(5):
        move = step * np.eye(5)[i]
        ahead, behind = theta + move, theta - move
        slope = (log_likelihood(ahead, wins) - log_likelihood(behind, wins)) / (2 * step)
        assert gradient(theta, wins)[i] == pytest.approx(slope, abs=1e-6)
        bend = (gradient(ahead, wins) - gradient(behind, wins)) / (2 * step)
        assert -information(theta, wins + wins.T)[i] == pytest.approx(bend, abs=1e-6)


def test_expected_shares_of_a_pair_sum_to_one_however_far_apart():
    share = expected_shares(np.array([900.0, 0.0, -900.0]))
    assert share + share.T == pytest.approx(np.ones((3, 3)))


def test_one_loss_in_ten_thousand():
    # odds 9999: θ apart = ln 9999 = 9.2102
    theta = strengths(np.array([[0.0, 9999.0], [1.0, 0.0]]))
    assert theta[0] - theta[1] == pytest.approx(9.2102, abs=1e-4)


def test_a_long_thin_cycle_converges():
    k = 40
    wins = np.zeros((k, k))
    for i in range(k):
        wins[i, (i + 1) % k] = 1
        wins[i, (i + 2) % k] = 1 + i % 3
    assert np.abs(gradient(strengths(wins), wins)).max() < 1e-9


def test_no_finite_maximum_is_refused():
    with pytest.raises(ArenaError):
        strengths(np.array([[0.0, 1.0], [0.0, 0.0]]))


def test_one_agent_alone_has_strength_zero():
    assert strengths(np.zeros((1, 1))).tolist() == [0.0]


def test_the_mean_of_the_reference_is_zero():
    reference = np.array([True, True, False])
    assert centre(np.array([1.0, 3.0, 9.0]), reference).tolist() == [-1.0, 1.0, 7.0]


def test_batched_resamples_agree_with_one_fit_each():
    rng = np.random.default_rng(2)
    wins = rng.integers(2, 30, (8, 5, 5)).astype(float)
    wins[:, np.arange(5), np.arange(5)] = 0
    games, points = wins + wins.transpose(0, 2, 1), wins.sum(axis=2)
    found = resample_strengths(games, points, np.zeros(5), ridge=1e-9)
    for one, theta in zip(wins, found, strict=True):
        assert theta == pytest.approx(strengths(one), abs=1e-7)


def test_the_ridge_keeps_a_hopeless_resample_finite():
    games = np.array([[[0.0, 5.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    theta = resample_strengths(games, np.array([[5.0, 0.0, 0.0]]), np.zeros(3))[0]
    assert np.isfinite(theta).all()
    # 5 points of 5 pull up, the ridge pulls down: 5·σ(−2x) = 0.01·x
    assert 5 / (1 + np.exp(2 * theta[0])) == pytest.approx(0.01 * theta[0], abs=1e-9)
    # never drawn: pulled to the middle
    assert theta[2] == pytest.approx(0, abs=1e-6)
