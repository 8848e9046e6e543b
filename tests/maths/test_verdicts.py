"""Verdicts by their counts say what the same comparisons say one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.models import choose_model
from arena.maths.rating import Minimum, rate
from arena.maths.tally import Rows
from arena.maths.tallying import tally
from arena.maths.verdicts import Counter, count_rows

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)


@st.composite
def won_or_lost(draw):
    agents, scenarios = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    entry = st.tuples(
        st.integers(0, agents - 1),
        st.integers(1, agents - 1),
        st.integers(0, scenarios - 1),
        st.sampled_from([0.0, 0.5, 1.0]),
    )
    made = draw(st.lists(entry, max_size=40))
    first = np.array([e[0] for e in made], dtype=np.int64)
    share = np.array([e[3] for e in made], dtype=np.float32)
    return Rows(
        first=first,
        second=(first + np.array([e[1] for e in made], dtype=np.int64)) % agents,
        scenario=np.array([e[2] for e in made], dtype=np.int64),
        share=share,
        tie=share == 0.5,
        agents=agents,
        scenarios=scenarios,
    )


def counted(rows):
    return count_rows(rows, rows.scenario, 7)


def same(one, two):
    for name in ("games", "points", "load", "wins", "clear", "met", "parted"):
        left, right = getattr(one, name), getattr(two, name)
        assert (left.shape, left.tobytes()) == (right.shape, right.tobytes()), name


@steady
@given(won_or_lost())
def test_counts_hold_what_the_comparisons_hold(rows):
    verdicts = counted(rows)
    assert (verdicts.size, verdicts.even) == (rows.size, rows.even)
    assert verdicts.clustered
    assert rows.clustered
    same(tally(verdicts), tally(rows))
    again = verdicts.entries()
    assert again.tie.tolist() == (again.share == 0.5).tolist()
    assert (counted(again).planes == verdicts.planes).all()


@steady
@given(won_or_lost(), st.data())
def test_a_part_of_the_agents_has_the_same_counts_either_way(rows, data):
    verdicts = counted(rows)
    chosen = data.draw(st.sets(st.integers(0, rows.agents - 1), min_size=1))
    members = np.array(sorted(chosen))
    same(tally(verdicts.within(members)), tally(rows.within(members)))
    for agent in range(rows.agents):
        others = members[members != agent]
        assert verdicts.meetings(agent, others) == rows.meetings(agent, others)


def test_meetings_of_rows_without_scenarios_are_rows():
    alone = Rows(
        first=np.array([0, 0, 1, 2]),
        second=np.array([1, 2, 0, 1]),
        scenario=None,
        share=np.ones(4),
        agents=3,
        scenarios=4,
    )
    assert [alone.meetings(0, np.array(others)) for others in ([1], [2], [1, 2])] == [2, 1, 3]
    assert not alone.clustered


def test_a_number_that_is_too_small_says_so():
    pair = np.zeros(1, dtype=np.uint8), np.ones(1, dtype=np.uint8)
    for kind, fits in ((np.uint8, False), (np.uint16, True)):
        counter = Counter(2, 1, kind)
        for _ in range(256):
            counter.add(*pair, np.full(1, 2), np.zeros(1))
        assert (counter.verdicts() is not None) == fits


def test_ratings_are_the_same_to_the_last_bit():
    rng = np.random.default_rng(5)
    first = rng.integers(0, 5, 900)
    second = (first + rng.integers(1, 5, 900)) % 5
    share = rng.choice([0, 0.5, 1], 900).astype(np.float32)
    # The last one never earns a point: a bound is all that can be told.
    share[first == 4], share[second == 4] = 0, 1
    rows = Rows(
        first=first,
        second=second,
        scenario=rng.integers(0, 12, 900),
        share=share,
        tie=share == 0.5,
        agents=5,
        scenarios=12,
    )
    minimum = Minimum(comparisons=30, scenarios=10, interval_scenarios=5, readable=0.8)
    for ties in ("half", "davidson"):
        fit = choose_model(ties=ties, seed=3, resamples=50)
        one, two = (rate(some, None, minimum, fit) for some in (rows, counted(rows)))
        assert one.bound_scenarios[4] == two.bound_scenarios[4] == 12
        for name in ("strengths", "low", "high", "se", "rank_low", "p_holm", "above", "resampled"):
            assert getattr(one, name).tobytes() == getattr(two, name).tobytes(), (ties, name)
