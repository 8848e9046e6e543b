"""Flags and eligibility on a board: what gates are decided by, gathered from sheets and store."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from statistics import fmean

from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.digest import digest
from arena.domain.eligibility import Quotation
from arena.domain.flag import Flag
from arena.domain.gate import Gate
from arena.domain.job import Job
from arena.domain.rounds import Measured
from arena.domain.score import Sheet
from arena.stages.rank.compared import Compared
from arena.stages.rank.flags import JudgedCase, find_flags, find_kin
from arena.stages.rank.gates import Evidenced, decide
from arena.store.store import Store

AGAIN = frozenset({None, Status.ERROR})
"""How a call ended that the next run makes again, None where there was none."""


def add_eligibility(
    job: Job,
    board: Board,
    found: Compared,
    measured: Mapping[tuple[str, str], Sequence[Measured]],
    store: Store,
) -> Board:
    """The board with its red flags and, where gates are set, what they say of each agent.

    A board of some domains tells no eligibility: a gate is about all of its cases. The digest of
    the data covers the gates and what people decided.
    """
    cases = _judged(job, found, measured)
    sheets = [s for s in found.sheets.values() if s.status is Status.OK]
    flags = find_flags(job, cases, sheets, store.decisions.all())
    gates = () if job.selection.domains else job.gates
    if not gates and not flags:
        return board
    told = [gate.model_dump(mode="json") for gate in gates]
    board = replace(
        board,
        gates=gates,
        flags=flags,
        data_digest=digest([board.data_digest, told, [asdict(flag) for flag in flags]]),
    )
    if not gates:
        return board
    evidence = Evidenced(
        gates=gates,
        cases=[[s.scenario for s in g.scenarios_of(job.suite, job.mode)] for g in gates],
        judged=cases,
        waiting=_waiting(job, found, store),
        flags=_by_place(flags),
        kin=find_kin(job),
        quotations=_quotations(job, gates, cases, sheets),
    )
    return replace(
        board,
        agents=tuple(replace(s, eligibility=decide(s.agent, evidence)) for s in board.agents),
    )


def _by_place(flags: Iterable[Flag]) -> dict[tuple[str, str], list[Flag]]:
    found: dict[tuple[str, str], list[Flag]] = defaultdict(list)
    for flag in flags:
        found[flag.agent, flag.scenario].append(flag)
    return found


def _judged(
    job: Job, found: Compared, measured: Mapping[tuple[str, str], Sequence[Measured]]
) -> list[JudgedCase]:
    """What each judge's replicates say on the average of each transcript of a ranked agent."""
    ranked = {a.agent for a in job.ranked}
    about = {spec.transcript: (spec.agent, spec.scenario) for spec in found.sheet_plan}
    cases = []
    for (transcript, judge), replicates in sorted(measured.items()):
        agent, scenario = about[transcript]
        scores: dict[str, list[float]] = defaultdict(list)
        for one in replicates if agent in ranked else ():
            for criterion, value in one.criteria.items():
                scores[criterion].append(value)
        if scores:
            cases.append(
                JudgedCase(
                    agent=agent,
                    scenario=scenario,
                    transcript=transcript,
                    judge=judge,
                    criteria={key: fmean(values) for key, values in scores.items()},
                )
            )
    return cases


def _waiting(job: Job, found: Compared, store: Store) -> frozenset[tuple[str, str]]:
    """Agent and scenario of which a sheet is planned that the next run would ask for."""
    tried = store.transcripts.todo(job.all_transcripts())
    lost = {key for key, one in tried.items() if one.last not in AGAIN}
    answered = found.sheets.keys() | found.split.others
    return frozenset(
        (spec.agent, spec.scenario)
        for spec in found.sheet_plan
        if spec.key not in answered and spec.transcript not in lost
    )


def _quotations(
    job: Job, gates: Sequence[Gate], cases: Sequence[JudgedCase], sheets: Sequence[Sheet]
) -> dict[str, list[Quotation]]:
    """Verified quotations from scenarios with a red flag, by agent."""
    found: dict[str, list[Quotation]] = defaultdict(list)
    shown = {s.scenario for s in job.suite.scenarios if job.suite.red_flags_in(s, job.mode)}
    for gate in gates:
        scores: dict[tuple[str, str], list[float]] = defaultdict(list)
        for case in cases:
            if gate.criterion in case.criteria and case.scenario in shown:
                scores[case.agent, case.scenario].append(case.criteria[gate.criterion])
        for sheet in sheets:
            place = (sheet.spec.agent, sheet.spec.scenario)
            for at, quote in _verified(sheet, gate) if place in scores else ():
                found[place[0]].append(
                    Quotation(
                        scenario=place[1],
                        round=at,
                        quote=quote,
                        judge=sheet.spec.judge,
                        criterion=gate.criterion,
                        score=fmean(scores[place]),
                    )
                )
    return found


def _verified(sheet: Sheet, gate: Gate) -> list[tuple[int, str]]:
    """What a sheet quotes for a gate's criterion, and of dangers that were not handled."""
    evidence = [e for e in sheet.backing.evidence if e.criterion == gate.criterion]
    marks = [m for m in sheet.backing.red_flags if m.handled != "yes"]
    quoted = [
        *((e.round, e.quote, e.found) for e in evidence),
        *((m.round, m.quote, m.found) for m in marks),
    ]
    return [(at, quote) for at, quote, there in quoted if there and quote]
