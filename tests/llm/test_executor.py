"""Executors: an outcome an item, as many at once as the window, JSON in and JSON out."""

import asyncio
import json
import multiprocessing
import sys
from pathlib import Path

import pytest

from arena.domain.call import Message
from arena.llm.asking import ask
from arena.llm.executor import LocalExecutor

HERE = Path(__file__).parent


async def items_of(count):
    for n in range(count):
        yield {"n": n}


async def double(item, tools):
    await asyncio.sleep(0)
    return {"twice": item["n"] * tools}


async def fail_on_three(item, tools):
    if item["n"] == 3:
        raise ValueError("three")
    return {"n": item["n"]}


class Gate:
    """A function whose calls wait until they are let go, one by one."""

    def __init__(self):
        self.begun, self.ended, self.cancelled = [], [], []
        self.waiting = {}

    async def __call__(self, item, tools):
        self.begun.append(item["n"])
        self.waiting[item["n"]] = asyncio.Event()
        try:
            await self.waiting[item["n"]].wait()
        except asyncio.CancelledError:
            self.cancelled.append(item["n"])
            raise
        self.ended.append(item["n"])
        return {}


@pytest.mark.parametrize("window", [1, 3, 100])
@pytest.mark.parametrize("count", [0, 1, 10])
async def test_every_item_has_one_outcome(make, window, count):
    outcomes = [
        o async for o in LocalExecutor(2).map_unordered(double, items_of(count), window=window)
    ]
    assert sorted(o.item["n"] for o in outcomes) == list(range(count))
    assert all(o.result == {"twice": 2 * o.item["n"]} and o.error is None for o in outcomes)


async def test_no_more_are_under_way_than_the_window(make):
    gate = Gate()
    mapping = LocalExecutor(None).map_unordered(gate, items_of(10), window=3)
    collecting = asyncio.create_task(make.soon(anext(mapping)))
    await make.turns()
    assert gate.begun == [0, 1, 2]
    gate.waiting[1].set()
    assert (await collecting).item == {"n": 1}
    await make.turns()
    assert gate.begun == [0, 1, 2, 3]
    await mapping.aclose()


@pytest.mark.reported("R54")
async def test_outcomes_come_as_they_finish(make):
    gate = Gate()
    mapping = LocalExecutor(None).map_unordered(gate, items_of(3), window=3)
    seen = []
    for n in (2, 0, 1):
        collecting = asyncio.create_task(make.soon(anext(mapping)))
        await make.turns()
        gate.waiting[n].set()
        seen.append((await collecting).item["n"])
    assert seen == [2, 0, 1]
    with pytest.raises(StopAsyncIteration):
        await make.soon(anext(mapping))


async def test_an_error_of_the_function_is_an_outcome_and_ends_nothing(make):
    outcomes = [
        o async for o in LocalExecutor(None).map_unordered(fail_on_three, items_of(6), window=2)
    ]
    assert len(outcomes) == 6
    (bad,) = [o for o in outcomes if o.error]
    assert (bad.item, bad.result, bad.error) == ({"n": 3}, None, "ValueError: three")


async def test_closing_cancels_what_is_under_way(make):
    gate = Gate()
    mapping = LocalExecutor(None).map_unordered(gate, items_of(10), window=3)
    collecting = asyncio.create_task(anext(mapping))
    await make.turns()
    gate.waiting[0].set()
    await make.soon(collecting)
    await make.turns()
    await make.soon(mapping.aclose())
    assert sorted(gate.cancelled) == [1, 2, 3]
    assert gate.ended == [0]


async def test_a_mistake_of_the_feed_reaches_who_maps(make):
    async def broken():
        yield {"n": 0}
        raise LookupError("the feed broke")

    async def collect():
        return [o async for o in LocalExecutor(1).map_unordered(double, broken(), window=2)]

    with pytest.raises(LookupError, match="the feed broke"):
        await make.soon(collect())


async def test_items_may_be_added_while_others_are_under_way(make):
    queue = asyncio.Queue()
    await queue.put({"n": 0})

    async def items():
        while (item := await queue.get()) is not None:
            yield item

    seen = []
    async for outcome in LocalExecutor(1).map_unordered(double, items(), window=2):
        seen.append(outcome.item["n"])
        await queue.put({"n": len(seen)} if len(seen) < 4 else None)
    assert seen == [0, 1, 2, 3]


async def test_a_question_is_answered_alike_in_a_process_of_its_own(
    make, suite, script, monkeypatch
):
    monkeypatch.syspath_prepend(HERE)
    import spawned

    endpoint = make.endpoint("agent:x", model=f"scripted/everyday-en/{script.agents[0].agent}")
    turn = suite.user_turns(suite.scenarios[0], "natural")[0]
    item = make.question(
        make.request(turn, endpoint),
        price={"per_call": "0.1", "currency": "CNY"},
        rate="1",
        seed=3,
    )
    text = json.dumps(item)
    assert json.dumps(json.loads(text)) == text
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        there = await asyncio.to_thread(pool.apply, spawned.answer, (text,))
        pool.close()
        pool.join()
    here = await spawned._answer(item)
    assert json.loads(there) == here
    (attempt,) = here["attempts"]
    assert attempt["status"] == "ok"
    assert attempt["text"] in script.lines_of(suite.scenarios[0].scenario).careful + (
        script.lines_of(suite.scenarios[0].scenario).plain
        + script.lines_of(suite.scenarios[0].scenario).careless
    )
    assert attempt["cost"] == "0.1"


async def test_outcomes_are_json(make):
    provider = make.Says("fine")
    item = make.question(make.request("您好 \ud800"))
    outcome = await ask(json.loads(json.dumps(item)), make.tools(provider))
    assert json.loads(json.dumps(outcome)) == outcome
    assert provider.requests[0].messages == (Message("user", "您好 \ud800"),)


def test_what_an_executor_runs_can_be_imported():
    from arena.llm import working

    for fn in (ask, working.ask_item):
        assert getattr(sys.modules[fn.__module__], fn.__qualname__) is fn
