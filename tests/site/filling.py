"""Every kind of thing that can be stored, and every way in which it can be missing."""

import asyncio
from decimal import Decimal

from arena.domain.call import Call, Message, Status
from arena.domain.score import Score, Sheet
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Outcome, Verdict
from arena.judging.planning import plan_presentations, plan_sheets
from arena.store.rows import Rows, call_row, sheet_rows, transcript_row, verdict_rows
from tests.site.hostile import AT, EVIL


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
