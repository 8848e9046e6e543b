from dataclasses import replace

import numpy as np
import pytest

from arena.maths.bootstrap import draw_weights
from arena.maths.joint import resamples as joint_resamples
from arena.maths.joint.fit import fit
from arena.maths.joint.resamples import one_steps, refits, resample
from arena.maths.joint.rows import merge, position_columns
from tests.support.outcomes import all_pairs, drawn, random_rows, scattered, take, with_outcomes

MODELS = ("half", "davidson", "rao-kupper")


def repeated(rows, counts):
    """The rows of a resample written out, every drawn scenario as often as it was drawn."""
    return take(rows, np.repeat(np.arange(len(rows)), counts[rows.scenario].astype(int)))


def draws(rows, many, seed=0):
    return draw_weights(rows.scenarios, many, np.random.default_rng(seed))


def by_hand(rows, at):
    """Gradient and information of the rows from one dense matrix, for `half` only."""
    every = np.arange(len(rows))
    z = np.zeros((len(rows), rows.agents))
    z[every, rows.first], z[every, rows.second] = 1, -1
    z = np.hstack([z, rows.x])
    weight = rows.win + rows.tie + rows.loss
    share = 1 / (1 + np.exp(-z @ at))
    uphill = z.T @ (rows.win + rows.tie / 2 - weight * share)
    return uphill, z.T @ (z * (weight * share * (1 - share))[:, None])


@pytest.mark.parametrize("model", MODELS)
def test_the_data_themselves_give_the_fit_back(model):
    rows = merge(random_rows(0))
    fitted = fit(rows, model)
    once = np.ones((1, rows.scenarios))
    for resampling in (one_steps, refits):
        found = resampling(rows, fitted, once, ridge=0.0001)
        assert found[0] == pytest.approx(fitted.parameters, abs=1e-3)
    assert refits(rows, fitted, 3 * once, ridge=1e-9)[0] == pytest.approx(
        fitted.parameters, abs=1e-7
    )


def test_one_step_is_newtons_with_the_resamples_own_information():
    rows = random_rows(1, agents=5)
    fitted = fit(rows)
    at, weights = fitted.parameters, draws(rows, 30)
    found = one_steps(rows, fitted, weights)
    pull = 0.01 * np.concatenate([np.ones(5), (rows.x**2).mean(axis=0)])
    middle = np.concatenate([np.zeros(5), fitted.effects])
    for counts, step in zip(weights, found, strict=True):
        uphill, information = by_hand(repeated(rows, counts), at)
        wanted = at + np.linalg.solve(information + np.diag(pull), uphill - pull * (at - middle))
        assert step == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("model", MODELS)
def test_refits_are_fits_of_the_resamples_written_out(model):
    rows = random_rows(2, agents=3)
    fitted = fit(rows, model)
    weights = draws(rows, 12)
    found = refits(rows, fitted, weights, ridge=1e-9)
    for counts, one in zip(weights, found, strict=True):
        assert one == pytest.approx(fit(repeated(rows, counts), model).parameters, abs=1e-5)


def test_the_ridge_pulls_strengths_to_equality_and_effects_to_the_estimate():
    rows = random_rows(3)
    fitted = fit(rows)
    counts = draws(rows, 1)
    for ridge in (0.01, 1.0):
        found = refits(rows, fitted, counts, ridge=ridge)[0]
        uphill, _ = by_hand(repeated(rows, counts[0]), found)
        assert uphill[:4] == pytest.approx(ridge * found[:4], abs=1e-4)
        typical = (rows.x**2).mean(axis=0)
        assert uphill[4:] == pytest.approx(ridge * typical * (found[4:] - fitted.effects), abs=1e-4)
    huge = refits(rows, fitted, counts, ridge=1e9)[0]
    assert huge == pytest.approx([*np.zeros(4), *fitted.effects], abs=1e-6)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("resampling", [one_steps, refits])
def test_resamples_do_not_depend_on_blocks(model, resampling, monkeypatch):
    rows = merge(random_rows(4))
    fitted, weights = fit(rows, model), draws(rows, 50)
    whole = resampling(rows, fitted, weights)
    assert np.abs(whole[:, :4].sum(axis=1)).max() < 1e-12
    assert whole.shape == (50, len(fitted.parameters))
    monkeypatch.setattr(joint_resamples, "_NUMBERS_AT_ONCE", 300)
    assert resampling(rows, fitted, weights) == pytest.approx(whole, abs=1e-10)


def test_full_refits_up_to_a_limit(monkeypatch):
    rows = merge(random_rows(5))
    fitted, weights = fit(rows), draws(rows, 5)
    assert (resample(rows, fitted, weights) == refits(rows, fitted, weights)).all()
    monkeypatch.setattr(joint_resamples, "REFIT_LIMIT", 5 * len(rows))
    assert (resample(rows, fitted, weights) == refits(rows, fitted, weights)).all()
    monkeypatch.setattr(joint_resamples, "REFIT_LIMIT", 5 * len(rows) - 1)
    assert (resample(rows, fitted, weights) == one_steps(rows, fitted, weights)).all()


def test_a_sparse_board_takes_the_same_steps(monkeypatch):
    # 30 agents, some ten rows a scenario: most pairs never meet in a scenario.
    rng = np.random.default_rng(6)
    rows = scattered(30, 60, 600, 1, rng)
    eta = 0.5 * rows.x[:, 0]
    rows = merge(drawn(rows, "davidson", eta, 0.0, rng))
    fitted, weights = fit(rows, "davidson"), draws(rows, 20)
    kept = []
    packed = joint_resamples._packed
    monkeypatch.setattr(
        joint_resamples, "_packed", lambda pairs: kept.append(packed(pairs)) or kept[-1]
    )
    sparse = one_steps(rows, fitted, weights)
    assert not isinstance(kept[0], np.ndarray)
    monkeypatch.setattr(joint_resamples, "_packed", joint_resamples.dense)
    assert one_steps(rows, fitted, weights) == pytest.approx(sparse, abs=1e-10)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("resampling", [one_steps, refits])
def test_what_a_resample_never_saw_stays_finite(model, resampling):
    # Judge 1 sat in scenario 0 only, agent 3 played there only, and ties were only there.
    rng = np.random.default_rng(7)
    rows = all_pairs(4, 8)
    lone = rows.scenario == 0
    rows = take(rows, np.flatnonzero(lone | ((rows.first != 3) & (rows.second != 3))))
    lone = rows.scenario == 0
    rows = drawn(
        replace(rows, x=position_columns(rows.x[:, 0], lone * 1, 2)), "half", 0.0, 0.0, rng
    )
    luck = rng.random(len(rows))
    tied = lone & (luck < 0.4)
    rows = with_outcomes(
        rows, np.where(tied, 0, rows.win), tied * 1.0, np.where(tied, 0, rows.loss)
    )
    fitted = fit(rows, model)
    without = np.array([[0.0, 2, 1, 1, 1, 1, 1, 1]])
    found = resampling(rows, fitted, without)[0]
    assert np.isfinite(found).all()
    assert np.abs(found).max() < 12
    assert found[-1] == pytest.approx(fitted.effects[1], abs=1e-6)
