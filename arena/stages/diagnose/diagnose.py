"""diagnose: verdicts and scores → what may be wrong with the judges.

Reads the plan, `verdict`, `sheet`, `score`, `transcript`, `call` and `board`; writes `report`.
"""

from arena.domain.diagnosis import Diagnosis
from arena.domain.job import Job
from arena.domain.method import LEVEL, RESAMPLES
from arena.stages.diagnose.figures import Options
from arena.stages.diagnose.from_store import gather_evidence
from arena.stages.diagnose.report import make_diagnosis
from arena.store.store import Store

ANSWER_KEY = "answer_key"


def diagnose(
    job: Job,
    *,
    store: Store,
    software: str,
    at: str,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Diagnosis:
    """Diagnose the judges of a job and keep the report; free, offline, and safe to repeat.

    All judges and people of the job enter; a selection of judges narrows nothing here. Questions
    with an answer key have no judge: their report says so and is otherwise empty. Of an import its
    own judges are diagnosed, by what came in.
    """
    keyed = job.suite.choice is not None
    evidence = gather_evidence(job, store, judges=() if keyed else job.judges)
    board = store.boards.latest(
        job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
    )
    found = make_diagnosis(
        evidence,
        Options(level=level, resamples=resamples, seed=job.seed),
        software=software,
        suite=job.suite.suite,
        suite_version=job.suite.version,
        mode=job.mode,
        domains=job.selection.domains,
        board=board.data_digest if board else None,
        at=at,
        notes=(ANSWER_KEY,) if keyed else (),
    )
    store.reports.add(found, run=job.run, origin=job.origin)
    return found
