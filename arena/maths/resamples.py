"""Strengths of many resamples solved together.

The chord method: Newton's with the inverse Hessian of the whole data for every resample, which
starts at the maximum of the whole data and so is close from the first pass. A pass costs one
addition and one division per pair and resample, without exponentials: with e = exp θ,

    s_i = Σ_j n_ij / (e_i + e_j),   g = w − e ∘ s − λθ,   θ ← θ + (H + λ)⁻¹ g.

The first pass costs nothing: all resamples start at the same strengths, where the gradient of a
resample is the sum of its clusters' scores. A resample is done when the bound m·r/(1 − r) on what
is left (m the last step, r its ratio to the step before) is under the tolerance; the others go
on without it. Resamples in which it does not contract, as on sparse boards, are left to Newton's
method with their own Hessians.
"""

import numpy as np

from arena.maths.arrays import Bools, Floats, Shares
from arena.maths.bradley_terry import RIDGE, resample_strengths
from arena.maths.pairs import offsets, to_square

TOLERANCE = 1e-5
"""Log-odds; a thousandth of a point is 6e-6."""
_PASSES = 30
_FEW = 4
_NUMBERS_AT_ONCE = 4_000_000


def solve_resamples(
    games: Shares,
    points: Floats,
    start: Floats,
    inverse: Floats,
    slope: Floats,
    *,
    ridge: float = RIDGE,
    tolerance: float = TOLERANCE,
) -> Floats:
    """Strengths of b resamples, centred over all K agents, shape (b, K).

    `games`: comparisons of each pair, shape (P, b), pairs in the order of `pairs.py`; `points`:
    what each agent earned, shape (K, b); `start`: strengths of the whole data, centred, shape
    (K,); `inverse`: of their information with the ridge, shape (K, K); `slope`: points above what
    `start` lets expect, shape (K, b). Maximises log-likelihood − ridge/2 · |θ|² over centred θ,
    which is finite however thin a resample is. Sums over pairs are of the type of `games`: float32
    is good for a tolerance of 1e-5, not much less.
    """
    step = _kept_short(inverse @ (slope - ridge * start[:, None]))
    theta = start[:, None] + step
    done = _chord(theta, step, games, points, inverse, ridge, tolerance)
    found = np.ascontiguousarray((theta - theta.mean(axis=0)).T)
    left = np.flatnonzero(~done)
    k = len(start)
    at_once = max(1, _NUMBERS_AT_ONCE // (k * k))
    for first in range(0, len(left), at_once):
        some = left[first : first + at_once]
        square = to_square(np.ascontiguousarray(games[:, some].T, dtype=np.float64), k)
        earned = np.ascontiguousarray(points[:, some].T)
        found[some] = resample_strengths(
            square, earned, start, ridge=ridge, tolerance=min(tolerance, 1e-6)
        )
    return found


def _chord(
    theta: Floats,
    step: Floats,
    games: Shares,
    points: Floats,
    inverse: Floats,
    ridge: float,
    tolerance: float,
) -> Bools:
    """Move `theta`, shape (K, b), to the solutions; which of them got there, shape (b,).

    `step`: the one that led to `theta`, shape (K, b).
    """
    busy, done = np.arange(theta.shape[1]), np.zeros(theta.shape[1], dtype=np.bool_)
    now, before = theta, np.abs(step).max(axis=0)
    for passed in range(1, _PASSES):
        odds = np.exp(now)
        sums = _divide(odds.astype(games.dtype), games)
        step = _kept_short(inverse @ (points - odds * sums - ridge * now))
        now = now + step
        size = np.abs(step).max(axis=0)
        # At the bottom steps are rounding errors and no longer shrink: nine of them at most.
        rate = np.minimum(size / np.maximum(before, 1e-300), 0.9)
        there = size * rate / (1 - rate) < tolerance
        done[busy[there]] = True
        left = ~there
        if not left.any() or (passed >= 5 and np.median(rate[left]) > 0.8):
            break
        # To go on without those that are done costs a copy: worth it once they are most.
        if left.sum() * _FEW <= len(left):
            theta[:, busy], some = now, np.flatnonzero(left)
            busy, size = busy[some], size[some]
            now, points = now.take(some, axis=1), points.take(some, axis=1)
            games = games.take(some, axis=1)
        before = size
    theta[:, busy] = now
    return done


def _kept_short(step: Floats) -> Floats:
    """A step of more than 2 is no refinement; kept short it overflows nothing."""
    return np.clip(step, -2.0, 2.0, out=step)


def _divide(odds: Shares, games: Shares) -> Shares:
    """s_i = Σ_j n_ij / (e_i + e_j), shape (K, b)."""
    begin, room, sums = offsets(len(odds)), np.empty_like(odds), np.zeros_like(odds)
    for i in range(len(odds) - 1):
        part = room[: len(odds) - 1 - i]
        np.add(odds[i + 1 :], odds[i], out=part)
        np.divide(games[begin[i] : begin[i + 1]], part, out=part)
        sums[i + 1 :] += part
        sums[i] += part.sum(axis=0)
    return sums
