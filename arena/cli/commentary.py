"""What `arena score --commentary` checks beforehand and tells afterwards."""

from typing import Any

from arena.cli.workspace import Bench
from arena.errors import UsageError
from arena.stages.comment import commentaries
from arena.store.store import Store


def check_commented(bench: Bench) -> None:
    """Raise UsageError when no suite that is played takes commentary."""
    if bench.jobs and not any(job.suite.commentary for job in bench.jobs):
        raise UsageError(
            "--commentary: no suite here takes any: {suites}",
            why="Multiple choice has no judge to ask, and others may say `commentary: false`.",
            suites=", ".join(job.suite.suite for job in bench.jobs),
        )


def describe_commentaries(bench: Bench, store: Store) -> list[dict[str, Any]]:
    """The commentary on the scores that are there now, as JSON-able data."""
    return [
        {
            "suite": job.suite.suite,
            "mode": job.mode,
            "transcript": found.spec.transcript,
            "agent": found.spec.agent,
            "scenario": found.spec.scenario,
            "judge": found.spec.judge,
            "status": found.status.value,
            "text": found.text,
            "at": found.at,
        }
        for job in bench.jobs
        for found in commentaries(job, store=store)
    ]
