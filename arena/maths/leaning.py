"""Whether one judge leans to some agents, given how strong the other judges find them.

Within one judge's verdicts a lean towards an agent and the agent's strength are the same thing.
So the strengths come from the others, and the judge's own log-odds are
κ · (θ_first − θ_second) + x·β: κ because judges differ in how sharply they tell agents apart.

Both steps are estimating equations clustered by scenario; the error of θ enters that of β through
the derivative of the second step's score, as in any two-step estimator. Reference: W. Newey and
D. McFadden, Large sample estimation and hypothesis testing (1994), §6.
"""

import math
from dataclasses import dataclass

import numpy as np

from arena.errors import ArenaError
from arena.maths.arrays import Floats
from arena.maths.intervals import effective_df, t_margin, two_sided_p
from arena.maths.joint.fit import fit, gauged_inverse
from arena.maths.joint.outcomes import logistic
from arena.maths.joint.rows import OutcomeRows, merge
from arena.maths.threads import one_thread

_STEPS = 100
_LONGEST = 5.0
_TOLERANCE = 1e-10
_FLAT = 1e-6
"""Part of the information beyond the other covariates below which an effect is not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """The effect of the first covariate in log-odds, with half its interval and its p-value.

    NaN where there are too few scenarios for an error.
    """

    effect: float
    margin: float
    p: float


def fit_leaning(others: OutcomeRows, own: OutcomeRows, *, level: float) -> Leaning:
    """The effect of the first column of `own.x`, shape (M, d), on the judge's own verdicts.

    `others`: the other judges' rows without covariates, of one strongly connected component;
    `own`: this judge's rows among the same K agents and over the same S scenarios. Raises
    ArenaError where strengths or effects have no finite estimate, or cannot be told apart.
    """
    before = fit(merge(others))
    apart = before.strengths[own.first] - before.strengths[own.second]
    z = np.column_stack([apart, own.x])
    weight, points = own.weight(), own.win + own.tie / 2
    with one_thread():
        beta, information = _maximise(z, weight, points)
        inverse = np.linalg.inv(information)
        chance = logistic(z @ beta)
        rest = points - weight * chance
        known = before.scores @ gauged_inverse(before.information, before.agents)
        moved = _sums(own.scenario, z * rest[:, None], own.scenarios)
        moved = moved + known @ _through(own, z, beta, rest, weight * chance * (1 - chance)).T
        pull = moved @ inverse
    s = own.scenarios
    pull = pull - pull.mean(axis=0)
    error = math.sqrt(s / (s - 1) * float(pull[:, 1] @ pull[:, 1])) if s > 1 else math.nan
    load = np.bincount(own.scenario, weight * (own.x[:, 0] != 0), s)
    df = effective_df(load[:, None])
    effect, errors = np.array([beta[1]]), np.array([error])
    return Leaning(
        effect=float(beta[1]),
        margin=float(t_margin(errors, df, level=level)[0]),
        p=float(two_sided_p(effect, errors, df)[0]),
    )


def _through(own: OutcomeRows, z: Floats, beta: Floats, rest: Floats, bend: Floats) -> Floats:
    """Derivative of the second step's score in θ, shape (1+d, K)."""
    slope = -beta[0] * bend[:, None] * z
    slope[:, 0] += rest
    by_first = _sums(own.first, slope, own.agents)
    return np.asarray((by_first - _sums(own.second, slope, own.agents)).T)


def _sums(place: np.ndarray[tuple[int], np.dtype[np.int64]], rows: Floats, size: int) -> Floats:
    """Sums of the rows, shape (M, c), by place: shape (size, c)."""
    return np.stack([np.bincount(place, column, size) for column in rows.T], axis=1)


def _maximise(z: Floats, weight: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Maximum of a logistic likelihood without a constant, and its information."""
    beta = np.zeros(z.shape[1])
    for _ in range(_STEPS):
        chance = logistic(z @ beta)
        information = (z * (weight * chance * (1 - chance))[:, None]).T @ z
        _refuse_flat(information, z, weight)
        step = np.linalg.solve(information, (points - weight * chance) @ z)
        reach = float(np.abs(z @ step).max())
        beta = beta + step * min(1.0, _LONGEST / max(reach, 1e-300))
        if reach < _TOLERANCE:
            return beta, information
    raise _no_estimate()


def _refuse_flat(information: Floats, z: Floats, weight: Floats) -> None:
    """Raise ArenaError where an effect runs away, or is made up of the others."""
    evenly = (z * (weight / 4)[:, None]).T @ z
    for matrix in (evenly, information):
        try:
            left = 1 / np.diag(np.linalg.inv(matrix))
        except np.linalg.LinAlgError:
            raise _no_estimate() from None
        if not (left > _FLAT * np.diag(evenly)).all():
            raise _no_estimate()


def _no_estimate() -> ArenaError:
    return ArenaError(
        "the judge's lean has no finite estimate, or cannot be told from the other effects"
    )
