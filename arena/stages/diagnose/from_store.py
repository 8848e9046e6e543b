"""A job's verdicts and scores, as the store holds them, as evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, nan

import numpy as np

from arena.domain.agent import Agent, Judge, kin
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.score import SheetSpec
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import POINT_OF_A, Order, Outcome, Presentation, Verdict
from arena.judging.plans import presentations_of, sheets_of
from arena.stages.diagnose.evidence import Evidence, Tries, Verdicts
from arena.stages.diagnose.marks import Codes, gather_marks
from arena.store.people import HumanVerdict
from arena.store.store import Store
from arena.store.tables import Tried

SHOWN = {"ab": 1, "ba": -1, None: 0}
FLAGS = ("reason_conflict", "possible_injection", "cut")
STATUSES = tuple(status.value for status in Status)
_Row = dict[str, float | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roster:
    """Who is who by name, and of each transcript how much its agent said."""

    codes: Codes
    agents: Mapping[str, Agent]
    judges: Mapping[str, Judge]
    lengths: Mapping[str, int]

    def row(
        self,
        judge: str,
        shown: tuple[str, str],
        agents: tuple[str, str],
        scenario: str,
        order: Order | None,
        repeat: int,
        outcome: Outcome,
    ) -> _Row:
        """One verdict in columns; `shown`: the keys of both transcripts."""
        return {
            "judge": self.codes.judges[judge],
            "first": self.codes.agents[agents[0]],
            "second": self.codes.agents[agents[1]],
            "scenario": self.codes.scenarios[scenario],
            "unit": self.codes.unit(shown),
            "repeat": repeat,
            "share": POINT_OF_A[outcome],
            "shown": SHOWN[order],
            "length": self._length(*shown),
            # Verdicts of others may come without the transcripts that they are about.
            "of_first": self.codes.transcripts.get(shown[0], -1),
            "of_second": self.codes.transcripts.get(shown[1], -1),
            "kin": self._kin(judge, *agents),
        }

    def _length(self, a: str, b: str) -> float:
        sizes = (self.lengths.get(a, 0), self.lengths.get(b, 0))
        # An empty side has no length to compare by.
        return log(sizes[0] / sizes[1]) if all(sizes) else nan

    def _kin(self, judge: str, a: str, b: str) -> int:
        known = self.judges.get(judge)
        if known is None:
            return 0
        return int(kin(known, self.agents[a])) - int(kin(known, self.agents[b]))


def gather_evidence(job: Job, store: Store, *, judges: Sequence[Judge]) -> Evidence:
    """What the judges said in a job, and the people; what is not planned does not enter."""
    specs = job.all_transcripts()
    presented = presentations_of(job, judges=judges)
    sheeted = sheets_of(job, judges=judges)
    # An import holds what its judges said, whoever is asked for.
    pairs = presented.seated(store.verdicts.blocked(presented.contested)) if judges else ()
    sheets = sheeted.seated(store.sheets.blocked(sheeted.contested)) if judges else ()
    people = store.people.verdicts([s.key for s in specs]) if judges else []
    codes = _codes(job, specs, judges, [p.judge for p in people])
    roster = _Roster(
        codes=codes,
        agents={a.agent: a for a in job.agents},
        judges={j.judge: j for j in judges},
        lengths=_lengths(store, specs),
    )
    verdicts = store.verdicts.all(_repeated(pairs, store.people.most_repeats()))
    counted = [v for v in verdicts if _counts(v)]
    rows = [_judged(roster, v) for v in counted]
    voted = [_voted(roster, p) for p in people]
    raised = [set(v.flags) for v in counted] + [set[str]()] * len(people)
    told = [{c.criterion: c.side for c in v.criteria} for v in counted]
    scored = gather_marks(job, store, sheets, codes)
    guarded = {judge for judge, _ in (*presented.guarded, *sheeted.guarded)}
    return Evidence(
        agents=tuple(codes.agents),
        decoys=tuple(a.agent for a in job.decoys),
        judges=tuple(codes.judges),
        criteria=scored.criteria,
        scenarios=len(codes.scenarios),
        # What the judges of an import might have flagged nobody knows, nor who makes them.
        verdicts=_columns([*rows, *voted], raised, FLAGS if job.held is None else ()),
        marks=scored.marks,
        tries=_tries(codes, store, pairs, sheets, verdicts),
        counted={},
        guarded=tuple(sorted(guarded)) if job.guard == "exclude" else (),
        vendors_known=job.held is None,
        kin_alone=tuple(
            j.judge for j in judges if job.ranked and all(kin(j, a) for a in job.ranked)
        ),
        sides=_sides([*rows, *voted], [*told, *(p.criteria for p in people)], people),
        picked=frozenset(codes.unit((p.a, p.b)) for p in people if p.why == "disputed"),
        by_chance=all(p.why is not None for p in people),
    )


def _codes(
    job: Job, specs: Sequence[TranscriptSpec], judges: Sequence[Judge], people: Iterable[str]
) -> Codes:
    names = [*(j.judge for j in judges), *sorted(set(people))]
    return Codes(
        agents={name: i for i, name in enumerate(sorted(a.agent for a in job.agents))},
        judges={name: i for i, name in enumerate(dict.fromkeys(names))},
        scenarios={s.scenario: i for i, s in enumerate(job.selection.scenarios_of(job.suite))},
        transcripts={s.key: i for i, s in enumerate(specs)},
        units={},
    )


def _repeated(planned: Sequence[Presentation], most: int) -> list[Presentation]:
    """What is planned, and the same asked again, whether or not that is planned."""
    found = {shown.key: shown for shown in planned}
    for shown in planned:
        for number in range(2, most + 1):
            again = replace(shown, judge_replicate=number)
            found.setdefault(again.key, again)
    return list(found.values())


def _counts(verdict: Verdict) -> bool:
    return verdict.status is Status.OK and verdict.outcome is not None


def _judged(roster: _Roster, verdict: Verdict) -> _Row:
    shown, outcome = verdict.presentation, verdict.outcome
    if outcome is None:
        raise ValueError("a verdict that counts has an outcome")
    return roster.row(
        shown.judge,
        (shown.a, shown.b),
        (shown.agent_a, shown.agent_b),
        shown.scenario,
        shown.order,
        shown.judge_replicate,
        outcome,
    )


def _voted(roster: _Roster, vote: HumanVerdict) -> _Row:
    return roster.row(
        vote.judge,
        (vote.a, vote.b),
        (vote.agent_a, vote.agent_b),
        vote.scenario,
        vote.order,
        vote.judge_replicate,
        vote.outcome,
    )


def _sides(
    rows: Sequence[_Row], told: Sequence[Mapping[str, Outcome]], people: Sequence[HumanVerdict]
) -> dict[str, Verdicts]:
    """The rows by criterion, with who was better by it: of those that people answered."""
    found = {}
    for criterion in sorted({name for p in people for name in p.criteria}):
        sided = [
            {**row, "share": POINT_OF_A[sides[criterion]]}
            for row, sides in zip(rows, told, strict=True)
            if criterion in sides
        ]
        found[criterion] = _columns(sided, [set()] * len(sided))
    return found


def _lengths(store: Store, specs: Sequence[TranscriptSpec]) -> dict[str, int]:
    return {
        t.spec.key: sum(len(m.text) for m in t.messages if m.role == "assistant")
        for t in store.transcripts.all(specs)
    }


def _columns(
    rows: Sequence[_Row], raised: Sequence[set[str]], known: Sequence[str] = FLAGS
) -> Verdicts:
    keys = ("judge", "unit", "repeat", "shown")
    order = sorted(range(len(rows)), key=lambda i: [rows[i][key] for key in keys])

    def ints(name: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.array([rows[i][name] for i in order], dtype=np.int64)

    def floats(name: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return np.array([rows[i][name] for i in order], dtype=np.float64)

    return Verdicts(
        judge=ints("judge"),
        first=ints("first"),
        second=ints("second"),
        scenario=ints("scenario"),
        unit=ints("unit"),
        repeat=ints("repeat"),
        share=floats("share"),
        shown=ints("shown"),
        length=floats("length"),
        of_first=ints("of_first"),
        of_second=ints("of_second"),
        kin=ints("kin"),
        flags={
            flag: np.array([flag in raised[i] for i in order], dtype=np.bool_) for flag in known
        },
    )


def _tries(
    codes: Codes,
    store: Store,
    presentations: Sequence[Presentation],
    sheets: Sequence[SheetSpec],
    verdicts: Sequence[Verdict],
) -> dict[str, Tries]:
    """How every planned answer ended that was tried, by kind of work."""
    said = {v.presentation.key: v.status for v in verdicts}
    answered = {s.spec.key: s.status for s in store.sheets.all(sheets)}
    return {
        "verdict": _ended(codes, presentations, said, store.verdicts.todo(presentations)),
        "sheet": _ended(codes, sheets, answered, store.sheets.todo(sheets)),
    }


def _ended(
    codes: Codes,
    planned: Sequence[Presentation] | Sequence[SheetSpec],
    answered: Mapping[str, Status],
    todo: Mapping[str, Tried],
) -> Tries:
    found = []
    for one in planned:
        status = answered.get(one.key)
        if status is None and one.key in todo:
            status = todo[one.key].last
        if status is not None:
            found.append(
                (
                    codes.judges[one.judge],
                    codes.scenarios[one.scenario],
                    STATUSES.index(status.value),
                )
            )
    table = np.array(found, dtype=np.int64).reshape(-1, 3)
    return Tries(statuses=STATUSES, judge=table[:, 0], scenario=table[:, 1], status=table[:, 2])
