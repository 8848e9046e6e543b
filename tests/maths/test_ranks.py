import numpy as np
import pytest
from scipy import stats

from arena.maths.intervals import holm
from arena.maths.ranks import first_shares, orderings, rank_ranges, resample_ranks, spearman


def test_rank_range_by_hand():
    # agent 0 beats both clearly; 1 and 2 cannot be told apart
    p = np.array([[np.nan, 0.001, 0.001], [0.001, np.nan, 0.4], [0.001, 0.4, np.nan]])
    low, high = rank_ranges(np.array([2.0, 0.1, -0.1]), p)
    assert low.tolist() == [1, 2, 2]
    assert high.tolist() == [1, 3, 3]


def test_without_tests_every_rank_is_possible():
    low, high = rank_ranges(np.array([2.0, 0.0]), np.full((2, 2), np.nan))
    assert (low.tolist(), high.tolist()) == ([1, 1], [2, 2])


def test_every_decision_over_all_pairs_lies_inside_both_ranges():
    rng = np.random.default_rng(0)
    for _ in range(50):
        k = 8
        theta = rng.normal(0, 1.5, k)
        p = 2 * stats.norm.sf(np.abs(theta[:, None] - theta))
        low, high = rank_ranges(theta, p)
        upper = np.triu_indices(k, 1)
        decided = holm(p[upper]) <= 0.05
        for i, j in np.column_stack(upper)[decided]:
            better, worse = (i, j) if theta[i] > theta[j] else (j, i)
            assert high[better] < k
            assert low[worse] > 1
        wins = np.zeros((k, k), dtype=bool)
        for i, j in np.column_stack(upper)[decided]:
            better, worse = (i, j) if theta[i] > theta[j] else (j, i)
            wins[better, worse] = True
        assert (high <= k - wins.sum(axis=1)).all()
        assert (low >= 1 + wins.sum(axis=0)).all()


def test_resample_ranks_and_first_places_by_hand():
    drawn = np.array([[3.0, 2.0, 1.0]] * 3 + [[2.0, 3.0, 1.0]])
    ranks, above = orderings(drawn)
    assert ranks.T.tolist() == [[1, 2, 3]] * 3 + [[2, 1, 3]]
    assert above.tolist() == [[0.5, 0.75, 1.0], [0.25, 0.5, 1.0], [0.0, 0.0, 0.5]]
    low, high = resample_ranks(ranks)
    assert (low.tolist(), high.tolist()) == ([1, 1, 3], [2, 2, 3])
    assert first_shares(ranks).tolist() == [0.75, 0.25, 0.0]


def test_equal_agents_share_the_first_place():
    ranks, above = orderings(np.zeros((5, 4)))
    assert (above == 0.5).all()
    assert first_shares(ranks).tolist() == [0.25] * 4
    low, high = resample_ranks(ranks)
    assert low.tolist() == high.tolist() == [1] * 4


def test_spearman_by_hand():
    # Σd² = 0 + 1 + 1 + 0 = 2: 1 − 6·2 / (4·15) = 0.8
    x, y = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])
    assert spearman(x, y) == pytest.approx(0.8)
    tied = np.array([1.0, 1, 2, 5])
    assert spearman(tied, y) == pytest.approx(stats.spearmanr(tied, y).statistic)


def test_spearman_of_too_little_is_none():
    assert spearman(np.array([1.0, 2]), np.array([1.0, 2])) is None
    assert spearman(np.array([1.0, 2, 3]), np.ones(3)) is None
