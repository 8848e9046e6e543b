"""Strengths, the tie parameter and effects of covariates, fitted together by maximum likelihood.

A row's likelihood is one of the outcome models at η = θ_first − θ_second + x·β. Newton's method
with its steps controlled finds the maximum; without ties and covariates it is Bradley–Terry's.
Standard errors are clustered by scenario, as in `sandwich`, with scores and information of all
parameters. What the rows cannot tell apart is refused, not split by a penalty.
"""

from dataclasses import dataclass

import numpy as np

from arena.errors import ArenaError
from arena.maths.bradley_terry import strengths
from arena.maths.joint.design import (
    Design,
    arrange,
    assemble,
    blocks,
    by_scenario,
    gradient,
    leads,
    reach,
)
from arena.maths.joint.outcomes import TieModel, derivatives, log_likelihood, natural
from arena.maths.joint.rows import OutcomeRows
from arena.maths.tally import Floats
from arena.maths.threads import one_thread

_TOLERANCE = 1e-11
"""Of the gradient, relative to what it would be if every row pulled the same way."""
_STEPS = 100
_LONGEST = 10.0
"""What one step may move a lead by, in log-odds."""
_ALIKE = 1e-8
"""Part of a covariate's square that must be left after the strengths and the others."""
_FLAT = 1e-7
"""Part of the information on a parameter below which its maximum lies at infinity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JointFit:
    """A fit of K strengths, q = 0 or 1 tie parameters and d effects; P = K + q + d.

    `model`: the outcome model fitted; `half` whatever was asked where nothing was tied, for ν = 0
    and κ = 1 are that model. `parameters`: θ centred over all K, τ = log ν or log(κ − 1) if q = 1,
    β; shape (P,). `information`: the negative Hessian, shape (P, P), null along θ's constant.
    `scores`: each scenario's part of the gradient, shape (S, P); they sum to 0. `covariance`: the
    clustered sandwich V, shape (P, P), NaN for fewer than two scenarios.
    """

    model: TieModel
    agents: int
    parameters: Floats
    information: Floats
    scores: Floats
    covariance: Floats

    @property
    def ties(self) -> int:
        """Number q of tie parameters."""
        return int(self.model != "half")

    @property
    def strengths(self) -> Floats:
        """θ, centred over all agents, shape (K,)."""
        return self.parameters[: self.agents]

    @property
    def tie(self) -> float | None:
        """ν or κ; None where no tie parameter was estimated."""
        if self.model == "half":
            return None
        return natural(self.model, float(self.parameters[self.agents]))

    @property
    def effects(self) -> Floats:
        """β, shape (d,)."""
        return self.parameters[self.agents + self.ties :]

    @property
    def strength_covariance(self) -> Floats:
        """V of the strengths, shape (K, K); V·1 = 0."""
        return self.covariance[: self.agents, : self.agents]

    @property
    def effect_errors(self) -> Floats:
        """Standard errors of the effects, shape (d,)."""
        own = np.diag(self.covariance)[self.agents + self.ties :]
        return np.asarray(np.sqrt(own))


def fit(rows: OutcomeRows, model: TieModel = "half") -> JointFit:
    """Fit strengths, tie parameter and effects jointly; no penalty.

    `rows`: of one strongly connected component, best merged (`rows.merge`): then the
    result is the same for every order of the rows. Raises ArenaError when these agents have no
    finite strengths, when a covariate (`facts["index"]`) is not finite, cannot be told from the
    strengths or the covariates before it, or has no finite effect; when the tie parameter has no
    finite estimate; and when no maximum is found.
    """
    _refuse_infinite(rows.x)
    with one_thread():
        start = strengths(rows.points())
        design = arrange(rows)
        spread = assemble(design, blocks(design, rows.weight()[None, None]))
        _refuse_collinear(spread, rows.agents)
        used, tau = _tie_start(rows, model)
        found = _maximise(design, used, np.concatenate([start, tau, np.zeros(rows.x.shape[1])]))
        found[: rows.agents] -= found[: rows.agents].mean()
        slope, curvature = row_derivatives(design, used, found)
        information = assemble(design, blocks(design, curvature))
        inverse = _inverse_at_maximum(information, spread, found, rows.agents)
        scores = gradient(design, slope, by_scenario(rows))
        return JointFit(
            model=used,
            agents=rows.agents,
            parameters=found,
            information=information,
            scores=scores,
            covariance=_sandwich(scores, inverse),
        )


def gauged_inverse(information: Floats, agents: int) -> Floats:
    """H⁺, shape (P, P): the pseudo-inverse with 1ᵀθ = 0.

    (H + h·11ᵀ/K)⁻¹ − 11ᵀ/(hK), 1 over the K strengths, h the mean of their own information.
    """
    flat = _gauge(information, agents)
    size = np.trace(flat)
    return np.asarray(np.linalg.inv(information + flat) - flat / size**2)


def row_derivatives(design: Design, model: TieModel, parameters: Floats) -> tuple[Floats, Floats]:
    """Slope and curvature of the rows at the parameters, shape (P,); see `derivatives`."""
    rows = design.rows
    eta, tau = leads(design, parameters), parameters[rows.agents : rows.agents + 1]
    return derivatives(model, eta, tau, rows.win, rows.tie, rows.loss)


def _gauge(information: Floats, agents: int) -> Floats:
    """h·11ᵀ/K over the strengths, 0 elsewhere; its trace is h."""
    flat = np.zeros_like(information)
    own = float(np.trace(information[:agents, :agents])) / agents
    flat[:agents, :agents] = (own or 1.0) / agents
    return flat


def _sandwich(scores: Floats, inverse: Floats) -> Floats:
    s = len(scores)
    if s < 2:
        return np.full_like(inverse, np.nan)
    half = (scores - scores.mean(axis=0)) @ inverse
    return np.asarray(s / (s - 1) * (half.T @ half))


def _tie_start(rows: OutcomeRows, model: TieModel) -> tuple[TieModel, Floats]:
    """The model to fit and its τ as if all agents were equal, shape (q,)."""
    tied, clear = float(rows.tie.sum()), float((rows.win + rows.loss).sum())
    if model == "half" or tied == 0:
        return "half", np.zeros(0)
    if clear == 0:
        raise _no_tie_parameter()
    # For equal agents, ν and κ − 1 are both 2t / (1 − t) at a share t of ties.
    return model, np.array([np.log(2 * tied / clear)])


def _maximise(design: Design, model: TieModel, start: Floats) -> Floats:
    rows, k = design.rows, design.rows.agents
    weight = rows.weight()
    ties = len(start) - k - rows.x.shape[1]
    size = np.concatenate(
        [weight @ abs(design.incidence), np.full(ties, weight.sum()), weight @ np.abs(rows.x)]
    )
    now, value = start, _likelihood(design, model, start)
    for _ in range(_STEPS):
        slope, curvature = row_derivatives(design, model, now)
        uphill = gradient(design, slope)
        step = _step(assemble(design, blocks(design, curvature)), uphill, k)
        if (np.abs(uphill) <= _TOLERANCE * size).all():
            # Newton's last step squares the error, which leaves rounding only.
            return np.asarray(now + step)
        clipped = step * min(1.0, _LONGEST / max(float(reach(design, step)), 1e-300))
        now, value = _ascend(design, model, now, clipped, value)
    raise _no_maximum()


def _step(information: Floats, uphill: Floats, agents: int) -> Floats:
    """Newton's step; damped where the likelihood is not concave, which Rao–Kupper's need not be."""
    matrix = information + _gauge(information, agents)
    own = np.diag(np.abs(np.diag(matrix)))
    for damping in (0.0, 0.01, 0.1, 1.0, 10.0, 100.0):
        damped = matrix + damping * own
        try:
            np.linalg.cholesky(damped)
            return np.asarray(np.linalg.solve(damped, uphill))
        except np.linalg.LinAlgError:
            continue
    return np.asarray(uphill / np.maximum(np.diag(own), 1e-300))


def _ascend(
    design: Design, model: TieModel, now: Floats, step: Floats, before: float
) -> tuple[Floats, float]:
    for halving in range(40):
        moved = now + step / 2**halving
        after = _likelihood(design, model, moved)
        # Near the maximum the gain drowns in rounding, so an equal likelihood must pass.
        if after >= before - 1e-12 * (1 + abs(before)):
            return moved, after
    return now, before


def _likelihood(design: Design, model: TieModel, parameters: Floats) -> float:
    rows = design.rows
    eta, tau = leads(design, parameters), parameters[rows.agents : rows.agents + 1]
    return float(log_likelihood(model, eta, tau, rows.win, rows.tie, rows.loss).sum())


def _refuse_infinite(x: Floats) -> None:
    bad = np.flatnonzero(~np.isfinite(x).all(axis=0))
    if len(bad):
        raise ArenaError(
            "covariate {index} is not a finite number in every row",
            fix="Leave out the rows in which it is unknown.",
            index=int(bad[0]),
        )


def _refuse_collinear(spread: Floats, agents: int) -> None:
    """Each covariate must vary beyond the strengths and the covariates before it.

    `spread`: Σ w zzᵀ over the rows, z = (e_first − e_second, x), shape (K+d, K+d).
    """
    for index, own in enumerate(np.diag(spread)[agents:]):
        place = agents + index
        cross = spread[:place, place]
        left = own - cross @ gauged_inverse(spread[:place, :place], agents) @ cross
        if not left > _ALIKE * own:
            raise ArenaError(
                "the effect of covariate {index} cannot be told from the strengths and the "
                "covariates before it",
                why="it is constant within them, or made up of them",
                fix="Leave it out.",
                index=index,
            )


def _inverse_at_maximum(information: Floats, spread: Floats, found: Floats, agents: int) -> Floats:
    """H⁺; refused where the maximum lies at infinity, for there the likelihood is flat.

    Newton's method stops on the way there; then almost no information is left on some parameter,
    the others being free, of what evenly matched rows would give.
    """
    try:
        inverse = gauged_inverse(information, agents)
    except np.linalg.LinAlgError:
        raise _no_maximum() from None
    effects = spread.shape[0] - agents
    ties = information.shape[0] - agents - effects
    own, free = np.diag(information), np.diag(inverse)
    known = np.diag(gauged_inverse(spread, agents))[agents:]
    flat = known < _FLAT * free[agents + ties :]
    if flat.any():
        # One effect may make every outcome certain, and then nothing is known of the others.
        moved = np.abs(found[agents + ties :]) * np.sqrt(np.diag(spread)[agents:])
        raise ArenaError(
            "the effect of covariate {index} has no finite estimate",
            why="the outcomes never went against it",
            fix="Leave it out, or add comparisons.",
            index=int(np.where(flat, moved, -1).argmax()),
        )
    if ties and _FLAT * own[agents] * free[agents] > 1:
        raise _no_tie_parameter()
    return inverse


def _no_maximum() -> ArenaError:
    return ArenaError(
        "strengths and effects have no joint maximum that could be found",
        why="as a rule, the outcomes never go against some covariate, and its effect is infinite",
        fix="Leave out covariates, or add comparisons.",
    )


def _no_tie_parameter() -> ArenaError:
    return ArenaError(
        "the tie parameter has no finite estimate",
        why="every comparison is a tie, or whoever tied never lost",
        fix="Use --ties half.",
    )
