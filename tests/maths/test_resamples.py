import numpy as np
import pytest

from arena.maths.bootstrap import draw_copies, draw_weights
from arena.maths.bradley_terry import RIDGE, information, resample_strengths, strengths
from arena.maths.fitted import scores
from arena.maths.pairs import to_square
from arena.maths.resamples import solve_resamples
from arena.maths.tallying import tally


def _drawn(rows, resamples, seed=0):
    counts = tally(rows)
    weights = draw_weights(rows.scenarios, resamples, np.random.default_rng(seed))
    games = counts.games.T.astype(np.float64) @ weights.T
    return counts, games, counts.points.T @ weights.T, weights.T


def _inverse(counts, theta):
    k = counts.agents
    held = information(theta, counts.total())
    return np.linalg.inv(held + np.full((k, k), np.trace(held) / k / k) + RIDGE * np.eye(k))


@pytest.mark.parametrize(
    ("kind", "tolerance", "off"), [(np.float64, 1e-9, 1e-8), (np.float32, 1e-5, 2e-5)]
)
def test_the_chord_ends_where_newton_ends(simulate, kind, tolerance, off):
    rows = simulate(np.linspace(1.5, -1.5, 12), 47, rng=np.random.default_rng(2))
    counts, games, points, weights = _drawn(rows, 200)
    theta = strengths(counts.wins)
    found = solve_resamples(
        games.astype(kind),
        points,
        theta,
        _inverse(counts, theta),
        scores(counts, theta).T @ weights,
        tolerance=tolerance,
    )
    exact = resample_strengths(to_square(games.T, 12), points.T, theta, tolerance=1e-11)
    assert np.abs(found - exact).max() < off


def test_sparse_boards_fall_back_and_still_solve(simulate):
    # 12 agents and two comparisons each: most resamples are not strongly connected
    rows = simulate(np.linspace(1, -1, 12), 20, rng=np.random.default_rng(4))
    rows = rows.only(np.random.default_rng(3).random(len(rows.share)) < 0.03)
    counts, games, points, weights = _drawn(rows, 300)
    theta = np.zeros(12)
    slope = scores(counts, theta).T @ weights
    found = solve_resamples(games, points, theta, _inverse(counts, theta), slope, tolerance=1e-7)
    assert np.isfinite(found).all()
    chance = 1 / (1 + np.exp(found[:, None, :] - found[:, :, None]))
    slope = points.T - (to_square(games.T, 12) * chance).sum(axis=2) - RIDGE * found
    assert np.abs(slope).max() < 1e-4
    thin = [len(np.unique(np.flatnonzero(points[:, b] > 0))) < 12 for b in range(300)]
    assert any(thin)


def test_weights_are_multinomial():
    weights = draw_weights(5, 100_000, np.random.default_rng(1))
    assert (weights.sum(axis=1) == 5).all()
    # variance 1 − 1/S, covariance −1/S
    spread = np.cov(weights.T)
    assert np.diag(spread) == pytest.approx(np.full(5, 0.8), abs=0.02)
    assert spread[0, 1] == pytest.approx(-0.2, abs=0.02)


def test_copies_are_drawn_as_so_many_clusters():
    weights = draw_copies(np.array([1, 3, 6]), 100_000, np.random.default_rng(1))
    assert (weights.sum(axis=1) == 10).all()
    assert weights.mean(axis=0) == pytest.approx([1, 3, 6], abs=0.03)
    assert weights.var(axis=0) == pytest.approx([0.9, 2.1, 2.4], abs=0.05)
