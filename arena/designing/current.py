"""The plan in force, and the presentations that it asks for."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.designing.making import make_plan
from arena.designing.scores import read_scores
from arena.designing.terms import settle_terms
from arena.domain.agent import Judge
from arena.domain.design import Cell, ComparisonPlan, Place, Terms
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.domain.verdict import Presentation
from arena.judging.panel import Planned
from arena.judging.plans import presentations_of
from arena.store.store import Store


def plan_in_force(job: Job, store: Store) -> ComparisonPlan:
    """The plan that the comparisons so far were made by: the one stored last, else a draft."""
    stored = store.plans.latest(job.suite.suite, job.mode)
    return stored or draft_plan(job, store)


def plan_ahead(job: Job, store: Store) -> ComparisonPlan:
    """The plan that goes on from here: as configured, else on the terms of the plan in force.

    Where the configuration says nothing of designs, a plan that a command's options made is
    taken to be meant still.
    """
    stored = store.plans.latest(job.suite.suite, job.mode)
    asked = job.compare
    if stored is None or asked.design or asked.comparisons or asked.stop_width:
        return draft_plan(job, store)
    return _follow(job, store, stored.terms, stored)


def draft_plan(job: Job, store: Store) -> ComparisonPlan:
    """The plan that a job's terms ask for; nothing is stored.

    The one in force, where its terms are the same and it was made for everybody and every
    scenario of the job, whatever scores and verdicts came since; else a new one.
    """
    stored = store.plans.latest(job.suite.suite, job.mode)
    return _follow(job, store, settle_terms(job), stored)


def _follow(job: Job, store: Store, terms: Terms, stored: ComparisonPlan | None) -> ComparisonPlan:
    same = stored is not None and stored.terms == terms
    if stored is not None and same and stored.covers(_names(job), places_of(job)):
        return stored
    return make_plan(
        job,
        terms,
        before=stored,
        compared=() if same else _compared(job, store),
        scores=read_scores(job, store) if terms.design == "informed" else {},
    )


def planned_presentations(
    job: Job,
    plan: ComparisonPlan,
    *,
    judges: Sequence[Judge] | None = None,
) -> Planned[Presentation]:
    """The presentations of a plan in the job's scenarios, before some judges (None: all).

    The vendor guard comes after the plan: what it takes from a judge is told in `withheld`. Decoys
    are no part of a design: beside one that picks, each meets each agent about as often as two
    agents meet on average.
    """
    due = plan.due
    among = None if due is None else frozenset({*due, *_with_decoys(job, len(due))})
    return presentations_of(job, judges=judges, among=among)


def _with_decoys(job: Job, comparisons: int) -> Iterator[Cell]:
    """The comparisons of decoys beside so many of agents: the same for the same job and number."""
    places = places_of(job)
    pairs = len(job.ranked) * (len(job.ranked) - 1) // 2
    if not job.decoys or not places or not pairs:
        return
    each = min(len(places), math.ceil(comparisons / pairs))
    for d, decoy in enumerate(job.decoys):
        for n, agent in enumerate(job.ranked):
            first, second = sorted((agent.agent, decoy.agent))
            # Neighbours begin at different places, so that the load is spread over scenarios.
            for k in range(each):
                place = places[(n + d + k * len(places) // each) % len(places)]
                yield Cell(place.scenario, place.replicate, first, second)


def cell_of(shown: Presentation) -> Cell:
    """The comparison that a presentation is one order and judge of."""
    return Cell(shown.scenario, shown.replicate, shown.agent_a, shown.agent_b)


def _compared(job: Job, store: Store) -> set[Cell]:
    """Comparisons of the whole suite that have an answer of any judge, in any order, of any kind.

    Which they are is what was planned before; what the answers say is not looked at.
    """
    whole = replace(job, selection=Selection())
    decoys = {a.agent for a in job.decoys}
    met = (cell_of(v.presentation) for v in store.verdicts.all(presentations_of(whole).items))
    return {cell for cell in met if not {cell.a, cell.b} & decoys}


def _names(job: Job) -> tuple[str, ...]:
    return tuple(a.agent for a in job.ranked)


def places_of(job: Job) -> tuple[Place, ...]:
    """The places of a job's selection, in the suite's order."""
    return tuple(
        Place(s.scenario, replicate)
        for s in job.selection.scenarios_of(job.suite)
        for replicate in range(1, job.replicates + 1)
    )
