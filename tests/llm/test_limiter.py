"""Limits of endpoints, and the cap that is never crossed."""

import asyncio
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import CapReached, ProviderFault
from arena.llm.limiter import Budget, LocalLimiter

CENTS = st.integers(0, 400).map(lambda n: Decimal(n) / 100)
CALLS = st.lists(
    st.tuples(CENTS, st.integers(0, 100), st.integers(0, 4), st.booleans()), min_size=1, max_size=14
)


def limiter(make, time=None, *, cap=None, **endpoint):
    time = time or make.Time()
    endpoints = {"x": make.endpoint("x", **endpoint), "y": make.endpoint("y")}
    budget = Budget(None if cap is None else Decimal(cap))
    return LocalLimiter(endpoints, budget, clock=time.clock, sleep=time.sleep)


@settings(deadline=None)
@given(CALLS, st.integers(0, 900).map(lambda n: Decimal(n) / 100))
def test_spent_never_exceeds_the_cap_when_no_call_costs_more_than_its_reserve(calls, cap):
    async def run():
        budget = Budget(cap)
        refused = []

        async def call(reserve, share, wait, known):
            try:
                await budget.reserve(reserve)
            except CapReached:
                # Refused only when nothing is held any more that might come back.
                assert budget.reserved == 0
                assert budget.spent + reserve > cap
                refused.append(reserve)
                return
            assert budget.spent + budget.reserved <= cap
            for _ in range(wait):
                await asyncio.sleep(0)
            await budget.settle(reserve, reserve * share / 100 if known else None)
            assert budget.spent <= cap

        await asyncio.wait_for(asyncio.gather(*(call(*c) for c in calls)), 20)
        assert budget.reserved == 0
        paid = len(calls) - len(refused)
        assert paid or budget.spent == 0

    asyncio.run(run())


async def test_a_call_waits_for_reserves_that_may_come_back(make):
    budget = Budget(Decimal(10))
    await budget.reserve(Decimal(6))
    waiting = asyncio.create_task(budget.reserve(Decimal(6)))
    await make.turns()
    assert not waiting.done()
    await budget.settle(Decimal(6), Decimal(1))
    await make.soon(waiting)
    assert (budget.spent, budget.reserved) == (1, 6)


async def test_a_call_that_waited_is_refused_once_nothing_can_come_back(make):
    budget = Budget(Decimal(10))
    await budget.reserve(Decimal(6))
    waiting = asyncio.create_task(budget.reserve(Decimal(6)))
    await make.turns()
    await budget.settle(Decimal(6), Decimal(5))
    with pytest.raises(CapReached, match="cap"):
        await make.soon(waiting)
    assert (budget.spent, budget.reserved) == (5, 0)


async def test_an_unknown_cost_counts_as_the_whole_reserve():
    budget = Budget(Decimal(10))
    await budget.reserve(Decimal(6))
    await budget.settle(Decimal(6), None)
    assert (budget.spent, budget.reserved) == (6, 0)


async def test_a_call_exactly_at_the_cap_is_made():
    budget = Budget(Decimal(10))
    await budget.reserve(Decimal(10))
    await budget.settle(Decimal(10), Decimal(10))
    with pytest.raises(CapReached):
        await budget.reserve(Decimal("0.0001"))


async def test_without_a_cap_nothing_is_refused_and_what_is_known_is_summed():
    budget = Budget(None)
    for cost in (Decimal(3), None, Decimal(4)):
        await budget.reserve(Decimal(10**9))
        await budget.settle(Decimal(10**9), cost)
    assert budget.spent == 7


async def test_no_more_calls_at_once_than_an_endpoint_allows(make):
    limits = limiter(make, concurrency=2)
    await limits.start("x", None)
    await limits.start("x", None)
    third = asyncio.create_task(limits.start("x", None))
    await make.turns()
    assert not third.done()
    await make.soon(limits.start("y", None))
    await limits.finish("x", None, None)
    await make.soon(third)


async def test_a_pause_is_honoured_by_its_endpoint_alone(make):
    time = make.Time()
    limits = limiter(make, time)
    await limits.pause("x", 7)
    await limits.start("y", None)
    assert time.at == 0
    await limits.start("x", None)
    assert time.at == 7


async def test_a_shorter_pause_does_not_end_a_longer_one(make):
    time = make.Time()
    limits = limiter(make, time)
    await limits.pause("x", 30)
    await limits.pause("x", 2)
    await limits.start("x", None)
    assert time.at == 30


async def test_a_pause_that_grows_while_waiting_is_waited_for(make):
    time = make.Time()
    limits = limiter(make, time)
    await limits.pause("x", 5)
    inner = time.sleep

    async def sleep(seconds):
        if not time.slept:
            await limits.pause("x", 9)
        await inner(seconds)

    limits._sleep = sleep
    await limits.start("x", None)
    assert time.at == 9


async def test_calls_per_minute_are_limited(make):
    time = make.Time()
    limits = limiter(make, time, rpm=2)
    begun = []
    for _ in range(5):
        await make.soon(limits.start("x", None))
        begun.append(time.at)
        await limits.finish("x", None, None)
    assert all(later - earlier > 60 for earlier, later in zip(begun, begun[2:], strict=False))
    assert begun[4] < 2 * 60 * 1.1


async def test_a_call_that_is_larger_than_a_minute_allows_is_a_fault_and_no_wait(make):
    limits = limiter(make, tpm=100, concurrency=1, cap="1")
    with pytest.raises(ProviderFault, match="`tpm`") as caught:
        await make.soon(limits.start("x", Decimal(1), 101))
    assert caught.value.fault == "rejected"
    assert limits.budget.reserved == 0
    await make.soon(limits.start("x", Decimal(1), 100))


@pytest.mark.parametrize("how", ["cap", "cancel"])
async def test_a_call_that_was_not_begun_holds_no_place(make, how):
    limits = limiter(make, concurrency=1, cap="1")
    if how == "cap":
        with pytest.raises(CapReached):
            await limits.start("x", Decimal(2))
    else:
        await limits.budget.reserve(Decimal(1))
        waiting = asyncio.create_task(limits.start("x", Decimal(1)))
        await make.turns()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await limits.budget.settle(Decimal(1), Decimal(0))
    await make.soon(limits.start("x", Decimal(1)))
