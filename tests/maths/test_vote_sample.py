"""Every comparison has the chance that is written down, and strata get their share."""

import numpy as np
import pytest

from arena.maths.vote_sample import draw_sample


def frame(pairs=6, domains=4, each=5, seed=0):
    rng = np.random.default_rng(seed)
    pair, domain, _ = (a.ravel() for a in np.indices((pairs, domains, each)))
    dispute = rng.choice([0.0, 0.5, 1.0, np.nan], len(pair), p=[0.5, 0.2, 0.2, 0.1])
    return pair, domain, dispute


def test_the_chance_that_is_told_is_the_chance_with_which_one_is_drawn():
    pair, domain, dispute = frame()
    runs, hits = 3000, np.zeros(len(pair))
    for seed in range(runs):
        found = draw_sample(pair, domain, dispute, size=40, share=0.6, seed=seed)
        hits[found.chosen[found.random]] += 1
        assert set(found.probability[found.random]) == {24 / len(pair)}
        assert np.isnan(found.probability[~found.random]).all()
    told = 24 / len(pair)
    # A binomial count leaves 5 standard errors once in a million; there are 120 of them.
    assert np.abs(hits / runs - told).max() < 5 * np.sqrt(told * (1 - told) / runs)


@pytest.mark.parametrize("seed", range(20))
def test_strata_get_their_share_of_the_random_part(seed):
    pair, domain, dispute = frame()
    found = draw_sample(pair, domain, dispute, size=60, share=0.5, seed=seed)
    drawn = found.chosen[found.random]
    assert len(drawn) == 30
    assert np.ptp(np.bincount(pair[drawn], minlength=6)) <= 1
    cells = np.bincount(pair[drawn] * 4 + domain[drawn], minlength=24)
    assert set(cells) <= {1, 2}


def test_what_is_picked_is_what_judges_differ_on_most_one_a_pair_in_turn():
    pair, domain, dispute = frame()
    found = draw_sample(pair, domain, dispute, size=40, share=0.5, seed=3)
    picked = found.chosen[~found.random]
    assert len(set(found.chosen)) == len(found.chosen) == 40
    assert (dispute[picked] > 0).all()
    assert np.ptp(np.bincount(pair[picked], minlength=6)) <= 1
    left = np.setdiff1d(np.arange(len(pair)), found.chosen)
    for one in range(6):
        missed = np.nan_to_num(dispute[left][pair[left] == one], nan=-1)
        assert missed.max() <= dispute[picked][pair[picked] == one].min()


def test_orders_and_places_are_those_of_a_fair_coin():
    pair, domain, dispute = frame(each=40)
    found = draw_sample(pair, domain, dispute, size=960, share=0.5, seed=1)
    assert 0.4 < found.first_ab.mean() < 0.6
    half = len(found.random) // 2
    assert abs(found.random[:half].mean() - found.random[half:].mean()) < 0.15


@pytest.mark.parametrize(("size", "drawn"), [(0, 0), (1, 1), (10_000, 84)])
def test_no_more_than_there_are_and_one_at_random_at_least(size, drawn):
    pair, domain, dispute = frame()
    found = draw_sample(pair, domain, dispute, size=size, share=0.7, seed=0)
    assert found.random.sum() == drawn
    empty = np.array([], dtype=np.int64)
    nothing = draw_sample(empty, empty, empty.astype(float), size=size, share=0.7, seed=0)
    assert len(nothing.chosen) == 0


def test_undisputed_comparisons_are_never_picked():
    pair, domain, _ = frame()
    calm = np.zeros(len(pair))
    found = draw_sample(pair, domain, calm, size=40, share=0.5, seed=0)
    assert found.random.all()
    assert len(found.chosen) == 20
