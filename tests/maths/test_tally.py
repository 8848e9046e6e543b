from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.bradley_terry import strengths
from arena.maths.fitted import fit_bradley_terry
from arena.maths.pairs import offsets, pair_index, pair_number, to_square
from arena.maths.sandwich import difference_errors
from arena.maths.tally import Rows
from arena.maths.tallying import tally

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)


@st.composite
def piles(draw):
    agents, scenarios = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    entry = st.tuples(
        st.integers(0, agents - 1),
        st.integers(1, agents - 1),
        st.integers(0, scenarios - 1),
        st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
        st.sampled_from([1.0, 0.5]),
    )
    made = draw(st.lists(entry, max_size=30))
    first = np.array([e[0] for e in made], dtype=np.int64)
    step = np.array([e[1] for e in made], dtype=np.int64)
    return Rows(
        first=first,
        second=(first + step) % agents,
        scenario=np.array([e[2] for e in made], dtype=np.int64),
        share=np.array([e[3] for e in made]),
        weight=np.array([e[4] for e in made]) if draw(st.booleans()) else None,
        agents=agents,
        scenarios=scenarios,
    )


def _by_hand(rows):
    k = rows.agents
    wins, clear, met, parted = np.zeros((4, k, k))
    points, load = np.zeros((2, rows.scenarios, k))
    weights = np.ones(len(rows.share)) if rows.weight is None else rows.weight
    for i, j, s, y, w in zip(
        rows.first, rows.second, rows.scenario, rows.share, weights, strict=True
    ):
        wins[i, j] += w * y
        wins[j, i] += w * (1 - y)
        clear[i, j] += y == 1
        clear[j, i] += y == 0
        met[i, j] += 1
        met[j, i] += 1
        parted[[i, j], [j, i]] += w * y * (1 - y)
        points[s, i] += w * y
        points[s, j] += w * (1 - y)
        load[s, [i, j]] += w
    return wins, clear, met, parted, points, load


@steady
@given(piles())
def test_every_count_is_what_counting_by_hand_gives(rows):
    counts = tally(rows)
    wins, clear, met, parted, points, load = _by_hand(rows)
    assert counts.wins == pytest.approx(wins)
    assert (counts.clear == clear).all()
    assert (counts.met == met).all()
    assert counts.parted == pytest.approx(parted)
    assert counts.points == pytest.approx(points)
    assert counts.load == pytest.approx(load)
    assert counts.total() == pytest.approx(to_square(counts.games.sum(axis=0), rows.agents))
    assert (counts.spread() == (load > 0).sum(axis=0)).all()
    assert counts.clusters_used() == (load.sum(axis=1) > 0).sum()


@steady
@given(piles(), st.integers(0, 9))
def test_neither_order_nor_sides_of_the_entries_matter(rows, seed):
    rng = np.random.default_rng(seed)
    order, turn = rng.permutation(len(rows.share)), rng.random(len(rows.share)) < 0.5
    other = Rows(
        first=np.where(turn, rows.second, rows.first)[order],
        second=np.where(turn, rows.first, rows.second)[order],
        scenario=rows.scenario[order],
        share=np.where(turn, 1 - rows.share, rows.share)[order],
        weight=None if rows.weight is None else rows.weight[order],
        agents=rows.agents,
        scenarios=rows.scenarios,
    )
    one, two = tally(rows), tally(other)
    for name in ("games", "points", "load", "wins", "clear", "met"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


@steady
@given(piles(), st.integers(0, 30))
def test_a_file_in_two_parts_counts_as_the_whole(rows, cut):
    first = np.arange(len(rows.share)) < cut
    parts = [
        Rows(
            first=rows.first[m], second=rows.second[m], scenario=rows.scenario[m],
            share=rows.share[m], weight=None if rows.weight is None else rows.weight[m],
            agents=rows.agents, scenarios=rows.scenarios,
        )
        for m in (first, ~first)
    ]  # fmt: skip
    whole, split = tally(rows), [tally(p) for p in parts]
    for name in ("games", "points", "wins", "met"):
        assert sum(getattr(t, name) for t in split) == pytest.approx(getattr(whole, name))


def test_a_sparse_tally_says_what_the_dense_one_says(simulate, monkeypatch):
    rows = simulate(np.linspace(1, -1, 6), 30, rng=np.random.default_rng(3))
    rows = rows.only(np.random.default_rng(1).random(len(rows.share)) < 0.3)
    dense = tally(rows)
    monkeypatch.setattr("arena.maths.tallying._DENSE", 0)
    sparse = tally(rows)
    assert not isinstance(sparse.games, np.ndarray)
    assert sparse.clusters == dense.clusters
    assert (sparse.spans() == dense.spans()).all()
    assert (sparse.spread() == dense.spread()).all()
    one, two = (fit_bradley_terry(t, seed=1, resamples=4000) for t in (dense, sparse))
    assert two.strengths == pytest.approx(one.strengths, abs=1e-12)
    assert two.covariance == pytest.approx(one.covariance, abs=1e-12)
    assert two.df == pytest.approx(one.df, abs=1e-9)
    assert two.difference_df == pytest.approx(one.difference_df, abs=1e-9)
    # other resamples of the same law: standard errors within Monte-Carlo noise of 4000
    assert two.resampled.std(axis=0) == pytest.approx(one.resampled.std(axis=0), rel=0.06)


def test_votes_that_look_alike_are_kept_once_with_their_number():
    rng = np.random.default_rng(5)
    first = rng.integers(0, 4, 5000)
    rows = Rows(
        first=first,
        second=(first + rng.integers(1, 4, 5000)) % 4,
        scenario=None,
        share=rng.choice([0.0, 0.5, 1.0], 5000),
        agents=4,
        scenarios=5000,
    )
    counts = tally(rows)
    assert counts.points.shape[0] <= 18
    assert counts.clusters == 5000
    # rows that are independent: the clustered error is the textbook one within a few per cent
    theta = strengths(counts.wins)
    fitted = fit_bradley_terry(counts, seed=1, resamples=2000)
    boot = difference_errors(np.cov(fitted.resampled.T))
    assert boot[0, 1] == pytest.approx(difference_errors(fitted.covariance)[0, 1], rel=0.08)
    assert fitted.strengths == pytest.approx(theta)


def test_pairs_in_a_row_are_numbered_as_numpy_numbers_them():
    place, begin = pair_index(5), offsets(5)
    for number, (i, j) in enumerate(zip(*np.triu_indices(5, 1), strict=True)):
        assert place[i, j] == place[j, i] == number == begin[i] + j - i - 1
    assert begin.tolist() == [0, 4, 7, 9, 10]
    lower, upper = np.triu_indices(300, 1)
    place = pair_number(lower.astype(np.int32), upper.astype(np.int32), 300)
    assert place.dtype == np.int32
    assert (place == np.arange(len(lower))).all()


def test_what_overflows_a_byte_is_counted_all_the_same():
    # 700 wins, 256 ties and a loss of one agent over another in one scenario
    share = np.repeat([1.0, 0.5, 0.0], [700, 256, 1])
    rows = Rows(
        first=np.zeros(957, dtype=np.int8),
        second=np.ones(957, dtype=np.int8),
        scenario=np.full(957, 1, dtype=np.int8),
        share=share,
        agents=2,
        scenarios=2,
    )
    counts = tally(rows)
    assert counts.games.tolist() == [[0], [957]]
    assert counts.points.tolist() == [[0, 0], [828, 129]]
    assert counts.wins.tolist() == [[0, 828], [129, 0]]
    assert counts.clear.tolist() == [[0, 700], [1, 0]]


@steady
@given(piles())
def test_whole_verdicts_count_as_shares_with_a_weight_of_one(rows):
    whole = replace(rows, share=np.round(rows.share * 2) / 2, weight=None)
    one, two = tally(whole), tally(replace(whole, weight=np.ones(len(rows.share))))
    for name in ("points", "load", "wins", "clear", "met", "parted"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert (one.games == two.games).all()


def test_within_drops_agents_and_empty_scenarios():
    rows = Rows(
        first=np.array([0, 0, 1]),
        second=np.array([1, 2, 2]),
        scenario=np.array([0, 3, 5]),
        share=np.array([1.0, 0.5, 0.0]),
        agents=3,
        scenarios=7,
    )
    inner = rows.within(np.array([0, 2]))
    assert (inner.agents, inner.scenarios, inner.share.tolist()) == (2, 1, [0.5])
    assert tally(rows).clusters_used() == 3
