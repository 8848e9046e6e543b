import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from arena.maths.intervals import difference_df, effective_df, holm, t_margin, two_sided_p
from arena.maths.means import scenario_mean, wilson

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def test_effective_degrees_of_freedom_by_hand():
    # 3 and 1 comparisons: 4² / (9 + 1) − 1 = 0.6; 1, 1, 1, 1: 16 / 4 − 1 = 3
    assert effective_df(np.array([[3.0], [1.0]])) == pytest.approx([0.6])
    assert effective_df(np.ones((4, 2))) == pytest.approx([3, 3])


def test_degrees_of_freedom_of_a_difference_by_hand():
    # loads (2, 0) and (0, 1) add to (2, 1): 9 / 5 − 1 = 0.8
    assert difference_df(np.array([[2.0, 0.0], [0.0, 1.0]]))[0, 1] == pytest.approx(0.8)


def test_margin_is_the_t_quantile():
    # t_{.975, 9} = 2.2622
    assert t_margin(np.array([2.0]), np.array([9.0]))[0] == pytest.approx(4.5243, abs=1e-4)


def test_nothing_varied_is_no_interval():
    margin = t_margin(np.array([0.0, 1.0, 1.0]), np.array([9.0, 0.0, 9.0]))
    assert np.isnan(margin).tolist() == [True, True, False]


def test_p_values_agree_with_scipy():
    p = two_sided_p(np.array([0.0, 1.0, -3.0]), np.ones(3), np.full(3, 9.0))
    assert p == pytest.approx([1.0, 2 * stats.t.sf(1, 9), 2 * stats.t.sf(3, 9)])


def test_holm_by_hand():
    # sorted .01·3 = .03, .03·2 = .06, .04·1 -> not below .06
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def test_a_missing_test_counts_as_one_and_widens_the_family():
    assert holm(np.array([0.02, np.nan])).tolist() == [0.04, 1.0]
    assert holm(np.empty(0)).tolist() == []


@steady
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_no_correction_and_bonferroni(values):
    p = np.array(values)
    adjusted = holm(p)
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(1, p * len(p)) + 1e-15).all()


@pytest.mark.parametrize(("hits", "cases"), [(0, 10), (3, 10), (10, 10), (81, 263)])
def test_wilson_agrees_with_scipy(hits, cases):
    found = stats.binomtest(hits, cases).proportion_ci(method="wilson")
    assert wilson(hits, cases) == pytest.approx((found.low, found.high), abs=1e-12)


def test_wilson_by_hand():
    # 0 of 10: upper z²/(n + z²) = 3.8415 / 13.8415 = .27753
    assert wilson(0, 10) == pytest.approx((0, 0.27753), abs=1e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def _mean(values, scenario=None, **options):
    where = np.arange(len(values)) if scenario is None else np.array(scenario)
    return scenario_mean(where, np.array(values, dtype=float), seed=3, resamples=20_000, **options)


def test_every_scenario_weighs_the_same_in_a_mean():
    # scenario 0: mean 60 of two replicates; scenario 1: 80
    assert _mean([50, 70, 80], [0, 0, 1]).mean == 70


def test_the_interval_of_a_mean_is_that_of_the_t_test():
    values = [52, 61, 48, 70, 66, 59, 63, 55]
    found, t = _mean(values), stats.t.ppf(0.975, 7) * stats.sem(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.high - found.mean == pytest.approx(t, rel=0.025)


def test_few_or_equal_scenarios_have_no_interval():
    assert _mean([1, 2, 3, 4]).low is None
    assert _mean([7] * 9).low is None
    assert _mean([]) is None


def test_a_mean_of_scores_stays_on_its_scale():
    found = _mean([99, 100, 100, 60, 100, 100], limits=(0.0, 100.0))
    assert found.high == 100
    assert math.isclose(found.mean, 559 / 6)
