"""From estimates to figures, and which of a judge's figures are notable."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arena.domain.diagnosis import Figure, Reading, Unit
from arena.maths.intervals import holm
from arena.maths.row_means import FEWEST_CLUSTERS, RowMean

ONE_SIDED = {"decoy": 1}
"""Figures of which one side alone is a fault: a decoy that loses is as it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How figures are made: level of the intervals, resamples and seed of the bootstrap."""

    level: float
    resamples: int
    seed: int


def of_mean(
    figure: str,
    mean: RowMean,
    options: Options,
    *,
    of: str = "",
    unit: Unit = "share",
    neutral: float | None = None,
    why: str = "no_rows",
    independent: bool = False,
    facts: Mapping[str, Any] | None = None,
) -> Figure:
    """The figure of a mean over rows; `why` is the reason where there are no rows."""
    reason = None
    if not mean.rows:
        reason = why
    elif math.isnan(mean.low) or math.isnan(mean.high):
        reason = "unvaried"
        if mean.clusters < FEWEST_CLUSTERS:
            reason = "few_rows" if independent else "few_scenarios"
    open_ended = reason is not None
    return Figure(
        figure=figure,
        of=of,
        unit=unit,
        value=known(mean.value),
        low=None if open_ended else known(mean.low),
        high=None if open_ended else known(mean.high),
        level=options.level,
        n=mean.rows,
        scenarios=None if independent else mean.clusters,
        neutral=neutral,
        p=None if open_ended or neutral is None else known(mean.p),
        why=reason,
        facts=facts or {},
    )


def unknown(
    figure: str,
    why: str,
    options: Options,
    *,
    of: str = "",
    unit: Unit = "share",
    n: int = 0,
    neutral: float | None = None,
) -> Figure:
    """A figure without a value, and the reason."""
    return Figure(
        figure=figure,
        of=of,
        unit=unit,
        value=None,
        low=None,
        high=None,
        level=options.level,
        n=n,
        scenarios=0,
        neutral=neutral,
        why=why,
        facts={},
    )


def settle(figures: Sequence[Figure], options: Options) -> tuple[Figure, ...]:
    """The figures of one judge with p by Holm over all of them, and what may be said of each."""
    tested = [i for i, f in enumerate(figures) if f.p is not None]
    adjusted = holm(np.array([_one_sided(figures[i]) for i in tested], dtype=np.float64))
    found = list(figures)
    for i, p in zip(tested, adjusted, strict=True):
        found[i] = replace(found[i], p=float(p), notable=bool(p <= 1 - options.level))
    return tuple(replace(f, reading=_reading(f)) for f in found)


def _one_sided(figure: Figure) -> float:
    side = ONE_SIDED.get(figure.figure)
    p = 1.0 if figure.p is None else figure.p
    if side is None or figure.value is None or figure.neutral is None:
        return p
    return p if (figure.value - figure.neutral) * side > 0 else 1.0


def _reading(figure: Figure) -> Reading:
    if figure.value is None:
        return "unknown"
    if figure.low is None or figure.high is None:
        return "open"
    if figure.neutral is None or figure.notable is None:
        return "plain"
    if figure.notable:
        return "above" if figure.value > figure.neutral else "below"
    # A decoy that clearly loses is the one thing that is said below without being a fault.
    if figure.figure in ONE_SIDED and figure.high < figure.neutral:
        return "below"
    return "neutral"


def known(value: float) -> float | None:
    """A number, or None for NaN."""
    return None if math.isnan(value) else float(value)
