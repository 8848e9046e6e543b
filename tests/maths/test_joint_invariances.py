from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.intervals import effective_df
from arena.maths.joint.fit import fit
from arena.maths.joint.rows import merge
from tests.support.outcomes import all_pairs, random_rows, take, turned, with_outcomes

steady = settings(max_examples=25, deadline=None, derandomize=True, database=None)
MODELS = ("half", "davidson", "rao-kupper")
seeds = st.integers(0, 10_000)


def same(one, two, agents=slice(None)):
    assert one.strengths[agents] == pytest.approx(two.strengths, abs=1e-9)
    assert one.tie == pytest.approx(two.tie, abs=1e-9)
    assert one.effects == pytest.approx(two.effects, abs=1e-9)
    assert one.effect_errors == pytest.approx(two.effect_errors, abs=1e-9)
    spread = np.diag(one.strength_covariance)[agents]
    assert spread == pytest.approx(np.diag(two.strength_covariance), abs=1e-9)


@given(seeds, st.permutations(range(4)))
@steady
@pytest.mark.parametrize("model", MODELS)
def test_renaming_agents_renames_their_strengths(model, seed, order):
    rows, order = random_rows(seed), np.array(order)
    renamed = replace(rows, first=order[rows.first], second=order[rows.second])
    same(fit(renamed, model), fit(rows, model), order)


@given(seeds)
@steady
@pytest.mark.parametrize("model", MODELS)
def test_a_row_seen_from_its_other_side_is_the_same_row(model, seed):
    rows = random_rows(seed)
    mask = np.random.default_rng(seed).random(len(rows)) < 0.5
    same(fit(turned(rows, mask), model), fit(rows, model))


@given(seeds)
@steady
@pytest.mark.parametrize("model", MODELS)
def test_merged_rows_give_the_same_bytes_in_any_order_and_from_any_side(model, seed):
    rng = np.random.default_rng(seed)
    rows = random_rows(seed)
    rows = replace(rows, x=np.round(rows.x))
    twice = take(rows, rng.integers(0, len(rows), 2 * len(rows)))
    # Weights whose sums round differently in different orders.
    weight = rng.random(len(twice))
    twice = with_outcomes(twice, twice.win * weight, twice.tie * weight, twice.loss * weight)
    shuffled = turned(take(twice, rng.permutation(len(twice))), rng.random(len(twice)) < 0.5)
    one, two = merge(twice), merge(shuffled)
    assert len(one) < len(twice)
    for name in ("first", "second", "scenario", "win", "tie", "loss", "x"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert len(set(zip(one.scenario, one.first, one.second, *one.x.T, strict=True))) == len(one)
    same(fit(one, model), fit(twice, model))
    assert fit(one, model).covariance.tobytes() == fit(two, model).covariance.tobytes()


@given(seeds, st.floats(0.1, 0.9))
@steady
@pytest.mark.parametrize("model", MODELS)
def test_splitting_the_weight_of_rows_changes_nothing(model, seed, part):
    rows = random_rows(seed)
    both = take(rows, np.tile(np.arange(len(rows)), 2))
    cut = np.repeat([part, 1 - part], len(rows))
    split = with_outcomes(both, both.win * cut, both.tie * cut, both.loss * cut)
    same(fit(split, model), fit(rows, model))
    assert split.load() == pytest.approx(rows.load())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_unit_of_a_covariate_does_not_matter(model, unit):
    rows = random_rows(6)
    one, two = fit(rows, model), fit(replace(rows, x=rows.x * [1, unit]), model)
    assert two.strengths == pytest.approx(one.strengths, abs=1e-9)
    assert two.effects * [1, unit] == pytest.approx(one.effects, abs=1e-9)
    assert two.effect_errors * [1, unit] == pytest.approx(one.effect_errors, abs=1e-9)


def test_merging_no_rows_gives_no_rows():
    assert len(merge(take(random_rows(0), np.zeros(0, dtype=np.int64)))) == 0


def test_loads_give_the_degrees_of_freedom():
    rows = all_pairs(4, 9)
    even = with_outcomes(rows, np.ones(len(rows)), rows.tie, rows.loss)
    assert (even.load() == 6).all()
    assert effective_df(even.load()) == pytest.approx(8)


def test_one_scenario_leaves_errors_unknown():
    found = fit(take(random_rows(1), np.arange(90)))
    alone = fit(replace(random_rows(1), scenario=np.zeros(90, dtype=np.int64), scenarios=1))
    assert alone.parameters == pytest.approx(found.parameters, abs=1e-9)
    assert np.isnan(alone.covariance).all()
    assert np.isnan(alone.effect_errors).all()
