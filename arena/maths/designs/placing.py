"""A budget becomes cells: how many comparisons each pair gets, and in which scenarios.

A cell is one comparison that could be made: a scenario and a pair, both orders. Masks of cells
have shape (S, P), with P = K(K−1)/2 pairs i < j in the order of `numpy.triu_indices(K, 1)`.
"""

import math

import numpy as np

from arena.maths.tally import Bools, Floats, Ints

_ALIKE = 9
"""Decimals of a comparison below which two quotas differ by rounding only."""


def pairs_of(pairs: int) -> tuple[int, Ints, Ints]:
    """K, and both agents of each of P pairs, shape (P,) each."""
    agents = (1 + math.isqrt(1 + 8 * pairs)) // 2
    first, second = np.triu_indices(agents, 1)
    return agents, first.astype(np.int64), second.astype(np.int64)


def apportion(weights: Floats, room: Ints, budget: int, rng: np.random.Generator) -> Ints:
    """Comparisons of each pair, shape (P,), in sum exactly `budget` or all the room there is.

    In proportion to `weights`, shape (P,), at most `room`, shape (P,); what exceeds it is spread
    over the others in the same proportion; fractions by largest remainders. Equal remainders are
    served in the order of `round_robin`. A pair of weight 0 gets something only when all others
    are full.
    """
    budget = min(budget, int(room.sum()))
    quota = np.round(_quotas(weights, room, budget), _ALIKE)
    counts = np.minimum(np.floor(quota), room).astype(np.int64)
    while (missing := budget - int(counts.sum())) > 0:
        left = np.where(counts < room, quota - counts, -np.inf)
        served = np.lexsort((round_robin(len(room), rng), -left))[:missing]
        counts[served] += (counts < room)[served]
    return counts


def draw(weights: Floats, room: Ints, budget: int, rng: np.random.Generator) -> Ints:
    """As `apportion`, but fractions by lot: a pair due 0.4 gets one comparison in 4 of 10 draws.

    For small batches, in which largest remainders would serve the heaviest pairs alone. Systematic
    sampling: W. Madow, Annals of Mathematical Statistics 20 (1949).
    """
    budget = min(budget, int(room.sum()))
    order = rng.permutation(len(room))
    edges = np.round(np.cumsum(_quotas(weights, room, budget)[order]), _ALIKE)
    steps = np.diff(np.floor(edges + rng.random()), prepend=0.0).astype(np.int64)
    counts = np.zeros(len(room), dtype=np.int64)
    counts[order] = np.minimum(steps, room[order])
    # Rounding at the last edge, or at a full pair, may leave one over.
    return counts + apportion(weights, room - counts, budget - int(counts.sum()), rng)


def _quotas(weights: Floats, room: Ints, budget: int) -> Floats:
    quota = np.zeros(len(room))
    free = room > 0
    while free.any():
        share = np.where(free, weights, 0.0)
        share = share if share.sum() > 0 else free.astype(np.float64)
        quota[free] = ((budget - room[~free].sum()) * share / share.sum())[free]
        over = free & (quota >= room)
        if not over.any():
            break
        quota[over] = room[over]
        free &= ~over
    return quota


def round_robin(pairs: int, rng: np.random.Generator) -> Ints:
    """Position of each pair, shape (P,), in a tournament of rounds among shuffled agents.

    In a round every agent meets one other (an odd one rests), so that the first pairs of the
    order load all agents alike; two rounds together connect all of them, and after a whole
    tournament every pair has met. The circle method: E. Lucas, Récréations mathématiques 2 (1883).
    """
    agents, first, second = pairs_of(pairs)
    seats = agents + agents % 2
    seat = rng.permutation(agents)
    low, high = np.minimum(seat[first], seat[second]), np.maximum(seat[first], seat[second])
    around = seats - 1
    # Seats go round the last one: two of them meet in the round that their numbers add up to.
    meets = np.where(high == seats - 1, 2 * low, low + high) % around
    position = np.empty(pairs, dtype=np.int64)
    position[np.lexsort((low, meets))] = np.arange(pairs)
    return position


def place(counts: Ints, *, open_cells: Bools, taken: Bools, rng: np.random.Generator) -> Bools:
    """Cells for so many comparisons of each pair, shape (S, P), out of `open_cells`, shape (S, P).

    `counts`: shape (P,), at most the open cells of the pair. `taken`: cells compared already,
    shape (S, P); they count as load. Pairs in random order take the scenarios s with the smallest
    load_i(s) + load_j(s) + 0.3 · load(s) / max(1, K/4), ties at random: first every agent sees
    every scenario equally often, then all scenarios are equally full.
    """
    agents, first, second = pairs_of(len(counts))
    chosen = np.zeros_like(open_cells)
    load = _loads(taken, agents, first, second)
    total = taken.sum(axis=1).astype(np.float64)
    for pair in rng.permutation(np.flatnonzero(counts)):
        i, j = first[pair], second[pair]
        cost = load[:, i] + load[:, j] + 0.3 / max(1.0, agents / 4) * total
        cost[~open_cells[:, pair]] = np.inf
        where = np.lexsort((rng.random(len(cost)), cost))[: counts[pair]]
        chosen[where, pair] = True
        load[where, i] += 1
        load[where, j] += 1
        total[where] += 1
    return chosen


def _loads(cells: Bools, agents: int, first: Ints, second: Ints) -> Floats:
    """Comparisons of each agent in each scenario, shape (S, K)."""
    scenario, pair = np.nonzero(cells)
    size = len(cells) * agents
    flat = np.bincount(scenario * agents + first[pair], minlength=size)
    flat += np.bincount(scenario * agents + second[pair], minlength=size)
    return flat.reshape(len(cells), agents).astype(np.float64)
