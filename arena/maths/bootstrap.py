"""The scenario bootstrap: whole scenarios are drawn, never single comparisons.

All comparisons of a scenario share its difficulty and its quirks; drawing rows as if they were
independent gives intervals that are too narrow. Reference: A. Davison and D. Hinkley, Bootstrap
Methods and their Application (1997), §3.8.
"""

from collections.abc import Iterator

import numpy as np

from arena.maths.bradley_terry import resample_strengths
from arena.maths.tally import Floats, Rows
from arena.maths.threads import one_thread

RESAMPLES = 1000
_NUMBERS_AT_ONCE = 4_000_000


def draw_weights(scenarios: int, resamples: int, rng: np.random.Generator) -> Floats:
    """How often each resample holds each scenario, shape (resamples, S); rows sum to S."""
    even = np.full(scenarios, 1 / scenarios)
    return rng.multinomial(scenarios, even, size=resamples).astype(np.float64)


def bootstrap_strengths(rows: Rows, start: Floats, *, seed: int, resamples: int) -> Floats:
    """Strengths in every resample, centred over all K agents, shape (resamples, K).

    `rows` hold one strongly connected component, `start` its strengths, shape (K,). The ridge
    inside resamples keeps those finite that lost the connection.
    """
    # scipy takes a second to import; commands that rate nobody must not wait for it.
    from scipy.sparse import csr_array

    k = rows.agents
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    shape = (k * k, rows.scenarios)
    # Points of a scenario sum to its comparisons, so totals per pair and agent suffice.
    counts = csr_array((np.ones(len(rows.share)), (low * k + high, rows.scenario)), shape=shape)
    counts.sum_duplicates()
    points = rows.points()
    found = []
    with one_thread():
        for weights in _blocks(rows, seed=seed, resamples=resamples):
            upper = np.ascontiguousarray((counts @ weights.T).T).reshape(-1, k, k)
            games = upper + upper.transpose(0, 2, 1)
            found.append(resample_strengths(games, weights @ points, start))
    return np.concatenate(found)


def covariance(resampled: Floats, scenarios: int) -> Floats:
    """V_b = S/(S−1) · covariance of the resamples, shape (K, K), from shape (resamples, K).

    The factor undoes the bootstrap's shrinkage: a resample of S scenarios varies like a mean with
    divisor S instead of S−1.
    """
    apart = resampled - resampled.mean(axis=0)
    with one_thread():
        spread = apart.T @ apart / (len(resampled) - 1)
    return np.asarray(scenarios / (scenarios - 1) * spread)


def _blocks(rows: Rows, *, seed: int, resamples: int) -> Iterator[Floats]:
    rng = np.random.default_rng(seed)
    size = max(1, _NUMBERS_AT_ONCE // max(rows.agents**2, rows.scenarios))
    for first in range(0, resamples, size):
        yield draw_weights(rows.scenarios, min(size, resamples - first), rng)
