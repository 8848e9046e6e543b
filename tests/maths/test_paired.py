"""Two scores of the same things: how alike, and how sure with whole scenarios drawn."""

import math

import numpy as np
import pytest

from arena.maths import paired
from arena.maths.paired import paired_correlation, paired_difference
from arena.maths.ranks import spearman

TERMS = {"seed": 1, "resamples": 400, "at_least": 5, "level": 0.95}


def scores(clusters, each, *, shared=0.0, noise=1.0, seed=0):
    """Clusters of a common part (`shared`) and two scores that differ by noise."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), each)
    truth = shared * rng.normal(size=clusters)[cluster] + rng.normal(size=clusters * each)
    return cluster, truth.round(1), (truth + noise * rng.normal(size=clusters * each)).round(1)


def test_resampled_correlations_are_those_of_the_rows_written_out():
    cluster, x, y = scores(6, 4)
    weights = paired._draw(6, 20, 3)
    written = [spearman(*(np.repeat(v, w[cluster].astype(int)) for v in (x, y))) for w in weights]
    assert paired._correlations(cluster, x, y, weights) == pytest.approx(written)


def test_the_correlation_lies_inside_its_interval_and_that_inside_one():
    found = paired_correlation(*scores(12, 4), **TERMS)
    assert -1 < found.low < found.value < found.high < 1
    assert found.value == spearman(*scores(12, 4)[1:])


def test_the_interval_of_the_difference_is_that_of_a_mean():
    cluster, x, y = np.arange(40), *scores(40, 1)[1:]
    found = paired_difference(cluster, x, y, **TERMS | {"resamples": 4000})
    apart = x - y
    half = 2.0227 * apart.std(ddof=1) / math.sqrt(40)
    assert found.value == pytest.approx(apart.mean())
    assert found.high - found.value == pytest.approx(half, rel=0.05)
    assert found.value - found.low == pytest.approx(half, rel=0.05)


@pytest.mark.parametrize("measure", [paired_correlation, paired_difference])
def test_rows_of_one_cluster_count_as_one(measure):
    # The same rows many times over tell no more than once.
    cluster, x, y = scores(10, 2)
    once = measure(cluster, x, y, **TERMS)
    often = measure(*(np.repeat(v, 9) for v in (cluster, x, y)), **TERMS)
    assert often.high - often.low == pytest.approx(once.high - once.low, rel=1e-6)


@pytest.mark.parametrize("measure", [paired_correlation, paired_difference])
def test_nothing_is_said_of_a_spread_where_there_is_none(measure):
    cluster, x, y = scores(4, 5)
    few = measure(cluster, x, y, **TERMS)
    assert few.value is not None
    assert (few.low, few.high) == (None, None)
    same = measure(*(v[:1].repeat(20) for v in (cluster, x, y)), **TERMS)
    assert (same.low, same.high) == (None, None)


def test_two_scores_that_are_the_same_order_have_no_interval():
    cluster, x, _ = scores(8, 3)
    found = paired_correlation(cluster, x, 2 * x, **TERMS)
    assert (found.value, found.low, found.high) == (pytest.approx(1.0), None, None)


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    # Bivariate normal of correlation ρ: Spearman's is 6/π · asin(ρ/2).
    rho = 1 / math.sqrt(2)
    truth, held, boards = 6 / math.pi * math.asin(rho / 2), 0, 120
    for seed in range(boards):
        rng = np.random.default_rng(seed)
        cluster = np.repeat(np.arange(15), 4)
        x = rng.normal(size=60)
        y = x + rng.normal(size=60)
        found = paired_correlation(cluster, x, y, **TERMS | {"resamples": 200})
        held += found.low <= truth <= found.high
    assert held / boards > 0.88
