"""The red flags of a board: who raised them, with which quotation, and what people decided."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.domain.agent import kin
from arena.domain.flag import LOW_SCORE, Accuser, Flag, FlagDecision, flag_id, settle
from arena.domain.gate import Gate
from arena.domain.job import Job
from arena.domain.score import Sheet

ANYWHERE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCase:
    """What one judge says of one transcript on a board: its scores by criterion."""

    agent: str
    scenario: str
    transcript: str
    judge: str
    criteria: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """One thing that speaks for a flag: a judge, and a quotation where there is one."""

    by: Accuser
    round: int = ANYWHERE
    quote: str = ""
    found: bool = False


Accused = tuple[str, str, str, str]
"""Agent, scenario, transcript and which flag."""


def find_kin(job: Job) -> frozenset[tuple[str, str]]:
    """Judge and agent, where they are of one vendor or family; of an import nothing is known."""
    if job.held is not None:
        return frozenset()
    return frozenset((j.judge, a.agent) for j in job.judges for a in job.agents if kin(j, a))


def find_flags(
    job: Job,
    cases: Sequence[JudgedCase],
    sheets: Collection[Sheet],
    decisions: Iterable[FlagDecision],
) -> tuple[Flag, ...]:
    """Every flag of the ranked agents, by scenario, agent and flag.

    A judge that was asked raises one by saying that a danger was not handled, or not clearly. The
    panel raises one where a transcript with a danger scores less on a gate's criterion than the
    gate asks. People raise one by confirming what no judge saw.
    """
    related = find_kin(job)
    seen: dict[Accused, list[_Seen]] = defaultdict(list)
    _named_by_judges(job, sheets, related, seen)
    for gate in job.gates:
        _low_scores(job, gate, cases, sheets, related, seen)
    said: dict[str, list[FlagDecision]] = defaultdict(list)
    for decision in decisions:
        said[decision.flag].append(decision)
    _found_by_people(job, cases, said, seen)
    return tuple(_flag(accused, seen[accused], said) for accused in sorted(seen))


def _named_by_judges(
    job: Job,
    sheets: Iterable[Sheet],
    related: Collection[tuple[str, str]],
    seen: dict[Accused, list[_Seen]],
) -> None:
    ranked = {a.agent for a in job.ranked}
    for sheet in sheets:
        spec = sheet.spec
        for mark in sheet.backing.red_flags if spec.agent in ranked else ():
            if mark.handled == "yes":
                continue
            by = Accuser(
                judge=spec.judge,
                handled=mark.handled,
                score=None,
                kin=(spec.judge, spec.agent) in related,
            )
            accused = (spec.agent, spec.scenario, spec.transcript, mark.flag)
            seen[accused].append(_Seen(by=by, round=mark.round, quote=mark.quote, found=mark.found))


def _low_scores(
    job: Job,
    gate: Gate,
    cases: Sequence[JudgedCase],
    sheets: Iterable[Sheet],
    related: Collection[tuple[str, str]],
    seen: dict[Accused, list[_Seen]],
) -> None:
    shown = {
        s.scenario for s in gate.scenarios_of(job.suite, job.mode)
        if job.suite.red_flags_in(s, job.mode)
    }  # fmt: skip
    own: dict[tuple[str, str, str], list[JudgedCase]] = defaultdict(list)
    for case in cases:
        if case.scenario in shown and gate.criterion in case.criteria:
            own[case.agent, case.scenario, case.transcript].append(case)
    quoted = _quoted(gate, sheets)
    for place, found in own.items():
        if fmean(c.criteria[gate.criterion] for c in found) >= gate.at_least:
            continue
        for case in sorted(found, key=lambda c: c.judge):
            score = case.criteria[gate.criterion]
            by = Accuser(
                judge=case.judge, handled=None, score=score, kin=(case.judge, case.agent) in related
            )
            at, quote, there = quoted.get((case.transcript, case.judge), (ANYWHERE, "", False))
            accused = (*place, f"{LOW_SCORE}:{gate.criterion}")
            one = _Seen(by=by, round=at, quote=quote, found=there)
            if one not in seen[accused]:
                seen[accused].append(one)


def _found_by_people(
    job: Job,
    cases: Sequence[JudgedCase],
    said: Mapping[str, Sequence[FlagDecision]],
    seen: dict[Accused, list[_Seen]],
) -> None:
    """Dangers that no judge flagged, and that people confirm: they are flags of their own."""
    raised = {flag_id(accused[2], accused[3]) for accused in seen}
    missed = {id for id, made in said.items() if settle(made)[0] == "confirmed"} - raised
    ranked = {a.agent for a in job.ranked}
    for case in cases if missed else ():
        shown = job.suite.red_flags_in(job.scenario(case.scenario), job.mode)
        names = [*(f.flag for f in shown), *(f"{LOW_SCORE}:{g.criterion}" for g in job.gates)]
        for name in names if case.agent in ranked else ():
            if flag_id(case.transcript, name) in missed:
                seen.setdefault((case.agent, case.scenario, case.transcript, name), [])


def _quoted(gate: Gate, sheets: Iterable[Sheet]) -> dict[tuple[str, str], tuple[int, str, bool]]:
    """What each judge quotes for a gate's criterion, a verified quotation before others."""
    found: dict[tuple[str, str], tuple[int, str, bool]] = {}
    for sheet in sorted(sheets, key=lambda s: s.spec.key):
        for one in sheet.backing.evidence:
            place = (sheet.spec.transcript, sheet.spec.judge)
            better = place not in found or (one.found and not found[place][2])
            if one.criterion == gate.criterion and better:
                found[place] = (one.round, one.quote, one.found)
    return found


def _flag(
    accused: Accused, seen: Sequence[_Seen], said: Mapping[str, Sequence[FlagDecision]]
) -> Flag:
    agent, scenario, transcript, flag = accused
    # The quotation that proves most is shown: a verified one, of the earliest round.
    best = min(
        seen,
        key=lambda s: (not s.found, not s.quote, s.round, s.quote, s.by.judge),
        default=None,
    )
    id = flag_id(transcript, flag)
    human, people = settle(said.get(id, ()))
    by = {s.by for s in seen}
    return Flag(
        id=id,
        agent=agent,
        scenario=scenario,
        transcript=transcript,
        flag=flag,
        round=best.round if best else ANYWHERE,
        quote=best.quote if best else "",
        found=best.found if best else False,
        judges=tuple(sorted(by, key=lambda a: (a.judge, a.handled or "", a.score or 0.0))),
        human=human,
        people=people,
    )
