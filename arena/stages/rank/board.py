"""Material and scores -> board: pure assembly, which reads nothing and writes nothing.

The same input, seed and version give the same bytes, whatever the order of the input and the
number of threads.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from arena.domain.board import SCHEMA, Board, BoardIdentity, RowCount
from arena.domain.entries import Planned
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL, Method
from arena.domain.rounds import TREND
from arena.domain.scored import ABSOLUTE, ScoredTranscript, Scores, What, gather_scores
from arena.domain.standing import AbsoluteScore, Standing, Why, order_standings
from arena.domain.verdict import Comparison
from arena.maths.extremes import extreme_strengths
from arena.maths.means import scenario_mean
from arena.stages.rank.controls import Freed, free
from arena.stages.rank.diagnostics import MANY_MISSING, make_diagnostics, make_notes
from arena.stages.rank.material import from_comparisons
from arena.stages.rank.pair_standings import make_pairs
from arena.stages.rank.scopes import make_scopes
from arena.stages.rank.slices import make_slices
from arena.stages.rank.standings import make_standing
from arena.stages.rank.table import Table, tabulate


def make_board(
    comparisons: Sequence[Comparison],
    *,
    agents: Sequence[str],
    scenarios: Sequence[str],
    planned: Planned | None,
    excluded: Mapping[str, Mapping[str, int]],
    scores: Sequence[ScoredTranscript],
    identity: BoardIdentity,
    method: Method = Method(),
    rows: RowCount | None = None,
    judge_rows: Mapping[str, Mapping[str, int]] | None = None,
    facts: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> Board:
    """The board of `agents` over `scenarios`; nobody rated, with the reason, rather than a crash.

    `planned`: comparisons intended, per pair of agents or per agent; None when there is no plan
    (foreign data). `excluded`: items not counted, per agent and reason. `rows` and `judge_rows`
    (verdicts per judge and status) are passed on to the diagnostics; `facts`: column → scenario →
    names, for slices. Raises ArenaError as `material.from_comparisons` does.
    """
    material = from_comparisons(
        comparisons,
        agents=agents,
        scenarios=scenarios,
        planned=planned,
        excluded=excluded,
        rows=rows,
        judge_rows=judge_rows,
        facts=facts,
    )
    return build_board(tabulate(material, method), identity, scores=scores)


def build_board(
    table: Table,
    identity: BoardIdentity,
    *,
    scores: Sequence[ScoredTranscript] = (),
    check: bool = False,
    threads: int | None = None,
) -> Board:
    """The board of a table; `check`: ask choix for a second opinion.

    Raises UsageError for a control that the data do not hold.
    """
    material, method = table.material, table.method
    found = gather_scores(scores, agents=material.agents, scenarios=material.scenarios or ())
    bounds = _bounds(table)
    freed = free(table) if method.controls else Freed(ratings={}, effects=(), left_out=0)
    standings = order_standings(
        _scored(
            replace(make_standing(i, table, bounds), controlled=freed.ratings.get(name)),
            found,
            method,
        )
        for i, name in enumerate(material.agents)
    )
    pairs = make_pairs(table)
    notes = make_notes(table, bounds)
    if freed.left_out:
        notes += (Why(key="uncontrolled", facts={"rows": freed.left_out}),)
    return Board(
        schema=SCHEMA,
        method=method,
        scenarios=None if material.scenarios is None else table.rating.counts.clusters_used(),
        scenarios_planned=None if material.scenarios is None else len(material.scenarios),
        comparisons=material.rows.size,
        notes=notes,
        agents=standings,
        pairs=pairs,
        slices=make_slices(material, method, threads=threads),
        effects=freed.effects,
        calibration=None,
        diagnostics=make_diagnostics(table, standings, pairs, check=check),
        data_digest=material.digest(table.rating.counts, found.rows),
        scopes=make_scopes(scores, method),
        **asdict(identity),
    )


def _bounds(table: Table) -> dict[int, tuple[float, float]]:
    """Worst and best strength of rated agents that miss many comparisons, by index."""
    missing, rating = table.material.missing, table.rating
    members = rating.found.component
    if missing is None or members is None or rating.reference is None:
        return {}
    lost, there = missing.sum(axis=1), rating.counts.met.sum(axis=1)
    many = lost > MANY_MISSING * (lost + there)
    return {
        int(i): extreme_strengths(rating.counts.wins, missing, members, rating.reference, int(i))
        for i in members[many[members]]
    }


def _scored(standing: Standing, scores: Scores, method: Method) -> Standing:
    name = standing.agent
    return replace(
        standing,
        absolute=mean_score(scores, name, ABSOLUTE, method),
        criteria=_means(scores, name, "criterion", method),
        domains=_means(scores, name, "domain", method),
        rounds=_means(scores, name, "rounds", method),
    )


def _means(scores: Scores, agent: str, kind: str, method: Method) -> dict[str, AbsoluteScore]:
    found = {}
    for what in sorted(what for what in scores.values[agent] if what[0] == kind):
        mean = mean_score(scores, agent, what, method)
        if mean is not None:
            found[what[1]] = mean
    return found


def _is_share(what: What) -> bool:
    """Whether a value is an absolute score, from 0 to 100."""
    return what[0] in ("absolute", "domain") or (what[0] == "rounds" and what[1] != TREND)


def mean_score(scores: Scores, agent: str, what: What, method: Method) -> AbsoluteScore | None:
    """Mean of an agent's values over scenarios with its interval; None where there is none."""
    values = scores.values[agent].get(what, [])
    mean = scenario_mean(
        np.array([s for s, _ in values], dtype=np.int64),
        np.array([v for _, v in values], dtype=np.float64),
        seed=method.seed,
        resamples=method.resamples,
        at_least=MIN_SCENARIOS_FOR_INTERVAL,
        limits=(0.0, 100.0) if _is_share(what) else (-math.inf, math.inf),
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
