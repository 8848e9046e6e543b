"""Stores, and makers of every kind of record, with plain defaults."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from arena.domain.call import Call, Message, Status
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict, Wording
from arena.store.rows import Rows, call_row, sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store

# How long an example takes says nothing on a busy machine.

AT = "2026-11-30T04:00:00.000Z"
WORDING = Wording(template="t", rubric="r", notes="n", cut="c")


def make_call(key="c-1", serves="k-1", **changes):
    values = {
        "serves_kind": "verdict",
        "speaker": "judge",
        "entrant": "j",
        "entrant_digest": "jd",
        "round": 0,
        "attempt": 1,
        "status": Status.OK,
        "text": "reply",
        "model_asked": "m",
        "host": "h",
        "run": "r",
        "at": AT,
    }
    return Call(key=key, serves=serves, **(values | changes))


def make_transcript_spec(scenario="S-1", **changes):
    values = {
        "suite": "tiny",
        "shown": "d",
        "mode": "natural",
        "agent": "x",
        "agent_digest": "xd",
        "rounds": 1,
    }
    return TranscriptSpec(scenario=scenario, **(values | changes))


def make_transcript(spec=None, messages=None, calls=("c-1",)):
    messages = messages or (Message("user", "q"), Message("assistant", "a"))
    return Transcript(spec=spec or make_transcript_spec(), messages=messages, calls=calls, at=AT)


def make_sheet_spec(transcript="t-1", **changes):
    values = {"agent": "x", "scenario": "S-1", "judge": "j", "judge_digest": "jd"}
    return SheetSpec(transcript=transcript, wording=WORDING, **(values | changes))


def make_sheet(spec=None, **changes):
    values = {
        "attempt": 1,
        "status": Status.OK,
        "scores": (Score(criterion="care", value=4.0, comment="warm"),),
        "summary": "fine",
        "strengths": ("kind",),
        "issues": (),
        "flags": (),
        "call": "c-1",
        "at": AT,
    }
    return Sheet(spec=spec or make_sheet_spec(), **(values | changes))


def make_presentation(a="t-1", b="t-2", **changes):
    values = {
        "agent_a": "x",
        "agent_b": "y",
        "scenario": "S-1",
        "replicate": 1,
        "judge": "j",
        "judge_digest": "jd",
        "order": "ab",
    }
    return Presentation(a=a, b=b, wording=WORDING, **(values | changes))


def make_verdict(presentation=None, **changes):
    values = {
        "attempt": 1,
        "status": Status.OK,
        "outcome": Outcome.A,
        "margin": 3,
        "reason": "better",
        "criteria": (CriterionVerdict(criterion="care", side=Outcome.A, strength=2),),
        "flags": (),
        "codes": ("K482", "M357"),
        "call": "c-1",
        "at": AT,
    }
    return Verdict(presentation=presentation or make_presentation(), **(values | changes))


def make_rows(*records):
    """Rows of any records, to be committed together."""
    tables = []
    for record in records:
        match record:
            case Call():
                tables.append(("call", (call_row(record),)))
            case Transcript():
                tables.append(("transcript", (transcript_row(record, "r"),)))
            case Sheet():
                tables += sheet_rows(record, "r")
            case Verdict():
                tables += verdict_rows(record, "r")
    return Rows(tuple(tables))


async def keep(store, *records):
    """Write records, each committed by itself."""
    async with store.writer(delay=0) as writer:
        for record in records:
            await writer.add(make_rows(record))


@pytest.fixture(scope="session")
def make():
    return SimpleNamespace(
        call=make_call,
        transcript_spec=make_transcript_spec,
        transcript=make_transcript,
        sheet_spec=make_sheet_spec,
        sheet=make_sheet,
        presentation=make_presentation,
        verdict=make_verdict,
        rows=make_rows,
        keep=keep,
        cost=Decimal("0.000123456"),
    )


@pytest.fixture
def store():
    with Store(None) as opened:
        yield opened


@pytest.fixture
def database(tmp_path):
    return tmp_path / "results" / "arena.duckdb"
