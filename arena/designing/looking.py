"""A look at what the comparisons of a plan have come to, and what follows from it.

A look is made of a fit, which a stage makes; this module says what a plan does with it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena.designing.grid import Grid
from arena.designing.making import budget_of, next_round
from arena.domain.design import Cell, ComparisonPlan, Look
from arena.domain.job import Job
from arena.maths.arrays import Floats
from arena.maths.designs import adaptive
from arena.maths.designs.stopping import level_of_look, may_stop
from arena.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A fit as a look needs it, of K agents, NaN where nothing is known.

    `strengths`: log-odds, shape (K,); `errors`: of their differences, shape (K, K). `low`, `high`:
    ends of the ranked agents' intervals in points, shape (R,). `short`: rated agents that have too
    few comparisons or scenarios for a rank. `undecided` of `pairs`: the interval of their
    difference includes 0, or there is none.
    """

    agents: tuple[str, ...]
    strengths: Floats
    errors: Floats
    low: Floats
    high: Floats
    short: int
    pairs: int
    undecided: int


See = Callable[[Job, Store, ComparisonPlan, float], Sight]
"""Fit the comparisons of a job that its plan asks for, intervals at some level."""


def level_of(plan: ComparisonPlan) -> float:
    """Level of the intervals at each look: together they hold at 95 %."""
    return level_of_look(plan.terms.looks)


def look_at(plan: ComparisonPlan, sight: Sight, number: int, *, last: bool) -> Look:
    """What is seen at a look, and whether the stop rule ends the plan there.

    It never does while somebody is short of comparisons that the rest of the plan would bring.
    """
    wide = sight.high - sight.low
    known = len(wide) > 0 and bool(np.isfinite(wide).all())
    width = plan.terms.stop_width
    stops = width is not None and not sight.short and may_stop(sight.low, sight.high, width=width)
    return Look(
        number=number,
        looks=plan.terms.looks,
        level=level_of(plan),
        pairs=sight.pairs,
        undecided=sight.undecided,
        widest=float(wide.max()) if known else None,
        stopped=stops and not last,
    )


def go_round(job: Job, plan: ComparisonPlan, sight: Sight) -> ComparisonPlan | None:
    """The adaptive plan with its next round; None when it has all of its comparisons."""
    grid = Grid([a.agent for a in job.ranked], plan.places)
    taken = grid.mask(plan.cells or ())
    left = budget_of(plan, job) - int(taken.sum())
    open_cells = np.ones_like(taken)
    # The draw is of this plan alone, so that a resumed run makes the same round.
    rng = np.random.default_rng(int(plan.key[:16], 16))
    batch = min(left, int(adaptive.first_round(open_cells, rng).sum()))
    if batch <= 0:
        return None
    place = {name: i for i, name in enumerate(sight.agents)}
    order = np.array([place[name] for name in grid.agents], dtype=np.int64)
    strengths = sight.strengths[order]
    chosen = adaptive.next_round(
        open_cells,
        np.where(np.isfinite(strengths), strengths, 0.0),
        _known(sight.errors[np.ix_(order, order)], strengths),
        batch=batch,
        rng=rng,
        taken=taken,
    )
    cells: list[Cell] = grid.cells(chosen)
    return next_round(plan, cells) if cells else None


def _known(errors: Floats, strengths: Floats) -> Floats:
    """Errors of pairs that are both rated; of the others nothing is known."""
    rated = np.isfinite(strengths)
    return np.where(rated[:, None] & rated[None, :], errors, np.nan)
