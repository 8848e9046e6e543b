"""A board's answers found again in a store, as they were when the board was made.

A board that another store made, or whose answers were not kept, is not found; nothing is guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.domain.basis import Basis
from arena.domain.board import Board
from arena.domain.job import Job
from arena.domain.plan import OWN
from arena.domain.served import Split
from arena.domain.standing import PairStanding
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import Comparison, Presentation, Verdict
from arena.judging.planning import plan_presentations
from arena.maths.arrays import Floats
from arena.maths.drift import Side
from arena.maths.tally import Rows
from arena.stages.rank.folding import Answers, fold_all
from arena.stages.rank.sides_scores import find_scores, judges_of, roster_of
from arena.store.store import Store

CLOSE = 1e-6


@dataclass(frozen=True, slots=True)
class Found:
    """A board's comparisons, and the absolute score of each agent in each scenario."""

    comparisons: tuple[Comparison, ...]
    scores: Mapping[str, Mapping[str, float]]


def find_side(job: Job, board: Board, basis: Basis, store: Store) -> Found | None:
    """The answers that a board of this job was made of; None where they are not all here.

    They are when every pair's comparisons and share come out as the board has them.
    """
    if job.held is not None or not all(basis.agents.values()) or board.at is None:
        return None
    specs = _transcripts(job, basis)
    comparisons = _compared(job, board, basis, specs, store)
    if not _agree(comparisons, board.pairs):
        return None
    return Found(comparisons, find_scores(job, board, basis, specs, store))


def side_of(found: Found, board: Board, agents: Sequence[str], scenarios: Sequence[str]) -> Side:
    """The comparisons by index, with the strengths of the board in log-odds."""
    place = {name: n for n, name in enumerate(agents)}
    where = {name: n for n, name in enumerate(scenarios)}
    ratings = {s.agent: s.rating for s in board.agents if s.rating is not None}
    scale = board.method.scale / np.log(10)
    strengths = np.array([ratings.get(name, np.nan) for name in agents], dtype=np.float64)
    prior = board.method.prior_sd
    held = found.comparisons
    return Side(
        rows=Rows(
            first=np.array([place[c.agent_a] for c in held], dtype=np.int64),
            second=np.array([place[c.agent_b] for c in held], dtype=np.int64),
            scenario=np.array([where[c.scenario] for c in held], dtype=np.int64),
            share=np.array([c.share for c in held], dtype=np.float64),
            agents=len(agents),
            scenarios=len(scenarios),
        ),
        strengths=_centred(strengths) / scale,
        prior=0.0 if prior is None else 1 / prior**2,
    )


def _centred(ratings: Floats) -> Floats:
    return np.asarray(ratings - np.nanmean(ratings)) if np.isfinite(ratings).any() else ratings


def _transcripts(job: Job, basis: Basis) -> list[TranscriptSpec]:
    """The transcripts of a board's agents, as they were then."""
    here = set(basis.scenarios)
    now = [t for t in job.all_transcripts() if t.scenario in here]
    present = {t.agent for t in now}
    place = {(t.scenario, t.replicate): t for t in now}
    same = {a.agent for a in job.agents if a.digest() == basis.agents.get(a.agent)}
    found = [
        t if t.agent in same else replace(t, agent_digest=basis.agents[t.agent])
        for t in now
        if t.agent in basis.agents
    ]
    for agent in sorted(set(basis.agents) - present):
        then = basis.agents[agent]
        found += [replace(t, agent=agent, agent_digest=then, origin=OWN) for t in place.values()]
    return [t for t in found if t.replicate <= basis.replicates]


def _compared(
    job: Job, board: Board, basis: Basis, specs: Sequence[TranscriptSpec], store: Store
) -> tuple[Comparison, ...]:
    # The guard had its say when these were asked: what it left out has no answer.
    planned = plan_presentations(
        suite=job.suite,
        mode=job.mode,
        transcripts=specs,
        judges=judges_of(job, basis),
        agents=roster_of(job, basis),
        guard="allow",
    )
    items = (*planned.items, *planned.reserve)
    answers = {
        v.presentation.key: v
        for v in store.verdicts.all(items)
        if board.at is not None and v.at <= board.at
    }
    kept = _served(answers, basis, store)
    folded = fold_all(
        _planned_only(items, kept),
        Answers(
            verdicts=kept,
            todo={},
            transcripts=frozenset(t.key for t in specs),
            split=Split(names={}, others={}),
            least=job.min_judges,
        ),
    )
    return folded.comparisons


def _planned_only(items: Sequence[Presentation], kept: Mapping[str, Verdict]) -> list[Presentation]:
    """The presentations of which any order was answered, whole: half a pair is no comparison."""
    asked = {_pair(p) for p in items if p.key in kept}
    return [p for p in items if _pair(p) in asked]


def _pair(shown: Presentation) -> tuple[str, str, str]:
    return shown.a, shown.b, shown.judge


def _served(answers: Mapping[str, Verdict], basis: Basis, store: Store) -> dict[str, Verdict]:
    """The verdicts of the model strings that the board rests on."""
    models = store.calls.served([v.call for v in answers.values()])
    found = {}
    for key, verdict in answers.items():
        judge = basis.judge(verdict.presentation.judge)
        model = models.get(verdict.call)
        if judge is not None and (model is None or model in judge.compared_by):
            found[key] = verdict
    return found


def _agree(comparisons: Sequence[Comparison], pairs: Sequence[PairStanding]) -> bool:
    """Whether every pair has the comparisons and the share that the board says."""
    shares: dict[tuple[str, str], list[float]] = {}
    for c in comparisons:
        shares.setdefault((c.agent_a, c.agent_b), []).append(c.share)
    if set(shares) != {(p.a, p.b) for p in pairs if p.n}:
        return False
    for pair in pairs:
        own = shares.get((pair.a, pair.b), [])
        if len(own) != pair.n:
            return False
        if own and (pair.share is None or abs(sum(own) / len(own) - pair.share) > CLOSE):
            return False
    return bool(comparisons)
