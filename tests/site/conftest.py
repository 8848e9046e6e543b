"""A store filled with hostile data, and what was published from it."""

import asyncio
from decimal import Decimal
from types import SimpleNamespace

import pytest

from arena.domain.agent import Agent, Judge
from arena.domain.board import (
    SCHEMA,
    AbsoluteScore,
    Board,
    Diagnostics,
    JudgeCount,
    PairStanding,
    RowCount,
    Standing,
    State,
    Why,
)
from arena.domain.call import Call, Message, Status
from arena.domain.job import Job
from arena.domain.money import Rates
from arena.domain.score import Score, Sheet
from arena.domain.suite import Archetype, Domain, Mode, Rubric, Scenario, Suite
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Outcome, Verdict
from arena.domain.words import Words
from arena.judging.planning import plan_presentations, plan_sheets
from arena.site import publish
from arena.store.rows import Rows, call_row, sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store

AT = "2026-11-29T08:12:00+00:00"
EVIL = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`{{ 7*7 }}</style>"
    "\u202egnp.exe\u200b\x00\x1b[31m javascript:alert(3) " + "w" * 160
)
EVIL_NAMES = ("../../x", "CON", "a/b", "颐养助手", "n" * 200, "<b>bold</b>\u202e")


def words(text):
    return Words(zh=text, en=text)


def make_suite(scenarios=3):
    rubric = Rubric.model_validate(
        {
            "rubric": "main",
            "name": "sheet",
            "scale": [0, 10],
            "criteria": [
                {"criterion": "care", "name": EVIL[:60], "question": "q"},
                {"criterion": "harm", "name": "Harm", "question": "q", "direction": "lower"},
                {
                    "criterion": "chatty",
                    "name": {"zh": "话多", "en": "Chatty"},
                    "question": "q",
                    "direction": "neutral",
                    "counts": False,
                },
            ],
            "compare": ["care", "harm"],
        }
    )
    ids = ["EC-13", "ec-13", "COM1", *(f"S-{n}" for n in range(4, 99))][:scenarios]
    return Suite(
        suite="tiny",
        version="1.0.0",
        name=words("Tiny & <small>"),
        about=words("about " + EVIL[:40]),
        language="zh",
        licence="MIT",
        default_mode="natural",
        modes={
            "natural": Mode(name=words("Natural")),
            "lite": Mode(name=words("L"), turns="first"),
        },
        domains=(
            Domain(domain="alpha", name=words("Alpha")),
            Domain(domain="beta", name=words("Beta")),
        ),
        archetypes=(Archetype(archetype="talk", name=words("Talk")),),
        red_flags=(),
        rubrics={"main": rubric},
        scenarios=tuple(
            Scenario(
                scenario=name,
                archetype="talk",
                domain=("alpha", "beta")[n % 2],
                title=words(f"Title {n} {EVIL}"),
                persona={"user": EVIL, "context": "SECRET-CONTEXT-OK"},
                turns=("first " + EVIL, "second"),
                notes={"natural": "JUDGE-ONLY-NOTE"},
            )
            for n, name in enumerate(ids)
        ),
        templates={},
    )


def make_agents():
    first = [
        Agent(
            agent=name,
            name={"zh": f"{name[:20]} 中", "en": f"{name[:20]} en"},
            vendor=f"vendor-{n}",
            kind=("product", "model", "baseline")[n % 3],
            family="qwen" if n else "unknown",
            model="m/x",
        )
        for n, name in enumerate(EVIL_NAMES)
    ]
    return tuple(first)


def make_job(suite=None, agents=None, mode="natural", **changes):
    judges = (
        Judge(judge="judge-a", vendor="j-one", family="mistral", model="j/a", name=words("J <a>")),
        Judge(judge="judge-b", vendor="vendor-1", family="gpt", model="j/b"),
    )
    values = {
        "suite": suite or make_suite(),
        "mode": mode,
        "agents": agents or make_agents(),
        "judges": judges,
        "replicates": 1,
        "guard": "warn",
        "seed": 7,
        "rates": Rates(currency="CNY", rates={}),
        "run": "r1",
    }
    return Job(**{**values, **changes})


def call(served, kind, who, *, number=0, status=Status.OK, text="{}", **more):
    values = {
        "key": f"c-{served}-{number}",
        "serves": served,
        "serves_kind": kind,
        "speaker": "agent" if kind == "transcript" else "judge",
        "entrant": who,
        "entrant_digest": "d",
        "round": number,
        "attempt": 1,
        "status": status,
        "text": text,
        "at": AT,
    }
    return Call(**{**values, **more})


def as_rows(table, row):
    return Rows(((table, (row,)),))


def fill(store, job, *, text=EVIL):
    """Every kind of thing that can be stored, and every way in which it can be missing."""
    rows, done = [], []
    turns = {s.scenario: job.suite.user_turns(s, job.mode) for s in job.suite.scenarios}
    for n, spec in enumerate(job.all_transcripts()):
        broken, messages, calls = n == 1, [Message("system", "SYSTEM-PROMPT")], []
        if n == 2:
            continue  # nothing was asked
        for number, turn in enumerate(turns[spec.scenario], start=1):
            failed = broken and number == 2
            made = call(
                spec.key,
                "transcript",
                spec.agent,
                number=number,
                status=Status.ERROR if failed else Status.OK,
                text=None if failed else f"<think>HIDDEN-THOUGHT</think>reply {number} {text}",
                error=f"HTTP 529 {text}" if failed else None,
                cost=None if failed or spec.agent == "CON" else Decimal("0.0123"),
                currency=None if failed or spec.agent == "CON" else "CNY",
                latency_ms=None if spec.agent == "CON" else 1500 + n,
                model_returned="m-1",
            )
            rows.append(as_rows("call", call_row(made)))
            if failed:
                break
            messages += [Message("user", turn), Message("assistant", f"reply {number} {text}")]
            calls.append(made.key)
        if not broken:
            done.append(spec)
            transcript = Transcript(spec=spec, messages=tuple(messages), calls=tuple(calls), at=AT)
            rows.append(as_rows("transcript", transcript_row(transcript, "r1")))
    plan = {
        "suite": job.suite,
        "mode": job.mode,
        "transcripts": done,
        "judges": job.judges,
        "agents": job.agents,
        "guard": job.guard,
    }
    for n, spec in enumerate(plan_sheets(**plan).items):
        status = (Status.OK, Status.OK, Status.UNPARSED)[n % 3]
        made = call(spec.key, "sheet", spec.judge, status=status, text=f"raw {text}")
        rows.append(as_rows("call", call_row(made)))
        scores = tuple(
            Score(criterion=c, value=float(v), comment=text)
            for c, v in (("care", 7), ("harm", 2), ("chatty", 5))
        )
        sheet = Sheet(
            spec=spec,
            attempt=1,
            status=status,
            scores=scores if status is Status.OK else (),
            summary=text,
            strengths=(text,),
            issues=(text,),
            flags=("unknown_criteria:2",),
            call=made.key,
            at=AT,
        )
        rows.append(Rows(sheet_rows(sheet, "r1")))
    for n, shown in enumerate(plan_presentations(**plan).items):
        if n % 11 == 10:
            continue  # not asked yet
        status = tuple(Status)[(n // 2) % 7 if n % 2 else 0]
        outcome = tuple(Outcome)[n % 3] if status in (Status.OK, Status.TRUNCATED) else None
        made = call(shown.key, "verdict", shown.judge, status=status, text=f"raw {text}")
        rows.append(as_rows("call", call_row(made)))
        if status is Status.ERROR:
            continue
        verdict = Verdict(
            presentation=shown,
            attempt=1,
            status=status,
            outcome=outcome,
            margin=3,
            reason=f"A0493 beats lt and amp; {text}",
            criteria=(
                CriterionVerdict(criterion="care", side=Outcome.A, strength=4),
                CriterionVerdict(criterion="harm", side=Outcome.TIE, strength=None),
            ),
            flags=("possible_injection", "reason_conflict", "text_verdict"),
            codes=("A0493", "amp"),
            call=made.key,
            at=AT,
        )
        rows.append(Rows(verdict_rows(verdict, "r1")))

    async def write():
        async with store.writer() as writer:
            await asyncio.gather(*(writer.add(r) for r in rows))

    asyncio.run(write())


def standing(agent, state=State.RANKED, **changes):
    score = AbsoluteScore(mean=70.25, low=60.0, high=80.0, scenarios=3, planned=3)
    few = AbsoluteScore(mean=6.5, low=None, high=None, scenarios=2, planned=3)
    values = {
        "agent": agent,
        "state": state,
        "why": None,
        "rating": 1000.0,
        "low": 960.0,
        "high": 1040.0,
        "open": None,
        "se": 20.0,
        "se_clustered": 20.0,
        "rank_low": None,
        "rank_high": None,
        "resample_rank_low": None,
        "resample_rank_high": None,
        "p_best": None,
        "wins": 10,
        "ties": 5,
        "losses": 15,
        "win_share": 0.4167,
        "comparisons": 30,
        "scenarios": 3,
        "planned": 36,
        "excluded": {"unparsed": 3, "no_transcript": 2, "brand_new_reason": 1},
        "absolute": score,
        "criteria": {"care": few, "harm": few, "chatty": few},
        "domains": {"alpha": few, "beta": score},
    }
    return Standing(**{**values, **changes})


def pair(a, b, decision=None, **changes):
    values = {
        "a": a,
        "b": b,
        "comparisons": 6,
        "scenarios": 3,
        "planned": 6,
        "share": 0.75,
        "wins": 4,
        "ties": 1,
        "losses": 1,
        "flips": 1,
        "difference": 80.0,
        "low": 10.0,
        "high": 150.0,
        "p": 0.01,
        "p_holm": 0.03,
        "decision": decision,
        "expected": 0.6,
        "residual": 0.15,
        "z": 0.9,
    }
    return PairStanding(**{**values, **changes})


def make_board(
    standings, pairs=(), *, suite="tiny", mode="natural", digest="", notes=(), **changes
):
    values = {
        "schema": SCHEMA,
        "suite": suite,
        "suite_version": "1.0.0",
        "suite_digest": digest,
        "mode": mode,
        "panel": ("judge-a", "judge-b"),
        "method": "bradley-terry",
        "interval": "bootstrap",
        "level": 0.95,
        "resamples": 1000,
        "seed": 7,
        "anchor": 1000.0,
        "scale": 400.0,
        "scenarios": 3,
        "scenarios_planned": 3,
        "comparisons": 90,
        "notes": tuple(Why(key=key) for key in notes),
        "agents": tuple(standings),
        "pairs": tuple(pairs),
        "diagnostics": Diagnostics(
            flips=4,
            flip_rate=0.12,
            ties=9,
            tie_share=0.2,
            cycles=1,
            triads=20,
            cycle_examples=((standings[0].agent,) * 3,) if standings else (),
            residuals=(),
            spearman=0.5,
            rows=RowCount(read=200, used=180, excluded={"unparsed": 20}),
            judges=(
                JudgeCount(judge="judge-a", comparisons=45, flips=2, ties=5, rows={"ok": 90}),
                JudgeCount(judge="judge-b", comparisons=45, flips=2, ties=4, rows={"ok": 90}),
            ),
        ),
        "software": "arena 0.1.0",
        "data_digest": "d" * 32,
        "at": AT,
    }
    return Board(**{**values, **changes})


def every_state(suite):
    """A board on which each state of a standing occurs."""
    a, b, c, d, e, f = EVIL_NAMES
    none = {"rating": None, "low": None, "high": None, "se": None, "se_clustered": None}
    short = {
        "comparisons": 12,
        "min_comparisons": 30,
        "scenarios": 3,
        "min_scenarios": 10,
        "readable": 0.5,
        "min_readable": 0.8,
        "also": [],
    }
    standings = (
        standing(a, rank_low=1, rank_high=2, rating=1100.0, low=1050.0, high=1160.0),
        standing(b, rank_low=1, rank_high=2, rating=1010.0, low=970.0, high=1050.0),
        standing(c, State.PROVISIONAL, why=Why(key="few_scenarios", facts=short)),
        standing(
            d,
            State.UNBOUNDED,
            why=Why(key="undefeated", facts={"comparisons": 20, "scenarios": 3}),
            open="above",
            **{**none, "low": 1205.0},
        ),
        standing(e, State.DISCONNECTED, why=Why(key="separate", facts={"connect": [a, e]}), **none),
        standing(
            f,
            State.UNRATED,
            why=Why(key="no_comparisons", facts={}),
            **{**none, "comparisons": 0, "win_share": None, "absolute": None, "excluded": {}},
        ),
    )
    pairs = (pair(*sorted((a, b)), None), pair(*sorted((a, e)), comparisons=0, share=None))
    return make_board(standings, pairs, digest=suite.digest())


def publish_to(out, store, jobs, lang="zh", **changes):
    values = {"command": "arena run && arena publish", "software": "arena 0.1.0"}
    return publish(jobs=jobs, store=store, out=out, lang=lang, **{**values, **changes})


@pytest.fixture(scope="session")
def make():
    return SimpleNamespace(
        agents=make_agents,
        board=make_board,
        every_state=every_state,
        evil=EVIL,
        evil_names=EVIL_NAMES,
        fill=fill,
        job=make_job,
        pair=pair,
        publish=publish_to,
        standing=standing,
        suite=make_suite,
        words=words,
    )


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """A filled store with a board of every state; read only."""
    job = make_job()
    with Store(tmp_path_factory.mktemp("db") / "arena.duckdb") as store:
        fill(store, job)
        store.boards.add(every_state(job.suite), run="r1")
        yield SimpleNamespace(store=store, job=job)


@pytest.fixture(scope="session")
def site(world, tmp_path_factory):
    """The folder of a published leaderboard; read only."""
    out = tmp_path_factory.mktemp("site") / "leaderboard"
    published = publish_to(out, world.store, [world.job])
    return SimpleNamespace(out=out, published=published)
