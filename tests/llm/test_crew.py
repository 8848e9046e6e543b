"""A crew of workers that die: every item has one outcome, whoever is lost on the way."""

import asyncio
import json

import pytest

from arena.errors import ClusterLost, ConfigError
from arena.llm.crew import REPEATS, VAIN, Crew, WorkerLost
from arena.llm.sharing import LimiterLost
from arena.llm.worker import Worker

COUNT = 40


async def double(item, tools):
    tools.begun.append(item["n"])
    await tools.gate(item["n"])
    if item["n"] == tools.bad:
        raise ValueError("three")
    return {"twice": 2 * item["n"]}


async def lose_the_limiter(item, tools):
    raise LimiterLost


class Tools:
    """What all workers of a test share, which those of a cluster do not."""

    def __init__(self):
        self.begun = []
        self.bad = None
        self.shut = set()

    async def gate(self, n):
        await asyncio.sleep(0)
        while n in self.shut:
            await asyncio.sleep(0.001)


TOOLS = Tools()


def open_tools(parcel, limiter):
    return TOOLS, {"version": parcel}


class FakeHand:
    """A worker in this process that can be killed: what it was asked for then never comes."""

    def __init__(self, name, *, starts=True):
        self.name = name
        self.starts = starts
        self.worker = Worker(name, f"{__name__}:open_tools", "v", None)
        self.dead = asyncio.Event()
        self.ended = False

    async def _reached(self, work):
        asked, dead = asyncio.ensure_future(work), asyncio.ensure_future(self.dead.wait())
        try:
            await asyncio.wait({asked, dead}, return_when=asyncio.FIRST_COMPLETED)
            if self.dead.is_set():
                raise WorkerLost(f"{self.name} died")
            return json.loads(json.dumps(asked.result()))
        finally:
            asked.cancel()
            dead.cancel()

    async def hello(self):
        if self.starts == "never":
            await asyncio.Event().wait()
        if not self.starts:
            raise WorkerLost(f"{self.name} did not start")
        return await self._reached(self.worker.hello())

    async def give(self, fn, items):
        await self._reached(self.worker.give(fn, json.loads(json.dumps(items))))

    async def take(self):
        return await self._reached(self.worker.take())

    def kill(self):
        self.dead.set()
        for task in self.worker._running:
            task.cancel()

    def end(self):
        self.ended = True
        self.kill()


class Yard:
    """Hires fake hands, and notes whom the limiter was told to forsake."""

    def __init__(self, size=3, *, starts=lambda n: True, check=lambda _: None, patience=60.0):
        self.hands, self.forsaken = [], []
        self.starts = starts
        self.crew = Crew(self.hire, self.line, size=size, patience=patience, check=check)

    def hire(self, name):
        self.hands.append(FakeHand(name, starts=self.starts(len(self.hands) + 1)))
        return self.hands[-1]

    async def line(self, method, name):
        assert method == "forsake"
        self.forsaken.append(name)

    @property
    def alive(self):
        return [hand for hand in self.hands if not hand.dead.is_set()]


@pytest.fixture(autouse=True)
def tools(monkeypatch, request):
    import sys

    made = Tools()
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or request.module)
    monkeypatch.setattr(request.module, "TOOLS", made)
    return made


async def items_of(count):
    for n in range(count):
        yield {"n": n}


async def mapped(yard, make, *, count=COUNT, window=8, fn=double, seen=None):
    outcomes = [] if seen is None else seen

    async def work():
        async for outcome in yard.crew.map_unordered(fn, items_of(count), window=window):
            outcomes.append(outcome)

    await asyncio.wait_for(work(), 60)
    return outcomes


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


def check_whole(outcomes, count=COUNT):
    assert sorted(o.item["n"] for o in outcomes) == list(range(count))
    assert all(o.result == {"twice": 2 * o.item["n"]} for o in outcomes)


@pytest.mark.parametrize("window", [1, 8, 100])
@pytest.mark.parametrize("size", [1, 3])
async def test_every_item_has_one_outcome(make, tools, size, window):
    yard = Yard(size)
    check_whole(await mapped(yard, make, window=window))
    assert sorted(tools.begun) == list(range(COUNT))
    assert len(yard.hands) == size
    await yard.crew.aclose()
    assert all(hand.ended for hand in yard.hands)


async def test_workers_stay_for_the_next_map(make):
    yard = Yard()
    for _ in range(3):
        check_whole(await mapped(yard, make))
    assert len(yard.hands) == 3
    await yard.crew.aclose()


async def test_no_more_are_under_way_than_the_window_and_each_worker_has_its_share(make, tools):
    tools.shut = set(range(COUNT))
    yard = Yard()
    mapping = asyncio.create_task(mapped(yard, make, window=9))
    await until(lambda: len(tools.begun) == 9)
    await make.turns()
    assert len(tools.begun) == 9
    assert [len(hand.worker._running) for hand in yard.hands] == [3, 3, 3]
    tools.shut.clear()
    check_whole(await mapping)
    await yard.crew.aclose()


async def test_what_a_dead_worker_had_is_done_by_others_and_nothing_else_is_repeated(make, tools):
    tools.shut = set(range(20, COUNT))
    yard = Yard()
    mapping = asyncio.create_task(mapped(yard, make, window=9))
    await until(lambda: len(tools.begun) >= 20 + 9)
    had = len(yard.hands[0].worker._running)
    yard.hands[0].kill()
    await until(lambda: len(tools.begun) >= 20 + 9 + had)
    tools.shut.clear()
    check_whole(await mapping)
    assert len(tools.begun) - COUNT == had == 3
    assert yard.forsaken == ["worker-1"]
    assert len(yard.alive) == 3
    await yard.crew.aclose()


async def test_all_workers_may_die_at_once(make, tools):
    tools.shut = {3, 4, 5}
    yard = Yard()
    mapping = asyncio.create_task(mapped(yard, make))
    await until(lambda: len(yard.alive) == 3 and 5 in tools.begun)
    for hand in tuple(yard.hands):
        hand.kill()
    tools.shut.clear()
    check_whole(await mapping)
    assert sorted(yard.forsaken) == ["worker-1", "worker-2", "worker-3"]
    await yard.crew.aclose()


async def test_an_item_is_not_given_to_ever_more_workers(make, tools):
    tools.shut = {7}
    yard = Yard(2)
    seen = []
    mapping = asyncio.create_task(mapped(yard, make, seen=seen))
    for death in range(REPEATS + 1):
        await until(lambda death=death: tools.begun.count(7) == death + 1)
        next(h for h in yard.alive if h.worker._running).kill()
    with pytest.raises(ClusterLost) as lost:
        await mapping
    assert "died" in str(lost.value)
    assert tools.begun.count(7) == REPEATS + 1
    assert 7 not in [o.item["n"] for o in seen]
    await yard.crew.aclose()


async def test_workers_that_never_start_are_not_hired_for_ever(make):
    yard = Yard(2, starts=lambda n: False)
    with pytest.raises(ClusterLost, match="die one after the other"):
        await mapped(yard, make)
    assert len(yard.hands) <= 2 + 2 * (2 + VAIN + 1)
    with pytest.raises(ClusterLost):
        await mapped(yard, make)
    await yard.crew.aclose()


async def test_the_others_work_where_one_cannot_start_in_time(make):
    yard = Yard(3, starts=lambda n: "never" if n == 2 else True, patience=0.05)
    check_whole(await mapped(yard, make, window=30))
    await yard.crew.aclose()


async def test_nobody_who_can_start_in_time_is_an_error(make):
    yard = Yard(3, starts=lambda n: "never", patience=0.05)
    with pytest.raises(ClusterLost, match="no worker could start"):
        await mapped(yard, make)
    await yard.crew.aclose()


async def test_an_error_of_the_function_is_an_outcome_and_ends_nothing(make, tools):
    tools.bad = 3
    yard = Yard()
    outcomes = await mapped(yard, make)
    assert len(outcomes) == COUNT
    (bad,) = [o for o in outcomes if o.error]
    assert (bad.item, bad.result, bad.error) == ({"n": 3}, None, "ValueError: three")
    await yard.crew.aclose()


async def test_a_worker_that_does_not_fit_ends_the_map_with_the_reason(make):
    def check(found):
        assert found["version"] == "v"
        raise ConfigError("another version")

    yard = Yard(check=check)
    with pytest.raises(ConfigError, match="another version"):
        await mapped(yard, make)
    await yard.crew.aclose()


async def test_without_the_limiter_nothing_goes_on(make):
    yard = Yard()
    with pytest.raises(ClusterLost, match="limits and cap"):
        await mapped(yard, make, fn=lose_the_limiter)
    await yard.crew.aclose()


async def test_closing_ends_what_is_under_way_and_the_next_map_has_workers(make, tools):
    tools.shut = set(range(COUNT))
    yard = Yard()
    mapping = yard.crew.map_unordered(double, items_of(COUNT), window=6)
    getting = asyncio.create_task(anext(mapping))
    await until(lambda: len(tools.begun) == 6)
    getting.cancel()
    await asyncio.gather(getting, return_exceptions=True)
    await mapping.aclose()
    await make.turns()
    assert len(yard.alive) == 0
    assert sorted(yard.forsaken) == ["worker-1", "worker-2", "worker-3"]
    tools.shut.clear()
    check_whole(await mapped(yard, make))
    await yard.crew.aclose()


async def test_a_mistake_of_the_feed_reaches_who_maps(make):
    async def broken():
        yield {"n": 0}
        raise LookupError("the feed broke")

    yard = Yard()
    with pytest.raises(LookupError, match="the feed broke"):
        async for _ in yard.crew.map_unordered(double, broken(), window=2):
            pass
    await yard.crew.aclose()
