"""Effects of covariates, and a judge's lean to its own, against what is known."""

from itertools import combinations

import numpy as np
import pytest

from arena.errors import ArenaError
from arena.maths.effects import MOST_LEFT_OUT, fit_effects
from arena.maths.joint.fit import fit
from arena.maths.joint.rows import OutcomeRows, merge
from arena.maths.leaning import fit_leaning
from arena.maths.models import outcome_rows
from arena.maths.tally import Rows
from tests.support.sizes import boards

AGENTS = 5


def rows_of(first, second, scenario, share, scenarios, x=None):
    columns = np.zeros((len(first), 0)) if x is None else x
    return OutcomeRows(
        first=first,
        second=second,
        scenario=scenario,
        win=share,
        tie=np.zeros(len(first)),
        loss=1 - share,
        x=columns,
        agents=AGENTS,
        scenarios=scenarios,
    )


def judged(draw, scenarios, *, sharpness=1.0, lean=0.0, own=(0,)):
    """One judge on all pairs in both orders: first, second, scenario, share, kin."""
    theta = np.linspace(-0.8, 0.8, AGENTS)
    pairs = np.array(list(combinations(range(AGENTS), 2)) * 2)
    first, second = np.tile(pairs, (scenarios, 1)).T
    scenario = np.repeat(np.arange(scenarios), len(pairs))
    kin = np.isin(first, own).astype(float) - np.isin(second, own)
    lead = sharpness * (theta[first] - theta[second]) + lean * kin
    share = (draw.random(len(first)) < 1 / (1 + np.exp(-lead))).astype(float)
    return first, second, scenario, share, kin


def lean_of(draw, scenarios, **judge):
    first, second, scenario, share, _ = judged(draw, scenarios)
    others = rows_of(first, second, scenario, share, scenarios)
    first, second, scenario, share, kin = judged(draw, scenarios, **judge)
    own = rows_of(first, second, scenario, share, scenarios, kin[:, None])
    return fit_leaning(others, own, level=0.95)


@pytest.mark.parametrize("sharpness", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("lean", [0.0, 0.8])
def test_a_lean_is_told_from_strength_and_from_sharpness(sharpness, lean):
    draws = boards(60, 1000)
    found = [
        lean_of(np.random.default_rng(seed), 25, sharpness=sharpness, lean=lean, own=(4,))
        for seed in range(draws)
    ]
    covered = np.mean([abs(f.effect - lean) <= f.margin for f in found])
    assert covered >= boards(0.85, 0.925)
    assert np.mean([f.effect for f in found]) == pytest.approx(lean, abs=0.12)
    for f in found:
        assert (f.p < 0.05) == (abs(f.effect) > f.margin)


def test_two_agents_cannot_tell_a_lean_from_sharpness():
    first, second = np.zeros(40, dtype=np.int64), np.ones(40, dtype=np.int64)
    scenario, share = np.arange(40) % 10, (np.arange(40) % 3 > 0).astype(float)
    rows = rows_of(first, second, scenario, share, 10, np.ones((40, 1)))
    two = OutcomeRows(**{**{k: getattr(rows, k) for k in rows.__slots__}, "agents": 2})
    plain = OutcomeRows(**{**{k: getattr(two, k) for k in two.__slots__}, "x": np.zeros((40, 0))})
    with pytest.raises(ArenaError):
        fit_leaning(plain, two, level=0.95)


def test_a_judge_that_always_takes_its_own_has_no_finite_lean():
    draw = np.random.default_rng(3)
    first, second, scenario, share, _ = judged(draw, 20)
    others = rows_of(first, second, scenario, share, 20)
    first, second, scenario, share, kin = judged(draw, 20)
    share = np.where(kin > 0, 1.0, np.where(kin < 0, 0.0, share))
    with pytest.raises(ArenaError):
        fit_leaning(others, rows_of(first, second, scenario, share, 20, kin[:, None]), level=0.95)


def plain_rows(draw, scenarios, effect=0.0):
    first, second, scenario, _, _ = judged(draw, scenarios)
    size = draw.standard_normal((scenarios, AGENTS))
    x = size[scenario, first] - size[scenario, second]
    wobble = 0.5 * draw.standard_normal((scenarios, AGENTS))
    lead = effect * x + wobble[scenario, first] - wobble[scenario, second]
    share = (draw.random(len(first)) < 1 / (1 + np.exp(-lead))).astype(float)
    rows = Rows(
        first=first,
        second=second,
        scenario=scenario,
        share=share,
        agents=AGENTS,
        scenarios=scenarios,
        tie=np.zeros(len(share)),
    )
    return rows, x[:, None]


def test_effects_are_those_of_the_joint_model():
    rows, x = plain_rows(np.random.default_rng(1), 20, effect=0.4)
    found, other = fit_effects(rows, x, level=0.95), fit(merge(outcome_rows(rows, x)))
    assert found.effects == pytest.approx(other.effects)


def test_with_many_scenarios_jackknife_and_sandwich_agree(monkeypatch):
    rows, x = plain_rows(np.random.default_rng(2), MOST_LEFT_OUT)
    left_out = fit_effects(rows, x, level=0.95).margins
    monkeypatch.setattr("arena.maths.effects.MOST_LEFT_OUT", 1)
    assert left_out == pytest.approx(fit_effects(rows, x, level=0.95).margins, rel=0.05)


def test_an_effect_of_what_belongs_to_transcripts_covers_with_few_scenarios():
    draws = boards(200, 4000)
    missed = 0
    for seed in range(draws):
        rows, x = plain_rows(np.random.default_rng(seed), 12)
        found = fit_effects(rows, x, level=0.95)
        missed += bool(abs(found.effects[0]) > found.margins[0])
    assert missed / draws < boards(0.09, 0.065)


def test_a_covariate_made_of_the_strengths_is_named():
    rows, _ = plain_rows(np.random.default_rng(5), 10)
    kin = (rows.first == 0).astype(float) - (rows.second == 0)
    with pytest.raises(ArenaError) as caught:
        fit_effects(rows, kin[:, None], level=0.95)
    assert caught.value.facts["index"] == 0
