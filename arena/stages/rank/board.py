"""Comparisons and scores -> board: where names become indices and back.

Pure assembly: reads nothing and writes nothing. Names are sorted first, so neither the order of
the input nor that of the agents bears on the result; the same input, seed and version give the
same bytes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from arena.domain import board as words
from arena.domain.board import (
    AbsoluteScore,
    Board,
    BoardIdentity,
    Diagnostics,
    PairStanding,
    RowCount,
    Standing,
    State,
    Why,
)
from arena.domain.entries import Entries, Planned, count_judges, digest_data, enter
from arena.domain.scored import ABSOLUTE, ScoredTranscript, Scores, What, gather_scores
from arena.domain.verdict import Comparison
from arena.maths.bootstrap import RESAMPLES
from arena.maths.bradley_terry import ELO_SCALE, POINTS_PER_NAT, to_points
from arena.maths.components import labels
from arena.maths.cycles import complete_triads, cyclic_triads
from arena.maths.intervals import LEVEL
from arena.maths.means import scenario_mean
from arena.maths.ranks import spearman
from arena.maths.rating import Minimum, Rating, rate
from arena.maths.tally import Counts, Floats, Rows, count, pair_matrix

__all__ = ["SEED", "BoardIdentity", "ScoredTranscript", "make_board"]

SEED = 1729
_NAMED_CYCLES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A board's entries, their counts, and what was made of them."""

    entries: Entries
    counts: Counts
    flips: Floats
    rating: Rating
    minimum: Minimum
    anchor: float


def make_board(
    comparisons: Sequence[Comparison],
    *,
    agents: Sequence[str],
    scenarios: Sequence[str],
    planned: Planned | None,
    excluded: Mapping[str, Mapping[str, int]],
    scores: Sequence[ScoredTranscript],
    identity: BoardIdentity,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    min_comparisons: int = words.MIN_COMPARISONS,
    anchor: float = 1000.0,
    rows: RowCount | None = None,
    judge_rows: Mapping[str, Mapping[str, int]] | None = None,
) -> Board:
    """The board of `agents` over `scenarios`; nobody rated, with the reason, rather than a crash.

    `planned`: comparisons intended, per pair of agents or per agent; None when there is no plan
    (foreign data). `excluded`: items not counted, per agent and reason. `rows` and `judge_rows`
    (verdicts per judge and status) are passed on to the diagnostics. A comparison of an agent with
    itself is excluded and counted; an agent or scenario that is not listed raises ArenaError, and
    so does a share outside 0–1.
    """
    entries = enter(comparisons, agents=agents, scenarios=scenarios, planned=planned)
    found = gather_scores(scores, agents=entries.agents, scenarios=entries.scenarios)
    table = _tabulate(entries, seed, resamples, min_comparisons, anchor)
    standings = words.order_standings(
        replace(
            _standing(i, table, excluded.get(name, {})),
            absolute=_mean(found, name, ABSOLUTE, seed, resamples),
            criteria=_means(found, name, "criterion", seed, resamples),
            domains=_means(found, name, "domain", seed, resamples),
        )
        for i, name in enumerate(entries.agents)
    )
    pairs = tuple(_pair(i, j, table) for i, j in combinations(range(len(entries.agents)), 2))
    return Board(
        schema=words.SCHEMA,
        method=words.METHOD,
        interval=words.INTERVAL,
        level=LEVEL,
        resamples=resamples,
        seed=seed,
        anchor=float(anchor),
        scale=ELO_SCALE,
        scenarios=int((table.counts.load.sum(axis=1) > 0).sum()),
        scenarios_planned=len(entries.scenarios),
        comparisons=len(entries.comparisons),
        notes=_notes(table),
        agents=standings,
        pairs=pairs,
        diagnostics=_diagnostics(table, standings, pairs, rows, judge_rows or {}),
        data_digest=digest_data(entries, found.rows, excluded),
        **asdict(identity),
    )


def _tabulate(
    entries: Entries, seed: int, resamples: int, min_comparisons: int, anchor: float
) -> _Table:
    index = {name: i for i, name in enumerate(entries.agents)}
    place = {name: i for i, name in enumerate(entries.scenarios)}
    kept = entries.comparisons
    rows = Rows(
        first=np.array([index[c.agent_a] for c in kept], dtype=np.int64),
        second=np.array([index[c.agent_b] for c in kept], dtype=np.int64),
        scenario=np.array([place[c.scenario] for c in kept], dtype=np.int64),
        share=np.array([c.share for c in kept], dtype=np.float64),
        agents=len(index),
        scenarios=len(place),
    )
    minimum = Minimum(
        comparisons=min_comparisons,
        scenarios=words.MIN_SCENARIOS,
        interval_scenarios=words.MIN_SCENARIOS_FOR_INTERVAL,
        readable=words.MIN_READABLE,
    )
    planned = None
    if entries.by_agent is not None:
        planned = np.array([entries.by_agent[n] for n in entries.agents], dtype=np.float64)
    return _Table(
        entries=entries,
        counts=count(rows),
        flips=pair_matrix(rows, np.array([c.flipped for c in kept], dtype=np.float64)),
        rating=rate(rows, planned, minimum, seed=seed, resamples=resamples),
        minimum=minimum,
        anchor=anchor,
    )


def _standing(i: int, table: _Table, excluded: Mapping[str, int]) -> Standing:
    """An agent's standing but for its scores."""
    rating, name, games = table.rating, table.entries.agents[i], int(table.counts.games[i].sum())
    wins, losses = int(table.counts.clear[i].sum()), int(table.counts.clear[:, i].sum())
    state, why = _state(i, table)
    by_agent = table.entries.by_agent
    counted = dict(excluded)
    if table.entries.self_pairs.get(name):
        counted["self_pair"] = counted.get("self_pair", 0) + table.entries.self_pairs[name]
    return Standing(
        agent=name,
        state=state,
        why=why,
        rating=_points(rating.strengths[i], table),
        low=_points(rating.low[i], table),
        high=_points(rating.high[i], table),
        open=_open(i, rating),
        se=_known(rating.se[i] * POINTS_PER_NAT),
        se_clustered=_known(rating.se_clustered[i] * POINTS_PER_NAT),
        rank_low=_whole(rating.rank_low[i]),
        rank_high=_whole(rating.rank_high[i]),
        resample_rank_low=_whole(rating.resample_rank_low[i]),
        resample_rank_high=_whole(rating.resample_rank_high[i]),
        p_best=_known(rating.p_best[i]),
        wins=wins,
        ties=games - wins - losses,
        losses=losses,
        win_share=float(table.counts.wins[i].sum()) / games if games else None,
        comparisons=games,
        scenarios=int((table.counts.load[:, i] > 0).sum()),
        planned=None if by_agent is None else by_agent[name],
        excluded=dict(sorted(counted.items())),
        absolute=None,
        criteria={},
        domains={},
    )


def _state(i: int, table: _Table) -> tuple[State, Why | None]:
    found = table.rating.found
    if found.unplayed[i]:
        return State.UNRATED, Why(key="no_comparisons", facts=_connection(i, table))
    if found.disconnected[i]:
        key = "equal_components" if found.main is None else "separate"
        return State.DISCONNECTED, Why(key=key, facts=_connection(i, table))
    if found.unbounded[i]:
        return State.UNBOUNDED, _why_unbounded(i, table)
    if table.rating.ranked[i]:
        return State.RANKED, None
    return State.PROVISIONAL, _why_provisional(i, table)


def _connection(i: int, table: _Table) -> dict[str, Any]:
    """A comparison that would connect an agent: with the most compared agent on the other side."""
    found, names = table.rating.found, table.entries.agents
    if found.main is not None:
        others = [int(j) for j in found.main]
    else:
        side = labels(table.counts.wins, "weak")
        others = [j for j in range(len(names)) if side[j] != side[i]]
    if not others:
        return {}
    hub = min(others, key=lambda j: (-table.counts.games[j].sum(), names[j]))
    return {"connect": sorted([names[i], names[hub]])}


def _why_unbounded(i: int, table: _Table) -> Why:
    component = table.rating.found.component
    if component is None:
        return Why(key="equal_components")
    met = int(table.counts.games[i, component].sum())
    if not met:
        return Why(key="never_met")
    won = table.counts.wins[i, component].sum() > 0
    facts = {"comparisons": met, "scenarios": int(table.rating.bound_scenarios[i])}
    return Why(key="undefeated" if won else "pointless", facts=facts)


def _why_provisional(i: int, table: _Table) -> Why:
    short, minimum, by_agent = table.rating.short, table.minimum, table.entries.by_agent
    masks = {
        "few_scenarios": short.few_scenarios,
        "few_comparisons": short.few_comparisons,
        "missing": short.missing,
        "unvaried": short.unvaried,
        "alone": short.alone,
    }
    keys = [key for key, mask in masks.items() if mask[i]]
    planned = by_agent[table.entries.agents[i]] if by_agent else 0
    facts = {
        "comparisons": int(short.comparisons[i]),
        "min_comparisons": minimum.comparisons,
        "scenarios": int(short.scenarios[i]),
        "min_scenarios": minimum.scenarios,
        "readable": float(table.counts.games[i].sum()) / planned if planned else None,
        "min_readable": minimum.readable,
        "also": keys[1:],
    }
    return Why(key=keys[0], facts=facts)


def _open(i: int, rating: Rating) -> words.Open | None:
    if not rating.found.unbounded[i]:
        return None
    if not math.isnan(rating.low[i]):
        return "above"
    return "both" if math.isnan(rating.high[i]) else "below"


def _pair(i: int, j: int, table: _Table) -> PairStanding:
    rating, games = table.rating, int(table.counts.games[i, j])
    wins, losses = int(table.counts.clear[i, j]), int(table.counts.clear[j, i])
    share = float(table.counts.wins[i, j]) / games if games else None
    expected, apart = _known(rating.expected[i, j]), _known(rating.difference[i, j])
    margin, p_holm = _known(rating.difference_margin[i, j]), _known(rating.p_holm[i, j])
    residual = z = low = high = None
    if share is not None and expected is not None:
        residual = share - expected
        z = residual * math.sqrt(games / (expected * (1 - expected)))
    if apart is not None and margin is not None:
        low, high = (apart - margin) * POINTS_PER_NAT, (apart + margin) * POINTS_PER_NAT
    decision: words.Side | None = None
    if apart is not None and p_holm is not None and p_holm <= 1 - LEVEL:
        decision = "a" if apart > 0 else "b"
    pair = (table.entries.agents[i], table.entries.agents[j])
    by_pair = table.entries.by_pair
    return PairStanding(
        a=pair[0],
        b=pair[1],
        comparisons=games,
        scenarios=int(table.counts.spans[i, j]),
        planned=None if by_pair is None else by_pair.get(pair, 0),
        share=share,
        wins=wins,
        ties=games - wins - losses,
        losses=losses,
        flips=int(table.flips[i, j]),
        difference=None if apart is None else apart * POINTS_PER_NAT,
        low=low,
        high=high,
        p=_known(rating.p[i, j]),
        p_holm=p_holm,
        decision=decision,
        expected=expected,
        residual=residual,
        z=z,
    )


def _diagnostics(
    table: _Table,
    standings: Sequence[Standing],
    pairs: Sequence[PairStanding],
    rows: RowCount | None,
    judge_rows: Mapping[str, Mapping[str, int]],
) -> Diagnostics:
    kept, selves = table.entries.comparisons, sum(table.entries.self_pairs.values())
    flips, ties = sum(c.flipped for c in kept), sum(c.share == 0.5 for c in kept)
    if rows is None:
        rows = RowCount(read=len(kept) + selves, used=len(kept), excluded={})
    if selves:
        rows = replace(rows, excluded={**rows.excluded, "self_pair": selves})
    met = table.counts.games > 0
    shares = np.where(met, table.counts.wins / np.maximum(table.counts.games, 1), np.nan)
    triads = cyclic_triads(shares)
    clear = sorted(
        triads.tolist(), key=lambda t: -min(shares[t[k], t[(k + 1) % 3]] for k in range(3))
    )
    names = table.entries.agents
    both = [(s.rating, s.absolute.mean) for s in standings if s.absolute and s.rating is not None]
    return Diagnostics(
        flips=flips,
        flip_rate=flips / len(kept) if kept else None,
        ties=ties,
        tie_share=ties / len(kept) if kept else None,
        cycles=len(triads),
        triads=complete_triads(met),
        cycle_examples=tuple((names[a], names[b], names[c]) for a, b, c in clear[:_NAMED_CYCLES]),
        residuals=words.largest_residuals(pairs),
        spearman=spearman(np.array([r for r, _ in both]), np.array([m for _, m in both])),
        rows=rows,
        judges=count_judges(kept, judge_rows),
    )


def _notes(table: _Table) -> tuple[Why, ...]:
    rating, found = table.rating, []
    if len(table.entries.agents) < 2:
        found.append(Why(key="one_agent", facts={"agents": len(table.entries.agents)}))
    if not table.entries.comparisons:
        found.append(Why(key="no_comparisons"))
    elif not rating.rated.any():
        found.append(Why(key="nobody_rated"))
    elif not rating.ranked.any():
        found.append(Why(key="nobody_ranked"))
    if rating.rated.any() and rating.clusters < table.minimum.scenarios:
        found.append(Why(key="few_scenarios", facts={"scenarios": rating.clusters}))
    return tuple(found)


def _means(
    scores: Scores, agent: str, kind: str, seed: int, resamples: int
) -> dict[str, AbsoluteScore]:
    found = {}
    for what in sorted(what for what in scores.values[agent] if what[0] == kind):
        mean = _mean(scores, agent, what, seed, resamples)
        if mean is not None:
            found[what[1]] = mean
    return found


def _mean(
    scores: Scores, agent: str, what: What, seed: int, resamples: int
) -> AbsoluteScore | None:
    values = scores.values[agent].get(what, [])
    mean = scenario_mean(
        np.array([s for s, _ in values], dtype=np.int64),
        np.array([v for _, v in values], dtype=np.float64),
        seed=seed,
        resamples=resamples,
        at_least=words.MIN_SCENARIOS_FOR_INTERVAL,
        limits=(-math.inf, math.inf) if what[0] == "criterion" else (0.0, 100.0),
    )
    if mean is None:
        return None
    return AbsoluteScore(
        mean=mean.mean,
        low=mean.low,
        high=mean.high,
        scenarios=mean.scenarios,
        planned=scores.span[what],
    )


def _points(strength: float, table: _Table) -> float | None:
    if math.isnan(strength):
        return None
    return float(to_points(np.array([strength]), anchor=table.anchor)[0])


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _whole(value: float) -> int | None:
    return None if math.isnan(value) else int(value)
