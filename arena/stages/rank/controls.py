"""The second rating: freed of position, length, style and vendor, with the size of each effect."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.domain.board import Effect
from arena.domain.standing import Points
from arena.errors import UsageError
from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.controlled import Controlled, fit_controlled
from arena.maths.joint.rows import position_columns
from arena.stages.rank.material import Presented
from arena.stages.rank.table import Table, known

POSITION = "position"
LENGTH = "length"
VENDOR = "vendor"
_NATURAL = (POSITION, LENGTH, VENDOR)
"""In units that mean something; the others are told per standard deviation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freed:
    """Ratings by agent's name, effects, and the verdicts left out for want of a control."""

    ratings: dict[str, Points]
    effects: tuple[Effect, ...]
    left_out: int


def free(table: Table) -> Freed:
    """Fit the controls of a board's method on its unfolded verdicts.

    Raises UsageError for a control of which the data say nothing, and ArenaError when a control
    cannot be told from the strengths.
    """
    presented, members = table.material.presented, table.rating.found.component
    names = table.method.controls
    if presented is None or members is None or table.rating.reference is None:
        return Freed(ratings={}, effects=(), left_out=0)
    columns, labels = _columns(presented, names)
    complete = ~np.isnan(columns).any(axis=1)
    inside = np.zeros(len(table.material.agents), dtype=np.bool_)
    inside[members] = True
    rows = presented.rows
    kept = complete & inside[rows.first] & inside[rows.second]
    place = np.cumsum(inside) - 1
    x = columns[kept]
    scale = np.array(
        [1.0 if c in _NATURAL else _spread(x[:, n]) for n, (c, _) in enumerate(labels)]
    )
    moves = (x != 0).any(axis=0)
    found = fit_controlled(
        rows.only(kept, place, len(members)),
        (x / scale)[:, moves],
        table.rating.reference,
        ties=table.method.ties,
        seed=table.method.seed,
        resamples=table.method.resamples,
        interval=table.method.interval,
        level=table.method.level,
    )
    told = [label for label, moved in zip(labels, moves, strict=True) if moved]
    return Freed(
        ratings=dict(_ratings(found, members, table)),
        effects=tuple(_effect(found, n, label, x[:, moves]) for n, label in enumerate(told)),
        left_out=int((~complete).sum()),
    )


def _columns(
    presented: Presented, names: tuple[str, ...]
) -> tuple[Floats, list[tuple[str, str | None]]]:
    """Covariates, shape (M, d), and of each its control and judge."""
    columns: list[Floats] = []
    labels: list[tuple[str, str | None]] = []
    for name in names:
        if name == POSITION:
            several = len(presented.judges) > 1
            columns.extend(
                position_columns(presented.sign, presented.judge, len(presented.judges)).T
            )
            labels.extend((name, judge if several else None) for judge in presented.judges)
        elif name in presented.controls:
            columns.append(presented.controls[name])
            labels.append((name, None))
    for name in names:
        used = [c for c, label in zip(columns, labels, strict=True) if label[0] == name]
        if not any(np.nan_to_num(c).any() for c in used):
            _refuse(name, presented)
    return np.stack(columns, axis=1), labels


def _refuse(name: str, presented: Presented) -> None:
    known_here = ", ".join(_available(presented)) or "—"
    if name == POSITION:
        raise UsageError(
            "nothing to control {control} by",
            why="no row says in which order the two were shown",
            fix="Known here: {known}",
            control=name,
            known=known_here,
        )
    raise UsageError(
        "nothing to control {control} by",
        why="no columns say it of both sides, or it never differs",
        fix="Known here: {known}",
        control=name,
        known=known_here,
    )


def _available(presented: Presented) -> list[str]:
    found = [POSITION] if presented.sign.any() else []
    return found + [n for n, c in presented.controls.items() if np.nan_to_num(c).any()]


def _spread(values: Floats) -> float:
    found = float(values.std())
    return found if found > 0 else 1.0


def _ratings(found: Controlled, members: Ints, table: Table) -> Iterator[tuple[str, Points]]:
    for n, i in enumerate(members):
        rating = table.points(found.strengths[n])
        if rating is not None:
            yield (
                table.material.agents[i],
                Points(
                    rating=rating,
                    low=table.points(found.low[n]),
                    high=table.points(found.high[n]),
                    se=known(found.se[n] * POINTS_PER_NAT),
                ),
            )


def _effect(found: Controlled, n: int, label: tuple[str, str | None], x: Floats) -> Effect:
    effect, margin = float(found.effects[n]), float(found.effect_margin[n])
    open_ended = math.isnan(margin)
    moved: Bools = x[:, n] != 0
    return Effect(
        control=label[0],
        judge=label[1],
        effect=effect,
        se=known(found.effect_se[n]),
        low=None if open_ended else effect - margin,
        high=None if open_ended else effect + margin,
        p=known(found.effect_p[n]),
        rows=int(moved.sum()),
    )
