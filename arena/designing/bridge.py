"""Which presentations a bridge asks: a random part of what an old model of a judge answered."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.bridge import BridgeTerms, bridged
from arena.domain.call import Status
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.verdict import Presentation, Verdict
from arena.store.store import Store


@dataclass(frozen=True)
class Drawn:
    """What a bridge asks, in the order of the draw: `specs` as they are put again.

    `comparisons` of the `of` that the old models answered, both orders each, by judge.
    """

    specs: tuple[Presentation, ...]
    comparisons: Mapping[str, int]
    of: Mapping[str, int]

    @cached_property
    def fewest(self) -> int:
        """Presentations of the agent and judge that have fewest."""
        met: dict[tuple[str, str], int] = defaultdict(int)
        for shown in self.specs:
            met[shown.judge, shown.agent_a] += 1
            met[shown.judge, shown.agent_b] += 1
        return min(met.values(), default=0)

    @property
    def agents(self) -> int:
        """Agents that are met."""
        return len({name for s in self.specs for name in (s.agent_a, s.agent_b)})

    @property
    def scenarios(self) -> int:
        """Scenarios that are met."""
        return len({s.scenario for s in self.specs})


def draw_bridge(job: Job, store: Store) -> Drawn:
    """The draw of a job's bridge: the same for the same answers and seed.

    A larger share asks what a smaller one asked and more, so that nothing paid for is lost.
    Whoever is asked first is as random as the whole.
    """
    if job.bridge is None:
        return Drawn(specs=(), comparisons={}, of={})
    terms = job.bridge
    found = _answered(job, terms, store)
    drawn: dict[str, Sequence[tuple[Presentation, ...]]] = {}
    for judge, groups in found.items():
        ordered = sorted(groups, key=lambda group: _place(group[0], job.seed))
        drawn[judge] = ordered[: math.ceil(terms.share * len(ordered))]
    return Drawn(
        specs=tuple(spec for groups in drawn.values() for group in groups for spec in group),
        comparisons={judge: len(groups) for judge, groups in drawn.items()},
        of={judge: len(groups) for judge, groups in found.items()},
    )


def judged_by(job: Job, store: Store) -> tuple[list[Verdict], dict[str, str]]:
    """Verdicts of a job's plan without decoys, and the model string of each, by its call."""
    decoys = {a.agent for a in job.decoys}
    planned = planned_presentations(job, plan_in_force(job, store))
    items = planned.seated(store.verdicts.blocked(planned.contested))
    verdicts = store.verdicts.all([p for p in items if not {p.agent_a, p.agent_b} & decoys])
    return verdicts, store.calls.served([v.call for v in verdicts])


def _answered(
    job: Job, terms: BridgeTerms, store: Store
) -> dict[str, list[tuple[Presentation, ...]]]:
    """Comparisons that an old model answered readably in both orders, as they are put again."""
    verdicts, models = judged_by(job, store)
    met: dict[tuple[str, str, str, int], list[Presentation]] = defaultdict(list)
    for verdict in verdicts:
        shown, model = verdict.presentation, models.get(verdict.call, "")
        read = verdict.status is Status.OK and verdict.outcome is not None
        if read and model in terms.old.get(shown.judge, ()) and shown.order is not None:
            again = bridged(shown, model)
            met[shown.judge, shown.a, shown.b, shown.judge_replicate].append(again)
    found: dict[str, list[tuple[Presentation, ...]]] = {judge: [] for judge in terms.old}
    for (judge, *_), orders in met.items():
        if len(orders) == 2:
            found[judge].append(tuple(sorted(orders, key=lambda p: p.order or "")))
    return found


def _place(shown: Presentation, seed: int) -> str:
    """Where a comparison stands in the draw; nothing that was answered bears on it."""
    return digest(["draw", seed, shown.judge, shown.a, shown.b, shown.judge_replicate])
