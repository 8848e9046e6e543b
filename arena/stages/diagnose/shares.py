"""Shares of a judge's verdicts: flips, first shown, longer, ties, unread, flags, repeats."""

import math
from collections.abc import Iterator

import numpy as np

from arena.domain.diagnosis import Figure
from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.row_means import row_mean
from arena.stages.diagnose.evidence import Comparisons, Evidence, Tries, Verdicts
from arena.stages.diagnose.figures import Options, of_mean, unknown

HALF = 0.5
_LOPSIDED = 0.1
"""Beyond this part (and beyond what drawing orders does) a judge's orders are not balanced."""
OK = "ok"


def share_figures(
    evidence: Evidence, folded: Comparisons, judge: int, options: Options
) -> Iterator[Figure]:
    """The figures that are shares of one judge's verdicts, in the order in which they are told."""
    verdicts = evidence.verdicts
    own = (verdicts.judge == judge) & (verdicts.repeat == 1)
    asked = folded.of(judge)
    yield _share(
        "flips",
        folded.flipped[asked & folded.both].astype(np.float64),
        _at(folded.scenario, asked & folded.both),
        options,
        why="one_order" if asked.any() else "no_rows",
    )
    yield _first_shown(verdicts, own, len(evidence.agents), options)
    sized = asked & np.isfinite(folded.length) & (folded.length != 0) & (folded.share != HALF)
    longer = (folded.length > 0) == (folded.share > HALF)
    yield _share(
        "longer",
        longer[sized].astype(np.float64),
        _at(folded.scenario, sized),
        options,
        why="no_lengths" if asked.any() else "no_rows",
    )
    tied = (verdicts.share[own] == HALF).astype(np.float64)
    yield _share("ties", tied, _at(verdicts.scenario, own), options)
    yield from _unread(evidence, judge, options)
    yield _repeats(verdicts, judge, options)
    for flag in sorted(verdicts.flags):
        raised = verdicts.flags[flag][own].astype(np.float64)
        yield _share(flag, raised, _at(verdicts.scenario, own), options)


def is_balanced(verdicts: Verdicts, own: Bools, agents: int) -> bool:
    """Whether each pair was shown either way about equally, or as if by the toss of a coin."""
    ordered = own & (verdicts.shown != 0)
    pair = verdicts.first[ordered] * agents + verdicts.second[ordered]
    _, place = np.unique(pair, return_inverse=True)
    met = np.bincount(place)
    excess = np.abs(np.bincount(place, verdicts.shown[ordered])).sum()
    return bool(excess <= _LOPSIDED * met.sum() + 2 * np.sqrt(2 * met / math.pi).sum())


def _first_shown(verdicts: Verdicts, own: Bools, agents: int, options: Options) -> Figure:
    told = own & (verdicts.shown != 0) & (verdicts.share != HALF)
    won = (verdicts.shown == 1) == (verdicts.share > HALF)
    why = "no_orders" if not (own & (verdicts.shown != 0)).any() else "no_rows"
    return _share(
        "first_shown",
        won[told].astype(np.float64),
        _at(verdicts.scenario, told),
        options,
        neutral=HALF if is_balanced(verdicts, own, agents) else None,
        why=why if own.any() else "no_rows",
    )


def _unread(evidence: Evidence, judge: int, options: Options) -> Iterator[Figure]:
    """Answers that could not be used, and among them each way of not being usable."""
    name = evidence.judges[judge]
    if not evidence.tries:
        counted = evidence.counted.get(name, {})
        lost = counted.get("no_outcome", 0) + counted.get("unknown_outcome", 0)
        n = lost + int((evidence.verdicts.judge == judge).sum())
        figure = unknown("unread_verdict", "not_by_scenario", options, n=n)
        yield figure if not n else _valued(figure, lost / n)
        return
    for kind, tries in evidence.tries.items():
        own = tries.judge == judge
        status = tries.status[own]
        # One whole by its scenario, the parts only where there is any: most are 0 for good.
        yield _share(
            f"unread_{kind}",
            (status != tries.statuses.index(OK)).astype(np.float64),
            tries.scenario[own],
            options,
        )
        for code in _ways(tries, status):
            yield _share(
                f"unread_{kind}",
                (status == code).astype(np.float64),
                tries.scenario[own],
                options,
                of=tries.statuses[code],
            )


def _ways(tries: Tries, status: Ints) -> list[int]:
    return [int(c) for c in np.unique(status) if tries.statuses[c] != OK]


def _valued(figure: Figure, value: float) -> Figure:
    from dataclasses import replace

    return replace(figure, value=value, scenarios=None)


def _repeats(verdicts: Verdicts, judge: int, options: Options) -> Figure:
    """Part of the pairs of repeated askings (same transcripts, same order) answered alike."""
    own = np.flatnonzero((verdicts.judge == judge) & (verdicts.unit >= 0))
    key = verdicts.unit[own] * 3 + verdicts.shown[own] + 1
    seen, begin, place = np.unique(key, return_index=True, return_inverse=True)
    size = len(seen)
    asked = np.bincount(place, minlength=size)
    alike = np.zeros(size)
    for outcome in (0.0, HALF, 1.0):
        same = np.bincount(place, verdicts.share[own] == outcome, size)
        alike += same * (same - 1)
    again = asked > 1
    values = alike[again] / (asked * (asked - 1))[again]
    where = None if verdicts.scenario is None else verdicts.scenario[own[begin[again]]]
    return _share("repeats", values, where, options, why="no_repeats")


def _share(
    figure: str,
    values: Floats,
    scenario: Ints | None,
    options: Options,
    *,
    of: str = "",
    neutral: float | None = None,
    why: str = "no_rows",
) -> Figure:
    return of_mean(
        figure,
        row_mean(
            values,
            scenario,
            neutral=math.nan if neutral is None else neutral,
            level=options.level,
        ),
        options,
        of=of,
        neutral=neutral,
        why=why,
        independent=scenario is None,
    )


def _at(scenario: Ints | None, rows: Bools) -> Ints | None:
    return None if scenario is None else scenario[rows]
