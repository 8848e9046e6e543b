"""What bridges say: whether two models behind one judge's name judge the same things alike.

Reads `verdict` and `call`; writes nothing.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from arena.domain.bridge import Bridge, Drift, bridged, find_finding
from arena.domain.call import Status
from arena.domain.method import LEVEL
from arena.domain.verdict import POINT_OF_A, Outcome, Presentation, Verdict
from arena.maths.arrays import Floats, Ints
from arena.maths.drift import clustered_change
from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Twice:
    """A presentation that both models answered, and what `a` earned of the new less of the old."""

    shown: Presentation
    change: float


@dataclass(slots=True)
class _Asked:
    """What was put again to one judge of one old model's presentations."""

    asked: int = 0
    twice: dict[str, list[Twice]] = field(default_factory=lambda: defaultdict(list))


def measure_bridges(
    verdicts: Iterable[Verdict], models: Mapping[str, str], store: Store, judges: Collection[str]
) -> tuple[Bridge, ...]:
    """The bridges that start from readable verdicts of some judges.

    `models`: which model string served each verdict, by its call. What the old model was asked
    again is found by key, whenever and in however many parts that was asked.
    """
    old = {
        v.presentation: (v, models[v.call])
        for v in verdicts
        if v.presentation.judge in judges and counts(v) and v.call in models
    }
    again = {bridged(shown, model): shown for shown, (_, model) in old.items()}
    specs = list(again)
    answers = {v.presentation.key: v for v in store.verdicts.all(specs)}
    todo = store.verdicts.todo(specs)
    served = store.calls.served([v.call for v in answers.values()])
    found: dict[tuple[str, str], _Asked] = defaultdict(_Asked)
    for spec, shown in again.items():
        verdict, model = old[shown]
        answer = answers.get(spec.key)
        if answer is None and (spec.key not in todo or todo[spec.key].last is None):
            continue
        part = found[shown.judge, model]
        part.asked += 1
        if answer is not None and counts(answer) and answer.call in served:
            change = POINT_OF_A[_outcome(answer)] - POINT_OF_A[_outcome(verdict)]
            part.twice[served[answer.call]].append(Twice(shown, change))
    return tuple(
        _bridge(judge, old_model, new_model, part)
        for (judge, old_model), part in sorted(found.items())
        for new_model in sorted(part.twice)
        if new_model != old_model
    )


def counts(verdict: Verdict) -> bool:
    """Whether a verdict is readable and of one of two that were shown in an order."""
    told = verdict.status is Status.OK and verdict.outcome is not None
    return told and verdict.presentation.order is not None


def _outcome(verdict: Verdict) -> Outcome:
    if verdict.outcome is None:
        raise ValueError("a verdict without an outcome does not count")
    return verdict.outcome


def _bridge(judge: str, old: str, new: str, part: _Asked) -> Bridge:
    twice = sorted(part.twice[new], key=lambda t: t.shown.key)
    drifts = measure_drifts(twice)
    read, scenarios = len(twice), len({t.shown.scenario for t in twice})
    return Bridge(
        judge=judge,
        old=old,
        new=new,
        asked=part.asked,
        read=read,
        others=sum(len(of) for model, of in part.twice.items() if model != new),
        scenarios=scenarios,
        level=LEVEL,
        drifts=drifts,
        finding=find_finding(drifts, asked=part.asked, read=read, scenarios=scenarios),
    )


def measure_drifts(twice: Sequence[Twice]) -> tuple[Drift, ...]:
    """Of the side shown first and of every agent; the intervals hold together at the level.

    Each is at 1 − α/(K + 1), after Bonferroni: with no drift at all, at least one of them leaves
    out zero in at most α of bridges.
    """
    names = sorted({name for t in twice for name in (t.shown.agent_a, t.shown.agent_b)})
    scenarios = sorted({t.shown.scenario for t in twice})
    place = {name: n for n, name in enumerate(scenarios)}
    where = np.array([place[t.shown.scenario] for t in twice], dtype=np.int64)
    change = np.array([t.change for t in twice], dtype=np.float64)
    first = np.array([1.0 if t.shown.order == "ab" else -1.0 for t in twice])
    level = 1 - (1 - LEVEL) / (len(names) + 1)
    found = [_drift(None, where, change * first, level)] if twice else []
    for name in names:
        side = np.array([_side(t.shown, name) for t in twice])
        met = side != 0
        found.append(_drift(name, where[met], (change * side)[met], level))
    return tuple(found)


def _drift(agent: str | None, where: Ints, change: Floats, level: float) -> Drift:
    said = clustered_change(where, change, level=level)
    return Drift(
        agent=agent,
        mean=said.mean,
        low=said.low,
        high=said.high,
        half=said.half,
        presentations=len(change),
        scenarios=said.clusters,
    )


def _side(shown: Presentation, name: str) -> float:
    """1 where the agent is `a`, −1 where it is `b`, 0 where it is neither."""
    return float(shown.agent_a == name) - float(shown.agent_b == name)
