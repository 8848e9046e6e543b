"""After two scenarios of a suite, the forecast of all of it is met by what is then counted."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from arena import pipeline
from arena.domain.agent import Agent, Judge, Price
from arena.domain.call import Endpoint
from arena.domain.job import Job
from arena.domain.key import KEY
from arena.domain.money import Rates
from arena.domain.plan import Selection
from arena.llm.asking import Tools
from arena.llm.budget import Budget
from arena.llm.desk import Desk, Stop
from arena.llm.executor import LocalExecutor
from arena.llm.limiter import LocalLimiter
from arena.llm.scripted import Play, Scripted
from arena.store.store import Store
from arena.suites.find import find_suite
from arena.suites.load import load_script, load_suite
from tests.support.sizes import boards

pytestmark = pytest.mark.slow

PRICE = Price(input_per_million=2, output_per_million=8, currency="CNY")
STAGES = ("collect", "score", "compare")
NEAR = 0.2
SUITES = {
    "everyday-en": 8,
    "eldercare-zh": 6,
    "clinic-interview-zh": 4,
    "memoir-interview-zh": 4,
    "ceval": 30,
}
"""Suites, and how many of their scenarios are enough where there is little time."""


def job_of(name, limit):
    folder = find_suite(None, name)
    suite, script = load_suite(folder), load_script(folder)
    reached = {"family": "unknown", "price": PRICE}
    agents = tuple(
        Agent(agent=a.agent, vendor="arena", model=f"scripted/{name}/{a.agent}", **reached)
        for a in script.agents[:3]
    )
    judges = (KEY,)
    if suite.choice is None:
        judges = tuple(
            Judge(
                judge=j.judge,
                vendor="judges",
                model=f"scripted/{name}/{j.judge}",
                response_format="json_schema",
                **reached,
            )
            for j in script.judges[:1]
        )
    whom = [f"agent:{a.agent}" for a in agents] + [f"judge:{j.judge}" for j in judges]
    job = Job(
        suite=suite,
        mode="natural" if "natural" in suite.modes else suite.default_mode,
        agents=agents,
        judges=judges,
        replicates=1,
        guard="allow",
        seed=1,
        rates=Rates(currency="CNY", rates={}),
        run="r",
        prices=dict.fromkeys(whom, PRICE),
        selection=Selection(limit=limit),
    )
    return job, Scripted({name: Play(suite, script)})


async def run(job, store, provider):
    models = {f"agent:{a.agent}": a for a in job.agents}
    models |= {f"judge:{j.judge}": j for j in job.judges}
    endpoints = {who: Endpoint(id=who, model=e.route) for who, e in models.items()}
    limiter = LocalLimiter(endpoints, Budget(None), clock=lambda: 0.0)
    tools = Tools(
        provider=provider, limiter=limiter, clock=lambda: 0.0, now=lambda: "t", sleep=asyncio.sleep
    )
    desk = Desk(
        executor=LocalExecutor(tools),
        endpoints=endpoints,
        prices=job.prices,
        rates=job.rates,
        window=64,
        stop=Stop(),
        seed=1,
        run=job.run,
        capped=False,
    )
    async with store.writer(delay=0.002) as writer:
        await pipeline.run(STAGES, job, store=store, writer=writer, desk=desk)


def counted(store, job):
    total = Counter()
    for line in store.summaries.spend(run=job.run):
        total.update(
            calls=line.calls,
            tokens_in=line.tokens_in,
            tokens_out=line.tokens_out,
            cost=float(line.cost),
        )
        assert line.unpriced == 0
    return total


@pytest.mark.parametrize("name", SUITES)
def test_after_two_scenarios_the_forecast_is_met(name):
    job, provider = job_of(name, boards(SUITES[name], None))
    with Store(None) as store:
        first = replace(job, run="first", selection=Selection(limit=2))
        asyncio.run(run(first, store, provider))
        forecast = pipeline.forecast(STAGES, job, store=store, endpoints={})
        asyncio.run(run(job, store, provider))
        real = counted(store, job)
    assert forecast.calls == real["calls"] > 0
    assert forecast.unpriced == ()
    for what in ("tokens_in", "tokens_out", "cost"):
        span = getattr(forecast, what)
        middle = (span.low + span.high) / 2
        assert span.low <= real[what] <= span.high, what
        assert abs(real[what] / middle - 1) <= NEAR, what
