"""Ids as people type them: whole, or as much of the beginning as only one of them has."""

import difflib
from collections.abc import Iterable, Sequence

from arena.cli.workspace import Bench
from arena.domain.job import Job
from arena.errors import UsageError

MOST = 6
"""Ids that an error names at most."""


def find_one(kind: str, given: str, known: Iterable[str]) -> str:
    """The id that is meant; raises UsageError with the nearest where none or several are.

    An exact id wins; else the one that begins so, capitals aside where that decides.
    """
    ids = list(dict.fromkeys(known))
    if given in ids:
        return given
    for begins in (
        [name for name in ids if given and name.startswith(given)],
        [name for name in ids if given and name.casefold().startswith(given.casefold())],
    ):
        if len(begins) == 1:
            return begins[0]
        if begins:
            raise UsageError(
                "{given} is the beginning of several ids ({kind})",
                fix="One of: {names}.",
                given=given,
                kind=kind,
                names=_list(begins),
            )
    raise _unknown(kind, given, ids)


def find_some(kind: str, given: Iterable[str] | None, known: Iterable[str]) -> tuple[str, ...]:
    """The ids that are meant, each once; raises as `find_one` does."""
    ids = list(known)
    return tuple(dict.fromkeys(find_one(kind, one, ids) for one in given or ()))


def find_job(jobs: Sequence[Job]) -> Job:
    """The one suite and mode that is meant; raises UsageError where there are none or several."""
    if len(jobs) == 1:
        return jobs[0]
    raise UsageError(
        "this is in {n} of the suites and modes here, and only one can be shown",
        fix="Choose one with --suite and --mode: {jobs}.",
        n=len(jobs),
        jobs=_list([f"{job.suite.suite} {job.mode}" for job in jobs]) or "none",
    )


def find_scenario(bench: Bench, given: str) -> tuple[Job, str]:
    """The job that has a scenario, and the scenario's id; raises UsageError."""
    name = find_one("scenario", given, (s for job in bench.jobs for s in scenarios_of(job)))
    return find_job([job for job in bench.jobs if name in scenarios_of(job)]), name


def scenarios_of(job: Job) -> list[str]:
    """Ids of a job's selected scenarios."""
    return [s.scenario for s in job.selection.scenarios_of(job.suite)]


def _unknown(kind: str, given: str, known: Sequence[str]) -> UsageError:
    near = next(iter(difflib.get_close_matches(given, known, n=1, cutoff=0.5)), "")
    return UsageError(
        "no {kind} called {name} in this workspace",
        fix="Did you mean {near}?" if near else "There are: {near}.",
        kind=kind,
        name=given,
        near=near or _list(known) or "none",
    )


def _list(names: Sequence[str]) -> str:
    more = ["…"] if len(names) > MOST else []
    return ", ".join([*names[:MOST], *more])
