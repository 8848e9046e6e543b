"""Decoys placed beside a board: rated with everybody, on the board's scale, ranked among nobody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from arena.domain.audit import DecoyStanding, Finding
from arena.domain.board import Board
from arena.domain.job import Job
from arena.domain.scored import ABSOLUTE, ScoredTranscript, gather_scores
from arena.domain.standing import AbsoluteScore, PairStanding, Standing
from arena.domain.verdict import Comparison
from arena.stages.rank.board import mean_score
from arena.stages.rank.material import from_comparisons
from arena.stages.rank.pair_standings import make_pairs
from arena.stages.rank.standings import make_standing
from arena.stages.rank.table import Table, tabulate


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """What decoys met: comparisons with agents, what was planned, scores of their transcripts."""

    comparisons: tuple[Comparison, ...]
    planned: Mapping[tuple[str, str], int]
    scores: Sequence[ScoredTranscript]


def place_decoys(
    job: Job, board: Board, ranked: Sequence[Comparison], met: Met
) -> tuple[DecoyStanding, ...]:
    """Every decoy of a job beside its board; `ranked`: the comparisons that the board rests on.

    All are fitted once more with the decoys among them. That fit's scale is moved so that agents
    rated in both have the same mean, and nothing else of it is kept.
    """
    if not job.decoys:
        return ()
    scenarios = [s.scenario for s in job.selection.scenarios_of(job.suite)]
    agents = [a.agent for a in job.agents]
    method = replace(board.method, anchor_agent=None, controls=(), by=())
    material = from_comparisons(
        [*ranked, *met.comparisons],
        agents=agents,
        scenarios=scenarios,
        planned=None,
        excluded={},
    )
    table = tabulate(material, method)
    pairs = make_pairs(table)
    shift = _shift(board, table)
    scores = gather_scores(met.scores, agents=agents, scenarios=scenarios)
    return tuple(
        _place(
            _moved(make_standing(material.agents.index(decoy.agent), table, {}), shift),
            board,
            [p for p in pairs if decoy.agent in (p.a, p.b)],
            mean_score(scores, decoy.agent, ABSOLUTE, method),
            planned=sum(n for pair, n in met.planned.items() if decoy.agent in pair),
        )
        for decoy in job.decoys
    )


def decoy_rows(met: Met) -> list[object]:
    """What decoys met, as JSON-able rows for a digest of the data."""
    rows = [
        [c.scenario, c.agent_a, c.agent_b, c.judge, c.replicate, c.share] for c in met.comparisons
    ]
    told = [[s.agent, s.scenario, s.judge, s.replicate, s.absolute] for s in met.scores]
    return [sorted(rows, key=repr), sorted(told, key=repr)]


def _shift(board: Board, table: Table) -> float:
    """Points that move the second fit onto the board's scale."""
    place = {name: i for i, name in enumerate(table.material.agents)}
    apart = []
    for standing in board.agents:
        found = table.points(table.rating.strengths[place[standing.agent]])
        if found is not None and standing.rating is not None:
            apart.append(standing.rating - found)
    return fmean(apart) if apart else 0.0


def _moved(standing: Standing, by: float) -> Standing:
    moved = {
        name: None if value is None else value + by
        for name, value in (
            ("rating", standing.rating),
            ("low", standing.low),
            ("high", standing.high),
        )
    }
    return replace(standing, **moved)  # type: ignore[arg-type]


def _place(
    standing: Standing,
    board: Board,
    pairs: Sequence[PairStanding],
    absolute: AbsoluteScore | None,
    *,
    planned: int,
) -> DecoyStanding:
    decoy = standing.agent
    real = {s.agent for s in board.agents}
    unbeaten = tuple(
        sorted(
            agent for pair in pairs for agent in {pair.a, pair.b} & real if _not_better(pair, agent)
        )
    )
    outscored = _outscored(board, absolute)
    finding: Finding = "fooled" if unbeaten or outscored else "held"
    if not standing.comparisons and absolute is None:
        finding = "untested"
    return DecoyStanding(
        decoy=decoy,
        finding=finding,
        state=standing.state,
        rating=standing.rating,
        low=standing.low,
        high=standing.high,
        open=standing.open,
        wins=standing.wins,
        ties=standing.ties,
        losses=standing.losses,
        share=standing.share,
        comparisons=standing.comparisons,
        scenarios=standing.scenarios,
        planned=planned,
        absolute=absolute,
        unbeaten=unbeaten,
        outscored=outscored,
    )


def _not_better(pair: PairStanding, agent: str) -> bool:
    """Whether an agent that met a decoy is not shown to be better than it."""
    if not pair.n:
        return False
    sign = 1 if pair.a == agent else -1
    if pair.low is not None and pair.high is not None:
        return min(sign * pair.low, sign * pair.high) <= 0
    if pair.difference is not None:
        return sign * pair.difference <= 0
    share = pair.share if pair.share is not None else 0.5
    return (share if sign > 0 else 1 - share) <= 0.5


def _outscored(board: Board, absolute: AbsoluteScore | None) -> tuple[str, ...]:
    if absolute is None:
        return ()
    top = absolute.mean if absolute.high is None else absolute.high
    return tuple(
        sorted(s.agent for s in board.agents if s.absolute is not None and s.absolute.mean <= top)
    )
