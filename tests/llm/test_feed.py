"""The feed: every item once, never more under way than places, nobody starved."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.llm.feed import Feed

ENDPOINTS = ("a", "b", "c")
PLACES = st.fixed_dictionaries({name: st.integers(1, 3) for name in ENDPOINTS})
WORK = st.lists(st.sampled_from(ENDPOINTS), max_size=25)


async def drain(feed, places, follow=(), pick=0):
    """Take all there is, giving places back in some order; returns what was handed out."""
    handed, held, follow = [], [], list(follow)
    under_way = Counter()

    async def take():
        async for item in feed:
            under_way[item["to"]] += 1
            assert under_way[item["to"]] <= places[item["to"]]
            handed.append(item["n"])
            held.append(item)

    taking = asyncio.create_task(take())
    while not taking.done():
        for _ in range(3):
            await asyncio.sleep(0)
        if held and not taking.done():
            item = held.pop(pick % len(held))
            under_way[item["to"]] -= 1
            if follow:
                to = follow.pop()
                feed.put(to, {"to": to, "n": 1000 + len(follow)})
            feed.done(item["to"])
    await taking
    return handed


def fill(feed, work):
    for n, to in enumerate(work):
        feed.put(to, {"to": to, "n": n})


@settings(deadline=None)
@given(PLACES, WORK, WORK, st.integers(0, 7))
def test_every_item_is_handed_out_once_within_the_places(places, work, later, pick):
    later = later if work else []
    feed = Feed(places, window=99)
    fill(feed, work)
    handed = asyncio.run(asyncio.wait_for(drain(feed, places, later, pick), 20))
    assert len(handed) == len(set(handed))
    followed = min(len(later), len(handed))
    assert sum(n < 1000 for n in handed) == len(work)
    assert sum(n >= 1000 for n in handed) == followed


@settings(deadline=None)
@given(PLACES, WORK)
def test_items_of_one_endpoint_keep_their_order(places, work):
    feed = Feed(places, window=99)
    fill(feed, work)
    handed = asyncio.run(asyncio.wait_for(drain(feed, places), 20))
    for name in ENDPOINTS:
        own = [n for n in handed if work[n] == name]
        assert own == sorted(own)


async def test_a_slow_endpoint_blocks_no_other(make):
    feed = Feed({"slow": 2, "fast": 1}, window=99)
    fill(feed, ["slow"] * 5 + ["fast"] * 4)
    got = []
    for _ in range(6):
        item = await make.soon(anext(feed))
        got.append(item["to"])
        if item["to"] == "fast":
            feed.done("fast")
    assert Counter(got) == {"slow": 2, "fast": 4}


async def test_endpoints_take_turns(make):
    feed = Feed({"a": 9, "b": 9}, window=99)
    fill(feed, ["a"] * 3 + ["b"] * 3)
    got = [(await make.soon(anext(feed)))["to"] for _ in range(6)]
    assert got == ["a", "b"] * 3


async def test_it_waits_while_something_is_under_way_and_may_be_followed(make):
    feed = Feed({"a": 1}, window=99)
    fill(feed, ["a"])
    await make.soon(anext(feed))
    waiting = asyncio.create_task(anext(feed))
    await make.turns()
    assert not waiting.done()
    feed.put("a", {"to": "a", "n": 7})
    await make.turns()
    assert not waiting.done()
    feed.done("a")
    assert (await make.soon(waiting))["n"] == 7


async def test_it_ends_when_nothing_is_ready_nor_under_way(make):
    feed = Feed({"a": 1}, window=99)
    with pytest.raises(StopAsyncIteration):
        await make.soon(anext(feed))
    fill(feed, ["a"])
    await make.soon(anext(feed))
    waiting = asyncio.ensure_future(anext(feed))
    await make.turns()
    feed.done("a")
    with pytest.raises(StopAsyncIteration):
        await make.soon(waiting)


async def test_stopping_hands_out_nothing_more(make):
    feed = Feed({"a": 1}, window=99)
    fill(feed, ["a", "a"])
    await make.soon(anext(feed))
    waiting = asyncio.ensure_future(anext(feed))
    await make.turns()
    feed.stop()
    with pytest.raises(StopAsyncIteration):
        await make.soon(waiting)
    feed.done("a")
    with pytest.raises(StopAsyncIteration):
        await make.soon(anext(feed))


async def test_dropping_forgets_one_endpoint_only(make):
    feed = Feed({"a": 1, "b": 1}, window=99)
    fill(feed, ["a", "a", "b"])
    first = await make.soon(anext(feed))
    assert first["to"] == "a"
    assert feed.drop("a") == 1
    assert feed.drop("a") == 0
    feed.done("a")
    assert (await make.soon(anext(feed)))["to"] == "b"
    feed.done("b")
    with pytest.raises(StopAsyncIteration):
        await make.soon(anext(feed))


async def test_dropping_wakes_who_waits(make):
    feed = Feed({"a": 1, "b": 1}, window=99)
    fill(feed, ["a", "a"])
    await make.soon(anext(feed))
    waiting = asyncio.ensure_future(anext(feed))
    await make.turns()
    feed.drop("a")
    feed.done("a")
    with pytest.raises(StopAsyncIteration):
        await make.soon(waiting)


async def test_no_more_than_the_window_is_under_way_until_something_is_done():
    feed = Feed({"a": 5, "b": 5}, window=3)
    fill(feed, ["a", "a", "b", "b"])
    handed = [await anext(feed) for _ in range(3)]
    waiting = asyncio.ensure_future(anext(feed))
    await asyncio.sleep(0)
    assert not waiting.done()
    feed.done(handed[0]["to"])
    assert await asyncio.wait_for(waiting, 20)
