"""A forecast counts what will be asked: every judge of it, and nothing that cannot be."""

import asyncio
from dataclasses import replace

import pytest

from arena import pipeline
from arena.domain.agent import Agent, Judge, Price
from arena.domain.call import Message
from arena.domain.config import Compare
from arena.domain.job import Job
from arena.domain.money import Rates
from arena.domain.plan import Selection
from arena.domain.transcript import Transcript
from arena.store.rows import Rows, transcript_row
from arena.store.store import Store
from arena.suites.find import find_suite
from arena.suites.load import load_suite

FREE = Price(per_call=1, currency="CNY")


@pytest.fixture(scope="module")
def suite():
    return load_suite(find_suite(None, "everyday-en"))


def job_of(suite, *, agents=3, judges=("one", "two", "three"), **more):
    roster = [Agent(agent=f"a{n}", vendor="makers", model="openai/m") for n in range(agents)]
    panel = [Judge(judge=name, vendor=f"of-{name}", model="openai/j") for name in judges]
    whom = [f"agent:{a.agent}" for a in roster] + [f"judge:{j.judge}" for j in panel]
    return Job(
        suite=suite,
        mode="natural",
        agents=tuple(roster),
        judges=tuple(panel),
        replicates=1,
        guard="exclude",
        seed=1,
        rates=Rates(currency="CNY", rates={}),
        run="r",
        prices=dict.fromkeys(whom, FREE),
        **more,
    )


def calls(job, store, *stages):
    made = pipeline.forecast(stages, job, store=store, endpoints={})
    return {(line.stage, line.who.split(":")[1]): line.calls for line in made.lines}


def finish(store, job, wanted):
    """Put finished transcripts into the store."""

    async def write():
        async with store.writer() as writer:
            for spec in wanted:
                messages = []
                for turn in job.suite.user_turns(job.scenario(spec.scenario), spec.mode):
                    messages += [Message("user", turn), Message("assistant", "Yes.")]
                made = Transcript(spec=spec, messages=tuple(messages), calls=(), at="2026")
                await writer.add(Rows((("transcript", (transcript_row(made, "r"),)),)))

    asyncio.run(write())


@pytest.mark.parametrize("agents", [3, 8])
def test_every_judge_is_counted_in_full_however_many_prompts_are_sampled(suite, agents):
    # 8 agents: 28 pairs × 20 scenarios × 2 orders = 1120 for each judge, far above the sample.
    job = job_of(suite, agents=agents, compare=Compare(design="all"))
    pairs = agents * (agents - 1) // 2
    with Store(None) as store:
        found = calls(job, store, "collect", "score", "compare")
    for judge in ("one", "two", "three"):
        assert found["score", judge] == agents * 20
        assert found["compare", judge] == pairs * 20 * 2


def test_a_judging_stage_alone_counts_only_what_has_its_transcripts(suite):
    job = job_of(suite, judges=("one",))
    with Store(None) as store:
        assert calls(job, store, "score") == {}
        assert calls(job, store, "compare") == {}
        first = [s for s in job.transcripts() if s.scenario in ("EV-01", "EV-02")]
        finish(store, job, [s for s in first if s.agent != "a2"])
        assert calls(job, store, "score") == {("score", "one"): 4}
        assert calls(job, store, "compare") == {("compare", "one"): 4}


def test_a_narrowed_run_counts_only_pairs_that_will_be_there(suite):
    chosen = Selection(agents=("a0",), scenarios=("EV-01",))
    job = job_of(suite, judges=("one",), selection=chosen)
    with Store(None) as store:
        stages = ("collect", "score", "compare")
        assert calls(job, store, *stages) == {("collect", "a0"): 3, ("score", "one"): 1}
        everybody = replace(job, selection=Selection(scenarios=("EV-01",)))
        finish(store, job, [s for s in everybody.transcripts() if s.agent == "a1"])
        assert calls(job, store, *stages)["compare", "one"] == 2
