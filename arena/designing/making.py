"""Making a plan: what was compared before stays, what is missing of the design is added.

A plan aims at what it would be on an empty board. A pair that was compared more often keeps its
excess; one that was compared less gets the difference, where its agents were seen least. So a new
agent, a new scenario, another number or another design are all the same thing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from arena.designing.grid import Grid
from arena.designing.scores import Scores, digest_scores
from arena.domain.design import ADAPTIVE, Cell, ComparisonPlan, Place, Terms
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.designs.adaptive import first_round
from arena.maths.designs.choosing import (
    choose_even,
    choose_random,
    default_budget,
    in_looks,
)
from arena.maths.designs.informed import FEWEST_SCENARIOS, informed_shares, relied_on
from arena.maths.designs.placing import apportion, place


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """What a design chooses from: masks of shape (S, P).

    `open`: what could be compared; `taken`: what stays; `new`: of agents and places that the plan
    before did not know; `going_on`: whether that plan had the same terms, so that only what is new
    is added to.
    """

    grid: Grid
    terms: Terms
    open: Bools
    taken: Bools
    new: Bools
    going_on: bool

    @property
    def free(self) -> Bools:
        """Where something may be added."""
        return self.open & ~self.taken & (self.new if self.going_on else True)

    @property
    def budget(self) -> int:
        """How many comparisons the design would make on an empty board."""
        cells = int(self.open.sum())
        if self.terms.comparisons is not None:
            return min(self.terms.comparisons, cells)
        return cells if self.terms.design == "against" else default_budget(cells)


def make_plan(
    job: Job,
    terms: Terms,
    *,
    before: ComparisonPlan | None,
    compared: Collection[Cell],
    scores: Scores,
) -> ComparisonPlan:
    """The plan of a job's agents on its selected scenarios; a function of its arguments alone.

    `before`: the plan in force until now; `compared`: cells that have a verdict, whatever it is;
    `scores`: read by `informed` alone. With the terms of `before` its cells stay, compared or not,
    and only new agents and places are added; with other terms what was compared stays.
    """
    going_on = before is not None and before.terms == terms
    places = _places(job, before.places if before and going_on else ())
    grid = Grid([a.agent for a in job.ranked], places)
    kept = list(before.due or ()) if before and going_on else _in_order(compared)
    rng = np.random.default_rng(_seed(job, terms, before))
    board = _board(grid, terms, kept, before if going_on else None)
    cells: tuple[Cell, ...] | None = None
    parts: tuple[int, ...] = ()
    if terms.design != "all" or terms.looks > 1:
        chosen = _choose(board, scores, rng)
        cells, parts = _in_parts(grid, chosen, kept, terms, rng)
    informed = terms.design == "informed"
    evened, unscored = _not_relied(grid, scores) if informed else (0, ())
    return ComparisonPlan(
        suite=job.suite.suite,
        mode=job.mode,
        terms=terms,
        agents=tuple(sorted({*grid.agents, *(n for c in kept for n in (c.a, c.b))})),
        places=tuple(dict.fromkeys([*places, *(Place(c.scenario, c.replicate) for c in kept)])),
        cells=cells,
        parts=parts,
        scores=digest_scores(scores) if informed else None,
        unscored=unscored,
        evened=evened,
        history=_history(before, terms, bool(kept)),
        after=before.key if before else None,
    )


def next_round(plan: ComparisonPlan, chosen: Sequence[Cell]) -> ComparisonPlan:
    """The plan of the adaptive design with one round more."""
    cells = (*(plan.cells or ()), *chosen)
    return ComparisonPlan(
        suite=plan.suite,
        mode=plan.mode,
        terms=plan.terms,
        agents=plan.agents,
        places=plan.places,
        cells=cells,
        parts=(len(cells),),
        scores=None,
        unscored=(),
        evened=0,
        history=plan.history,
        after=plan.key,
    )


def to_the_end(plan: ComparisonPlan, job: Job) -> ComparisonPlan:
    """An adaptive plan with all its rounds, as far as can be known: the rest spread evenly."""
    if plan.terms.design != ADAPTIVE:
        return plan
    grid = Grid([a.agent for a in job.ranked], plan.places)
    taken = grid.mask(plan.cells or ())
    left = max(0, budget_of(plan, job) - int(taken.sum()))
    rng = np.random.default_rng(plan.terms.seed)
    rest = choose_even(~taken, budget=left, rng=rng, taken=taken)
    return next_round(plan, grid.cells(rest))


def budget_of(plan: ComparisonPlan, job: Job) -> int:
    """How many comparisons the design would make of a job's agents at the plan's places."""
    grid = Grid([a.agent for a in job.ranked], plan.places)
    return _board(grid, plan.terms, plan.cells or (), None).budget


def _board(
    grid: Grid, terms: Terms, kept: Collection[Cell], before: ComparisonPlan | None
) -> _Board:
    size = (len(grid.places), len(grid.pairs))
    pairs = np.ones(size[1], dtype=np.bool_)
    if terms.design == "against" and terms.baseline is not None:
        pairs = grid.with_agents([terms.baseline])
    new = np.zeros(size, dtype=np.bool_)
    if before is not None:
        new |= grid.with_agents(set(grid.agents) - set(before.agents))[None, :]
        new |= grid.at_places(set(grid.places) - set(before.places))[:, None]
    return _Board(
        grid=grid,
        terms=terms,
        open=np.broadcast_to(pairs, size).copy(),
        taken=grid.mask(kept),
        new=new,
        going_on=before is not None,
    )


def _choose(board: _Board, scores: Scores, rng: np.random.Generator) -> Bools:
    """The cells to add."""
    design = board.terms.design
    if design == "all":
        return board.free
    if design == "random":
        return choose_random(board.free, budget=_random_budget(board), rng=rng)
    if design == ADAPTIVE and not board.going_on:
        first = int(first_round(board.open, rng).sum())
        left = max(0, board.budget - int(board.taken.sum()))
        return choose_even(board.free, budget=min(first, left), rng=rng, taken=board.taken)
    shares = np.ones(len(board.grid.pairs))
    if design == "informed":
        shares = informed_shares(board.grid.scores(scores))
    counts = _missing(board, shares, rng)
    return place(counts, open_cells=board.free, taken=board.taken, rng=rng)


def _missing(board: _Board, shares: Floats, rng: np.random.Generator) -> Ints:
    """Comparisons that each pair lacks, shape (P,), of what the design would give it."""
    target = apportion(shares, board.open.sum(axis=0), board.budget, rng)
    lacking: Ints = np.maximum(target - board.taken.sum(axis=0), 0)
    lacking = np.minimum(lacking, board.free.sum(axis=0))
    if _unseen(board):
        # Somebody was never compared: placing them is worth more than the round number.
        return lacking
    left = max(0, board.budget - int((board.taken & board.open).sum()))
    return apportion(lacking.astype(np.float64), lacking, left, rng)


def _unseen(board: _Board) -> list[str]:
    """Agents without a single comparison that stays."""
    there = np.any(board.taken, axis=0)
    seen = {
        name
        for pair, compared in zip(board.grid.pairs, there.tolist(), strict=True)
        for name in pair
        if compared
    }
    return [name for name in board.grid.agents if name not in seen]


def _random_budget(board: _Board) -> int:
    free, cells = int(board.free.sum()), int(board.open.sum())
    if board.going_on:
        return round(board.budget * free / max(1, cells))
    return max(0, board.budget - int((board.taken & board.open).sum()))


def _in_parts(
    grid: Grid, chosen: Bools, kept: Sequence[Cell], terms: Terms, rng: np.random.Generator
) -> tuple[tuple[Cell, ...], tuple[int, ...]]:
    """What stays and then the chosen cells, one part before each look."""
    masks = in_looks(chosen, terms.looks, rng) if terms.looks > 1 else [chosen]
    cells, parts = list(kept), []
    for mask in masks:
        cells += grid.cells(mask)
        parts.append(len(cells))
    return tuple(cells), tuple(parts)


def _not_relied(grid: Grid, scores: Scores) -> tuple[int, tuple[str, ...]]:
    """How many pairs have too few scores in common, and the agents that have too few."""
    table = grid.scores(scores)
    few = np.isfinite(table).sum(axis=0) < FEWEST_SCENARIOS
    names = tuple(name for name, short in zip(grid.agents, few.tolist(), strict=True) if short)
    return int((~relied_on(table)).sum()), names


def _places(job: Job, before: Sequence[Place]) -> tuple[Place, ...]:
    """Places of the selection and those planned before, in the suite's order."""
    chosen = {s.scenario for s in job.selection.scenarios_of(job.suite)}
    replicates = range(1, job.replicates + 1)
    earlier = set(before)
    return tuple(
        Place(s.scenario, replicate)
        for s in job.suite.scenarios
        for replicate in replicates
        if s.scenario in chosen or Place(s.scenario, replicate) in earlier
    )


def _in_order(cells: Collection[Cell]) -> list[Cell]:
    return sorted(set(cells))


def _history(before: ComparisonPlan | None, terms: Terms, kept: bool) -> tuple[str, ...]:
    """The designs that chose the cells; comparisons without a plan were all that there were."""
    if not kept:
        return (terms.design,)
    earlier = before.history if before else ("all",)
    return tuple(dict.fromkeys([*(d for d in earlier if d != terms.design), terms.design]))


def _seed(job: Job, terms: Terms, before: ComparisonPlan | None) -> int:
    """Another draw for every suite, mode and plan that goes on from another."""
    told = [job.suite.suite, job.mode, terms.seed, before.key if before else None]
    return int(digest(["plan", *told])[:16], 16)
