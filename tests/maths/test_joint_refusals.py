from dataclasses import replace

import numpy as np
import pytest

from arena.errors import ArenaError
from arena.maths.joint.fit import fit
from arena.maths.joint.rows import position_columns
from tests.support.outcomes import (
    all_pairs,
    drawn,
    one_pair,
    random_rows,
    turned,
    with_outcomes,
)

MODELS = ("half", "davidson", "rao-kupper")
TIED = MODELS[1:]


def refused(rows, model="half"):
    with pytest.raises(ArenaError) as caught:
        fit(rows, model)
    return caught.value


def with_column(rows, place, values):
    return replace(rows, x=np.insert(rows.x, place, values, axis=1))


def contrast(rows):
    vendor = np.array([1.0, 1.0, 0.0, 0.0])
    return vendor[rows.first] - vendor[rows.second]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("place", "column", "named"),
    [
        (1, contrast, 1),
        (0, contrast, 0),
        (2, lambda rows: 3 * rows.x[:, 0], 2),
        (2, lambda rows: rows.x[:, 0] - 2 * rows.x[:, 1] + contrast(rows), 2),
        (1, lambda rows: np.zeros(len(rows)), 1),
    ],
)
def test_a_covariate_that_adds_nothing_is_named(model, place, column, named):
    rows = random_rows(8)
    error = refused(with_column(rows, place, column(rows)), model)
    assert "cannot be told" in error.what
    assert error.facts["index"] == named


def test_a_constant_is_refused_where_the_same_agent_always_comes_first():
    assert refused(one_pair([3, 4], [0, 0], [2, 2], x=[[1], [1]])).facts["index"] == 0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_unknown_covariate_is_named(bad):
    rows = random_rows(9)
    x = rows.x.copy()
    x[5, 1] = bad
    error = refused(replace(rows, x=x))
    assert "not a finite number" in error.what
    assert error.facts["index"] == 1


@pytest.mark.parametrize("model", MODELS)
def test_a_covariate_that_foretells_every_outcome_is_named(model):
    rows = random_rows(13)
    sure = np.sign(rows.win - rows.loss)
    error = refused(with_column(rows, 1, sure), model)
    assert "no finite estimate" in error.what
    assert error.facts["index"] == 1


def test_a_judge_that_always_took_the_first_shown_is_named():
    rng = np.random.default_rng(14)
    rows, judge = all_pairs(4, 10), rng.integers(0, 3, 120)
    rows = drawn(rows, "half", 0.0 * rows.win, 0.0, rng)
    always = judge == 2
    first = rows.x[:, 0] > 0
    rows = with_outcomes(
        replace(rows, x=position_columns(rows.x[:, 0], judge, 3)),
        np.where(always, first, rows.win),
        rows.tie,
        np.where(always, ~first, rows.loss),
    )
    error = refused(rows)
    assert "no finite estimate" in error.what
    assert error.facts["index"] == 2


def test_one_loss_in_many_is_still_an_estimate():
    found = fit(one_pair([1e5, 1], [0, 0], [1, 1e5], x=[[1], [-1]]))
    assert found.effects == pytest.approx([np.log(1e5)], abs=1e-8)


@pytest.mark.parametrize("model", TIED)
def test_ties_only_and_ties_for_losses_are_refused(model):
    assert "tie parameter" in refused(one_pair([0, 0], [3, 4], [0, 0]), model).what
    assert "tie parameter" in refused(one_pair([5, 5], [3, 4], [0, 0]), model).what
    # Under `half` the same rows have a finite answer.
    assert fit(one_pair([5, 5], [3, 4], [0, 0])).tie is None


@pytest.mark.parametrize("model", MODELS)
def test_agents_that_never_lost_are_refused(model):
    rows = random_rows(15)
    beaten = rows.second == 0
    rows = turned(rows, beaten)
    undefeated = rows.first == 0
    rows = with_outcomes(
        rows,
        np.where(undefeated, 1, rows.win),
        np.where(undefeated, 0, rows.tie),
        np.where(undefeated, 0, rows.loss),
    )
    assert "no finite ratings" in refused(rows, model).what
