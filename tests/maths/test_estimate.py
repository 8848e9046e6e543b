import numpy as np
import pytest

from arena.maths.bootstrap import bootstrap_strengths, covariance, draw_weights
from arena.maths.bradley_terry import information, strengths
from arena.maths.estimate import estimate
from arena.maths.fitted import fit_bradley_terry, fit_crossed, scores
from arena.maths.sandwich import (
    centred_inverse,
    clustered_covariance,
    difference_errors,
    recentre,
)
from arena.maths.tally import Rows
from arena.maths.tallying import tally


@pytest.fixture(scope="module")
def full_rows(simulate):
    return simulate(np.linspace(1, -1, 12), 47, rng=np.random.default_rng(1))


@pytest.fixture(scope="module")
def full_board(full_rows):
    return tally(full_rows)


def _two_agents(shares):
    m = len(shares)
    return Rows(
        first=np.zeros(m, dtype=np.int64),
        second=np.ones(m, dtype=np.int64),
        scenario=np.arange(m),
        share=np.array(shares, dtype=float),
        agents=2,
        scenarios=m,
    )


def test_clustered_error_of_two_agents_by_hand():
    # shares 1, 1, 1, 0: p = 3/4, Σ(y−p)² = 3/4, information n·p·q = 3/4,
    # var(θ_a − θ_b) = 4/3 · (3/4) / (3/4)² = 16/9, so SE = 4/3 and half of it for each rating
    counts = tally(_two_agents([1, 1, 1, 0]))
    theta = strengths(counts.wins)
    v = clustered_covariance(scores(counts, theta), information(theta, counts.total()))
    assert difference_errors(v)[0, 1] == pytest.approx(4 / 3, abs=1e-12)
    assert np.sqrt(np.diag(v)) == pytest.approx([2 / 3, 2 / 3], abs=1e-12)


def test_scores_sum_to_zero_over_scenarios_and_over_agents(full_board):
    u = scores(full_board, strengths(full_board.wins))
    assert np.abs(u.sum(axis=0)).max() < 1e-8
    assert np.abs(u.sum(axis=1)).max() < 1e-12


def test_the_covariance_has_no_part_along_a_common_shift(full_board):
    theta = strengths(full_board.wins)
    h = information(theta, full_board.total())
    v = clustered_covariance(scores(full_board, theta), h)
    assert np.abs(v @ np.ones(12)).max() < 1e-14
    assert centred_inverse(h) == pytest.approx(np.linalg.pinv(h), abs=1e-12)


def test_the_covariance_does_not_depend_on_the_gauge(full_board):
    # fix agent 0 at 0, take the ordinary sandwich of the others, then centre
    theta = strengths(full_board.wins)
    u, h = scores(full_board, theta), information(theta, full_board.total())
    bread = np.zeros((12, 12))
    bread[1:, 1:] = np.linalg.inv(h[1:, 1:])
    fixed = 47 / 46 * bread @ (u.T @ u) @ bread
    everyone = np.ones(12, dtype=bool)
    assert recentre(fixed, everyone) == pytest.approx(clustered_covariance(u, h), abs=1e-10)


def test_a_subset_mean_is_the_gauge_after_recentring(full_board):
    theta = strengths(full_board.wins)
    v = clustered_covariance(scores(full_board, theta), information(theta, full_board.total()))
    subset = np.arange(12) < 5
    moved = recentre(v, subset)
    assert np.abs(moved[:, subset].sum(axis=1)).max() < 1e-14
    assert difference_errors(moved) == pytest.approx(difference_errors(v), abs=1e-12)


@pytest.mark.reported("R34")
def test_bootstrap_and_clustered_errors_agree_on_a_full_board(full_board):
    fitted = fit_bradley_terry(full_board, seed=0, resamples=4000)
    said = estimate(fitted, np.ones(12, dtype=bool))
    ratio = said.se / said.se_clustered
    assert ((ratio > 0.93) & (ratio < 1.08)).all()
    # equally full scenarios: ν = S − 1, for ratings and for differences
    assert fitted.df == pytest.approx(np.full(12, 46.0), abs=1e-9)


@pytest.mark.parametrize("interval", ["bootstrap", "clustered", "percentile", "expanded"])
def test_every_interval_contains_its_estimate(full_board, interval):
    said = estimate(
        fit_bradley_terry(full_board, seed=0, resamples=40),
        np.arange(12) < 5,
        interval=interval,
    )
    assert (said.low <= said.strengths).all()
    assert (said.strengths <= said.high).all()
    between = said.strengths[:, None] - said.strengths
    apart = ~np.eye(12, dtype=bool)
    assert (said.difference_low <= between)[apart].all()
    assert (between <= said.difference_high)[apart].all()


def test_a_lower_level_gives_a_narrower_interval(full_board):
    fitted = fit_bradley_terry(full_board, seed=0, resamples=200)
    for interval in ("bootstrap", "clustered", "percentile", "expanded"):
        wide, narrow = (
            estimate(fitted, np.ones(12, dtype=bool), interval=interval, level=level)
            for level in (0.95, 0.6)
        )
        assert (narrow.high - narrow.low < wide.high - wide.low).all()


def test_simulated_truth_is_recovered(simulate):
    truth = np.linspace(0.8, -0.8, 8)
    rows = simulate(truth, 3000, rng=np.random.default_rng(4), effect=0.0)
    assert strengths(tally(rows).wins) == pytest.approx(truth, abs=0.05)


def test_bootstrap_variance_by_enumeration():
    # 3 draws of 3 scenarios with values 0, 1, 2: bootstrap variance of the sum of values is
    # 3·(2/3) = 2; times S/(S−1) it is 3
    weights = draw_weights(3, 200_000, np.random.default_rng(0))
    total = weights @ np.array([[0.0], [1.0], [2.0]])
    assert covariance(total, 3)[0, 0] == pytest.approx(3, rel=0.02)
    assert (weights.sum(axis=1) == 3).all()


def test_the_same_seed_gives_the_same_resamples(full_board):
    theta = strengths(full_board.wins)
    above = scores(full_board, theta)
    first, second, other = (
        bootstrap_strengths(full_board, theta, above=above, seed=seed, resamples=50)
        for seed in (7, 7, 8)
    )
    assert first.tobytes() == second.tobytes()
    assert not np.array_equal(first, other)
    assert first.sum(axis=1) == pytest.approx(np.zeros(50), abs=1e-12)


def test_the_number_of_threads_changes_no_byte(full_board, monkeypatch):
    theta = strengths(full_board.wins)
    above = scores(full_board, theta)
    monkeypatch.setattr("arena.maths.bootstrap._NUMBERS_AT_ONCE", 66 * 16)
    found = {
        bootstrap_strengths(
            full_board, theta, above=above, seed=7, resamples=150, threads=threads
        ).tobytes()
        for threads in (1, 2, 5)
    }
    assert len(found) == 1


@pytest.mark.reported("R33")
def test_whole_scenarios_are_drawn():
    # ten identical comparisons a scenario say no more than one: the error must not shrink by √10
    once, often = _two_agents([1, 1, 1, 0, 1, 0]), _two_agents([1, 1, 1, 0, 1, 0])
    repeated = Rows(
        first=np.repeat(often.first, 10),
        second=np.repeat(often.second, 10),
        scenario=np.repeat(often.scenario, 10),
        share=np.repeat(often.share, 10),
        agents=2,
        scenarios=6,
    )
    errors = [
        difference_errors(fit_bradley_terry(tally(r), seed=1, resamples=0).covariance)[0, 1]
        for r in (once, repeated)
    ]
    assert errors[0] == pytest.approx(errors[1], abs=1e-12)


def test_only_ties_do_not_vary():
    fitted = fit_bradley_terry(tally(_two_agents([0.5] * 12)), seed=1, resamples=100)
    assert fitted.unvaried.all()
    said = estimate(fitted, np.ones(2, dtype=bool))
    assert np.isnan(said.low).all()
    assert np.isnan(said.p[0, 1])
    assert not fit_bradley_terry(tally(_two_agents([1, 0, 1])), seed=1, resamples=0).unvaried.any()


def test_crossing_a_cluster_with_itself_changes_nothing(full_rows):
    alone = fit_bradley_terry(tally(full_rows), seed=1, resamples=0)
    both = fit_crossed(full_rows, full_rows.scenario)
    assert both.covariance == pytest.approx(alone.covariance, abs=1e-12)
    assert both.df == pytest.approx(alone.df, abs=1e-9)


def test_voters_who_differ_widen_the_intervals_of_crossed_clusters():
    # one voter always says a, the other nearly always b; scenarios say nothing of it
    m = 40
    voter = np.arange(m) % 2
    rows = _two_agents(np.where(voter == 0, 1.0, np.arange(m) % 20 == 1))
    by_scenario = fit_bradley_terry(tally(rows), seed=1, resamples=0)
    crossed = fit_crossed(rows, voter)
    assert (
        difference_errors(crossed.covariance)[0, 1]
        > 2 * difference_errors(by_scenario.covariance)[0, 1]
    )
    assert crossed.clusters == 2
