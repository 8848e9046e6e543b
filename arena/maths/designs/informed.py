"""What the absolute scores say about which comparisons tell most.

Two agents that the rubric already holds far apart will hardly change places, so a comparison of
them settles little. The scores are known before the first verdict: choosing by them cannot bias
the ratings, as choosing by the verdicts themselves does.
"""

import numpy as np

from arena.maths.designs.placing import pairs_of
from arena.maths.tally import Bools, Floats

FEWEST_SCENARIOS = 5
"""Scenarios scored for both agents below which their difference is not relied on."""
_FLOOR = 0.25
_EVEN_PART = 0.4


def informed_shares(scores: Floats) -> Floats:
    """Share of the budget of each pair, shape (P,), in sum 1: an even part and one by closeness.

    `scores`: of each agent in each scenario, shape (S, K), higher is better, NaN where missing.
    v = 0.4/P + 0.6 · closeness/Σ closeness, and the share is ∝ v_ij / √(v_i v_j), with v_i what i
    gets over all its pairs. The even part keeps every agent present in nearly every scenario,
    without which intervals are too narrow, and limits the harm of a misleading rubric. The
    division takes back about half of what the crowded middle of the board would draw from
    the agents at its ends, whose ratings would pay for it. A pair of which too little is known
    (`relied_on`) is as close as the others are on average, so that its share is even.
    """
    weights, known = closeness(scores), relied_on(scores)
    if known.any():
        weights = np.where(known, weights, weights[known].mean())
    agents, first, second = pairs_of(len(weights))
    shares = np.full(len(weights), 1 / max(1, len(weights)))
    if weights.sum() > 0:
        shares = _EVEN_PART * shares + (1 - _EVEN_PART) * weights / weights.sum()
    drawn = np.bincount(first, shares, agents) + np.bincount(second, shares, agents)
    shares = shares / np.sqrt(drawn[first] * drawn[second])
    return np.asarray(shares / shares.sum())


def relied_on(scores: Floats) -> Bools:
    """Pairs with at least `FEWEST_SCENARIOS` scenarios scored for both agents, shape (P,)."""
    known = np.isfinite(scores)
    _, first, second = pairs_of(scores.shape[1] * (scores.shape[1] - 1) // 2)
    return np.asarray((known[:, first] & known[:, second]).sum(axis=0) >= FEWEST_SCENARIOS)


def closeness(scores: Floats) -> Floats:
    """Weight exp(−z²/4) of each pair, shape (P,), from `scores` as in `informed_shares`.

    z = Δ̄ / √(se² + (sd/4)²): mean and standard error of the differences within the scenarios
    scored for both, and the standard deviation of the agents' means. Its floor keeps a rubric
    that is precise but not quite what the judges reward from ruling pairs out. A pair with fewer
    than `FEWEST_SCENARIOS` in common has weight 1, as if its agents were equal.
    """
    known = np.isfinite(scores)
    _, first, second = pairs_of(scores.shape[1] * (scores.shape[1] - 1) // 2)
    both = known[:, first] & known[:, second]
    filled = np.where(known, scores, 0.0)
    mean, error = _mean_and_error(filled[:, first] - filled[:, second], both)
    variance = error**2 + (_FLOOR * _spread(filled, known)) ** 2
    relied = relied_on(scores) & (mean != 0)
    with np.errstate(divide="ignore"):
        square = np.divide(mean**2, variance, out=np.zeros_like(mean), where=relied)
    return np.asarray(np.exp(-square / 4))


def _mean_and_error(values: Floats, known: Bools) -> tuple[Floats, Floats]:
    """Mean of the known values of each column and its standard error; 0 where there is none."""
    count = known.sum(axis=0)
    mean = values.sum(axis=0, where=known) / np.maximum(count, 1)
    squares = ((values - mean) ** 2).sum(axis=0, where=known)
    return mean, np.sqrt(squares / np.maximum(count * (count - 1), 1))


def _spread(scores: Floats, known: Bools) -> float:
    """Standard deviation of the means of the agents that have scores; 0 with fewer than two."""
    mean, _ = _mean_and_error(scores, known)
    scored = mean[known.any(axis=0)]
    return float(scored.std(ddof=1)) if len(scored) > 1 else 0.0
