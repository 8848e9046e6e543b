"""Means over rows that hang together, with intervals that cover."""

import math

import numpy as np
import pytest

from arena.maths.row_means import row_mean
from tests.support.sizes import boards


def test_a_mean_by_hand():
    # Scenario sums of deviations from 0.6: +.8, −.2, −.6, +.4, −.4 over ten rows.
    values = np.array([1, 1, 1, 0, 0, 0.6, 1, 0.6, 0, 0.8])
    found = row_mean(values, np.repeat([3, 1, 9, 4, 7], 2), neutral=0.5)
    assert found.value == pytest.approx(0.6)
    assert (found.rows, found.clusters) == (10, 5)
    error = math.sqrt(5 / 4 * (0.64 + 0.04 + 0.36 + 0.16 + 0.16)) / 10
    # t of 4 degrees of freedom, 97.5 %.
    assert found.high - found.value == pytest.approx(2.776445 * error, rel=1e-6)
    assert found.low == pytest.approx(0.6 - 2.776445 * error, rel=1e-6)


def test_independent_rows_have_wilsons_interval():
    found = row_mean(np.repeat([1.0, 0.0], [8, 2]), None, neutral=0.5)
    assert (found.low, found.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert found.p == pytest.approx(0.0578, abs=1e-4)


@pytest.mark.parametrize(
    ("value", "low", "high"), [(0, 0, 0.308), (1, 0.692, 1), (0.5, 0.346, 0.654)]
)
def test_where_all_scenarios_say_the_same_the_limit_needs_no_spread(value, low, high):
    pair = {0: (0, 0), 1: (1, 1), 0.5: (0, 1)}[value]
    found = row_mean(np.tile(np.array(pair, dtype=float), 10), np.repeat(np.arange(10), 2))
    assert found.value == value
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-3)


def test_all_wins_are_tested_by_scenarios_not_by_rows():
    found = row_mean(np.ones(600), np.repeat(np.arange(6), 100), neutral=0.5)
    assert found.p == pytest.approx(2 * 0.5**6)


def test_without_rows_or_with_few_scenarios_nothing_is_made_up():
    assert math.isnan(row_mean(np.zeros(0), np.zeros(0, dtype=np.int64)).value)
    few = row_mean(np.array([1.0, 0, 1, 1]), np.arange(4), neutral=0.5)
    assert few.value == 0.75
    assert all(math.isnan(number) for number in (few.low, few.high, few.p))


def test_the_order_of_rows_and_the_names_of_scenarios_do_not_matter():
    draw = np.random.default_rng(4)
    values, scenario = draw.random(60), draw.integers(0, 9, 60)
    order = draw.permutation(60)
    one, other = row_mean(values, scenario), row_mean(values[order], 100 - scenario[order])
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


@pytest.mark.parametrize(("scenarios", "rows", "noise"), [(10, 2, 0), (20, 6, 1.0), (40, 1, 0)])
def test_intervals_of_shares_cover(scenarios, rows, noise):
    draws, missed = boards(1000, 10_000), 0
    for seed in range(draws):
        draw = np.random.default_rng([scenarios, seed])
        chance = 1 / (1 + np.exp(-noise * draw.standard_normal(scenarios)))
        values = (draw.random((rows, scenarios)) < chance).astype(float).ravel()
        found = row_mean(values, np.tile(np.arange(scenarios), rows), neutral=0.5)
        missed += not found.low <= 0.5 <= found.high
        assert (found.p < 0.05) == (not found.low <= 0.5 <= found.high)
    assert missed / draws < 0.075
