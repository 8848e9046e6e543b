import numpy as np

from arena.maths.cycles import complete_triads, cyclic_triads


def _shares(k, *wins):
    shares = np.full((k, k), np.nan)
    for winner, loser in wins:
        shares[winner, loser], shares[loser, winner] = 0.75, 0.25
    return shares


def test_a_cycle_is_found_once_in_its_direction():
    assert cyclic_triads(_shares(3, (0, 2), (2, 1), (1, 0))).tolist() == [[0, 2, 1]]
    assert cyclic_triads(_shares(3, (0, 1), (1, 2), (2, 0))).tolist() == [[0, 1, 2]]


def test_an_order_has_no_cycle_and_neither_have_ties_or_gaps():
    assert len(cyclic_triads(_shares(3, (0, 1), (1, 2), (0, 2)))) == 0
    assert len(cyclic_triads(_shares(3, (0, 1), (1, 2)))) == 0
    tied = _shares(3, (0, 1), (1, 2))
    tied[0, 2] = tied[2, 0] = 0.5
    assert len(cyclic_triads(tied)) == 0
    assert cyclic_triads(np.empty((0, 0))).shape == (0, 3)


def test_the_number_of_cycles_in_a_regular_tournament():
    # 5 agents, each beats the next two: 5·4·6/24 = 5 cycles of 10 triads
    shares = _shares(5, *[(i, (i + d) % 5) for i in range(5) for d in (1, 2)])
    assert len(cyclic_triads(shares)) == 5
    assert complete_triads(~np.isnan(shares)) == 10
