"""status: what is planned, what is there, what went wrong, what was spent.

Reads the plan and every table; writes nothing.
"""

from collections import Counter
from dataclasses import dataclass

from arena.designing.current import plan_ahead, planned_presentations
from arena.domain.call import Status
from arena.domain.job import Job
from arena.judging.planning import plan_sheets
from arena.store.store import Store
from arena.store.tables import Tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """One kind of work of a job: planned, there, and how the rest ended so far.

    `untried` were not asked yet (or wait for a transcript); `trouble` counts the others by status.
    """

    stage: str
    planned: int
    present: int
    untried: int
    trouble: Counter[Status]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """A job's coverage, in order of the stages, and whether it has a board."""

    suite: str
    mode: str
    coverage: tuple[Coverage, ...]
    ranked: bool

    @property
    def next_stage(self) -> str:
        """What to run next: the first stage with something to ask or retry, else rank, publish."""
        if any(c.planned > c.present for c in self.coverage):
            return "run"
        return "publish" if self.ranked else "rank"


def status(job: Job, *, store: Store) -> JobStatus:
    """Where a job stands."""
    specs = job.all_transcripts()
    common = {
        "suite": job.suite,
        "mode": job.mode,
        "transcripts": specs,
        "judges": job.judges,
        "agents": job.agents,
        "guard": job.guard,
    }
    sheets = plan_sheets(**common).items  # type: ignore[arg-type]
    presentations = planned_presentations(job, plan_ahead(job, store)).items
    keyed = job.suite.choice is not None
    return JobStatus(
        suite=job.suite.suite,
        mode=job.mode,
        coverage=(
            _coverage("collect", len(specs), store.transcripts.todo(specs)),
            _coverage("score", len(sheets), store.sheets.todo(sheets), final=keyed),
            _coverage(
                "compare", len(presentations), store.verdicts.todo(presentations), final=keyed
            ),
        ),
        ranked=store.boards.latest(job.suite.suite, job.mode, domains=job.selection.domains)
        is not None,
    )


def _coverage(stage: str, planned: int, todo: dict[str, Tried], *, final: bool = False) -> Coverage:
    """One kind of work; `final`: what was found unreadable is not asked again, so it is there."""
    trouble: Counter[Status] = Counter()
    untried = 0
    for tried in todo.values():
        how = tried.answered or tried.last
        if how is None or how is Status.OK:
            untried += 1
        else:
            trouble[how] += 1
    return Coverage(
        stage=stage,
        planned=planned,
        present=planned - len(todo) + (sum(trouble.values()) if final else 0),
        untried=untried,
        trouble=trouble,
    )
