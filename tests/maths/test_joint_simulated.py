"""Intervals of the joint model over simulated boards: how often they hold the truth.

Six agents, strengths between 1 and −1, every pair in both orders; the truth is the joint fit to
expected outcomes of very many scenarios. Bands pass a correct implementation with more than 99 %.
"""

from dataclasses import replace

import numpy as np
import pytest

from arena.maths.bootstrap import draw_weights
from arena.maths.intervals import effective_df, t_margin
from arena.maths.joint.fit import fit
from arena.maths.joint.resamples import one_steps, refits
from arena.maths.joint.rows import merge
from tests.support.outcomes import all_pairs, drawn, with_outcomes
from tests.support.sizes import boards

pytestmark = pytest.mark.slow

THETA = np.linspace(1, -1, 6)
POSITION, LENGTH = 0.5, 0.3
EFFECT = 0.5
BOARDS = boards(250, 1500)


def board(scenarios, rng, *, agents=6, effect=EFFECT):
    """Rows with position and length as covariates, and their leads with scenario effects."""
    rows = all_pairs(agents, scenarios)
    length = rng.normal(0, 0.7, (scenarios, agents))
    longer = length[rows.scenario, rows.first] - length[rows.scenario, rows.second]
    rows = replace(rows, x=np.column_stack([rows.x, longer]))
    ability = np.linspace(1, -1, agents) + rng.normal(0, effect, (scenarios, agents))
    apart = ability[rows.scenario, rows.first] - ability[rows.scenario, rows.second]
    return rows, apart + rows.x @ [POSITION, LENGTH]


def limit():
    """The parameters that a board of very many scenarios would find: effects integrated out."""
    rows, eta = board(1500, np.random.default_rng(99), effect=0.0)
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    away = EFFECT * np.sqrt(2) * nodes[:, None]
    share = (weights / weights.sum()) @ (1 / (1 + np.exp(-eta - away)))
    return fit(with_outcomes(rows, share, 0 * share, 1 - share)).parameters


def held(found, truth, errors, load):
    """Whether each parameter's interval holds the truth; effects have the board's df."""
    strengths = effective_df(load)
    rest = np.repeat(effective_df(load.sum(axis=1, keepdims=True)), len(truth) - len(strengths))
    return np.abs(found - truth) <= t_margin(errors, np.concatenate([strengths, rest]))


def test_intervals_of_strengths_position_and_length_hold_the_truth():
    truth = limit()
    for scenarios in (20, 47):
        inside, stepped = [], []
        for seed in range(BOARDS):
            rng = np.random.default_rng([scenarios, seed])
            rows, eta = board(scenarios, rng)
            rows = merge(drawn(rows, "half", eta, 0.0, rng))
            found = fit(rows)
            errors = np.sqrt(np.diag(found.covariance))
            inside.append(held(found.parameters, truth, errors, rows.load()))
            if seed < BOARDS // 2:
                weights = draw_weights(scenarios, 200, rng)
                spread = one_steps(rows, found, weights).std(axis=0, ddof=1)
                spread *= np.sqrt(scenarios / (scenarios - 1))
                stepped.append(held(found.parameters, truth, spread, rows.load()))
        cover, resampled = np.mean(inside, axis=0), np.mean(stepped, axis=0)
        print(scenarios, "clustered", cover[:6].mean(), cover[6:])
        print(scenarios, "one step ", resampled[:6].mean(), resampled[6:])
        assert 0.92 <= cover[:6].mean() <= 0.975
        assert (cover[6:] >= 0.885).all()
        assert (cover[6:] <= 0.992).all()
        assert 0.91 <= resampled[:6].mean() <= 0.98
        assert (resampled[6:] >= 0.875).all()


@pytest.mark.parametrize(("model", "tau"), [("davidson", np.log(0.6)), ("rao-kupper", np.log(0.5))])
def test_tie_models_recover_the_truth_with_honest_errors(model, tau):
    truth = np.concatenate([THETA, [tau, POSITION, LENGTH]])
    inside, found = [], []
    for seed in range(BOARDS):
        rng = np.random.default_rng([7, seed])
        rows, eta = board(30, rng, effect=0.0)
        rows = merge(drawn(rows, model, eta, tau, rng))
        fitted = fit(rows, model)
        errors = np.sqrt(np.diag(fitted.covariance))
        inside.append(held(fitted.parameters, truth, errors, rows.load()))
        found.append(fitted.parameters)
    cover, off = np.mean(inside, axis=0), np.mean(found, axis=0) - truth
    print(model, "cover", cover[:6].mean(), cover[6:], "off", off)
    assert 0.92 <= cover[:6].mean() <= 0.975
    assert (cover[6:] >= 0.885).all()
    assert (cover[6:] <= 0.992).all()
    # Maximum likelihood is off by some thousandths; the mean of 250 boards varies by as much.
    assert np.abs(off).max() < 0.03


def test_one_step_varies_like_full_refits():
    ratios = []
    for seed in range(boards(3, 12)):
        rng = np.random.default_rng([12, seed])
        rows, eta = board(47, rng, agents=12)
        rows = merge(drawn(rows, "davidson", eta, np.log(0.6), rng))
        for model in ("half", "davidson", "rao-kupper"):
            found = fit(rows, model)
            weights = draw_weights(47, boards(250, 1000), rng)
            errors = np.sqrt(np.diag(found.covariance))
            quick = one_steps(rows, found, weights).std(axis=0, ddof=1)
            full = refits(rows, found, weights).std(axis=0, ddof=1)
            ratios.append([np.mean(quick / full), np.mean(full * np.sqrt(47 / 46) / errors)])
    between, against = np.mean(ratios, axis=0)
    print("one step / refit", between, "refit / clustered", against)
    assert between == pytest.approx(1, abs=0.01)
    assert against == pytest.approx(1, abs=0.06)


def test_ignoring_the_bias_of_position_is_seen_by_the_truth():
    # The same boards without the covariate: strengths shrink beyond what their errors say.
    truth, inside = limit(), []
    for seed in range(boards(60, 300)):
        rng = np.random.default_rng([47, seed])
        rows, eta = board(47, rng)
        rows = drawn(rows, "half", eta + 1.5 * rows.x[:, 0], 0.0, rng)
        found = fit(merge(replace(rows, x=rows.x[:, :0])))
        errors = np.sqrt(np.diag(found.covariance))
        inside.append(held(found.parameters, truth[:6], errors, rows.load()))
    assert np.mean(inside) < 0.5
