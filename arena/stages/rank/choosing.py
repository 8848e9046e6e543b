"""The options of a fit, checked and filled in."""

import math
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from arena.domain.job import Job
from arena.domain.method import (
    ANCHOR,
    LEVEL,
    MIN_COMPARISONS,
    RESAMPLES,
    Interval,
    Method,
    Ties,
)
from arena.errors import UsageError
from arena.stages.rank.material import JUDGE

SLICED = ("domain", "tag", JUDGE)
"""Columns that a workspace's boards are cut by."""


def choose_method(
    job: Job,
    *,
    ties: Ties = "half",
    prior_sd: float = math.inf,
    resamples: int = RESAMPLES,
    seed: int | None = None,
    level: float = LEVEL,
    interval: Interval | None = None,
    anchor: str | None = None,
    min_comparisons: int = MIN_COMPARISONS,
    control: Sequence[str] = (),
    by: Sequence[str] = SLICED,
) -> Method:
    """The method of a job's board; its seed is the job's. Raises UsageError as `settle` does."""
    return settle(
        Method(
            ties=ties,
            prior_sd=None if math.isinf(prior_sd) else prior_sd,
            resamples=resamples,
            seed=job.seed if seed is None else seed,
            level=level,
            min_comparisons=min_comparisons,
            controls=tuple(control),
            by=tuple(by),
            versions=versions(),
        ),
        cluster=("scenario",),
        interval=interval,
        anchor=anchor,
    )


def versions() -> dict[str, str]:
    """The versions of what computes a board, ours first."""
    names = ("arena-leaderboard", "numpy", "scipy", "duckdb")
    return {name.partition("-")[0]: version(name) for name in names}


def settle(
    method: Method, *, cluster: Sequence[str], interval: Interval | None, anchor: str | None
) -> Method:
    """The method with its defaults filled in; raises UsageError for what does not go together."""
    check_range("--level", method.level, 0, 0.9999)
    check_range("--resamples", method.resamples, 1, 1_000_000)
    if method.prior_sd is not None:
        check_range("--prior-sd", method.prior_sd, 0, 1e9)
    crossed = len(cluster) > 1
    if method.ties != "half" and (method.prior_sd is not None or crossed):
        raise UsageError(
            "--ties {ties} goes neither with --prior-sd nor with two clusters", ties=method.ties
        )
    if method.ties != "half" and method.outcome == "margin":
        raise UsageError("--ties {ties} needs outcomes, not margins", ties=method.ties)
    if crossed and interval not in (None, "clustered"):
        raise UsageError(
            "--interval {interval} does not go with two clusters",
            why="two ways of hanging together cannot be drawn as one",
            fix="Leave it out: intervals are then those of the clustered sandwich.",
            interval=interval,
        )
    name, at = _anchor(anchor)
    return replace(
        method,
        cluster=tuple(cluster),
        interval=interval or ("clustered" if crossed else "bootstrap"),
        anchor_agent=name,
        anchor=at,
    )


def _anchor(text: str | None) -> tuple[str | None, float]:
    if text is None:
        return None, ANCHOR
    name, sign, number = text.rpartition("=")
    try:
        at = float(number)
    except ValueError:
        at = math.nan
    if not sign or not name or not math.isfinite(at):
        raise UsageError(
            "--anchor {text}: not NAME=POINTS", fix="For example: --anchor gpt-4=1000", text=text
        )
    return name, at


def check_range(option: str, value: float, low: float, high: float) -> None:
    """Raise UsageError for a number outside (low, high], or that is none."""
    if not low < value <= high:
        raise UsageError(
            "{option} {value}: more than {low} and at most {high}",
            option=option,
            value=value,
            low=low,
            high=high,
        )
