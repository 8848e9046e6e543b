"""Strengths freed of what else sways a verdict, and how much it sways.

Controls enter the log-odds beside the strengths and are fitted jointly; the ratings that come out
are those of a verdict in which no side had their advantage.
"""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Bools, Floats
from arena.maths.bootstrap import draw_weights
from arena.maths.bradley_terry import centre
from arena.maths.estimate import Interval, estimate
from arena.maths.fitted import Fitted
from arena.maths.intervals import difference_df, effective_df, t_margin, two_sided_p
from arena.maths.joint.fit import fit
from arena.maths.joint.outcomes import TieModel
from arena.maths.joint.resamples import resample
from arena.maths.joint.rows import OutcomeRows, merge
from arena.maths.models import outcome_rows
from arena.maths.tally import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Controlled:
    """Strengths of K agents and d effects, all in log-odds.

    Shape (K,): `strengths`, `low`, `high`, `se`, about the mean of the reference set. Shape (d,):
    `effects`, `effect_se`, `effect_margin` (half the interval), `effect_p`.
    """

    strengths: Floats
    low: Floats
    high: Floats
    se: Floats
    effects: Floats
    effect_se: Floats
    effect_margin: Floats
    effect_p: Floats


def fit_controlled(
    rows: Rows,
    x: Floats,
    reference: Bools,
    *,
    ties: TieModel,
    seed: int,
    resamples: int,
    interval: Interval,
    level: float,
) -> Controlled:
    """Fit K strengths, one strongly connected component, with covariates x, shape (M, d).

    x favours `first` where positive. `reference`: agents whose mean is 0, shape (K,). Effects
    have clustered standard errors. Raises ArenaError as `joint.fit` does.
    """
    outcomes = merge(outcome_rows(rows, x))
    found = fit(outcomes, ties)
    load = outcomes.load()
    drawn = None
    if resamples and outcomes.scenarios > 1:
        weights = draw_weights(outcomes.scenarios, resamples, np.random.default_rng(seed))
        drawn = resample(outcomes, found, weights)[:, : rows.agents]
    said = estimate(
        Fitted(
            strengths=found.strengths,
            covariance=found.strength_covariance,
            resampled=drawn,
            clusters=outcomes.scenarios,
            df=effective_df(load),
            difference_df=difference_df(load),
            unvaried=np.zeros(rows.agents, dtype=np.bool_),
        ),
        reference,
        interval=interval,
        level=level,
    )
    errors, df = found.effect_errors, _effect_df(outcomes, x.shape[1])
    return Controlled(
        strengths=centre(found.strengths, reference),
        low=said.low,
        high=said.high,
        se=said.se,
        effects=found.effects,
        effect_se=errors,
        effect_margin=t_margin(errors, df, level=level),
        effect_p=two_sided_p(found.effects, errors, df),
    )


def _effect_df(rows: OutcomeRows, effects: int) -> Floats:
    """ν of each effect, shape (d,), from the rows in which its covariate is not 0."""
    weight = rows.weight()
    load = [
        np.bincount(rows.scenario, weight * (rows.x[:, i] != 0), rows.scenarios)
        for i in range(effects)
    ]
    return effective_df(np.array(load).T.reshape(rows.scenarios, effects))
