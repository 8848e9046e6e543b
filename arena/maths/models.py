"""The models by which boards are made, each as one function of comparisons and their counts."""

import numpy as np

from arena.errors import ArenaError
from arena.maths.arrays import Floats, Ints
from arena.maths.bootstrap import draw_weights
from arena.maths.fitted import Fitted, fit_bradley_terry, fit_crossed
from arena.maths.intervals import difference_df, effective_df
from arena.maths.joint.fit import fit
from arena.maths.joint.outcomes import TieModel
from arena.maths.joint.resamples import resample
from arena.maths.joint.rows import OutcomeRows, merge
from arena.maths.rating import Fit
from arena.maths.tally import Rows, Tally
from arena.maths.verdicts import Comparisons


def choose_model(
    *,
    ties: TieModel = "half",
    seed: int,
    resamples: int,
    prior_sd: float | None = None,
    threads: int | None = None,
) -> Fit:
    """Bradley–Terry with ties as half points, or one of the models with ties of their own.

    `prior_sd`: standard deviation, in log-odds, of a Gaussian prior on centred strengths, for
    `half` only. Comparisons with a second cluster are fitted as crossed, without resamples.
    """
    prior = 0.0 if prior_sd is None else 1 / prior_sd**2

    def half(rows: Comparisons, counts: Tally) -> Fitted:
        if isinstance(rows, Rows) and rows.crossing is not None:
            return fit_crossed(rows, rows.crossing, prior=prior)
        return fit_bradley_terry(
            counts, seed=seed, resamples=resamples, prior=prior, threads=threads
        )

    def tied(rows: Comparisons, counts: Tally) -> Fitted:
        return fit_ties(rows, counts, ties, seed=seed, resamples=resamples)

    return half if ties == "half" else tied


def fit_ties(
    rows: Comparisons, counts: Tally, model: TieModel, *, seed: int, resamples: int
) -> Fitted:
    """Davidson's or Rao and Kupper's model of K agents, its tie parameter fitted jointly."""
    outcomes = merge(outcome_rows(rows.entries()))
    found = fit(outcomes, model)
    drawn = None
    if resamples and outcomes.scenarios > 1:
        weights = draw_weights(outcomes.scenarios, resamples, np.random.default_rng(seed))
        drawn = resample(outcomes, found, weights)[:, : rows.agents]
    still = np.abs(found.scores[:, : rows.agents]).max(axis=0) < 1e-9
    return Fitted(
        strengths=found.strengths,
        covariance=None if outcomes.scenarios < 2 else found.strength_covariance,
        resampled=drawn,
        clusters=outcomes.scenarios,
        df=effective_df(counts.load, counts.copies),
        difference_df=difference_df(counts.load, counts.copies),
        unvaried=np.asarray(still),
        tie=found.tie,
    )


def outcome_rows(rows: Rows, x: Floats | None = None) -> OutcomeRows:
    """Comparisons as wins, ties and losses, with covariates x, shape (M, d), where there are any.

    Raises ArenaError when it is not known which comparisons were ties.
    """
    if rows.tie is None:
        raise ArenaError("these comparisons do not say which of them were ties")
    weight = np.ones(len(rows.share)) if rows.weight is None else rows.weight
    share, tie = rows.share.astype(np.float64), rows.tie.astype(np.float64)
    scenario: Ints = (
        np.arange(len(share)) if rows.scenario is None else rows.scenario.astype(np.int64)
    )
    return OutcomeRows(
        first=rows.first.astype(np.int64),
        second=rows.second.astype(np.int64),
        scenario=scenario,
        win=np.maximum(weight * (share - tie / 2), 0.0),
        tie=weight * tie,
        loss=np.maximum(weight * (1 - share - tie / 2), 0.0),
        x=np.zeros((len(share), 0)) if x is None else x,
        agents=rows.agents,
        scenarios=rows.scenarios,
    )
