"""Changes between two looks at the same scenarios."""

import math

import numpy as np
import pytest
from scipy import stats

from arena.maths.bradley_terry import POINTS_PER_NAT, information, strengths
from arena.maths.drift import Side, clustered_change, influence, paired_changes
from arena.maths.fitted import scores
from arena.maths.sandwich import clustered_covariance
from arena.maths.tally import Rows
from arena.maths.tallying import tally


def test_a_mean_change_by_hand():
    # Sums about the mean ½ by cluster: 1, −1; SE = √(2 · 2) / 4 = ½, t with one degree.
    said = clustered_change(np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 0.0, 0.0]))
    assert said.mean == 0.5
    assert said.half == pytest.approx(stats.t.ppf(0.975, 1) / 2)
    assert (said.low, said.high) == (said.mean - said.half, said.mean + said.half)
    assert said.clusters == 2


def test_clusters_of_one_are_the_t_interval_of_a_mean():
    values = np.random.default_rng(1).normal(size=30)
    said = clustered_change(np.arange(30), values)
    low, high = stats.t.interval(0.95, 29, loc=values.mean(), scale=stats.sem(values))
    assert (said.low, said.high) == (pytest.approx(low), pytest.approx(high))
    assert said.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue)


def test_nothing_changed_is_no_certainty():
    said = clustered_change(np.repeat(np.arange(10), 5), np.zeros(50))
    assert (said.mean, said.low, said.high) == (0.0, None, None)
    assert said.half == pytest.approx(1 - 0.05**0.1)


def test_one_cluster_or_no_variation_has_no_interval():
    assert clustered_change(np.zeros(5, int), np.array([1.0, 0, 0, 0, 0])).half is None
    assert clustered_change(np.arange(5), np.ones(5)).half is None


def board(rng, theta, scenarios, *, effects=None):
    """All pairs in every scenario, and what was fitted to them."""
    k = len(theta)
    first, second = (np.tile(side, scenarios) for side in np.triu_indices(k, 1))
    scenario = np.repeat(np.arange(scenarios), k * (k - 1) // 2)
    lean = theta if effects is None else theta + effects
    lean = np.broadcast_to(lean, (scenarios, k))
    p = 1 / (1 + np.exp(lean[scenario, second] - lean[scenario, first]))
    rows = Rows(
        first=first,
        second=second,
        scenario=scenario,
        share=(rng.random(len(p)) < p).astype(float),
        agents=k,
        scenarios=scenarios,
    )
    return Side(rows=rows, strengths=strengths(tally(rows).wins))


def test_influences_make_the_clustered_sandwich():
    side = board(np.random.default_rng(3), np.array([0.4, 0.0, -0.4]), 20)
    psi = influence(side.rows, side.strengths)
    counts = tally(side.rows)
    expected = clustered_covariance(
        scores(counts, side.strengths), information(side.strengths, counts.total()), counts.copies
    )
    assert 20 / 19 * psi.T @ psi == pytest.approx(expected)
    assert psi.sum(axis=1) == pytest.approx(np.zeros(20))


def test_whoever_is_not_rated_is_passed_over():
    side = board(np.random.default_rng(3), np.array([0.4, 0.0, -0.4]), 20)
    theta = side.strengths.copy()
    theta[2] = np.nan
    psi = influence(side.rows, theta)
    assert np.isnan(psi[:, 2]).all()
    assert psi[:, :2].sum(axis=1) == pytest.approx(np.zeros(20))


def test_the_same_board_does_not_change():
    side = board(np.random.default_rng(5), np.array([0.4, 0.0, -0.4]), 20)
    said = paired_changes(side, side, np.array([True, True, True]))
    assert said.change == pytest.approx(np.zeros(3))
    assert np.isnan(said.half).all()


def test_the_interval_covers_what_changed_and_pairing_makes_it_narrower():
    """A newer version of the last agent, on the same scenarios with the same effects."""
    rng = np.random.default_rng(11)
    old, new = np.array([0.5, 0.2, -0.2, -0.5]), np.array([0.5, 0.2, -0.2, 0.3])
    reference = np.array([True, True, True, False])
    truth = POINTS_PER_NAT * _change(old, new, rng)
    covered, paired, apart = 0, [], []
    for _ in range(100):
        effects = 0.8 * rng.standard_normal((30, 4))
        before, after = (board(rng, theta, 30, effects=effects) for theta in (old, new))
        said = paired_changes(before, after, reference)
        covered += abs(said.change[3] - truth) <= said.half[3]
        assert (said.p[3] < 0.05) == (abs(said.change[3]) > said.half[3])
        paired.append(said.half[3])
        errors = [_error(side, reference) for side in (before, after)]
        apart.append(stats.t.ppf(0.975, 29) * math.hypot(*errors) * POINTS_PER_NAT)
    assert 0.89 <= covered / 100 <= 0.99
    assert np.mean(paired) < 0.9 * np.mean(apart)


def _change(old, new, rng):
    """What the ratings of very many scenarios would change by."""
    found = []
    for theta in (old, new):
        effects = 0.8 * rng.standard_normal((8000, 4))
        side = board(rng, theta, 8000, effects=effects)
        found.append(side.strengths[3] - side.strengths[:3].mean())
    return found[1] - found[0]


def _error(side, reference):
    psi = influence(side.rows, side.strengths)
    own = psi[:, 3] - psi[:, reference].mean(axis=1)
    return math.sqrt(30 / 29 * float(own @ own))
