"""The scenario bootstrap: whole scenarios are drawn, never single comparisons.

All comparisons of a scenario share its difficulty and its quirks; drawing rows as if they were
independent gives intervals that are too narrow. Reference: A. Davison and D. Hinkley, Bootstrap
Methods and their Application (1997), §3.8.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from arena.maths.arrays import Floats, Ints, Table
from arena.maths.bradley_terry import RIDGE, information
from arena.maths.pairs import pair_count
from arena.maths.resamples import TOLERANCE, solve_resamples
from arena.maths.tally import Tally
from arena.maths.threads import one_thread

RESAMPLES = 1000
_NUMBERS_AT_ONCE = 5_100_000
"""Of a block; a matrix product of fewer columns is slower by a third."""


def draw_weights(scenarios: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each resample holds each scenario, shape (resamples, S); rows sum to S."""
    drawn = rng.integers(0, scenarios, size=(resamples, scenarios))
    drawn += np.arange(resamples)[:, None] * scenarios
    counts = np.bincount(drawn.ravel(), minlength=resamples * scenarios)
    return counts.reshape(resamples, scenarios).astype(np.float64)


def draw_copies(copies: Ints, resamples: int, rng: np.random.Generator) -> Floats:
    """How many clusters of each kind a resample holds, shape (resamples, T); `copies`: shape (T,).

    The clusters of a kind are alike, so only their number matters: multinomial.
    """
    total = int(copies.sum())
    return rng.multinomial(total, copies / total, size=resamples).astype(np.float64)


def bootstrap_strengths(
    tally: Tally,
    start: Floats,
    *,
    above: Table,
    seed: int,
    resamples: int,
    ridge: float = RIDGE,
    tolerance: float = TOLERANCE,
    threads: int | None = None,
) -> Floats:
    """Strengths in every resample, centred over all K agents, shape (resamples, K).

    `tally` holds one strongly connected component, `start` its strengths, centred, shape (K,);
    `above`: points of each agent above what these let expect in each cluster, shape (S, K). The
    ridge inside resamples keeps those finite that lost the connection. Resamples are drawn and
    solved in blocks, each from a seed of its own, so that the number of threads (default: one a
    core) changes nothing.
    """
    k = tally.agents
    size = int(
        np.clip(_NUMBERS_AT_ONCE // max(pair_count(k), tally.points.shape[0], 1), 16, resamples)
    )
    begins = range(0, resamples, size)
    seeds = np.random.SeedSequence(seed).spawn(len(begins))
    held = information(start, tally.total())
    wide = np.float32 if tally.games.dtype == np.float32 else np.float64
    # Dense products want rows of pairs; made once, not in every block.
    games, points, slopes = tally.games.T, tally.points.T, above.T

    def solve(block: int) -> Floats:
        rng = np.random.default_rng(seeds[block])
        some = min(size, resamples - begins[block])
        if tally.copies is None:
            weights = draw_weights(tally.clusters, some, rng).T
        else:
            weights = draw_copies(tally.copies, some, rng).T
        return solve_resamples(
            games @ weights.astype(wide),
            points @ weights,
            start,
            inverse,
            slopes @ weights,
            ridge=ridge,
            tolerance=tolerance,
        )

    workers = min(threads or os.cpu_count() or 1, len(begins))
    with one_thread():
        filled = np.full((k, k), np.trace(held) / k / k)
        inverse = np.linalg.inv(held + filled + ridge * np.eye(k))
        if workers == 1:
            return np.concatenate([solve(block) for block in range(len(begins))])
        with ThreadPoolExecutor(workers) as pool:
            return np.concatenate(list(pool.map(solve, range(len(begins)))))


def covariance(resampled: Floats, clusters: int) -> Floats:
    """V_b = S/(S−1) · covariance of the resamples, shape (K, K), from shape (resamples, K).

    The factor undoes the bootstrap's shrinkage: a resample of S scenarios varies like a mean with
    divisor S instead of S−1.
    """
    apart = resampled - resampled.mean(axis=0)
    with one_thread():
        spread = apart.T @ apart / (len(resampled) - 1)
    return np.asarray(clusters / (clusters - 1) * spread)
