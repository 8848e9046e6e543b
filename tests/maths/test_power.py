"""Planning scenarios, and stopping: values from tables, laws, and unknowns."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from arena.errors import UsageError
from arena.maths.designs.power import scenarios_missing, scenarios_needed, unit_error
from arena.maths.designs.stopping import level_of_look, may_stop
from arena.maths.intervals import t_margin


# J. Cohen (1988): a paired t-test of effect d = δ/τ at two-sided .05 and power .80 takes 34 pairs
# at d = .5, 15 at .8, 199 at .2 by the noncentral t; the shifted central t used here differs by
# one at most.
@pytest.mark.parametrize(("effect", "pairs"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_published_sample_sizes(effect, pairs):
    assert abs(scenarios_needed(1.0, effect) - pairs) <= 1


def test_by_hand():
    # τ = 2, δ = 1: 4 · (t_{.975, 33} + .8416)² = 4 · (2.0345 + .8416)² = 33.09, so 34 suffice;
    # with 33: 4 · (2.0369 + .8416)² = 33.14 > 33
    assert scenarios_needed(2.0, 1.0) == 34
    assert unit_error(0.5, 16) == 2.0
    assert scenarios_missing(34, 20) == 14
    assert scenarios_missing(20, 20) == scenarios_missing(12, 20) == 0


@given(
    tau=st.floats(0.01, 500),
    difference=st.floats(0.5, 300),
    alpha=st.floats(1e-4, 0.2),
    power=st.floats(0.5, 0.99),
)
def test_the_smallest_number_that_holds(tau, difference, alpha, power):
    n = scenarios_needed(tau, difference, alpha=alpha, power=power)

    def holds(n):
        quantile = stats.t.ppf(1 - alpha / 2, n - 1) + stats.norm.ppf(power)
        return n >= tau**2 * quantile**2 / difference**2 * (1 - 1e-9)

    assert n >= 2
    assert holds(n)
    assert n == 2 or not holds(n - 1) or math.isclose(n - 1, n, rel_tol=1e-6)


@given(tau=st.floats(0.1, 50), difference=st.floats(0.1, 50), factor=st.floats(1.01, 10))
def test_more_is_needed_for_less_difference_more_noise_power_or_certainty(tau, difference, factor):
    n = scenarios_needed(tau, difference)
    assert scenarios_needed(tau, difference / factor) >= n
    assert scenarios_needed(tau * factor, difference) >= n
    assert scenarios_needed(tau, difference, power=0.9) >= n
    assert scenarios_needed(tau, difference, alpha=0.05 / factor) >= n
    assert scenarios_needed(tau * 173.7, difference * 173.7) == pytest.approx(n, abs=1)


def test_unknown_and_endless_are_none():
    assert scenarios_needed(math.nan, 10.0) is None
    assert scenarios_needed(math.inf, 10.0) is None
    assert scenarios_needed(100.0, 1e-300) is None
    assert scenarios_needed(0.0, 10.0) == 2


@pytest.mark.parametrize("difference", [0.0, -20.0, math.nan])
def test_a_difference_of_nothing_cannot_be_planned_for(difference):
    with pytest.raises(UsageError, match="greater than 0"):
        scenarios_needed(100.0, difference)


def test_stop_only_when_every_interval_is_narrow():
    low = np.array([990.0, 940, 1010])
    assert may_stop(low, low + 60, width=60)
    assert not may_stop(low, low + np.array([60, 60, 60.1]), width=60)
    assert not may_stop(low, low + np.array([10, np.nan, 10]), width=60)
    assert not may_stop(low, low + np.array([10, np.inf, 10]), width=60)
    assert not may_stop(np.array([-np.inf]), np.array([np.inf]), width=60)
    assert not may_stop(np.empty(0), np.empty(0), width=60)


def test_every_look_spends_its_part_of_the_error():
    assert level_of_look(1) == pytest.approx(0.95)
    assert level_of_look(5) == pytest.approx(0.99)
    assert level_of_look(4, level=0.9) == pytest.approx(0.975)
    for looks in (1, 3, 10):
        assert looks * (1 - level_of_look(looks)) == pytest.approx(0.05)


# Equal noise at every look, and a width that chance alone decides: without the correction the
# shown interval misses the truth too often, with it never more than said.
@pytest.mark.slow
def test_the_interval_at_which_one_stops_holds_the_truth():
    rng = np.random.default_rng(4)
    boards, looks, each = 4000, 5, 6
    draws = rng.normal(0, 1, (boards, looks * each))

    def held(level):
        hits = []
        for board in draws:
            for look in range(1, looks + 1):
                seen = board[: each * look]
                error, df = seen.std(ddof=1) / math.sqrt(len(seen)), len(seen) - 1.0
                margin = t_margin(np.array([error]), np.array([df]), level=level)
                if look == looks or may_stop(seen.mean() - margin, seen.mean() + margin, width=1.1):
                    hits.append(abs(seen.mean()) <= margin[0])
                    break
        return np.mean(hits)

    assert held(0.95) < 0.945
    assert held(level_of_look(looks)) > 0.95
