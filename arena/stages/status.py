"""status: what is planned, what is there, what went wrong, what was spent.

Reads the plan and every table; writes nothing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from arena.designing.current import plan_ahead, planned_presentations
from arena.domain.call import Status
from arena.domain.imported import ImportNote
from arena.domain.job import Job
from arena.domain.score import SheetSpec
from arena.domain.verdict import Presentation
from arena.judging.plans import sheets_of
from arena.store.store import Store
from arena.store.tables import Tried

Judged = TypeVar("Judged", SheetSpec, Presentation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """One kind of work of a job: planned, there, and how the rest ended so far.

    `untried` were not asked yet (or wait for a transcript); `by_hand` wait for a transcript that a
    person is to bring, or are one; `trouble` counts the others by status.
    """

    stage: str
    planned: int
    present: int
    untried: int
    trouble: Counter[Status]
    by_hand: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """A job's coverage, in order of the stages, and whether it has a board.

    `imported`: the import that it is made of, of which nothing is left to be asked. `by_hand`:
    transcripts that a person is to bring, by agent.
    """

    suite: str
    mode: str
    coverage: tuple[Coverage, ...]
    ranked: bool
    imported: ImportNote | None = None
    by_hand: Counter[str] = field(default_factory=Counter)

    @property
    def next_stage(self) -> str:
        """What to run next: the first stage with something to ask or retry, else rank, publish.

        `export`: all that is left to do is a person's.
        """
        if self.imported is None and any(c.planned > c.present + c.by_hand for c in self.coverage):
            return "run"
        if self.by_hand:
            return "export"
        return "publish" if self.ranked else "rank"


def status(job: Job, *, store: Store) -> JobStatus:
    """Where a job stands."""
    if job.held is not None and job.held.votes:
        return _status_of_votes(job, store)
    specs = job.all_transcripts()
    scoring, comparing = sheets_of(job), planned_presentations(job, plan_ahead(job, store))
    sheets = scoring.seated(store.sheets.blocked(scoring.contested))
    presentations = comparing.seated(store.verdicts.blocked(comparing.contested))
    keyed = job.suite.choice is not None
    todo = store.transcripts.todo(specs)
    waiting = {s.key: s.agent for s in specs if s.key in todo and s.agent in job.by_hand}
    of_sheets = _keys(sheets, waiting, lambda s: (s.transcript,))
    of_pairs = _keys(presentations, waiting, lambda p: (p.a, p.b))
    return JobStatus(
        suite=job.suite.suite,
        mode=job.mode,
        coverage=(
            _coverage("collect", len(specs), todo, frozenset(waiting)),
            _coverage("score", len(sheets), store.sheets.todo(sheets), of_sheets, final=keyed),
            _coverage(
                "compare",
                len(presentations),
                store.verdicts.todo(presentations),
                of_pairs,
                final=keyed,
            ),
        ),
        ranked=store.boards.latest(
            job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
        )
        is not None,
        imported=None if job.held is None else job.held.note,
        by_hand=Counter(waiting.values()),
    )


def _status_of_votes(job: Job, store: Store) -> JobStatus:
    """An import of votes: all that there is is there; some of it may be without a winner."""
    voted = store.votes.count(job.origin)
    return JobStatus(
        suite=job.suite.suite,
        mode=job.mode,
        coverage=(
            Coverage(
                stage="compare",
                planned=voted.rows,
                present=voted.rows - voted.unanswered,
                untried=0,
                trouble=Counter({Status.UNPARSED: voted.unanswered} if voted.unanswered else {}),
            ),
        ),
        ranked=store.boards.latest(job.suite.suite, job.mode, origin=job.origin) is not None,
        imported=job.held.note if job.held else None,
    )


def _keys(
    judged: Iterable[Judged],
    waiting: Mapping[str, str],
    transcripts: Callable[[Judged], tuple[str, ...]],
) -> frozenset[str]:
    """The keys of what waits for a transcript that a person is to bring."""
    return frozenset(one.key for one in judged if not waiting.keys().isdisjoint(transcripts(one)))


def _coverage(
    stage: str,
    planned: int,
    todo: dict[str, Tried],
    by_hand: frozenset[str],
    *,
    final: bool = False,
) -> Coverage:
    """One kind of work; `final`: what was found unreadable is not asked again, so it is there.

    `by_hand`: keys of what waits for a person.
    """
    trouble: Counter[Status] = Counter()
    untried = 0
    for key, tried in todo.items():
        if key in by_hand:
            continue
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
        by_hand=len(by_hand & todo.keys()),
    )
