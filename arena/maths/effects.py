"""Effects of covariates on the log-odds of verdicts, the strengths being given.

With few scenarios the sandwich is too narrow for effects of covariates that belong to transcripts,
like length: its scores come from residuals that the fit has made small. Leaving out one scenario
at a time does not have that fault, so errors are those of the jackknife, as long as scenarios are
few. Reference: R. Bell and D. McCaffrey, Survey Methodology 28 (2002).
"""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Floats
from arena.maths.intervals import effective_df, t_margin, two_sided_p
from arena.maths.joint.fit import JointFit, fit
from arena.maths.joint.resamples import one_steps
from arena.maths.joint.rows import OutcomeRows, merge
from arena.maths.models import outcome_rows
from arena.maths.tally import Rows

MOST_LEFT_OUT = 200
"""With more scenarios the sandwich is as good, and the jackknife slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """d effects in log-odds, half their intervals and their p-values, each of shape (d,).

    NaN where there are too few scenarios for an error.
    """

    effects: Floats
    margins: Floats
    p: Floats


def fit_effects(rows: Rows, x: Floats, *, level: float) -> Effects:
    """Effects of x, shape (M, d), that favour `first` where positive, beside the strengths.

    `rows`: of one strongly connected component, ties half a win each. Raises ArenaError as
    `joint.fit` does; `facts["index"]` then says which covariate is at fault, if one is.
    """
    outcomes = merge(outcome_rows(rows, x))
    found = fit(outcomes)
    errors = _errors(outcomes, found)
    weight = outcomes.weight()
    load = [
        np.bincount(outcomes.scenario, weight * (column != 0), outcomes.scenarios)
        for column in outcomes.x.T
    ]
    df = effective_df(np.stack(load, axis=1))
    return Effects(
        effects=found.effects,
        margins=t_margin(errors, df, level=level),
        p=two_sided_p(found.effects, errors, df),
    )


def _errors(rows: OutcomeRows, found: JointFit) -> Floats:
    s = rows.scenarios
    if not 1 < s <= MOST_LEFT_OUT:
        return found.effect_errors
    without = one_steps(rows, found, 1 - np.eye(s))[:, found.agents :]
    apart = without - without.mean(axis=0)
    return np.asarray(np.sqrt((s - 1) / s * (apart**2).sum(axis=0)))
