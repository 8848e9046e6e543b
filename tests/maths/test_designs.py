"""Designs: exact budgets, equal loads, and nothing but the arguments."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.designs.adaptive import first_round, next_round
from arena.maths.designs.choosing import (
    cells_with,
    choose_even,
    choose_informed,
    choose_random,
    choose_weighted,
    default_budget,
    default_design,
    every_cell,
    in_looks,
)
from arena.maths.designs.informed import closeness, informed_shares
from arena.maths.designs.placing import apportion, draw, pairs_of, round_robin

SIZES = {"agents": st.integers(2, 9), "scenarios": st.integers(1, 12), "seed": st.integers(0, 999)}


def rng(seed=0):
    return np.random.default_rng(seed)


def scores_of(agents, scenarios, seed=0):
    """Rubric scores of agents far apart, some of them missing."""
    draw = rng(seed)
    scores = np.linspace(9, 0, agents) + draw.normal(0, 0.5, (scenarios, agents))
    scores[draw.random(scores.shape) < 0.2] = np.nan
    return scores


def rounds(open_cells, *, budget, rng):
    """The adaptive design on strengths that no verdict moves."""
    agents, _, _ = pairs_of(open_cells.shape[1])
    taken = first_round(open_cells, rng)
    return taken | next_round(
        open_cells,
        np.linspace(2, -2, agents),
        np.full((agents, agents), 0.4),
        batch=max(0, budget - int(taken.sum())),
        rng=rng,
        taken=taken,
    )


def informed(open_cells, *, budget, rng):
    agents, _, _ = pairs_of(open_cells.shape[1])
    scores = scores_of(agents, len(open_cells))
    return choose_informed(open_cells, scores, budget=budget, rng=rng)


DESIGNS = {"even": choose_even, "random": choose_random, "informed": informed}
EVERY = [*DESIGNS.values()]


def loads(cells):
    """Comparisons of each agent in each scenario, shape (S, K)."""
    agents, first, second = pairs_of(cells.shape[1])
    return np.stack(
        [cells[:, (first == i) | (second == i)].sum(axis=1) for i in range(agents)], axis=1
    )


@pytest.mark.parametrize("design", EVERY, ids=DESIGNS)
@given(**SIZES, part=st.floats(0, 1.3))
def test_exactly_the_budget_comes_back_from_open_cells(design, agents, scenarios, seed, part):
    open_cells = every_cell(agents, scenarios) & (rng(seed).random((scenarios, 1)) < 0.9)
    open_cells &= rng(seed + 1).random(open_cells.shape) < 0.9
    budget = round(part * open_cells.sum())
    chosen = design(open_cells, budget=budget, rng=rng(seed))
    assert chosen.sum() == min(budget, open_cells.sum())
    assert not (chosen & ~open_cells).any()


@given(**SIZES, part=st.floats(0, 1.3))
def test_a_round_adds_exactly_its_batch_and_repeats_nothing(agents, scenarios, seed, part):
    open_cells = every_cell(agents, scenarios)
    taken = choose_random(open_cells, budget=open_cells.size // 3, rng=rng(seed))
    left = open_cells.size - taken.sum()
    draw = rng(seed)
    errors = np.where(draw.random((agents, agents)) < 0.2, np.nan, 0.3)
    strengths = draw.normal(0, 2, agents)
    batch = round(part * left)
    new = next_round(open_cells, strengths, errors, batch=batch, rng=draw, taken=taken)
    assert new.sum() == min(batch, left)
    assert not (new & taken).any()


@pytest.mark.parametrize("design", [*EVERY, rounds], ids=[*DESIGNS, "adaptive"])
def test_the_same_seed_gives_the_same_cells_and_another_seed_others(design):
    open_cells = every_cell(12, 20)
    once, again, other = (design(open_cells, budget=440, rng=rng(seed)) for seed in (5, 5, 6))
    assert (once == again).all()
    assert (once != other).any()
    assert open_cells.all()


@given(**SIZES, part=st.floats(0, 1))
def test_even_gives_all_pairs_the_same_but_for_one(agents, scenarios, seed, part):
    open_cells = every_cell(agents, scenarios)
    counts = choose_even(open_cells, budget=round(part * open_cells.size), rng=rng(seed)).sum(0)
    assert counts.max() - counts.min() <= 1


@pytest.mark.parametrize(("agents", "scenarios"), [(7, 20), (8, 10), (12, 20), (13, 47)])
def test_even_loads_every_agent_alike_in_every_scenario(agents, scenarios):
    open_cells = every_cell(agents, scenarios)
    for seed in range(10):
        chosen = choose_even(open_cells, budget=default_budget(open_cells.size), rng=rng(seed))
        load = loads(chosen)
        # The mean is not whole, so that nearly 1 either way is the least that can be.
        assert np.abs(load - load.mean()).max() < 2
        assert np.ptp(load.sum(axis=0)) <= 2
        assert np.ptp(chosen.sum(axis=1)) <= 2
        scattered = loads(choose_random(open_cells, budget=chosen.sum(), rng=rng(seed)))
        assert load.var() < 0.35 * scattered.var()


@given(agents=st.integers(2, 15), seed=st.integers(0, 999))
def test_rounds_of_a_tournament(agents, seed):
    pairs = agents * (agents - 1) // 2
    order = np.argsort(round_robin(pairs, rng(seed)))
    assert sorted(order) == list(range(pairs))
    _, first, second = pairs_of(pairs)
    size = agents // 2
    for start in range(0, pairs, size):
        met = [*first[order[start : start + size]], *second[order[start : start + size]]]
        assert len(set(met)) == len(met)
    # Two rounds connect everybody: labels spread along the pairs until nothing changes.
    reached = {0}
    for _ in range(agents):
        for pair in order[: 2 * size]:
            ends = {int(first[pair]), int(second[pair])}
            reached |= ends if ends & reached else set()
    assert reached == set(range(agents)) or agents == 2


def test_apportion_by_hand():
    # 10 by 5 : 3 : 2 : 0; then the first may take 2 only, and 3 : 2 share its excess: 4.8, 3.2
    weights, room = np.array([5.0, 3, 2, 0, 0, 0]), np.full(6, 10)
    assert apportion(weights, room, 10, rng()).tolist() == [5, 3, 2, 0, 0, 0]
    room[0] = 2
    assert apportion(weights, room, 10, rng()).tolist() == [2, 5, 3, 0, 0, 0]
    # weightless pairs are served once the others are full
    room[:] = 1
    assert apportion(weights, room, 3, rng()).tolist() == [1, 1, 1, 0, 0, 0]
    assert apportion(weights, room, 5, rng()).sum() == 5


@given(
    weights=st.lists(st.floats(0, 1e6), min_size=10, max_size=10),
    room=st.lists(st.integers(0, 20), min_size=10, max_size=10),
    budget=st.integers(0, 250),
)
def test_apportion_keeps_sum_room_and_order(weights, room, budget):
    heavy, most = np.array(weights), np.array(room)
    counts = apportion(heavy, most, budget, rng())
    assert counts.sum() == min(budget, most.sum())
    assert (counts >= 0).all()
    assert (counts <= most).all()
    unfilled = counts < most
    for pair in np.flatnonzero(unfilled):
        lighter = heavy < heavy[pair]
        assert (counts[lighter] <= counts[pair] + 1).all()


@given(
    weights=st.lists(st.floats(0, 1e6), min_size=10, max_size=10),
    room=st.lists(st.integers(0, 20), min_size=10, max_size=10),
    budget=st.integers(0, 250),
    seed=st.integers(0, 999),
)
def test_draws_keep_sum_and_room(weights, room, budget, seed):
    most = np.array(room)
    counts = draw(np.array(weights), most, budget, rng(seed))
    assert counts.sum() == min(budget, most.sum())
    assert (counts >= 0).all()
    assert (counts <= most).all()


def test_a_draw_gives_every_pair_its_due_on_average():
    # 3 by 8 : 4 : 2 : 1 : 0 : 0, and the first has room for 1: due 1, then 2 by 4 : 2 : 1
    weights, room = np.array([8.0, 4, 2, 1, 0, 0]), np.array([1, 9, 9, 9, 9, 9])
    source = rng()
    drawn = np.array([draw(weights, room, 3, source) for _ in range(4000)])
    due = np.array([1, 8 / 7, 4 / 7, 2 / 7, 0, 0])
    assert drawn.mean(axis=0) == pytest.approx(due, abs=0.03)
    assert (drawn >= np.floor(due)).all()
    assert (drawn <= np.ceil(due)).all()


def test_closeness_by_hand():
    # differences 0 and 2 over six scenarios: mean 1, se² = 6·1 / (6·5) = 1/5; means 1 and 0 have
    # variance 1/2, floor² 1/32; z² = 1 / (1/5 + 1/32) = 160/37
    scores = np.array([[0.0, 0], [2, 0]] * 3)
    assert closeness(scores) == pytest.approx(np.exp(-160 / 37 / 4))
    # a third agent without scores counts for nothing and is equal to both
    scores = np.column_stack([scores, np.full(6, np.nan)])
    assert closeness(scores) == pytest.approx([np.exp(-160 / 37 / 4), 1, 1])
    # pairs of which nothing is known are as close as the others are on average: all alike here
    assert informed_shares(scores) == pytest.approx([1 / 3] * 3)


def test_shares_by_hand():
    # a third agent far off: a pair of closeness near, and two of none, to ten decimals
    scores = np.array([[0.0, 0, 100], [2, 0, 100]] * 3)
    near, far, again = closeness(scores)
    assert near > 0.99
    # 0.4 even and 0.6 by closeness; 0 and 1 get a + b each (or a + c), 2 gets b + c
    a, b, c = 0.4 / 3 + 0.6 * np.array([near, far, again]) / (near + far + again)
    drawn = np.sqrt([(a + b) * (a + c), (a + b) * (b + c), (a + c) * (b + c)])
    shares = np.array([a, b, c]) / drawn
    assert informed_shares(scores) == pytest.approx(shares / shares.sum())


def test_a_pair_of_which_nothing_is_known_has_the_share_of_even():
    scores = scores_of(6, 40)
    scores[:, 2] = np.nan
    shares, first, second = informed_shares(scores), *pairs_of(15)[1:]
    unknown = (first == 2) | (second == 2)
    weights = np.where(unknown, closeness(scores)[~unknown].mean(), closeness(scores))
    drawn = 0.4 / 15 + 0.6 * weights / weights.sum()
    assert drawn[unknown] == pytest.approx(np.full(5, 1 / 15))
    assert shares.sum() == pytest.approx(1)


def test_closeness_of_too_little_is_that_of_equals():
    scores = scores_of(5, 40)
    scores[4:, 0] = np.nan
    first = pairs_of(10)[1]
    weights = closeness(scores)
    assert (weights[first == 0] == 1).all()
    assert weights[first != 0].max() < 0.9
    assert (closeness(scores[:4]) == 1).all()
    assert closeness(np.linspace(9, 0, 5) + rng().normal(0, 0.5, (5, 5))).max() < 0.9
    assert (closeness(np.full((20, 5), np.nan)) == 1).all()
    assert (closeness(np.full((20, 5), 3.0)) == 1).all()
    assert closeness(np.zeros((20, 1))).shape == informed_shares(np.zeros((20, 1))).shape == (0,)


@given(seed=st.integers(0, 999), scale=st.floats(0.01, 100), shift=st.floats(-50, 50))
def test_closeness_knows_no_unit_and_no_order(seed, scale, shift):
    scores = scores_of(6, 30, seed)
    weights = closeness(scores)
    assert closeness(shift + scale * scores) == pytest.approx(weights, rel=1e-6)
    assert closeness(-scores) == pytest.approx(weights)
    assert closeness(scores[rng(seed).permutation(30)]) == pytest.approx(weights)
    assert closeness(scores[:, ::-1]) == pytest.approx(
        [weights[_pair(6, 5 - j, 5 - i)] for i, j in zip(*np.triu_indices(6, 1), strict=True)]
    )


def _pair(agents, i, j):
    return int(np.flatnonzero((np.triu_indices(agents, 1) == np.array([[i], [j]])).all(axis=0))[0])


def test_informed_asks_close_pairs_more_and_leaves_no_pair_out():
    open_cells, scores = every_cell(12, 20), scores_of(12, 20)
    chosen = choose_informed(open_cells, scores, budget=440, rng=rng())
    counts, _, first, second = chosen.sum(axis=0), *pairs_of(66)
    near, far = counts[second - first == 1], counts[second - first > 6]
    assert near.min() > 2 * far.max()
    assert far.min() >= 2
    assert (loads(chosen) > 0).mean() > 0.95


def test_a_cap_that_binds_is_filled_and_the_rest_spread():
    open_cells, scores = every_cell(12, 20), scores_of(12, 20)
    counts = choose_informed(open_cells, scores, budget=1200, rng=rng()).sum(axis=0)
    assert (counts == 20).sum() > 11
    assert counts.min() > 12
    assert counts.sum() == 1200


@settings(max_examples=30)
@given(seed=st.integers(0, 999), newcomers=st.integers(1, 3))
def test_new_agents_are_planned_without_touching_the_old_board(seed, newcomers):
    new = np.arange(9) >= 9 - newcomers
    joining = cells_with(new, 20)
    taken = choose_even(~joining, budget=200, rng=rng(seed))
    budget, scores = default_budget(int(joining.sum())), scores_of(9, 20)
    even = choose_even(joining, budget=budget, rng=rng(seed), taken=taken)
    by_score = choose_informed(joining, scores, budget=budget, rng=rng(seed), taken=taken)
    _, first, second = pairs_of(36)
    for chosen in (even, by_score):
        assert chosen.sum() == budget
        assert not (chosen & ~joining).any()
        assert (chosen.sum(axis=0)[new[first] | new[second]] > 0).all()
        load = loads(chosen)[:, new]
        assert (np.ptp(load, axis=0) <= 3).all()
        assert (load > 0).all()
    assert np.ptp(even.sum(axis=0)[new[first] | new[second]]) <= 1
    assert np.ptp(loads(even)[:, new].sum(axis=0)) <= 2
    assert np.ptp(loads(even)[:, ~new].sum(axis=0)) <= newcomers
    assert np.ptp(by_score.sum(axis=0)[new[first] | new[second]]) > 3


def test_one_baseline_meets_everybody_in_every_scenario():
    against = cells_with(np.arange(7) == 3, 10)
    load = loads(against)
    assert against.sum() == 60
    assert (load[:, 3] == 6).all()
    assert (np.delete(load, 3, axis=1) == 1).all()


def test_load_of_old_cells_sends_new_ones_elsewhere():
    open_cells = every_cell(6, 10)
    taken = choose_even(open_cells & (np.arange(10) < 5)[:, None], budget=37, rng=rng())
    chosen = choose_even(open_cells, budget=30, rng=rng(), taken=taken)
    assert not chosen[:5].any()
    assert chosen.sum() == 30


@given(**SIZES, looks=st.integers(1, 5))
def test_looks_cut_a_design_into_equal_parts(agents, scenarios, seed, looks):
    open_cells = every_cell(agents, scenarios)
    chosen = choose_even(open_cells, budget=default_budget(open_cells.size), rng=rng(seed))
    parts = in_looks(chosen, looks, rng(seed))
    assert len(parts) == looks
    assert (np.sum(parts, axis=0) == chosen).all()
    sizes = [part.sum() for part in parts]
    assert max(sizes) - min(sizes) <= 1


def test_an_undecided_pair_is_asked_before_a_decided_one():
    strengths, errors = np.array([2.0, 0.1, 0.0, -2.0]), np.full((4, 4), 0.5)
    empty = np.zeros((20, 6), dtype=bool)
    chosen = next_round(every_cell(4, 20), strengths, errors, batch=20, rng=rng(), taken=empty)
    counts = chosen.sum(axis=0)
    assert counts[_pair(4, 1, 2)] > 18
    assert counts[_pair(4, 0, 3)] == 0
    errors[0, 3] = np.nan
    chosen = next_round(every_cell(4, 20), strengths, errors, batch=20, rng=rng(), taken=empty)
    assert chosen.sum(axis=0)[_pair(4, 0, 3)] >= 9


def test_an_uncertain_pair_is_asked_in_proportion_to_its_variance():
    errors = np.full((4, 4), 0.3)
    errors[0, 1] = 0.6
    empty = np.zeros((40, 6), dtype=bool)
    chosen = next_round(every_cell(4, 40), np.zeros(4), errors, batch=45, rng=rng(), taken=empty)
    # four times the variance of each of the other five: 4 parts of 9, and 1 part
    assert chosen.sum(axis=0).tolist() == [20, 5, 5, 5, 5, 5]


def test_defaults():
    assert [default_design(n) for n in (2, 6, 7, 10, 11, 200)] == [
        "all",
        "all",
        "even",
        "even",
        "informed",
        "informed",
    ]
    assert [default_budget(n) for n in (0, 1, 3, 4, 1320)] == [0, 1, 1, 2, 440]
    assert every_cell(1, 5).shape == (5, 0)
    assert choose_weighted(every_cell(1, 5), np.ones(0), budget=3, rng=rng()).shape == (5, 0)
