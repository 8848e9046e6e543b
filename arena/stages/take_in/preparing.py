"""Imported records as records of ours, checked against the suite that they are of.

Writes nothing. A record that cannot be one of ours is left out and counted; one
whose answer cannot be counted comes in without status `ok`, and never as 0 or as a tie.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from sys import intern
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
_Place = tuple[str, str, str, int]
"""Agent, scenario, mode, replicate."""
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
    seen: set[bytes] = set()
    for taken in _Preparing(found, suite, left_out).all():
        if taken.kind != "transcript":
            # Of transcripts the keys are known already. Bytes are shorter than their digits.
            key = bytes.fromhex(taken.key)
            if key in seen:
                left_out.note("repeated", taken.place)
                continue
            seen.add(key)
        yield taken


def is_name(text: str) -> bool:
    """Whether an agent or judge can be called so; half a character cannot be stored."""
    whole = not any("\ud800" <= c <= "\udfff" for c in text)
    return whole and len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None


def _when(text: str) -> str:
    """A time that is written like ours; nothing for any other text."""
    return text if TIME.fullmatch(text) else ""


def _place(record: ImportedTranscript | ImportedSheet) -> _Place:
    """Where a record is; names come back in many records, and each is kept once."""
    return intern(record.agent), intern(record.scenario), intern(record.mode), record.replicate


class _Preparing:
    def __init__(self, found: Import, suite: Suite, left_out: LeftOut) -> None:
        self._found, self._suite, self._left = found, suite, left_out
        self._scenarios = {s.scenario: s for s in suite.scenarios}
        self._keys: dict[_Place, bytes] = {}
        self._agent = cache(lambda name: imported_agent(name, {}).digest())
        self._judge = cache(lambda name: imported_judge(name).digest())
        self._asked = cache(self._compared)

    def all(self) -> Iterator[Taken]:
        for transcript in self._found.transcripts:
            if self._fits(transcript, (transcript.agent,)) and self._is_dialogue(transcript):
                yield from self._transcript(transcript)
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

    def _key(self, *place: *_Place) -> str:
        """The key of the transcript that came in, or of the one that must have been there."""
        if known := self._keys.get(place):
            return known.hex()
        scenario, mode = self._scenarios[place[1]], place[2]
        shown = self._suite.shown_digest(scenario, mode)
        spec = self._new_spec(place, shown, len(self._suite.user_turns(scenario, mode)))
        self._keys[place] = bytes.fromhex(spec.key)
        return spec.key

    def _new_spec(self, place: _Place, shown: str, rounds: int) -> TranscriptSpec:
        agent, scenario, mode, replicate = place
        return TranscriptSpec(
            suite=self._suite.suite,
            shown=shown,
            mode=mode,
            agent=agent,
            agent_digest=self._agent(agent),
            scenario=scenario,
            replicate=replicate,
            origin=self._found.origin,
            rounds=rounds,
        )

    def _compared(self, scenario: str) -> frozenset[str]:
        """What the replies in a scenario are compared by."""
        rubric = self._suite.rubric_of(self._scenarios[scenario])
        return frozenset(c.criterion for c in rubric.compare_criteria())

    def _transcript(self, record: ImportedTranscript) -> Iterator[Taken]:
        place = _place(record)
        if place in self._keys:
            self._left.note("repeated", record.place)
            return
        said = tuple(
            Message(m.role, split_thinking(m.text).visible) if m.role == "assistant" else m
            for m in record.messages
        )
        rounds = sum(m.role == "user" for m in said)
        spec = self._new_spec(place, record.shown, rounds)
        self._keys[place] = bytes.fromhex(spec.key)
        made = Transcript(spec=spec, messages=said, calls=(), at=_when(record.at))
        yield Taken(
            kind="transcript",
            key=spec.key,
            mode=record.mode,
            agents=(record.agent,),
            place=record.place,
            raw=record.raw,
            transcript=made,
        )

    def _sheet(self, record: ImportedSheet) -> Iterator[Taken]:
        key = self._keys.get(_place(record))
        if key is None:
            self._left.note("no_transcript", record.place)
            return
        judged = SheetSpec(
            transcript=key.hex(),
            agent=record.agent,
            scenario=record.scenario,
            judge=record.judge,
            judge_digest=self._judge(record.judge),
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
            a=self._key(a, *where),
            b=self._key(b, *where),
            agent_a=a,
            agent_b=b,
            scenario=record.scenario,
            replicate=record.replicate,
            judge=record.judge,
            judge_digest=self._judge(record.judge),
            wording=WORDING,
            order=order,
        )
        asked = self._asked(record.scenario) if record.criteria else frozenset()
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
