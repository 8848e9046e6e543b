"""Two orders fold into one comparison, or into none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.verdict import ORDERS, POINT_OF_A, Outcome, fold

A, B, TIE = Outcome.A, Outcome.B, Outcome.TIE
SWAP = {A: B, B: A, TIE: TIE}
OUTCOMES = st.sampled_from(list(Outcome))

# The share is the mean of what a earned in either order: a win 1, a tie ½, a loss 0.
SHARES = [
    (A, A, 1.0),
    (A, TIE, 0.75),
    (TIE, A, 0.75),
    (TIE, TIE, 0.5),
    (A, B, 0.5),
    (B, A, 0.5),
    (B, TIE, 0.25),
    (TIE, B, 0.25),
    (B, B, 0.0),
]


@pytest.mark.parametrize(("forward", "backward", "share"), SHARES)
def test_the_share_is_the_mean_over_both_orders(forward, backward, share):
    assert fold(forward, backward) == share


def test_every_pair_of_outcomes_is_in_the_table():
    assert {(f, b) for f, b, _ in SHARES} == {(f, b) for f in Outcome for b in Outcome}
    assert set(POINT_OF_A) == set(Outcome)
    assert ORDERS == ("ab", "ba")


@given(OUTCOMES, OUTCOMES)
def test_swapping_sides_maps_share_to_one_minus_share(forward, backward):
    assert fold(SWAP[forward], SWAP[backward]) == 1 - fold(forward, backward)


@given(OUTCOMES, OUTCOMES)
def test_which_order_came_first_does_not_matter(forward, backward):
    assert fold(forward, backward) == fold(backward, forward)


@given(st.none() | OUTCOMES)
@pytest.mark.reported("R23")
def test_a_missing_order_never_yields_a_comparison(other):
    assert fold(None, other) is None
    assert fold(other, None) is None


@given(OUTCOMES, OUTCOMES)
def test_a_share_is_always_between_nought_and_one(forward, backward):
    assert 0 <= fold(forward, backward) <= 1
