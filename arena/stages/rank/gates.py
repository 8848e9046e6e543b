"""Gates: whether an agent may pass at all, from scores, flags, and what people decided.

A case is a scenario; its score is the mean over the panel's judges and over replicates. What can
get no score leaves the denominator and is counted; what is not yet scored makes a gate unknown,
unless it fails whatever comes. So does too small a part of cases with a score: what is left of
them says too little of the rest.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.domain.eligibility import (
    Eligibility,
    GateResult,
    GateShare,
    GateState,
    Quotation,
    Reason,
    together,
)
from arena.domain.flag import Flag
from arena.domain.gate import Gate
from arena.maths.means import wilson
from arena.maths.quota import meets
from arena.stages.rank.flags import JudgedCase

MOST_QUOTATIONS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidenced:
    """What all gates of a board are decided by.

    `cases`: gate by gate, its scenarios. `waiting`: (agent, scenario) of which an answer is still
    to come. `flags`: by agent and scenario. `kin`: judge and agent of one vendor or family.
    `quotations`: verified ones of scenarios with a red flag, by agent.
    """

    gates: Sequence[Gate]
    cases: Sequence[Sequence[str]]
    judged: Sequence[JudgedCase]
    waiting: Collection[tuple[str, str]]
    flags: Mapping[tuple[str, str], Sequence[Flag]]
    kin: frozenset[tuple[str, str]]
    quotations: Mapping[str, Sequence[Quotation]]


@dataclass(frozen=True, slots=True)
class _Case:
    """One scenario of a gate for one agent; `met` None: it has no score. `fixed`: it stays so."""

    met: bool | None
    waiting: bool
    fixed: bool
    turned: bool
    open: int
    people: frozenset[str]


def decide(agent: str, found: Evidenced) -> Eligibility:
    """What all gates say of an agent."""
    results = tuple(_decide_gate(n, agent, found) for n in range(len(found.gates)))
    worst = sorted(
        found.quotations.get(agent, ()),
        key=lambda q: (q.score, q.scenario, q.round, q.judge, q.quote),
    )
    # One a scenario: three faults tell more than one fault told three times.
    single = {q.scenario: q for q in reversed(worst)}
    chosen = [q for q in worst if single[q.scenario] is q][:MOST_QUOTATIONS]
    return Eligibility(state=together(r.state for r in results), gates=results, worst=tuple(chosen))


def _decide_gate(place: int, agent: str, found: Evidenced) -> GateResult:
    gate, scenarios = found.gates[place], found.cases[place]
    own = [c for c in found.judged if c.agent == agent and gate.criterion in c.criteria]
    cases = [_case(gate, agent, name, own, found) for name in scenarios]
    known = [c.met for c in cases if c.met is not None]
    waiting = [c for c in cases if c.waiting]
    state, why = _state(gate, cases)
    return GateResult(
        gate=place,
        state=state,
        why=why,
        panel=_share(None, sum(known), len(known)),
        judges=_by_judge(gate, agent, scenarios, own, found),
        planned=len(cases),
        failed=sum(c.met is None and not c.waiting for c in cases),
        waiting=len(waiting),
        open=sum(c.open for c in cases),
        turned=sum(c.turned for c in cases),
        people=tuple(sorted(frozenset().union(*(c.people for c in cases)))),
    )


def _case(
    gate: Gate, agent: str, scenario: str, own: Sequence[JudgedCase], found: Evidenced
) -> _Case:
    values = [c.criteria[gate.criterion] for c in own if c.scenario == scenario]
    flags = found.flags.get((agent, scenario), ())
    met = fmean(values) >= gate.at_least if values else None
    human = {f.human for f in flags}
    # People win: a fault that they confirm stands, and without any fault left a low score does not.
    decided = met
    if "confirmed" in human:
        decided = False
    elif human == {"rejected"} and met is False:
        decided = True
    return _Case(
        met=decided,
        waiting=(agent, scenario) in found.waiting,
        fixed="confirmed" in human,
        turned=decided is not met,
        open=sum(f.human == "unchecked" for f in flags),
        people=frozenset(p for f in flags if f.human != "unchecked" for p in f.people),
    )


def _state(gate: Gate, cases: Sequence[_Case]) -> tuple[GateState, Reason]:
    lower = gate.test == "lower"
    known = [c.met for c in cases if c.met is not None]
    thin = _covered(cases) < gate.min_coverage
    # Were all met that is still to come, or that is lacking where too much is, what then?
    hopes = [_hope(c, thin=thin) for c in cases]
    best = [met for met in hopes if met is not None]
    if best and not meets(sum(best), len(best), gate.quota, lower=lower):
        return "failed", "below"
    if not known:
        return "unknown", "no_scores"
    if any(c.waiting for c in cases):
        return "unknown", "incomplete"
    if thin:
        return "unknown", "few_scored"
    if gate.review == "required" and any(c.open for c in cases):
        return "awaiting", "unreviewed"
    return "passed", ""


def _covered(cases: Sequence[_Case]) -> float:
    """The part of the cases that have a score, or may still get one."""
    return sum(c.met is not None or c.waiting for c in cases) / len(cases) if cases else 0.0


def _hope(case: _Case, *, thin: bool) -> bool | None:
    """How a case comes out at best; None: it is left out."""
    if (case.waiting and not case.fixed) or (thin and case.met is None):
        return True
    return case.met


def _share(judge: str | None, met: int, cases: int, *, kin: bool = False) -> GateShare:
    low, high = wilson(met, cases) if cases else (None, None)
    return GateShare(
        judge=judge,
        met=met,
        cases=cases,
        share=met / cases if cases else None,
        low=low,
        high=high,
        kin=kin,
    )


def _by_judge(
    gate: Gate, agent: str, scenarios: Sequence[str], own: Sequence[JudgedCase], found: Evidenced
) -> tuple[GateShare, ...]:
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    among = set(scenarios)
    for case in own:
        if case.scenario in among:
            scores[case.judge][case.scenario].append(case.criteria[gate.criterion])
    return tuple(
        _share(
            judge,
            sum(fmean(values) >= gate.at_least for values in by.values()),
            len(by),
            kin=(judge, agent) in found.kin,
        )
        for judge, by in sorted(scores.items())
    )
