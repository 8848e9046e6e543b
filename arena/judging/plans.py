"""What a job wants judged: by its plan, or what an import holds in place of one."""

from collections.abc import Collection, Sequence

from arena.domain.agent import Judge
from arena.domain.design import Cell
from arena.domain.job import Job
from arena.domain.score import SheetSpec
from arena.domain.verdict import Presentation
from arena.judging.planning import Planned, plan_presentations, plan_sheets


def sheets_of(job: Job, *, judges: Sequence[Judge] | None = None) -> Planned[SheetSpec]:
    """The sheets of all transcripts of a job, of some judges (None: all).

    Raises as `plan_sheets` does.
    """
    if (held := job.held_here) is not None:
        return Planned(items=held.sheets, guarded=())
    return plan_sheets(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.all_transcripts(),
        judges=job.judges if judges is None else judges,
        agents=job.agents,
        guard=job.guard,
    )


def selected_sheets(job: Job) -> Planned[SheetSpec]:
    """The sheets that a command is to ask for: of the selected transcripts and judges.

    Raises as `plan_sheets` does.
    """
    return plan_sheets(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.transcripts(),
        judges=job.selected_judges(),
        agents=job.agents,
        guard=job.guard,
    )


def presentations_of(
    job: Job,
    *,
    judges: Sequence[Judge] | None = None,
    among: Collection[Cell] | None = None,
) -> Planned[Presentation]:
    """The presentations of all transcripts of a job, before some judges (None: all).

    `among`: of these comparisons only; None: of every pair. What an import holds is all of it.
    Raises as `plan_presentations` does.
    """
    if (held := job.held_here) is not None:
        return Planned(items=held.presentations, guarded=())
    return plan_presentations(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.all_transcripts(),
        judges=job.judges if judges is None else judges,
        agents=job.agents,
        guard=job.guard,
        among=among,
    )
