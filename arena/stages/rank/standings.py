"""What a board says of each agent, scores apart."""

import math
from collections.abc import Mapping
from typing import Any

from arena.domain.standing import Open, Standing, State, Why
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.components import labels
from arena.maths.rating import Rating
from arena.stages.rank.table import Table, known, whole


def make_standing(i: int, table: Table, bounds: Mapping[int, tuple[float, float]]) -> Standing:
    """The standing of agent i; `bounds`: worst and best strength of whom much is missing."""
    rating, material = table.rating, table.material
    name, games = material.agents[i], int(rating.counts.met[i].sum())
    wins, losses = int(rating.counts.clear[i].sum()), int(rating.counts.clear[:, i].sum())
    weight = float(rating.counts.total()[i].sum())
    state, why = _state(i, table)
    worst, best = bounds.get(i, (math.nan, math.nan))
    return Standing(
        agent=name,
        state=state,
        why=why,
        rating=table.points(rating.strengths[i]),
        low=table.points(rating.low[i]),
        high=table.points(rating.high[i]),
        open=_open(i, rating),
        se=known(rating.se[i] * POINTS_PER_NAT),
        se_clustered=known(rating.se_clustered[i] * POINTS_PER_NAT),
        rank_low=whole(rating.rank_low[i]),
        rank_high=whole(rating.rank_high[i]),
        resample_rank_low=whole(rating.resample_rank_low[i]),
        resample_rank_high=whole(rating.resample_rank_high[i]),
        p_best=known(rating.p_best[i]),
        wins=wins,
        ties=games - wins - losses,
        losses=losses,
        share=float(rating.counts.wins[i].sum()) / weight if games else None,
        comparisons=games,
        scenarios=int(rating.counts.spread()[i]),
        planned=None if material.by_agent is None else material.by_agent[name],
        excluded=dict(sorted(material.excluded.get(name, {}).items())),
        worst=table.points(worst),
        best=table.points(best),
        controlled=None,
        calibrated=None,
        figure=None,
        absolute=None,
        criteria={},
        domains={},
    )


def _state(i: int, table: Table) -> tuple[State, Why | None]:
    found = table.rating.found
    if found.unplayed[i]:
        return State.DISCONNECTED, Why(key="no_comparisons", facts=_connection(i, table))
    if found.disconnected[i]:
        key = "equal_components" if found.main is None else "separate"
        return State.DISCONNECTED, Why(key=key, facts=_connection(i, table))
    if found.unbounded[i]:
        return State.UNBOUNDED, _why_unbounded(i, table)
    if table.rating.ranked[i]:
        return State.RANKED, None
    return State.PROVISIONAL, _why_provisional(i, table)


def _connection(i: int, table: Table) -> dict[str, Any]:
    """A comparison that would connect an agent: with the most compared agent on the other side."""
    found, names = table.rating.found, table.material.agents
    counts = table.rating.counts
    if found.main is not None:
        others = [int(j) for j in found.main]
    else:
        side = labels(counts.wins, "weak")
        others = [j for j in range(len(names)) if side[j] != side[i]]
    if not others:
        return {}
    hub = min(others, key=lambda j: (-counts.met[j].sum(), names[j]))
    return {"connect": sorted([names[i], names[hub]])}


def _why_unbounded(i: int, table: Table) -> Why:
    component, counts = table.rating.found.component, table.rating.counts
    if component is None:
        return Why(key="equal_components")
    met = int(counts.met[i, component].sum())
    if not met:
        return Why(key="never_met")
    won = counts.wins[i, component].sum() > 0
    facts = {"comparisons": met, "scenarios": int(table.rating.bound_scenarios[i])}
    return Why(key="undefeated" if won else "pointless", facts=facts)


def _why_provisional(i: int, table: Table) -> Why:
    short, minimum, by_agent = table.rating.short, table.minimum, table.material.by_agent
    masks = {
        "few_scenarios": short.few_scenarios,
        "few_comparisons": short.few_comparisons,
        "missing": short.missing,
        "unvaried": short.unvaried,
        "alone": short.alone,
    }
    keys = [key for key, mask in masks.items() if mask[i]]
    planned = by_agent[table.material.agents[i]] if by_agent else 0
    facts = {
        "comparisons": int(short.comparisons[i]),
        "min_comparisons": minimum.comparisons,
        "scenarios": int(short.scenarios[i]),
        "min_scenarios": minimum.scenarios,
        "readable": float(table.rating.counts.met[i].sum()) / planned if planned else None,
        "min_readable": minimum.readable,
        "also": keys[1:],
    }
    return Why(key=keys[0], facts=facts)


def _open(i: int, rating: Rating) -> Open | None:
    if not rating.found.unbounded[i]:
        return None
    if not math.isnan(rating.low[i]):
        return "above"
    return "both" if math.isnan(rating.high[i]) else "below"
