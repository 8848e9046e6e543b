"""Imported records as records of ours, checked against the suite that they are of.

Writes nothing. A record that cannot be one of ours is left out and counted; one
whose answer cannot be counted comes in without status `ok`, and never as 0 or as a tie.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from arena.domain.agent import EntrantId
from arena.domain.call import Message, Status
from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    LeftOut,
    imported_agent,
    imported_judge,
)
from arena.domain.score import Sheet, SheetSpec
from arena.domain.suite import Suite
from arena.domain.transcript import Transcript, TranscriptSpec
from arena.domain.verdict import Order, Presentation, Verdict, Wording
from arena.judging.thinking import split_thinking
from arena.stages.take_in.checking import check_sheet, check_verdict
from arena.suites.complaints import pattern_of

Kind = Literal["transcript", "sheet", "verdict"]
NAME = re.compile(pattern_of(EntrantId))
LONGEST_NAME = 200
TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?Z?)?"
)
NOT_KNOWN = "unknown"
WORDING = Wording(template=NOT_KNOWN, rubric=NOT_KNOWN, notes=NOT_KNOWN, cut=NOT_KNOWN)
"""What an imported judge was told: not known, and so never that of a judge of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One record that comes in: exactly one of `transcript`, `sheet` and `verdict`."""

    kind: Kind
    key: str
    mode: str
    agents: tuple[str, ...]
    judge: str = ""
    readable: bool = True
    place: str
    raw: str | None
    transcript: Transcript | None = None
    sheet: Sheet | None = None
    verdict: Verdict | None = None


def prepare(found: Import, suite: Suite, left_out: LeftOut) -> Iterator[Taken]:
    """Everything of an import that can be of a suite, transcripts first, each key once.

    What does not come in is counted in `left_out`.
    """
    seen: set[str] = set()
    for taken in _Preparing(found, suite, left_out).all():
        if taken.key in seen:
            left_out.note("repeated", taken.place)
            continue
        seen.add(taken.key)
        yield taken


def is_name(text: str) -> bool:
    """Whether an agent or judge can be called so; half a character cannot be stored."""
    whole = not any("\ud800" <= c <= "\udfff" for c in text)
    return whole and len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None


def _when(text: str) -> str:
    """A time that is written like ours; nothing for any other text."""
    return text if TIME.fullmatch(text) else ""


class _Preparing:
    def __init__(self, found: Import, suite: Suite, left_out: LeftOut) -> None:
        self._found, self._suite, self._left = found, suite, left_out
        self._scenarios = {s.scenario: s for s in suite.scenarios}
        self._specs: dict[tuple[str, str, str, int], TranscriptSpec] = {}

    def all(self) -> Iterator[Taken]:
        for transcript in self._found.transcripts:
            if self._fits(transcript, (transcript.agent,)) and self._is_dialogue(transcript):
                yield self._transcript(transcript)
        for sheet in self._found.sheets:
            if self._fits(sheet, (sheet.agent, sheet.judge)):
                yield from self._sheet(sheet)
        for verdict in self._found.verdicts:
            if self._fits(verdict, (verdict.first, verdict.second, verdict.judge)):
                yield from self._verdict(verdict)

    def _fits(
        self, record: ImportedTranscript | ImportedSheet | ImportedVerdict, names: Iterable[str]
    ) -> bool:
        if not all(is_name(name) for name in names):
            self._left.note("bad_name", record.place)
        elif record.scenario not in self._scenarios:
            self._left.note("unknown_scenario", record.place)
        elif record.mode not in self._suite.modes:
            self._left.note("unknown_mode", record.place)
        else:
            return True
        return False

    def _is_dialogue(self, record: ImportedTranscript) -> bool:
        roles = [m.role for m in record.messages if m.role != "system"]
        replies = [m.text for m in record.messages if m.role == "assistant"]
        if not roles or roles != ["user", "assistant"] * (len(roles) // 2):
            self._left.note("no_dialogue", record.place)
        elif not all(split_thinking(text).visible.strip() for text in replies):
            self._left.note("empty_reply", record.place)
        else:
            return True
        return False

    def _spec(self, agent: str, scenario: str, mode: str, replicate: int) -> TranscriptSpec:
        """The transcript that came in, or the one that must have been there."""
        known = self._specs.get((agent, scenario, mode, replicate))
        return known or self._new_spec(
            agent,
            scenario,
            mode,
            replicate,
            self._suite.shown_digest(self._scenarios[scenario], mode),
            len(self._suite.user_turns(self._scenarios[scenario], mode)),
        )

    def _new_spec(
        self, agent: str, scenario: str, mode: str, replicate: int, shown: str, rounds: int
    ) -> TranscriptSpec:
        return TranscriptSpec(
            suite=self._suite.suite,
            shown=shown,
            mode=mode,
            agent=agent,
            agent_digest=imported_agent(agent, {}).digest(),
            scenario=scenario,
            replicate=replicate,
            origin=self._found.origin,
            rounds=rounds,
        )

    def _transcript(self, record: ImportedTranscript) -> Taken:
        said = tuple(
            Message(m.role, split_thinking(m.text).visible) if m.role == "assistant" else m
            for m in record.messages
        )
        rounds = sum(m.role == "user" for m in said)
        place = (record.agent, record.scenario, record.mode, record.replicate)
        spec = self._specs.setdefault(place, self._new_spec(*place, record.shown, rounds))
        made = Transcript(spec=spec, messages=said, calls=(), at=_when(record.at))
        return Taken(
            kind="transcript",
            key=spec.key,
            mode=record.mode,
            agents=(record.agent,),
            place=record.place,
            raw=record.raw,
            transcript=made,
        )

    def _sheet(self, record: ImportedSheet) -> Iterator[Taken]:
        spec = self._specs.get((record.agent, record.scenario, record.mode, record.replicate))
        if spec is None:
            self._left.note("no_transcript", record.place)
            return
        judged = SheetSpec(
            transcript=spec.key,
            agent=record.agent,
            scenario=record.scenario,
            judge=record.judge,
            judge_digest=imported_judge(record.judge).digest(),
            wording=WORDING,
        )
        scenario = self._scenarios[record.scenario]
        sheet = check_sheet(
            replace(record, at=_when(record.at)), judged, self._suite.rubric_of(scenario), scenario
        )
        yield Taken(
            kind="sheet",
            key=judged.key,
            mode=record.mode,
            agents=(record.agent,),
            judge=record.judge,
            readable=sheet.status is Status.OK,
            place=record.place,
            raw=record.raw,
            sheet=sheet,
        )

    def _verdict(self, record: ImportedVerdict) -> Iterator[Taken]:
        if record.first == record.second:
            self._left.note("self_pair", record.place)
            return
        turned = record.first > record.second
        a, b = sorted((record.first, record.second))
        where = (record.scenario, record.mode, record.replicate)
        order: Order | None = ("ba" if turned else "ab") if record.ordered else None
        shown = Presentation(
            a=self._spec(a, *where).key,
            b=self._spec(b, *where).key,
            agent_a=a,
            agent_b=b,
            scenario=record.scenario,
            replicate=record.replicate,
            judge=record.judge,
            judge_digest=imported_judge(record.judge).digest(),
            wording=WORDING,
            order=order,
        )
        rubric = self._suite.rubric_of(self._scenarios[record.scenario])
        asked = frozenset(c.criterion for c in rubric.compare_criteria())
        verdict = check_verdict(replace(record, at=_when(record.at)), shown, asked, turned=turned)
        yield Taken(
            kind="verdict",
            key=shown.key,
            mode=record.mode,
            agents=(a, b),
            judge=record.judge,
            readable=verdict.status is Status.OK,
            place=record.place,
            raw=record.raw,
            verdict=verdict,
        )
