"""status: what is planned, what is there, what went wrong, what was spent.

Reads the plan and every table; writes nothing.
"""

from collections import Counter
from dataclasses import dataclass

from arena.designing.current import plan_ahead, planned_presentations
from arena.domain.call import Status
from arena.domain.imported import ImportNote
from arena.domain.job import Job
from arena.judging.plans import sheets_of
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
    """A job's coverage, in order of the stages, and whether it has a board.

    `imported`: the import that it is made of, of which nothing is left to be asked.
    """

    suite: str
    mode: str
    coverage: tuple[Coverage, ...]
    ranked: bool
    imported: ImportNote | None = None

    @property
    def next_stage(self) -> str:
        """What to run next: the first stage with something to ask or retry, else rank, publish."""
        if self.imported is None and any(c.planned > c.present for c in self.coverage):
            return "run"
        return "publish" if self.ranked else "rank"


def status(job: Job, *, store: Store) -> JobStatus:
    """Where a job stands."""
    specs = job.all_transcripts()
    scoring, comparing = sheets_of(job), planned_presentations(job, plan_ahead(job, store))
    sheets = scoring.seated(store.sheets.blocked(scoring.contested))
    presentations = comparing.seated(store.verdicts.blocked(comparing.contested))
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
        ranked=store.boards.latest(
            job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
        )
        is not None,
        imported=None if job.held is None else job.held.note,
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
