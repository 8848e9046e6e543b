"""The absolute scores of a board found again in a store, as they were when it was made."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from arena.domain.agent import IMPORTED, UNKNOWN, Agent, Judge
from arena.domain.basis import Basis
from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.rounds import measure
from arena.domain.score import Sheet
from arena.domain.transcript import TranscriptSpec
from arena.judging.planning import plan_sheets
from arena.store.store import Store

CLOSE = 1e-6
Scores = dict[str, dict[str, float]]
"""Absolute score by agent and scenario."""


def find_scores(
    job: Job, board: Board, basis: Basis, specs: Sequence[TranscriptSpec], store: Store
) -> Scores:
    """The scores of agents whose mean comes out as the board has it; of nobody else."""
    sheets = _sheets(job, board, basis, specs, store)
    rounds = {t.key: t.rounds for t in specs}
    places: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for own in _answers(sheets):
        spec = own[0].spec
        scenario = job.scenario(spec.scenario)
        if not job.suite.is_main(scenario):
            continue
        rubric = job.suite.rubric_of(scenario)
        said = measure(own, rubric, scenario, rounds=rounds[spec.transcript]).absolute
        if said is not None:
            place = (spec.agent, spec.scenario, spec.transcript, spec.judge)
            places[place].append(said)
    return _as_told(_means(places), board)


def roster_of(job: Job, basis: Basis) -> list[Agent]:
    """The agents of a board; of those that are gone nothing is known but their name."""
    known = {a.agent: a for a in job.agents}
    return [
        known.get(name) or Agent(agent=name, vendor=UNKNOWN, kind=IMPORTED)
        for name in sorted(basis.agents)
    ]


def judges_of(job: Job, basis: Basis) -> tuple[Judge, ...]:
    """The judges of the job that are as they were."""
    return tuple(
        j for j in job.judges if (b := basis.judge(j.judge)) and b.digest in ("", j.digest())
    )


def _sheets(
    job: Job, board: Board, basis: Basis, specs: Sequence[TranscriptSpec], store: Store
) -> list[Sheet]:
    """What was answered by then, by the models that the board rests on."""
    # The guard had its say when these were asked: what it left out has no answer.
    planned = plan_sheets(
        suite=job.suite,
        mode=job.mode,
        transcripts=specs,
        judges=judges_of(job, basis),
        agents=roster_of(job, basis),
        guard="allow",
    )
    there = store.sheets.all([*planned.items, *planned.reserve])
    sheets = [s for s in there if s.status is Status.OK and s.at <= (board.at or "")]
    models = store.calls.served([s.call for s in sheets])
    used = {j.judge: (None, *j.scored_by) for j in basis.judges}
    return [s for s in sheets if models.get(s.call) in used.get(s.spec.judge, ())]


def _answers(sheets: Iterable[Sheet]) -> Iterable[list[Sheet]]:
    """The sheets that one judge filled in of one transcript in one of its replicates."""
    found: dict[tuple[str, str, int], list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        spec = sheet.spec
        found[spec.transcript, spec.judge, spec.judge_replicate].append(sheet)
    return found.values()


def _means(places: Mapping[tuple[str, str, str, str], Sequence[float]]) -> Scores:
    """Mean over transcripts and judges of each agent in each scenario."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (agent, scenario, *_), own in places.items():
        values[agent, scenario].append(fmean(own))
    found: Scores = defaultdict(dict)
    for (agent, scenario), own in values.items():
        found[agent][scenario] = fmean(own)
    return found


def _as_told(scores: Scores, board: Board) -> Scores:
    told = {s.agent: s.absolute.mean for s in board.agents if s.absolute}
    return {
        agent: by
        for agent, by in scores.items()
        if agent in told and abs(fmean(by.values()) - told[agent]) < CLOSE
    }
