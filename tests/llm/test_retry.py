"""Waits before another try."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ProviderFault
from arena.llm.retry import FIRST_WAIT, LONGEST_WAIT, wait_before, worth_another_try

RETRY = ProviderFault("retry", "later")
SEEDS = st.integers(0, 2**31)


@pytest.mark.parametrize(
    ("kind", "worth"),
    [("retry", True), ("blocked", False), ("denied", False), ("rejected", False)],
)
def test_only_what_may_pass_is_tried_again(kind, worth):
    assert worth_another_try(ProviderFault(kind, "no")) is worth


@given(st.integers(1, 20), SEEDS, st.text(max_size=8))
def test_waits_double_to_a_limit_within_a_quarter(attempt, seed, key):
    middle = min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)
    wait = wait_before(attempt, RETRY, seed=seed, key=key)
    assert 0.75 * middle <= wait <= 1.25 * middle


def test_the_middles_are_these():
    # 0.5 doubled each time: 0.5, 1, 2, 4, 8, 16, then 30 for ever.
    means = []
    for attempt in range(1, 9):
        waits = [wait_before(attempt, RETRY, seed=s, key="k") for s in range(400)]
        means.append(sum(waits) / len(waits))
    assert means == pytest.approx([0.5, 1, 2, 4, 8, 16, 30, 30], rel=0.03)


@given(SEEDS, st.text(max_size=8))
def test_the_same_seed_and_key_wait_the_same(seed, key):
    one, two = (wait_before(3, RETRY, seed=seed, key=key) for _ in range(2))
    assert one == two


def test_keys_and_seeds_do_not_wait_in_step():
    waits = {wait_before(1, RETRY, seed=s, key=k) for s in range(5) for k in "abcde"}
    assert len(waits) == 25


@pytest.mark.parametrize(("told", "wait"), [(0.0, 0.0), (2.5, 2.5), (300.0, 300.0), (-3.0, 0.0)])
def test_what_the_provider_says_is_honoured(told, wait):
    fault = ProviderFault("retry", "later", retry_after=told)
    assert wait_before(4, fault, seed=1, key="k") == wait
