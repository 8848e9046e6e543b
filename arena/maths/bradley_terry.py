"""Bradley–Terry strengths by maximum likelihood, and the Elo scale.

A strength θ is a log-odds: P(i earns the point from j) = 1 / (1 + exp(θ_j − θ_i)), a tie being
half a point to each. Points are r = anchor + (400 / ln 10)·θ, so 400 points are odds of ten to
one. Strengths are defined up to a constant; here they are centred.

Reference: R. Bradley and M. Terry, Biometrika 39 (1952).
"""

import math

import numpy as np

from arena.errors import ArenaError
from arena.maths.arrays import Bools, Floats
from arena.maths.components import labels
from arena.maths.threads import one_thread

ELO_SCALE = 400.0
POINTS_PER_NAT = ELO_SCALE / math.log(10)
RIDGE = 0.01


def to_points(strengths: Floats, *, anchor: float = 1000.0) -> Floats:
    """Points of each agent from its centred strength; nothing is centred again here."""
    return anchor + POINTS_PER_NAT * strengths


def centre(strengths: Floats, reference: Bools) -> Floats:
    """Strengths, shape (…, K), less their mean over the agents in `reference`, shape (K,)."""
    return np.asarray(strengths - strengths[..., reference].mean(axis=-1, keepdims=True))


def expected_shares(strengths: Floats) -> Floats:
    """Share that i earns from j on average, shape (…, K, K), from strengths, shape (…, K)."""
    apart = strengths[..., :, None] - strengths[..., None, :]
    # exp of the negative magnitude only: far-apart strengths never overflow.
    small = np.exp(-np.abs(apart))
    return np.where(apart >= 0, 1.0, small) / (1.0 + small)


def log_likelihood(strengths: Floats, wins: Floats) -> float:
    """Σ_ij wins_ij · log P(i beats j), with wins of shape (K, K) that may be fractional."""
    apart = strengths[:, None] - strengths[None, :]
    return -float((wins * np.logaddexp(0.0, -apart)).sum())


def gradient(strengths: Floats, wins: Floats) -> Floats:
    """Points won less points expected, shape (K,); it sums to 0."""
    games = wins + wins.T
    return np.asarray(wins.sum(axis=1) - (games * expected_shares(strengths)).sum(axis=1))


def information(strengths: Floats, games: Floats) -> Floats:
    """H = Σ_c p(1−p)·xxᵀ, x = e_i − e_j: the negative Hessian, shape (…, K, K).

    `games`: comparisons of i and j, shape (…, K, K), symmetric with a zero diagonal. H·1 = 0.
    """
    share = expected_shares(strengths)
    weight = games * share * (1 - share)
    k = strengths.shape[-1]
    matrix = -weight
    matrix[..., np.arange(k), np.arange(k)] = weight.sum(axis=-1)
    return np.asarray(matrix)


def strengths(wins: Floats, *, prior: float = 0.0) -> Floats:
    """Maximum-likelihood strengths, centred, shape (K,), from points earned, shape (K, K).

    Newton's method from 0, until the gradient is rounding error, which the clustered standard
    errors need. `prior`: λ = 1/SD² of a Gaussian prior on centred strengths; 0 for none. One agent
    alone has strength 0. Raises ArenaError when the agents are not one strongly connected
    component: then no finite maximum exists without a prior.
    """
    if prior == 0 and len(np.unique(labels(wins, "strong"))) != 1:
        raise ArenaError(
            "these agents have no finite ratings",
            why="some of them never earned, or never lost, a point against the others",
        )
    if len(wins) == 1:
        return np.zeros(1)
    with one_thread():
        return _newton(wins, np.zeros(len(wins)), prior)


def _newton(wins: Floats, theta: Floats, prior: float) -> Floats:
    games = wins + wins.T
    target = max(1e-10, 16 * np.finfo(np.float64).eps * float(games.sum(axis=1).max()))
    # With the flat direction filled the matrix is invertible; steps along it are 0.
    filled = np.full_like(wins, 1 / len(wins)) + prior * np.eye(len(wins))
    height = _height(wins, theta, prior)
    for _ in range(200):
        slope = gradient(theta, wins) - prior * theta
        if np.abs(slope).max() < target:
            break
        step = np.linalg.solve(information(theta, games) + filled, slope)
        step = np.asarray(step - step.mean())
        clipped = np.asarray(step * min(1.0, 2.0 / float(np.abs(step).max())))
        theta, height = _ascend(wins, theta, clipped, height, prior)
    return np.asarray(theta - theta.mean())


def _height(wins: Floats, theta: Floats, prior: float) -> float:
    return log_likelihood(theta, wins) - prior / 2 * float(theta @ theta)


def _ascend(
    wins: Floats, theta: Floats, step: Floats, before: float, prior: float
) -> tuple[Floats, float]:
    for halving in range(40):
        moved = theta + step / 2**halving
        after = _height(wins, moved, prior)
        # Near the maximum the gain drowns in rounding, so an equal likelihood must pass.
        if after >= before - 1e-12 * (1 + abs(before)):
            return moved, after
    return theta, before


def resample_strengths(
    games: Floats, points: Floats, start: Floats, *, ridge: float = RIDGE, tolerance: float = 1e-8
) -> Floats:
    """Strengths of b resamples solved together, centred over all K agents, shape (b, K).

    `games`: comparisons of i and j in each resample, shape (b, K, K); `points`: points won, shape
    (b, K); `start`: where all begin, shape (K,). Maximises log-likelihood − ridge/2 · |θ|² over
    centred θ, which is finite however thin a resample is; with the ridge an agent that a resample
    never drew sits at 0. Newton's method, steps clipped to 1 log-odds, until no step exceeds
    `tolerance`.
    """
    theta = np.repeat((start - start.mean())[None, :], len(games), axis=0)
    busy = np.arange(len(games))
    damping = ridge * np.eye(len(start))
    for _ in range(200):
        now = theta[busy]
        slope = points[busy] - (games[busy] * expected_shares(now)).sum(axis=2) - ridge * now
        matrix = information(now, games[busy]) + damping
        step = np.linalg.solve(matrix, slope[..., None])[..., 0]
        size = np.abs(step).max(axis=1)
        theta[busy] = now + step * np.minimum(1.0, 1.0 / np.maximum(size, 1e-300))[:, None]
        busy = busy[size > tolerance]
        if not len(busy):
            return np.asarray(theta - theta.mean(axis=1, keepdims=True))
    raise ArenaError("{resamples} resamples did not converge", resamples=len(busy))
