"""Calls and tokens per minute, in time that passes only when everybody waits."""

import asyncio
import bisect
from dataclasses import asdict
from itertools import accumulate

import numpy as np
import pytest

from arena.domain.call import Endpoint
from arena.llm.limiter import Budget, LocalLimiter
from arena.llm.pace import WINDOW, Pace
from arena.llm.sharing import FarLimiter, SharedLimiter

AT_ONCE = 200
OVER, USED = 1.02, 0.90
"""What a window may hold at most, and must at least while there is work."""


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to what comes next."""

    at = 0.0

    def time(self):
        return self.at

    def _run_once(self):
        if not self._ready and self._scheduled:
            self.at = max(self.at, self._scheduled[0]._when)
        super()._run_once()


def simulate(calls, *, rpm, tpm, latency, rng, pauses=()):
    """What the provider sees: when each call began, and what it used.

    `calls`: pairs of an estimate and what is used in truth.
    """
    seen = []

    async def work():
        loop = asyncio.get_running_loop()
        endpoint = Endpoint(id="x", model="m", concurrency=AT_ONCE, rpm=rpm, tpm=tpm)
        limits = LocalLimiter({"x": endpoint}, Budget(None), clock=loop.time)

        async def one(estimate, used):
            number = await limits.start("x", None, estimate)
            seen.append((loop.time(), used))
            await asyncio.sleep(rng.uniform(0.2, 1.8) * latency)
            await limits.finish("x", None, None, number=number, tokens=used)

        await asyncio.gather(*(one(*call) for call in calls))

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(work())
    return seen


def windows(seen):
    """(calls, tokens) of the window that ends with each call, and those of whole windows."""
    times = [at for at, _ in seen]
    sums = [0, *accumulate(used for _, used in seen)]
    for last, at in enumerate(times):
        first = bisect.bisect_right(times, at - WINDOW)
        yield at, last + 1 - first, sums[last + 1] - sums[first]


def check(seen, *, rpm, tpm):
    """No window is over a limit; and each whole one, while there is work, is near one of them."""
    assert seen == sorted(seen, key=lambda s: s[0])
    end = seen[-1][0]
    for at, calls, tokens in windows(seen):
        assert rpm is None or calls <= rpm * OVER
        assert tpm is None or tokens <= tpm * OVER
        if WINDOW <= at < end:
            by_calls = calls / rpm if rpm else 0
            by_tokens = tokens / tpm if tpm else 0
            assert max(by_calls, by_tokens) >= USED


def make_calls(rng, count, sizes, bias, spread):
    def size():
        if sizes == "even":
            return int(rng.integers(900, 1100))
        if sizes == "wide":
            return round(rng.lognormal(6.5, 0.8))
        return 6000 if rng.random() < 0.03 else 500

    used = [max(1, size()) for _ in range(count)]
    return [(max(1, round(u * bias * rng.uniform(1 - spread, 1 + spread))), u) for u in used]


LIMITS = [(600, 10**9), (10**6, 400_000), (600, 500_000), (None, 400_000), (600, None)]


@pytest.mark.parametrize("seed", range(20))
def test_no_window_is_over_and_each_is_used(seed):
    rng = np.random.default_rng(seed)
    rpm, tpm = LIMITS[seed % len(LIMITS)]
    sizes = str(rng.choice(["even", "wide", "few large"]))
    calls = make_calls(rng, 2000, sizes, bias=rng.uniform(0.5, 2.5), spread=rng.uniform(0, 0.6))
    # So short that two hundred at once are more than the limits allow.
    seen = simulate(calls, rpm=rpm, tpm=tpm, latency=rng.uniform(0.3, 8), rng=rng)
    assert len(seen) == len(calls)
    check(seen, rpm=rpm, tpm=tpm)


def test_a_burst_at_the_start_is_spread():
    rng = np.random.default_rng(1)
    seen = simulate([(1000, 1000)] * 300, rpm=600, tpm=400_000, latency=2, rng=rng)
    first = [at for at, _ in seen if at < WINDOW / 10]
    assert len(first) <= 400 * (0.97 / 10 + 0.03) + 1


@pytest.mark.parametrize("rpm", [1, 2, 3, 7, 10])
def test_small_limits_hold_too(rpm):
    seen = simulate(
        [(1, 1)] * (4 * rpm + 1), rpm=rpm, tpm=None, latency=1, rng=np.random.default_rng(1)
    )
    assert max(calls for _, calls, _ in windows(seen)) == rpm
    assert seen[-1][0] <= 4 * WINDOW * 1.1


@pytest.mark.parametrize("seed", range(6))
def test_no_window_is_over_where_calls_begin_however_long_the_way_to_them(seed):
    """Grants, and news of what has begun, take up to a third of a window on their way."""
    rng = np.random.default_rng(seed)
    rpm, late = int(rng.integers(5, 300)), WINDOW * float(rng.choice([0, 0.02, 0.3]))
    seen = []

    async def work():
        loop = asyncio.get_running_loop()
        fields = asdict(Endpoint(id="x", model="m", concurrency=10**4, rpm=rpm))
        shared = SharedLimiter({"x": fields}, None, clock=loop.time)

        async def line(method, *args):
            said = await getattr(shared, method)(*args)
            # The way back for a place; for news the way there.
            await asyncio.sleep(rng.uniform(0, late))
            return said

        async def late_line(method, *args):
            if method == "begun":
                await asyncio.sleep(rng.uniform(0, late))
                return await shared.begun(*args)
            return await line(method, *args)

        limits = [FarLimiter(name, late_line) for name in ("one", "two")]

        async def one(n):
            number = await limits[n % 2].start("x", None)
            seen.append((loop.time(), 1))
            await asyncio.sleep(rng.uniform(0, 4 * WINDOW))
            await limits[n % 2].finish("x", None, None, number=number)

        await asyncio.gather(*(one(n) for n in range(5 * rpm)))

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(work())
    assert len(seen) == 5 * rpm
    assert max(calls for _, calls, _ in windows(seen)) <= rpm
    # What is late holds its place for so much longer, and no more.
    assert seen[-1][0] <= 5 * (WINDOW + 2 * late) * 1.15


def begun(pace, at, tokens):
    started = pace.take(at, tokens)
    pace.begin(at, started)
    return started


def test_a_refund_is_used_and_a_debt_is_waited_for():
    pace = Pace(None, 1000)
    taken = begun(pace, 0.0, 1000)
    assert 60 < pace.wait(0.0, 100) < 62
    pace.settle(0.0, taken, 100)
    # It flows again at once, as it would have after a call that was known to be so small.
    assert 0 < pace.wait(0.0, 900) < 7
    again = begun(pace, 7.0, 900)
    pace.settle(7.0, again, 890)
    assert 50 < pace.wait(7.0, 900) < 62


def test_what_nobody_knows_stays_reckoned():
    pace = Pace(None, 1000)
    taken = begun(pace, 0.0, 1000)
    pace.settle(1.0, taken, None)
    assert 59 < pace.wait(1.0, 100) < 61


def test_a_call_larger_than_a_window_does_not_fit():
    assert Pace(None, 1000).fits(1000)
    assert not Pace(None, 1000).fits(1001)
    assert Pace(5, None).fits(10**9)
