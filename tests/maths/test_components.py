import numpy as np
import pytest

from arena.maths.components import identify


def _wins(agents, *points):
    wins = np.zeros((agents, agents))
    for winner, loser in points:
        wins[winner, loser] += 1
    return wins


def test_a_cycle_is_one_component():
    found = identify(_wins(3, (0, 1), (1, 2), (2, 0)))
    assert found.component.tolist() == [0, 1, 2]
    assert not (found.unplayed | found.disconnected | found.unbounded).any()


def test_an_undefeated_agent_is_outside_the_component():
    found = identify(_wins(3, (0, 1), (1, 0), (2, 0), (2, 1)))
    assert found.component.tolist() == [0, 1]
    assert found.unbounded.tolist() == [False, False, True]


def test_the_smaller_group_is_disconnected():
    found = identify(_wins(5, (0, 1), (1, 2), (2, 0), (3, 4), (4, 3)))
    assert found.main.tolist() == [0, 1, 2]
    assert found.disconnected.tolist() == [False, False, False, True, True]


def test_of_equally_many_agents_the_more_compared_group_is_rated():
    found = identify(_wins(4, (0, 1), (1, 0), (2, 3), (3, 2), (3, 2)))
    assert found.main.tolist() == [2, 3]
    assert found.component.tolist() == [2, 3]


def test_equally_large_groups_leave_nobody_rated():
    found = identify(_wins(4, (0, 1), (1, 0), (2, 3), (3, 2)))
    assert found.component is None
    assert found.main is None
    assert found.disconnected.all()


def test_equally_large_strong_components_leave_everybody_unbounded():
    found = identify(_wins(4, (0, 1), (1, 0), (2, 3), (3, 2), (0, 2), (1, 3)))
    assert found.component is None
    assert found.unbounded.all()


@pytest.mark.parametrize("agents", [0, 1, 2])
def test_without_comparisons_everybody_is_unplayed(agents):
    found = identify(np.zeros((agents, agents)))
    assert found.component is None
    assert found.unplayed.sum() == agents


def test_an_agent_that_never_plays_leaves_the_others_rated():
    found = identify(_wins(3, (0, 1), (1, 0)))
    assert found.component.tolist() == [0, 1]
    assert found.unplayed.tolist() == [False, False, True]
