"""Everything that one strongly connected component says: strengths with their uncertainty."""

from dataclasses import dataclass

import numpy as np

from arena.maths.bootstrap import bootstrap_strengths, covariance
from arena.maths.bradley_terry import centre, expected_shares, information
from arena.maths.intervals import (
    LEVEL,
    difference_df,
    effective_df,
    t_margin,
    two_sided_p,
)
from arena.maths.sandwich import clustered_covariance, difference_errors, recentre
from arena.maths.tally import Bools, Floats, Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Strengths of K agents in log-odds about the mean of a reference set, and their errors.

    Shape (K,): `strengths`, `se` (bootstrap), `se_clustered` (sandwich), `df`, `margin` (half
    the interval). Shape (K, K), of i less j: `difference_se`, `difference_margin`, `p`.
    `resampled`: shape (b, K). NaN where nothing varied, so that no interval stands.
    """

    strengths: Floats
    se: Floats
    se_clustered: Floats
    df: Floats
    margin: Floats
    difference_se: Floats
    difference_margin: Floats
    p: Floats
    resampled: Floats


def estimate(
    rows: Rows,
    strengths: Floats,
    reference: Bools,
    *,
    seed: int,
    resamples: int,
    level: float = LEVEL,
) -> Estimate:
    """Intervals θ̂ ± t_ν·SE of centred strengths and of differences, by the scenario bootstrap.

    `rows`: comparisons of one strongly connected component in at least two scenarios;
    `strengths`: their maximum-likelihood strengths, shape (K,); `reference`: agents whose mean
    is 0, shape (K,), at least one. The clustered sandwich stands beside as a cross-check.
    """
    drawn = bootstrap_strengths(rows, strengths, seed=seed, resamples=resamples)
    drawn = centre(drawn, reference)
    boot = covariance(drawn, rows.scenarios)
    sandwich = recentre(
        clustered_covariance(scores(rows, strengths), information(strengths, rows.games())),
        reference,
    )
    theta, load = centre(strengths, reference), rows.load()
    se, apart = np.sqrt(np.diag(boot)), difference_errors(boot)
    df, df_apart = effective_df(load), difference_df(load)
    return Estimate(
        strengths=theta,
        se=se,
        se_clustered=np.sqrt(np.maximum(np.diag(sandwich), 0.0)),
        df=df,
        margin=t_margin(se, df, level=level),
        difference_se=apart,
        difference_margin=t_margin(apart, df_apart, level=level),
        p=two_sided_p(theta[:, None] - theta[None, :], apart, df_apart),
        resampled=drawn,
    )


def scores(rows: Rows, strengths: Floats) -> Floats:
    """Each scenario's part of the gradient, u, shape (S, K); at the maximum it sums to 0."""
    return rows.residuals(expected_shares(strengths))


def unvaried(rows: Rows, strengths: Floats) -> Bools:
    """Agents that earned exactly what was expected of them in every scenario, shape (K,).

    Only ties, say. Every method would call their rating certain; nobody knows how it varies.
    """
    return np.asarray(np.abs(scores(rows, strengths)).max(axis=0) < 1e-9)
