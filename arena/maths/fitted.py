"""Strengths of one strongly connected component, and two opinions on how they vary."""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Bools, Codes, Floats, Table, largest_sizes
from arena.maths.bootstrap import bootstrap_strengths
from arena.maths.bradley_terry import RIDGE, expected_shares, information, strengths
from arena.maths.intervals import difference_df, effective_df
from arena.maths.sandwich import clustered_covariance, crossed_covariance
from arena.maths.tally import Rows, Tally
from arena.maths.tallying import tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a model says of K agents in S clusters, in log-odds, centred over all K.

    `strengths`: shape (K,). `covariance`: of the clustered sandwich, shape (K, K), None with a
    single cluster. `resampled`: strengths in b resamples, shape (b, K), None where none were
    drawn. `df` and `difference_df`: degrees of freedom of agents and of pairs, shapes (K,), (K, K).
    `unvaried`: agents that earned exactly what was expected of them in every cluster, shape (K,):
    every method would call them certain, and nobody knows how they vary. `tie`: ν of Davidson or κ
    of Rao and Kupper, None under neither or where no tie was seen.
    """

    strengths: Floats
    covariance: Floats | None
    resampled: Floats | None
    clusters: int
    df: Floats
    difference_df: Floats
    unvaried: Bools
    tie: float | None = None


def fit_bradley_terry(
    counts: Tally,
    *,
    seed: int,
    resamples: int,
    prior: float = 0.0,
    threads: int | None = None,
) -> Fitted:
    """Bradley–Terry with ties as half points; `resamples` of 0 draws none.

    `prior`: λ of a Gaussian prior on centred strengths, shared by the point estimate, the sandwich
    and the resamples, which have a ridge of their own below it.
    """
    theta = strengths(counts.wins, prior=prior)
    above = scores(counts, theta)
    return Fitted(
        strengths=theta,
        covariance=_covariance(counts, theta, above, prior),
        resampled=bootstrap_strengths(
            counts,
            theta,
            above=above,
            seed=seed,
            resamples=resamples,
            ridge=max(RIDGE, prior),
            threads=threads,
        )
        if resamples and counts.clusters > 1
        else None,
        clusters=counts.clusters,
        df=effective_df(counts.load, counts.copies),
        difference_df=difference_df(counts.load, counts.copies),
        unvaried=np.asarray(largest_sizes(above) < 1e-9),
    )


def fit_crossed(rows: Rows, crossing: Codes, *, prior: float = 0.0) -> Fitted:
    """Bradley–Terry whose comparisons hang together in two ways, by `scenario` and by `crossing`.

    `crossing`: second cluster of each comparison, shape (M,). No resamples: two ways cannot be
    drawn as one. Degrees of freedom are the smaller of the two.
    """
    first = tally(rows)
    theta = strengths(first.wins, prior=prior)
    scenario = np.arange(len(crossing)) if rows.scenario is None else rows.scenario
    pairs = np.stack([scenario.astype(np.int64), crossing.astype(np.int64)])
    _, both = np.unique(pairs, axis=1, return_inverse=True)
    second, meet = tally(_clustered(rows, crossing)), tally(_clustered(rows, both.ravel()))
    above = [scores(counts, theta) for counts in (first, second, meet)]
    parts = [
        _covariance(counts, theta, part, prior)
        for counts, part in zip((first, second, meet), above, strict=True)
    ]
    known = parts[0] is not None and parts[1] is not None and parts[2] is not None
    return Fitted(
        strengths=theta,
        covariance=crossed_covariance(*parts) if known else None,  # type: ignore[arg-type]
        resampled=None,
        clusters=min(first.clusters, second.clusters),
        df=np.minimum(
            effective_df(first.load, first.copies), effective_df(second.load, second.copies)
        ),
        difference_df=np.minimum(
            difference_df(first.load, first.copies), difference_df(second.load, second.copies)
        ),
        unvaried=np.asarray(largest_sizes(above[0]) < 1e-9),
    )


def scores(counts: Tally, theta: Floats) -> Floats:
    """Each cluster's part of the gradient, u, shape (S, K); at the maximum it sums to 0."""
    found: Floats = counts.residuals(expected_shares(theta))
    return found


def _covariance(counts: Tally, theta: Floats, above: Table, prior: float) -> Floats | None:
    if counts.clusters < 2:
        return None
    held = information(theta, counts.total())
    return clustered_covariance(above, held, counts.copies, prior=prior)


def _clustered(rows: Rows, cluster: Codes) -> Rows:
    seen, renumbered = np.unique(cluster, return_inverse=True)
    return Rows(
        first=rows.first,
        second=rows.second,
        scenario=renumbered,
        share=rows.share,
        agents=rows.agents,
        scenarios=len(seen),
        weight=rows.weight,
    )
