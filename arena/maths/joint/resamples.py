"""The scenario bootstrap of the joint model: one Newton step a resample, or a full refit.

A resample weighs every scenario's rows by how often it drew the scenario. Newton's step from the
full fit, with the resample's own gradient and information, needs the rows only once, summed by
scenario; it is near the refit (single resamples differ by up to half a standard error at 47
scenarios, by 2.3 at 10). Refits pass over all rows for every resample and step.

Inside resamples only, a ridge keeps finite what a resample cannot tell: λ/2 · |θ|² over centred
strengths; and, so that what a resample did not see stays at its estimate, λ/2 · (τ − τ̂)² and
λ/2 · x̄² · (β − β̂)², x̄² the mean square of the covariate where it is not 0.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from arena.errors import ArenaError
from arena.maths.bradley_terry import RIDGE
from arena.maths.joint.design import (
    Blocks,
    Design,
    arrange,
    assemble,
    blocks,
    by_scenario,
    dense,
    gradient,
    leads,
    reach,
)
from arena.maths.joint.fit import JointFit, row_derivatives
from arena.maths.joint.outcomes import derivatives
from arena.maths.joint.rows import OutcomeRows
from arena.maths.tally import Floats
from arena.maths.threads import one_thread

REFIT_LIMIT = 20_000_000
"""Rows × resamples up to which every resample is fitted in full."""
_NUMBERS_AT_ONCE = 1_000_000
_STEPS = 200
_TOLERANCE = 1e-3
"""Of the last step, in log-odds; Newton's squares the error, so about 1e-6 is left."""


def resample(rows: OutcomeRows, fitted: JointFit, weights: Floats) -> Floats:
    """Parameters of every resample, strengths centred, shape (B, P); order as in `JointFit`.

    `weights`: how often each resample drew each scenario, shape (B, S). Full refits where rows ×
    resamples are at most `REFIT_LIMIT`, else one step each.
    """
    few = len(rows) * len(weights) <= REFIT_LIMIT
    return (refits if few else one_steps)(rows, fitted, weights)


def one_steps(
    rows: OutcomeRows, fitted: JointFit, weights: Floats, *, ridge: float = RIDGE
) -> Floats:
    """One Newton step from the fit for every resample, shape (B, P); arguments as `resample`."""
    design = arrange(rows)
    slope, curvature = row_derivatives(design, fitted.model, fitted.parameters)
    scenarios = by_scenario(rows)
    scores = gradient(design, slope, scenarios)
    parts = blocks(design, curvature, scenarios)
    pairs = _packed(parts.pairs)
    pull, middle = _prior(design, fitted, ridge)
    uphill = -pull * (fitted.parameters - middle)
    found = []
    with one_thread():
        for drawn in _slices(weights, len(fitted.parameters) ** 2 + rows.scenarios):
            own = Blocks(
                pairs=drawn @ pairs,
                cross=np.tensordot(drawn, parts.cross, 1),
                rest=np.tensordot(drawn, parts.rest, 1),
            )
            matrix = assemble(design, own) + np.diag(pull)
            step = np.linalg.solve(matrix, (drawn @ scores + uphill)[..., None])[..., 0]
            found.append(_centred(fitted.parameters + step, rows.agents))
    return np.concatenate(found)


def refits(rows: OutcomeRows, fitted: JointFit, weights: Floats, *, ridge: float = RIDGE) -> Floats:
    """The maximum of every resample's penalised likelihood, shape (B, P); as `resample`.

    Newton's method from the fit, steps clipped so that no lead moves by more than 1, until none
    moves by `_TOLERANCE`; the last step leaves an error of about its square. Raises ArenaError
    when some resample does not converge.
    """
    design = arrange(rows)
    prior = _prior(design, fitted, ridge)
    size = max(len(rows), len(fitted.parameters) ** 2)
    with one_thread():
        found = [_refit(design, fitted, drawn, *prior) for drawn in _slices(weights, size)]
    return np.concatenate(found)


def _refit(
    design: Design, fitted: JointFit, weights: Floats, pull: Floats, middle: Floats
) -> Floats:
    now = np.repeat(fitted.parameters[None, :], len(weights), axis=0)
    busy = np.arange(len(weights))
    for _ in range(_STEPS):
        step = _newton_step(design, fitted, weights[busy], now[busy], pull, middle)
        size = reach(design, step)
        now[busy] += step / np.maximum(size, 1.0)[:, None]
        busy = busy[size > _TOLERANCE]
        if not len(busy):
            return _centred(now, design.rows.agents)
    raise ArenaError("{resamples} resamples did not converge", resamples=len(busy))


def _newton_step(
    design: Design, fitted: JointFit, weights: Floats, now: Floats, pull: Floats, middle: Floats
) -> Floats:
    rows, k = design.rows, design.rows.agents
    drawn = weights[:, rows.scenario]
    slope, curvature = derivatives(
        fitted.model,
        leads(design, now),
        now[:, k : k + 1],
        drawn * rows.win,
        drawn * rows.tie,
        drawn * rows.loss,
    )
    uphill = gradient(design, slope) - pull * (now - middle)
    matrix = assemble(design, blocks(design, curvature)) + np.diag(pull)
    return np.asarray(np.linalg.solve(matrix, uphill[..., None])[..., 0])


def _prior(design: Design, fitted: JointFit, ridge: float) -> tuple[Floats, Floats]:
    """Precision and middle of the ridge on each parameter, shapes (P,)."""
    x, k = design.rows.x, design.rows.agents
    met = np.maximum((x != 0).sum(axis=0), 1)
    pull = np.concatenate([np.ones(k + fitted.ties), (x**2).sum(axis=0) / met])
    middle = fitted.parameters.copy()
    middle[:k] = 0
    return ridge * pull, middle


def _packed(pairs: Any) -> Any:
    """Sparse sums by scenario and pair as they multiply fastest: dense unless mostly empty."""
    return dense(pairs) if 8 * pairs.nnz > pairs.shape[0] * pairs.shape[1] else pairs


def _slices(weights: Floats, size: int) -> Iterator[Floats]:
    """The resamples in blocks that bound the memory, each resample taking `size` numbers."""
    several = max(1, _NUMBERS_AT_ONCE // size)
    for first in range(0, len(weights), several):
        yield weights[first : first + several]


def _centred(parameters: Floats, agents: int) -> Floats:
    # Only the ridge fixes the constant, and rounding over a small ridge is not small.
    middle = parameters[:, :agents].mean(axis=1, keepdims=True)
    return np.concatenate([parameters[:, :agents] - middle, parameters[:, agents:]], axis=1)
