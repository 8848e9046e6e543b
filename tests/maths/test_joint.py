from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from arena.maths.bradley_terry import expected_shares, information, strengths
from arena.maths.joint.design import arrange, assemble, blocks, gradient, leads
from arena.maths.joint.fit import fit, row_derivatives
from arena.maths.joint.outcomes import log_likelihood
from arena.maths.joint.rows import merge, position_columns
from arena.maths.sandwich import clustered_covariance
from tests.support.outcomes import (
    all_pairs,
    expected,
    one_pair,
    random_rows,
    scattered,
    take,
    turned,
    with_outcomes,
)

steady = settings(max_examples=25, deadline=None, derandomize=True, database=None)
MODELS = ("half", "davidson", "rao-kupper")
TIED = MODELS[1:]
TAU = {"half": 0.0, "davidson": np.log(0.6), "rao-kupper": np.log(0.5)}
seeds = st.integers(0, 10_000)


# By hand


@pytest.mark.parametrize(
    ("model", "lead", "tie"),
    [
        # The chances are the shares 6/11, 3/11, 2/11: ν = t/√(wl), κ = √((1/w − 1)(1/l − 1)).
        ("davidson", np.log(6 / 2), 3 / np.sqrt(12)),
        ("rao-kupper", np.log((9 / 2) / (5 / 6)) / 2, np.sqrt(5 / 6 * 9 / 2)),
        ("half", np.log(7.5 / 3.5), None),
    ],
)
def test_two_agents_fit_their_shares_exactly(model, lead, tie):
    found = fit(one_pair([4, 2], [1, 2], [2, 0]), model)
    assert found.strengths == pytest.approx([lead / 2, -lead / 2], abs=1e-10)
    assert found.tie == pytest.approx(tie, abs=1e-10)
    assert found.ties == (tie is not None)


def test_position_of_two_agents_by_hand():
    # Shown first, agent 0 wins 8 of 10; shown second, 4 of 10.
    found = fit(one_pair([8, 4], [0, 0], [2, 6], x=[[1], [-1]]))
    first, second = np.log(8 / 2), np.log(4 / 6)
    assert found.effects == pytest.approx([(first - second) / 2], abs=1e-10)
    assert found.strengths[0] * 2 == pytest.approx((first + second) / 2, abs=1e-10)


# What it is when it is simple


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_ties_and_covariates_it_is_bradley_terry(model, seed):
    rng = np.random.default_rng(seed)
    rows = scattered(5, 8, 200, 0, rng)
    share = rng.choice([0.0, 0.5, 1.0], 200)
    rows = with_outcomes(rows, share, 0 * share, 1 - share)
    found = fit(merge(rows), model)
    wins = rows.points()
    wanted = strengths(wins)
    assert found.strengths == pytest.approx(wanted, abs=1e-8)
    assert found.tie is None
    games, shares = wins + wins.T, expected_shares(wanted)
    assert found.information == pytest.approx(information(wanted, games), abs=1e-8)
    above = rows.win - shares[rows.first, rows.second]
    scores = np.zeros((8, 5))
    np.add.at(scores, (rows.scenario, rows.first), above)
    np.add.at(scores, (rows.scenario, rows.second), -above)
    assert found.scores == pytest.approx(scores, abs=1e-8)
    sandwich = clustered_covariance(scores, information(wanted, games))
    assert found.strength_covariance == pytest.approx(sandwich, abs=1e-8)


def test_a_tie_is_two_halves_under_half_and_not_elsewhere():
    rows = random_rows(3)
    halves = with_outcomes(rows, rows.win + rows.tie / 2, 0 * rows.tie, rows.loss + rows.tie / 2)
    assert fit(halves).parameters == pytest.approx(fit(rows).parameters, abs=1e-9)
    assert np.abs(fit(halves).strengths - fit(rows, "davidson").strengths).max() > 0.01


# The maximum and its derivatives


def likelihood(rows, model, parameters):
    eta = leads(arrange(rows), parameters)
    tau = parameters[rows.agents : rows.agents + 1]
    return log_likelihood(model, eta, tau, rows.win, rows.tie, rows.loss).sum()


@pytest.mark.parametrize("model", MODELS)
def test_gradient_and_information_are_finite_differences_of_the_likelihood(model):
    rows, rng = random_rows(4), np.random.default_rng(4)
    design = arrange(rows)
    at = rng.normal(0, 0.5, rows.agents + (model != "half") + 2)
    slope, curvature = row_derivatives(design, model, at)
    found, matrix = gradient(design, slope), assemble(design, blocks(design, curvature))

    def uphill(where):
        return gradient(design, row_derivatives(design, model, where)[0])

    for place, step in enumerate(np.eye(len(at)) * 1e-5):
        up, down = likelihood(rows, model, at + step), likelihood(rows, model, at - step)
        assert found[place] == pytest.approx((up - down) / 2e-5, abs=1e-5)
        bend = (uphill(at + step) - uphill(at - step)) / 2e-5
        assert matrix[place] == pytest.approx(-bend, abs=1e-6)


@given(seeds)
@steady
@pytest.mark.parametrize("model", MODELS)
def test_scores_sum_to_zero_and_errors_ignore_the_free_constant(model, seed):
    found = fit(random_rows(seed), model)
    one = np.zeros(len(found.parameters))
    one[: found.agents] = 1
    assert np.abs(found.scores.sum(axis=0)).max() < 1e-8
    assert np.abs(found.covariance @ one).max() < 1e-12
    assert np.abs(found.information @ one).max() < 1e-9
    assert found.strengths.sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("seed", [10, 11, 12])
def test_davidson_agrees_with_an_independent_maximiser(seed):
    # Written out anew: odds e^{η/2} : ν : e^{−η/2}, agent 0 at 0.
    rows = random_rows(seed, agents=5)

    def loss(free):
        theta = np.concatenate([[0.0], free[:4]])
        eta = theta[rows.first] - theta[rows.second] + rows.x @ free[5:]
        odds = np.stack([np.exp(eta / 2), np.full(len(eta), np.exp(free[4])), np.exp(-eta / 2)])
        return -(np.stack([rows.win, rows.tie, rows.loss]) * np.log(odds / odds.sum(axis=0))).sum()

    wanted = minimize(loss, np.zeros(7), method="BFGS", options={"gtol": 1e-7}).x
    theta = np.concatenate([[0.0], wanted[:4]])
    found = fit(rows, "davidson")
    assert found.strengths == pytest.approx(theta - theta.mean(), abs=2e-5)
    assert found.tie == pytest.approx(np.exp(wanted[4]), abs=2e-5)
    assert found.effects == pytest.approx(wanted[5:], abs=2e-5)


@pytest.mark.parametrize("seed", [10, 11, 12])
def test_rao_kupper_agrees_with_an_independent_maximiser(seed):
    rows = random_rows(seed, agents=5)

    def loss(free):
        theta = np.concatenate([[0.0], free[:4]])
        eta = theta[rows.first] - theta[rows.second] + rows.x @ free[5:]
        kappa = 1 + np.exp(free[4])
        win, lost = 1 / (1 + kappa * np.exp(-eta)), 1 / (1 + kappa * np.exp(eta))
        chance = np.stack([win, 1 - win - lost, lost])
        return -(np.stack([rows.win, rows.tie, rows.loss]) * np.log(chance)).sum()

    wanted = minimize(loss, np.zeros(7), method="BFGS", options={"gtol": 1e-7}).x
    theta = np.concatenate([[0.0], wanted[:4]])
    found = fit(rows, "rao-kupper")
    assert found.strengths == pytest.approx(theta - theta.mean(), abs=2e-5)
    assert found.tie == pytest.approx(1 + np.exp(wanted[4]), abs=4e-5)
    assert found.effects == pytest.approx(wanted[5:], abs=2e-5)


@pytest.mark.parametrize("model", MODELS)
def test_expected_outcomes_give_the_truth_back(model):
    rng = np.random.default_rng(5)
    rows = scattered(7, 5, 300, 3, rng)
    theta, beta = rng.normal(0, 1, 7), np.array([0.5, -0.3, 0.8])
    theta -= theta.mean()
    eta = theta[rows.first] - theta[rows.second] + rows.x @ beta
    found = fit(expected(rows, model, eta, TAU[model]), model)
    assert found.strengths == pytest.approx(theta, abs=1e-9)
    assert found.effects == pytest.approx(beta, abs=1e-9)
    assert np.abs(found.scores).max() < 1e-9
    if model != "half":
        assert found.parameters[7] == pytest.approx(TAU[model], abs=1e-9)


@pytest.mark.parametrize("model", TIED)
def test_far_starts_and_rare_ties_converge(model):
    # One tie in 2001 rows, then one clear win either way among 1000 ties.
    rare = fit(one_pair([1500, 0], [0, 1], [500, 0]), model)
    assert 0 < rare.tie - (model == "rao-kupper") < 0.01
    often = fit(one_pair([1, 0], [500, 500], [0, 1]), model)
    assert often.strengths == pytest.approx([0, 0], abs=1e-9)
    assert often.tie == pytest.approx(1000 if model == "davidson" else 1001, rel=1e-8)


# Position


def test_position_columns_give_every_judge_its_own():
    signs, judge = np.array([1.0, -1.0, 0.0, -1.0, 1.0]), np.array([0, 2, 1, 0, -1])
    # the last row names no judge: its order is nobody's bias
    assert position_columns(signs, judge, 3).tolist() == [
        [1, 0, 0],
        [0, 0, -1],
        [0, 0, 0],
        [-1, 0, 0],
        [0, 0, 0],
    ]


def test_a_constant_covariate_is_position_where_first_was_shown_first():
    rows = random_rows(7, covariates=1)
    signs = np.where(np.random.default_rng(7).random(len(rows)) < 0.5, 1.0, -1.0)
    by_name = replace(rows, x=signs[:, None])
    shown_first = turned(by_name, signs < 0)
    assert (shown_first.x == 1).all()
    assert fit(shown_first).effects == pytest.approx(fit(by_name).effects, abs=1e-10)


def slope_of(found, theta):
    return found.strengths @ theta / (theta @ theta)


def noiseless(bias):
    """Both orders by judges with that bias each: expected outcomes, signs, judges, strengths."""
    rows = all_pairs(12, 1, orders=2)
    rows = take(rows, np.tile(np.arange(len(rows)), len(bias)))
    judge = np.repeat(np.arange(len(bias)), len(rows) // len(bias))
    theta, signs = np.linspace(1, -1, 12), rows.x[:, 0]
    eta = theta[rows.first] - theta[rows.second] + signs * np.array(bias)[judge]
    return expected(rows, "half", eta), signs, judge, theta


def test_folding_shrinks_the_scale_and_an_effect_of_position_undoes_it():
    rows, _, _, theta = noiseless([0.8])
    folded = fit(replace(rows, x=rows.x[:, :0]))
    assert slope_of(folded, theta) == pytest.approx(0.872, abs=0.001)
    freed = fit(rows)
    assert slope_of(freed, theta) == pytest.approx(1, abs=1e-6)
    assert freed.effects == pytest.approx([0.8], abs=1e-6)


def test_unequal_judges_need_an_effect_of_position_each():
    rows, signs, judge, theta = noiseless([0.0, 1.6])
    common = fit(rows)
    # Two judges of bias 0.8 would be wholly corrected; these are hardly helped.
    assert slope_of(common, theta) == pytest.approx(0.881, abs=0.002)
    each = fit(replace(rows, x=position_columns(signs, judge, 2)))
    assert slope_of(each, theta) == pytest.approx(1, abs=1e-6)
    assert each.effects == pytest.approx([0, 1.6], abs=1e-6)
