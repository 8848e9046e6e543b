"""Jobs of many agents over everyday-en, whose scores and verdicts are written straight down."""

import asyncio
from dataclasses import replace

import pytest

from arena.designing.current import draft_plan, planned_presentations
from arena.domain.agent import Agent, Judge
from arena.domain.call import Message, Status
from arena.domain.config import Compare
from arena.domain.job import Job
from arena.domain.money import Rates
from arena.domain.score import Score, Sheet
from arena.domain.transcript import Transcript
from arena.domain.verdict import Outcome, Verdict
from arena.judging.planning import plan_sheets
from arena.store.rows import Rows, sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store
from arena.suites.find import find_suite
from arena.suites.load import load_suite


class Board:
    """A job with its store."""

    def __init__(self, suite):
        self.suite = suite
        self.store = Store(None)

    def job(self, *, agents=12, judges=("one",), roster=None, replicates=1, seed=1, **compare):
        names = roster or [f"a{n:02d}" for n in range(agents)]
        return Job(
            suite=self.suite,
            mode="natural",
            agents=tuple(Agent(agent=n, vendor="makers", model="openai/m") for n in names),
            judges=tuple(Judge(judge=n, vendor=f"of-{n}", model="openai/j") for n in judges),
            replicates=replicates,
            guard="exclude",
            seed=seed,
            rates=Rates(currency="CNY", rates={}),
            run="r",
            compare=Compare(**compare),
        )

    def plan(self, job):
        return draft_plan(job, self.store)

    def fix(self, job):
        """The plan of a job, stored as before a first verdict."""
        plan = self.plan(job)
        self.store.plans.add(plan, run="r")
        return plan

    def write(self, *rows):
        async def add():
            async with self.store.writer() as writer:
                await writer.add(Rows(tuple(rows)))

        asyncio.run(add())

    def play(self, job):
        """Finished transcripts of everybody."""
        made = []
        for spec in job.all_transcripts():
            messages = []
            for turn in job.suite.user_turns(job.scenario(spec.scenario), spec.mode):
                messages += [Message("user", turn), Message("assistant", "Yes.")]
            transcript = Transcript(spec=spec, messages=tuple(messages), calls=(), at="2026")
            made.append(transcript_row(transcript, "r"))
        self.write(("transcript", tuple(made)))

    def score(self, job, value):
        """A sheet of every transcript; `value`: agent, scenario -> score, None for no sheet."""
        tables = {}
        for spec in plan_sheets(
            suite=job.suite,
            mode=job.mode,
            transcripts=job.all_transcripts(),
            judges=job.judges,
            agents=job.agents,
            guard=job.guard,
        ).items:
            given = value(spec.agent, spec.scenario)
            if given is None:
                continue
            criteria = job.suite.rubric_of(job.scenario(spec.scenario)).criteria
            sheet = Sheet(
                spec=spec,
                attempt=1,
                status=Status.OK,
                scores=tuple(
                    Score(criterion=c.criterion, value=given, comment="") for c in criteria
                ),
                summary="",
                strengths=(),
                issues=(),
                flags=(),
                call="c",
                at="2026",
            )
            for table, rows in sheet_rows(sheet, "r"):
                tables.setdefault(table, []).extend(rows)
        self.write(*((table, tuple(rows)) for table, rows in tables.items()))

    def judge(self, job, plan, outcome, *, only=None):
        """A verdict of every planned presentation; `outcome`: presentation -> Outcome."""
        tables = {}
        for shown in planned_presentations(job, plan).items:
            if only is not None and not only(shown):
                continue
            verdict = Verdict(
                presentation=shown,
                attempt=1,
                status=Status.OK,
                outcome=outcome(shown),
                margin=1,
                reason="",
                criteria=(),
                flags=(),
                codes=("X", "Y"),
                call="c",
                at="2026",
            )
            for table, rows in verdict_rows(verdict, "r"):
                tables.setdefault(table, []).extend(rows)
        self.write(*((table, tuple(rows)) for table, rows in tables.items()))


@pytest.fixture(scope="session")
def everyday():
    return load_suite(find_suite(None, "everyday-en"))


@pytest.fixture
def board(everyday):
    made = Board(everyday)
    yield made
    made.store.close()


@pytest.fixture
def narrowed():
    def narrow(job, **selection):
        return replace(job, selection=replace(job.selection, **selection))

    return narrow


@pytest.fixture
def always_a():
    return lambda _: Outcome.A
