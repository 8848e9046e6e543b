"""Rows and records: how domain values become rows of a table, and back.

Writer beside reader for each table; a round trip changes nothing.
"""

import json
import re
from dataclasses import asdict, dataclass
from typing import Any

from arena.domain.call import Call, Message, Status
from arena.domain.flag import FlagMark
from arena.domain.score import NO_BACKING, Backing, Evidence, Score, Sheet, SheetSpec
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict, Wording

Row = tuple[Any, ...]
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


Tables = tuple[tuple[str, tuple[Row, ...]], ...]
"""Rows by table."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows for several tables that belong together and are committed together."""

    tables: Tables

    def __len__(self) -> int:
        return sum(len(rows) for _, rows in self.tables)


def dumps(value: Any) -> str:
    """JSON text for a column that is only shown."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def storable(text: str) -> str:
    """Text that DuckDB can hold: NUL and lone surrogates are written as their code point."""
    return UNSTORABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)


def call_row(call: Call) -> Row:
    """A row of `call`."""
    return (
        call.key,
        call.serves,
        call.serves_kind,
        call.speaker,
        call.entrant,
        call.entrant_digest,
        call.round,
        call.attempt,
        call.status.value,
        _storable(call.text),
        _storable(call.thinking),
        _storable(call.finish_reason),
        call.model_asked,
        _storable(call.model_returned),
        call.host,
        call.params_sent,
        call.params_dropped,
        call.prompt_digest,
        call.tokens_in,
        call.tokens_out,
        call.cost,
        call.currency,
        call.latency_ms,
        _storable(call.error),
        _storable(call.complaint),
        call.run,
        call.at,
        call.held,
    )


def transcript_row(transcript: Transcript, run: str) -> Row:
    """A row of `transcript`."""
    spec = transcript.spec
    return (
        spec.key,
        spec.suite,
        spec.shown,
        spec.mode,
        spec.agent,
        spec.agent_digest,
        spec.scenario,
        spec.user,
        spec.replicate,
        spec.origin,
        spec.rounds,
        dumps([[m.role, storable(m.text)] for m in transcript.messages]),
        dumps(list(transcript.calls)),
        sum(len(m.text) for m in transcript.messages if m.role == "assistant"),
        run,
        transcript.at,
    )


def to_transcript(row: Row) -> Transcript:
    """A transcript from the columns of `transcripts_all`."""
    (suite, shown, mode, agent, agent_digest, scenario, user, replicate, origin, rounds) = row[:10]
    messages, calls, at = row[10:]
    return Transcript(
        spec=TranscriptSpec(
            suite=suite,
            shown=shown,
            mode=mode,
            agent=agent,
            agent_digest=agent_digest,
            scenario=scenario,
            user=user,
            replicate=replicate,
            origin=origin,
            rounds=rounds,
        ),
        messages=tuple(Message(role, text) for role, text in json.loads(messages)),
        calls=tuple(json.loads(calls)),
        at=at,
    )


def sheet_rows(sheet: Sheet, run: str) -> Tables:
    """Rows of `sheet` and `score`."""
    spec = sheet.spec
    head = (
        spec.key,
        sheet.attempt,
        spec.transcript,
        spec.judge,
        spec.judge_digest,
        spec.wording.template,
        spec.wording.rubric,
        spec.wording.notes,
        spec.wording.cut,
        spec.scope,
        spec.round,
        spec.judge_replicate,
        sheet.status.value,
        storable(sheet.summary),
        storable(dumps(_remarks(sheet))),
        dumps(list(sheet.flags)),
        sheet.call,
        run,
        sheet.at,
    )
    scores = tuple(
        (spec.key, sheet.attempt, s.criterion, s.value, storable(s.comment)) for s in sheet.scores
    )
    return (("sheet", (head,)), ("score", scores))


def to_sheet(spec: SheetSpec, row: Row, scores: tuple[Score, ...]) -> Sheet:
    """A sheet from the columns of `sheets_all` after the key."""
    attempt, status, summary, remarks, flags, call, at = row
    said = json.loads(remarks)
    return Sheet(
        spec=spec,
        attempt=attempt,
        status=Status(status),
        scores=scores,
        summary=summary,
        strengths=tuple(said["strengths"]),
        issues=tuple(said["issues"]),
        flags=tuple(json.loads(flags)),
        call=call,
        at=at,
        backing=_backing(said.get("backing")),
    )


def _remarks(sheet: Sheet) -> dict[str, Any]:
    """What is only shown of a sheet; its backing where there is any."""
    remarks: dict[str, Any] = {"strengths": list(sheet.strengths), "issues": list(sheet.issues)}
    if sheet.backing != NO_BACKING:
        remarks["backing"] = asdict(sheet.backing)
    return remarks


def _backing(said: dict[str, Any] | None) -> Backing:
    if said is None:
        return NO_BACKING
    return Backing(
        evidence=tuple(Evidence(**e) for e in said["evidence"]),
        unjudged=tuple(said["unjudged"]),
        insufficient=tuple(said["insufficient"]),
        suggestions=tuple(said["suggestions"]),
        confidence=said["confidence"],
        # Sheets of earlier versions say nothing of them.
        red_flags=tuple(FlagMark(**m) for m in said.get("red_flags", ())),
    )


def verdict_rows(verdict: Verdict, run: str) -> Tables:
    """Rows of `verdict` and `verdict_criterion`."""
    shown = verdict.presentation
    head = (
        shown.key,
        verdict.attempt,
        shown.a,
        shown.b,
        shown.agent_a,
        shown.agent_b,
        shown.scenario,
        shown.replicate,
        shown.judge,
        shown.judge_digest,
        shown.wording.template,
        shown.wording.rubric,
        shown.wording.notes,
        shown.wording.cut,
        shown.order,
        shown.judge_replicate,
        verdict.status.value,
        verdict.outcome.value if verdict.outcome else None,
        verdict.margin,
        storable(verdict.reason),
        dumps(list(verdict.flags)),
        verdict.codes[0],
        verdict.codes[1],
        verdict.call,
        run,
        verdict.at,
    )
    criteria = tuple(
        (shown.key, verdict.attempt, c.criterion, c.side.value, c.strength)
        for c in verdict.criteria
    )
    return (("verdict", (head,)), ("verdict_criterion", criteria))


def to_presentation(row: Row) -> Presentation:
    """A presentation from the columns of `verdicts_beginning`."""
    a, b, agent_a, agent_b, scenario, replicate, judge, judge_digest, *wording, order, repeat = row
    template, rubric, notes, cut = wording
    return Presentation(
        a=a,
        b=b,
        agent_a=agent_a,
        agent_b=agent_b,
        scenario=scenario,
        replicate=replicate,
        judge=judge,
        judge_digest=judge_digest,
        wording=Wording(template=template, rubric=rubric, notes=notes, cut=cut),
        order=order,
        judge_replicate=repeat,
    )


def to_verdict(
    presentation: Presentation, row: Row, criteria: tuple[CriterionVerdict, ...]
) -> Verdict:
    """A verdict from the columns of `verdicts_all` after the key."""
    attempt, status, outcome, margin, reason, flags, code_a, code_b, call, at = row
    return Verdict(
        presentation=presentation,
        attempt=attempt,
        status=Status(status),
        outcome=Outcome(outcome) if outcome else None,
        margin=margin,
        reason=reason,
        criteria=criteria,
        flags=tuple(json.loads(flags)),
        codes=(code_a, code_b),
        call=call,
        at=at,
    )
