"""How the comparisons behave on the whole: flips, ties, cycles, fit, and second opinions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from arena.domain.board import Diagnostics, largest_residuals
from arena.domain.standing import PairStanding, Standing, Why
from arena.maths.cycles import complete_triads, cyclic_triads
from arena.maths.elo import order_range
from arena.maths.ranks import spearman
from arena.maths.second_opinion import choix_strengths
from arena.stages.rank.table import Table

_NAMED_CYCLES = 20
_SHUFFLES = 100
MANY_MISSING = 0.05
"""Beyond this part of an agent's comparisons missing, best and worst cases are told."""


def make_diagnostics(
    table: Table, standings: Sequence[Standing], pairs: Sequence[PairStanding], *, check: bool
) -> Diagnostics:
    """The diagnostics of a board; `check`: ask choix as well, which takes a second to load."""
    material, counts = table.material, table.rating.counts
    size, ties = material.rows.size, material.rows.even
    flips = 0 if material.flipped is None else int(material.flipped.sum())
    met = counts.met > 0
    total = counts.total()
    shares = np.where(met, counts.wins / np.where(met, total, 1.0), np.nan)
    triads = cyclic_triads(shares)
    clear = sorted(
        triads.tolist(), key=lambda t: -min(shares[t[k], t[(k + 1) % 3]] for k in range(3))
    )
    names = material.agents
    both = [(s.rating, s.absolute.mean) for s in standings if s.absolute and s.rating is not None]
    squares = [p.z**2 for p in pairs if p.z is not None]
    fitted = table.rating.fitted
    return Diagnostics(
        flips=flips,
        flip_rate=flips / size if size and material.flipped is not None else None,
        ties=ties,
        tie_share=ties / size if size else None,
        cycles=len(triads),
        triads=complete_triads(met),
        cycle_examples=tuple((names[a], names[b], names[c]) for a, b, c in clear[:_NAMED_CYCLES]),
        residuals=largest_residuals(pairs),
        spearman=spearman(np.array([r for r, _ in both]), np.array([m for _, m in both])),
        misfit=sum(squares) / len(squares) if squares else None,
        tie_parameter=None if fitted is None else fitted.tie,
        second_opinion=_second_opinion(table) if check else None,
        orders={},
        rows=material.row_count,
        judges=material.judges,
    )


def with_orders(said: Diagnostics, table: Table, k_factor: float) -> Diagnostics:
    """The same with how far online Elo depends on the order of the rows."""
    rows = table.material.rows.entries()
    found = order_range(
        rows.first.astype(np.int64),
        rows.second.astype(np.int64),
        rows.share.astype(np.float64),
        rows.agents,
        seed=table.method.seed,
        shuffles=_SHUFFLES if len(rows.share) <= 100_000 else 5,
        k_factor=k_factor,
    )
    ranges: Mapping[str, tuple[float, float]] = {
        name: (float(low), float(high))
        for name, low, high in zip(table.material.agents, found.low, found.high, strict=True)
        if not np.isnan(low)
    }
    return replace(said, orders=ranges)


def make_notes(table: Table, bounds: Mapping[int, tuple[float, float]]) -> tuple[Why, ...]:
    """What must be said beside the table."""
    rating, material, method = table.rating, table.material, table.method
    found = list(_why_nobody(table))
    if rating.rated.any() and rating.clusters < table.minimum.scenarios:
        what = "scenarios" if material.rows.clustered else "rows"
        found.append(Why(key=f"few_{what}", facts={what: rating.clusters}))
    if not material.rows.clustered and material.rows.size:
        found.append(Why(key="rows_drawn"))
    if method.interval in ("percentile", "expanded") and 0 < rating.clusters < 20:
        facts = {"interval": method.interval, "scenarios": rating.clusters}
        found.append(Why(key="narrow_interval", facts=facts))
    if bounds:
        names = [material.agents[i] for i in sorted(bounds)]
        found.append(Why(key="many_missing", facts={"agents": names}))
    return tuple(found)


def _why_nobody(table: Table) -> Iterator[Why]:
    rating, material = table.rating, table.material
    if len(material.agents) < 2:
        yield Why(key="one_agent", facts={"agents": len(material.agents)})
    if not material.rows.size:
        yield Why(key="no_comparisons")
    elif not rating.rated.any():
        yield Why(key="nobody_rated")
    elif not rating.ranked.any():
        yield Why(key="nobody_ranked")


def _second_opinion(table: Table) -> float | None:
    rating = table.rating
    members = rating.found.component
    if members is None or rating.fitted is None or table.method.ties != "half":
        return None
    found = choix_strengths(rating.counts.wins[np.ix_(members, members)])
    return None if found is None else float(np.abs(found - rating.fitted.strengths).max())
