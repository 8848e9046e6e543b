"""The adaptive design: rounds of comparisons that look at the verdicts so far.

WARNING. Ratings from such rounds carry no 95 % intervals. Choosing by outcomes biases them: pairs
that look close by luck are asked again while early extremes stay, so that strengths come out too
far apart (by 12–19 % with 12 agents of spread 0.6 and a third of all comparisons) and nominal
95 % intervals hold the truth in 90–92 % of cases. Neither scenario blocks nor weighting by inverse
probabilities repairs it at less rank error than the even design. Neighbour matching, as some
public leaderboards practise it, is of this kind. What a board says of such ratings must say so.
"""

import numpy as np

from arena.maths.designs.choosing import choose_even
from arena.maths.designs.placing import draw, pairs_of, place
from arena.maths.tally import Bools, Floats


def first_round(open_cells: Bools, rng: np.random.Generator) -> Bools:
    """The cells before any verdict, shape (S, P): an even twentieth, at least three an agent."""
    agents, _, _ = pairs_of(open_cells.shape[1])
    return choose_even(open_cells, budget=max(open_cells.size // 20, 3 * agents), rng=rng)


def next_round(
    open_cells: Bools,
    strengths: Floats,
    errors: Floats,
    *,
    batch: int,
    rng: np.random.Generator,
    taken: Bools,
) -> Bools:
    """The next `batch` cells, shape (S, P), for pairs that the verdicts so far leave undecided.

    No 95 % interval may be given for ratings that stand on them: see the module. `strengths`:
    current log-odds, finite, shape (K,). `errors`: standard errors of their differences, shape
    (K, K). `taken`: cells compared already. Pairs are drawn by p(1−p) · SE² · exp(−z²/2),
    z = difference / SE: what a comparison tells, where it may still turn an order. A pair without
    a standard error (NaN) weighs as much as the heaviest.
    """
    _, first, second = pairs_of(open_cells.shape[1])
    apart, error = np.abs(strengths[first] - strengths[second]), errors[first, second]
    known = error > 0
    ratio = np.divide(apart, error, out=np.zeros_like(apart), where=known)
    small = np.exp(-apart)
    weights = small / (1 + small) ** 2 * error**2 * np.exp(-(ratio**2) / 2)
    heaviest = weights[known].max(initial=0.0)
    weights = np.where(known, weights, heaviest if heaviest > 0 else 1.0)
    free = open_cells & ~taken
    counts = draw(weights, free.sum(axis=0), batch, rng)
    return place(counts, open_cells=free, taken=taken, rng=rng)
