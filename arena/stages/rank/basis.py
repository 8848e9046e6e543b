"""What a board rests on, so that a later one can tell whether it may be compared with it."""

from collections.abc import Iterable

from arena.domain.agent import Judge
from arena.domain.basis import Basis, JudgeBasis
from arena.domain.job import Job
from arena.domain.served import Served
from arena.stages.rank.compared import Compared


def find_basis(job: Job, found: Compared) -> Basis:
    """Agents, scenarios and judges of a job's board; judges of an import have no digest."""
    return Basis(
        agents={a.agent: "" if job.held else a.digest() for a in job.ranked},
        scenarios=tuple(s.scenario for s in job.selection.scenarios_of(job.suite)),
        judges=tuple(
            _judge(judge, job, found) for judge in sorted(job.judges, key=lambda j: j.judge)
        ),
        replicates=0 if job.held else job.replicates,
    )


def _judge(judge: Judge, job: Job, found: Compared) -> JudgeBasis:
    name = judge.judge
    counted = [s for s in found.served if s.judge == name and s.key not in found.split.others]
    return JudgeBasis(
        judge=name,
        digest="" if job.held else judge.digest(),
        compare_templates=_sorted(p.wording.template for p in found.ranked if p.judge == name),
        score_templates=_sorted(s.wording.template for s in found.sheet_plan if s.judge == name),
        compared_by=_models(s for s in counted if not s.sheet),
        scored_by=_models(s for s in counted if s.sheet),
    )


def _models(answers: Iterable[Served]) -> tuple[str, ...]:
    return _sorted(a.model for a in answers if a.model is not None)


def _sorted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(texts)))
