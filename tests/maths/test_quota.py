"""Quotas and the intervals of shares, against scipy and by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from arena.maths.means import wilson
from arena.maths.quota import cases_needed, meets

# How long an example takes says nothing on a busy machine.
LAW = settings(max_examples=200, deadline=None, derandomize=True, database=None)
QUOTAS = st.floats(0.01, 0.99)


@LAW
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_that_of_scipy(counts):
    hits, cases = counts
    theirs = binomtest(hits, cases).proportion_ci(0.95, method="wilson")
    assert wilson(hits, cases) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_27_of_27_shows_875_and_not_9():
    assert wilson(27, 27)[0] == pytest.approx(0.875, abs=5e-4)
    assert meets(27, 27, 0.875, lower=True)
    assert not meets(27, 27, 0.9, lower=True)
    assert cases_needed(0.9) == 35
    assert cases_needed(0.875) == 27


@LAW
@given(QUOTAS)
def test_the_number_needed_is_the_smallest_that_can_pass(quota):
    needed = cases_needed(quota)
    assert meets(needed, needed, quota, lower=True)
    assert needed == 1 or not meets(needed - 1, needed - 1, quota, lower=True)


def test_no_number_shows_certainty_and_nothing_is_met_without_cases():
    assert cases_needed(1.0) is None
    assert not meets(0, 0, 0.01, lower=False)
    assert meets(9, 10, 0.9, lower=False)


@LAW
@given(st.integers(1, 60), QUOTAS, st.booleans())
def test_one_more_case_met_never_unmeets_a_quota(cases, quota, lower):
    passed = [meets(hits, cases, quota, lower=lower) for hits in range(cases + 1)]
    assert passed == sorted(passed)
