"""Which import is meant by a name: what it was called when it came in, its file, or its digest."""

from collections.abc import Iterable
from pathlib import PurePath

from arena.cli.workspace import Bench
from arena.domain.imported import Origin
from arena.domain.job import Job
from arena.errors import UsageError

SHORTEST = 6
"""Characters of a digest by which an import may be named."""


def is_called(origin: Origin, name: str) -> bool:
    """Whether an import may be called so."""
    file = PurePath(origin.source).name
    names = {origin.suite, origin.source, file, PurePath(file).stem}
    return name in names or (len(name) >= SHORTEST and origin.origin.startswith(name))


def only_import(bench: Bench, name: str) -> Bench:
    """The bench with the jobs of one import only; of several so called, the one that came last.

    Raises UsageError where no import is called so.
    """
    held = [job for job in bench.jobs if job.held is not None]
    found = [job for job in held if job.held and is_called(job.held.origin, name)]
    if not found:
        raise UsageError(
            "there is no import called {name} here",
            fix="There are: {near}.",
            name=name,
            near=", ".join(dict.fromkeys(_names(held))) or "none",
        )
    last = max(found, key=lambda job: (job.held.origin.at, job.origin) if job.held else ("", ""))
    return bench.with_jobs(job for job in found if job.origin == last.origin)


def one_job(bench: Bench, name: str | None) -> Job:
    """The job that is to be written into one place: of the import called so, else an own one.

    Raises UsageError where there are several.
    """
    jobs = only_import(bench, name).jobs if name else [j for j in bench.jobs if j.held is None]
    if len(jobs) != 1:
        raise UsageError(
            "this would write {count} boards into one place: name one",
            fix="With --suite and --mode, or --import NAME: {near}.",
            count=len(jobs),
            near=", ".join([*(f"{j.suite.suite} {j.mode}" for j in bench.jobs)]) or "none",
        )
    return jobs[0]


def _names(jobs: Iterable[Job]) -> Iterable[str]:
    for job in jobs:
        if job.held:
            yield job.held.origin.source
