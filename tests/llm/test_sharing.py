"""One limiter for many processes: what holds for one holds for all, and the dead hold nothing."""

import asyncio
import json
from dataclasses import asdict
from decimal import Decimal

import pytest

from arena.errors import CapReached, ProviderFault
from arena.llm.sharing import FarLimiter, LimiterLost, SharedLimiter


class Kept:
    """A limiter somewhere, and lines to it over which only JSON goes."""

    def __init__(self, make, *, cap=None, **endpoint):
        self.time = make.Time()
        fields = json.loads(json.dumps(asdict(make.endpoint(**endpoint))))
        self.limiter = SharedLimiter({"agent:x": fields}, cap, clock=self.time.clock)

    async def line(self, method, *args):
        args = json.loads(json.dumps(args))
        return json.loads(json.dumps(await getattr(self.limiter, method)(*args)))

    def of(self, worker):
        return FarLimiter(worker, self.line)


async def start(limiter, reserve=None, tokens=0):
    return await limiter.start("agent:x", reserve, tokens)


async def test_places_are_counted_over_all_processes(make):
    kept = Kept(make, concurrency=2)
    one, two = kept.of("one"), kept.of("two")
    first = await make.soon(start(one))
    await make.soon(start(two))
    third = asyncio.create_task(start(two))
    await make.turns()
    assert not third.done()
    await one.finish("agent:x", None, None, number=first)
    assert await make.soon(third)


async def test_the_cap_holds_over_all_processes(make):
    kept = Kept(make, cap="1")
    one, two = kept.of("one"), kept.of("two")
    number = await make.soon(start(one, Decimal("0.6")))
    waiting = asyncio.create_task(start(two, Decimal("0.6")))
    await make.turns()
    assert not waiting.done()
    await one.finish("agent:x", Decimal("0.6"), Decimal("0.5"), number=number)
    with pytest.raises(CapReached):
        await make.soon(waiting)
    assert await make.soon(start(two, Decimal("0.5")))


async def test_a_call_too_large_for_its_endpoint_is_a_fault_everywhere(make):
    kept = Kept(make, tpm=100)
    with pytest.raises(ProviderFault, match="more than `tpm` allows") as fault:
        await make.soon(start(kept.of("one"), tokens=101))
    assert fault.value.fault == "rejected"


async def test_a_dead_process_gives_its_places_back_and_pays_its_whole_reserves(make):
    kept = Kept(make, concurrency=1, cap="1")
    dead, alive = kept.of("dead"), kept.of("alive")
    await make.soon(start(dead, Decimal("0.7")))
    assert await kept.line("forsake", "dead") == 1
    with pytest.raises(CapReached):
        await make.soon(start(alive, Decimal("0.4")))
    assert await make.soon(start(alive, Decimal("0.3")))


async def test_what_a_dead_process_waited_for_goes_to_others(make):
    kept = Kept(make, concurrency=1)
    alive, dead, third = (kept.of(name) for name in ("alive", "dead", "third"))
    number = await make.soon(start(alive))
    waiting = asyncio.create_task(start(dead))
    await make.turns()
    assert await kept.line("forsake", "dead") == 0
    with pytest.raises(LimiterLost):
        await make.soon(waiting)
    after = asyncio.create_task(start(third))
    await make.turns()
    assert not after.done()
    await alive.finish("agent:x", None, None, number=number)
    assert await make.soon(after)


async def test_a_process_that_was_given_up_gets_nothing_more_and_ends_nothing_twice(make):
    kept = Kept(make, concurrency=1)
    dead, alive = kept.of("dead"), kept.of("alive")
    number = await make.soon(start(dead))
    await kept.line("forsake", "dead")
    with pytest.raises(LimiterLost):
        await make.soon(start(dead))
    await make.soon(start(alive))
    await dead.finish("agent:x", None, Decimal(0), number=number)
    late = asyncio.create_task(start(alive))
    await make.turns()
    assert not late.done()
    late.cancel()


async def test_a_pause_holds_for_all(make):
    kept = Kept(make)
    slept = []

    async def sleep(seconds):
        slept.append(seconds)
        kept.time.at += seconds

    kept.limiter._limiter._sleep = sleep
    await kept.of("one").pause("agent:x", 7)
    await make.soon(start(kept.of("two")))
    assert slept == [7]
