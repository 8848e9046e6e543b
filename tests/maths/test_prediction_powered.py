import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import ArenaError
from arena.maths.bradley_terry import expected_shares, information, strengths
from arena.maths.prediction_powered import Labelled, prediction_powered
from arena.maths.sandwich import centred_inverse, clustered_covariance

steady = settings(max_examples=25, deadline=None, derandomize=True, database=None)
NAN = math.nan
K, S = 4, 20
FIRST, SECOND = np.triu_indices(K, 1)


def board(seed=0, *, agents=K, scenarios=S, probability=0.4, bias=0.4, skill=0.8):
    """A full board; the judge repeats people with chance `skill` and favours agent 0."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(agents, 1)
    theta = np.linspace(0.6, -0.6, agents)
    apart = theta[i] - theta[j] + rng.normal(0, 0.4, (scenarios, len(i)))
    human = rng.binomial(2, 1 / (1 + np.exp(-apart))).ravel() / 2
    alone = rng.binomial(2, 1 / (1 + np.exp(-apart - bias * (i == 0)))).ravel() / 2
    judge = np.where(rng.random(len(human)) < skill, human, alone)
    chance = np.broadcast_to(probability, human.shape)
    return Labelled(
        first=np.tile(i, scenarios),
        second=np.tile(j, scenarios),
        scenario=np.repeat(np.arange(scenarios), len(i)),
        judge=judge,
        human=np.where(rng.random(len(human)) < chance, human, NAN),
        probability=probability,
        agents=agents,
    )


def wins(data, share, weight=1.0):
    """Points of i against j where `share` is known, shape (K, K)."""
    k, seen = data.agents, ~np.isnan(share)
    weight = np.broadcast_to(weight, share.shape)[seen]
    found = np.zeros((k, k))
    np.add.at(found, (data.first[seen], data.second[seen]), weight * share[seen])
    np.add.at(found, (data.second[seen], data.first[seen]), weight * (1 - share[seen]))
    return found


def by_scenario(data, values):
    found = np.zeros((int(data.scenario.max()) + 1, data.agents))
    np.add.at(found, (data.scenario, data.first), values)
    np.add.at(found, (data.scenario, data.second), -values)
    return found


def scores(data, theta):
    """a_s and b_s as the specification writes them."""
    p = expected_shares(theta)[data.first, data.second]
    label = np.where(np.isnan(data.human), 0, 1) / data.probability
    above = np.where(label > 0, data.human, 0) - p
    return by_scenario(data, label * above), by_scenario(data, (1 - label) * (data.judge - p))


@pytest.mark.parametrize("seed", range(5))
def test_labels_that_repeat_the_judge_give_the_judges_board(seed):
    data = board(seed)
    data = replace(data, human=np.where(np.isnan(data.human), NAN, data.judge))
    found = prediction_powered(data, tuning=1.0)
    theta = strengths(wins(data, data.judge))
    assert found.strengths == pytest.approx(theta, abs=1e-9)
    p = expected_shares(theta)
    games = np.full((K, K), S) - S * np.eye(K)
    residual = by_scenario(data, data.judge - p[data.first, data.second])
    covariance = clustered_covariance(residual, information(theta, games))
    assert found.covariance == pytest.approx(covariance, abs=1e-9)


@pytest.mark.parametrize("probability", [0.3, 0.6, 1.0])
def test_without_the_judge_and_at_constant_odds_it_is_the_board_of_people(probability):
    data = board(1, probability=probability)
    found = prediction_powered(data, tuning=0.0)
    human = wins(data, data.human)
    theta = strengths(human)
    assert found.strengths == pytest.approx(theta, abs=1e-9)
    seen = ~np.isnan(data.human)
    p = expected_shares(theta)[data.first, data.second]
    residual = by_scenario(data, np.where(seen, np.nan_to_num(data.human) - p, 0))
    covariance = clustered_covariance(residual, information(theta, human + human.T))
    assert found.covariance == pytest.approx(covariance, abs=1e-9)


def test_without_the_judge_at_uneven_odds_people_are_weighted_by_them():
    chance = np.tile(np.linspace(0.3, 1, len(FIRST)), S)
    data = board(2, probability=chance)
    data = replace(data, human=np.where(chance == 1, data.judge, data.human))
    found = prediction_powered(data, tuning=0.0)
    assert found.strengths == pytest.approx(strengths(wins(data, data.human, 1 / chance)), abs=1e-9)


@steady
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_the_estimating_equation_holds_at_the_answer(seed, tuning):
    data = board(seed, probability=np.tile(np.linspace(0.4, 0.9, len(FIRST)), S))
    found = prediction_powered(data, tuning=tuning)
    assert found.rated.all()
    a, b = scores(data, found.strengths)
    assert np.abs((a + tuning * b).sum(axis=0)).max() < 1e-8
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert found.covariance @ np.ones(K) == pytest.approx(np.zeros(K), abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_lambda_is_two_rounds_of_its_formula(seed):
    data = board(seed, skill=0.6)
    tuning = 1.0
    for _ in range(2):
        theta = prediction_powered(data, tuning=tuning).strengths
        label = np.where(np.isnan(data.human), 0, 1) / data.probability
        weight = tuning + (1 - tuning) * label
        pairs = wins(data, np.ones(len(weight)), weight)
        inverse = centred_inverse(information(theta, pairs + pairs.T))
        a, b = (x - x.mean(axis=0) for x in scores(data, theta))
        above, below = np.trace(inverse @ a.T @ b @ inverse), np.trace(inverse @ b.T @ b @ inverse)
        tuning = min(1.0, max(0.0, -above / below))
    found = prediction_powered(data)
    assert found.tuning == pytest.approx(tuning, abs=1e-9)
    assert found.strengths == pytest.approx(
        prediction_powered(data, tuning=found.tuning).strengths, abs=1e-12
    )


def test_a_better_judge_is_trusted_more_and_narrows_more():
    sharp, dull = (board(3, scenarios=60, probability=0.2, skill=x) for x in (0.95, 0.0))
    trusted, doubted = prediction_powered(sharp), prediction_powered(dull)
    assert trusted.tuning > 0.7 > 0.45 > doubted.tuning
    narrower = [
        prediction_powered(d).se.mean() / prediction_powered(d, tuning=0.0).se.mean()
        for d in (sharp, dull)
    ]
    assert narrower[0] < 0.75
    assert narrower[0] < narrower[1] < 1.05


def test_a_judge_who_contradicts_people_is_not_used():
    data = board(4)
    reversed_judge = replace(data, judge=1 - np.where(np.isnan(data.human), 0.5, data.human))
    found = prediction_powered(reversed_judge)
    assert found.tuning == 0
    assert found.strengths == pytest.approx(strengths(wins(data, data.human)), abs=1e-9)


def test_where_people_judged_everything_the_judge_does_not_matter():
    data = board(5, probability=1.0)
    found = prediction_powered(data)
    other = prediction_powered(replace(data, judge=1 - data.judge))
    assert found.tuning == other.tuning == 0
    assert found.strengths == pytest.approx(strengths(wins(data, data.human)), abs=1e-9)
    assert other.se == pytest.approx(found.se, abs=1e-12)


@steady
@given(st.integers(0, 10_000), st.permutations(range(K)))
def test_names_sides_and_order_of_rows_do_not_matter(seed, names):
    data, name = board(seed), np.array(names)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(data.judge))
    turned = rng.random(len(order)) < 0.5
    first, second = name[data.first], name[data.second]
    other = Labelled(
        first=np.where(turned, second, first)[order],
        second=np.where(turned, first, second)[order],
        scenario=(7 * data.scenario + 3)[order],
        judge=np.where(turned, 1 - data.judge, data.judge)[order],
        human=np.where(turned, 1 - data.human, data.human)[order],
        probability=np.full(len(order), data.probability),
        agents=K,
    )
    plain, same = prediction_powered(data), prediction_powered(other)
    assert same.tuning == pytest.approx(plain.tuning, abs=1e-8)
    assert same.strengths[name] == pytest.approx(plain.strengths, abs=1e-8, nan_ok=True)
    assert same.margin[name] == pytest.approx(plain.margin, abs=1e-8, nan_ok=True)


def test_the_reference_moves_strengths_and_not_differences():
    data = board(6)
    plain = prediction_powered(data)
    anchored = prediction_powered(data, reference=np.array([True, False, False, False]))
    assert anchored.strengths == pytest.approx(plain.strengths - plain.strengths[0])
    assert (anchored.strengths[0], anchored.se[0]) == pytest.approx((0, 0), abs=1e-9)
    assert math.isnan(anchored.margin[0])
    for said in (plain, anchored):
        v = said.covariance
        apart = np.diag(v)[:, None] + np.diag(v) - 2 * v
        assert apart[1, 2] == pytest.approx(
            plain.covariance[1, 1] + plain.covariance[2, 2] - 2 * plain.covariance[1, 2]
        )


def without(data, agent):
    kept = (data.first != agent) & (data.second != agent)
    return replace(
        data,
        **{
            name: getattr(data, name)[kept]
            for name in ("first", "second", "scenario", "judge", "human")
        },
    )


@pytest.mark.parametrize("fault", ["never shown to people", "undefeated by people", "pointless"])
@pytest.mark.parametrize("tuning", [None, 0.0, 1.0])
def test_an_agent_people_cannot_place_has_no_number_and_moves_nobody(fault, tuning):
    data = board(7, probability=0.5)
    last = data.second == K - 1
    says = {"never shown to people": NAN, "undefeated by people": 0.0, "pointless": 1.0}[fault]
    human = np.where(last & ~np.isnan(data.human), says, data.human)
    found = prediction_powered(replace(data, human=human), tuning=tuning)
    assert found.rated.tolist() == [True, True, True, False]
    assert np.isnan([found.strengths[-1], found.se[-1], found.margin[-1]]).all()
    assert np.isnan(found.covariance[-1]).all()
    alone = prediction_powered(without(data, K - 1), tuning=tuning)
    assert found.strengths[:-1] == pytest.approx(alone.strengths[:-1], abs=1e-9)
    assert found.margin[:-1] == pytest.approx(alone.margin[:-1], abs=1e-9)
    assert (found.tuning, found.labelled) == (pytest.approx(alone.tuning), alone.labelled)


def test_a_reference_of_unrated_agents_is_not_used():
    data = board(7)
    human = np.where(data.second == K - 1, NAN, data.human)
    only_last = np.arange(K) == K - 1
    found = prediction_powered(replace(data, human=human), reference=only_last)
    assert found.strengths[:-1].sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("human", [NAN, 1.0], ids=["no labels", "first always wins"])
def test_people_who_identify_nobody_give_no_board(human):
    data = board(8)
    found = prediction_powered(replace(data, human=np.where(np.isnan(data.human), NAN, human)))
    assert not found.rated.any()
    assert np.isnan(found.strengths).all()
    assert np.isnan(found.covariance).all()
    assert math.isnan(found.tuning)


def test_under_ten_labelled_scenarios_there_is_no_interval():
    data = board(9, probability=0.9)
    for labelled in (9, 10):
        human = np.where(data.scenario < labelled, data.human, NAN)
        found = prediction_powered(replace(data, human=human, probability=0.9 * labelled / S))
        assert found.rated.all()
        assert np.isfinite(found.strengths).all()
        assert (found.labelled_scenarios, found.df) == (labelled, labelled - 1)
        assert np.isfinite(found.margin).all() == np.isfinite(found.se).all() == (labelled == 10)
    # t_{.975, 9} = 2.2622
    assert found.margin == pytest.approx(2.2622 * found.se, rel=1e-4)


def test_one_scenario_is_rated_without_an_interval():
    rows = {"first": [0, 1, 2, 0], "second": [1, 2, 0, 1], "scenario": [5, 5, 5, 5]}
    data = Labelled(
        **{name: np.array(values) for name, values in rows.items()},
        judge=np.array([1, 0.5, 0, 1]),
        human=np.array([1, 1, 1, NAN]),
        probability=0.5,
        agents=3,
    )
    found = prediction_powered(data)
    assert np.isfinite(found.strengths).all()
    assert np.isnan(found.se).all()


def overruled():
    """Judge: 20 ties. People, asked with chance .1: 4 to 1, which weighs 10 each."""
    human = np.full(20, NAN)
    human[:5] = [1, 1, 1, 1, 0]
    return Labelled(
        first=np.zeros(20, dtype=np.int64),
        second=np.ones(20, dtype=np.int64),
        scenario=np.arange(20),
        judge=np.full(20, 0.5),
        human=human,
        probability=0.1,
        agents=2,
    )


def test_a_given_lambda_without_a_finite_root_is_an_error():
    # λ = 1: W* = 10 + 10 · (4 · .5 − .5) = 25 points of n* = 20
    with pytest.raises(ArenaError, match="no finite"):
        prediction_powered(overruled(), tuning=1.0)


def test_an_estimated_lambda_finds_a_root_all_the_same():
    found = prediction_powered(overruled())
    assert 0 <= found.tuning < 1
    assert np.isfinite(found.strengths).all()
    human = prediction_powered(overruled(), tuning=0.0)
    assert human.strengths == pytest.approx([math.log(4) / 2, -math.log(4) / 2], abs=1e-9)


def test_single_weights_beyond_their_bounds_are_no_obstacle():
    # λ = 1, π = .25: W* = f + 4(y − f) is −3 or 4 of n* = 1 wherever people disagree.
    data = board(10, scenarios=60, probability=0.25)
    found = prediction_powered(data, tuning=1.0)
    label = np.where(np.isnan(data.human), 0, 4)
    points = data.judge + label * (np.nan_to_num(data.human) - data.judge)
    assert (points < 0).any()
    assert (points > 1).any()
    p = expected_shares(found.strengths)[data.first, data.second]
    assert np.abs(by_scenario(data, points - p).sum(axis=0)).max() < 1e-8


@pytest.mark.parametrize("probability", [0.0, -0.1, 1.5, NAN, math.inf])
def test_an_unknown_or_impossible_labelling_probability_is_refused(probability):
    with pytest.raises(ArenaError, match="labelling probability"):
        prediction_powered(replace(board(), probability=probability))
    chance = np.full(len(board().judge), 0.4)
    chance[3] = probability
    with pytest.raises(ArenaError, match="labelling probability"):
        prediction_powered(replace(board(), probability=chance))


def test_a_comparison_certain_to_be_labelled_must_have_a_label():
    with pytest.raises(ArenaError, match="certain"):
        prediction_powered(replace(board(), probability=1.0))


@pytest.mark.parametrize("share", [-0.01, 1.01, NAN, math.inf])
def test_shares_outside_their_range_are_refused(share):
    judge = board().judge.copy()
    judge[0] = share
    with pytest.raises(ArenaError, match="share"):
        prediction_powered(replace(board(), judge=judge))


@pytest.mark.parametrize("tuning", [-0.1, 1.1, NAN])
def test_lambda_outside_its_range_is_refused(tuning):
    with pytest.raises(ArenaError, match="λ"):
        prediction_powered(board(), tuning=tuning)


def test_a_weight_stands_in_the_place_of_one_over_the_probability():
    data = board(3)
    weight = np.where(np.isnan(data.human), NAN, 1 / 0.4)
    found = prediction_powered(replace(data, probability=0.5, weight=weight))
    told = prediction_powered(data)
    assert found.tuning == told.tuning
    assert np.array_equal(found.strengths, told.strengths)
    assert np.array_equal(found.covariance, told.covariance)
    with pytest.raises(ArenaError, match="stand for more than none"):
        prediction_powered(replace(data, weight=np.where(np.isnan(data.human), NAN, 0.0)))
