"""What a board says of each two agents."""

import math

import numpy as np

from arena.domain.standing import PairStanding, Side
from arena.maths.arrays import Ints
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.stages.rank.table import Table, known


def make_pairs(table: Table) -> tuple[PairStanding, ...]:
    """All pairs, by name."""
    first, second = np.triu_indices(len(table.material.agents), 1)
    spans = table.rating.counts.spans()
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return tuple(_pair(i, j, table, spans) for i, j in pairs)


def _pair(i: int, j: int, table: Table, spans: Ints) -> PairStanding:
    rating, counts = table.rating, table.rating.counts
    games, wins, losses = (
        int(n) for n in (counts.met[i, j], counts.clear[i, j], counts.clear[j, i])
    )
    weight = float(counts.wins[i, j] + counts.wins[j, i])
    share = float(counts.wins[i, j]) / weight if games else None
    expected, apart = known(rating.expected[i, j]), known(rating.difference[i, j])
    p_holm = known(rating.p_holm[i, j])
    residual = z = None
    if share is not None and expected is not None:
        residual = share - expected
        variance = table.dispersion * expected * (1 - expected) / weight
        z = residual / math.sqrt(variance) if variance > 0 else None
    decision: Side | None = None
    if apart is not None and p_holm is not None and p_holm <= 1 - table.method.level + 1e-12:
        decision = "a" if apart > 0 else "b"
    pair = (table.material.agents[i], table.material.agents[j])
    by_pair = table.material.by_pair
    return PairStanding(
        a=pair[0],
        b=pair[1],
        n=games,
        scenarios=int(spans[i, j]),
        planned=None if by_pair is None else by_pair.get(pair, 0),
        missing=_missing(i, j, table, games),
        share=share,
        wins=wins,
        ties=games - wins - losses,
        losses=losses,
        flips=int(table.flips[i, j]),
        p_a_above_b=known(rating.above[i, j]),
        difference=None if apart is None else apart * POINTS_PER_NAT,
        se=known(rating.difference_se[i, j] * POINTS_PER_NAT),
        low=known(rating.difference_low[i, j] * POINTS_PER_NAT),
        high=known(rating.difference_high[i, j] * POINTS_PER_NAT),
        p=known(rating.p[i, j]),
        p_holm=p_holm,
        decision=decision,
        expected=expected,
        residual=residual,
        z=z,
    )


def _missing(i: int, j: int, table: Table, games: int) -> float | None:
    material = table.material
    if material.missing is not None:
        return float(material.missing[i, j])
    if material.by_pair is not None:
        pair = (material.agents[i], material.agents[j])
        return float(max(0, material.by_pair.get(pair, 0) - games))
    # A file without anything missing knows that nothing is.
    return 0.0 if material.by_agent is None else None
