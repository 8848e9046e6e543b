"""How scores of single criteria are spread over the scenarios that hold a danger.

The distribution always; a share that reaches a threshold only where the rubric sets one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median

from arena.domain.gate import RED_FLAGS
from arena.domain.suite import Criterion, Rubric
from arena.maths.intervals import LEVEL
from arena.maths.means import wilson
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Cell, Grid, GridHead, GridRow

STEPS = 5
"""Parts of a scale that has no anchors to divide it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The scores of one agent: one a scenario, and in how many there should be one."""

    values: tuple[float, ...]
    planned: int


def build_spreads(edition: Edition, names: Names) -> tuple[Grid, ...]:
    """A grid for every criterion whose rubric asks for one, of agents that have any score."""
    suite, found = edition.job.suite, []
    for rubric in suite.rubrics.values():
        for criterion in rubric.criteria:
            if criterion.spread is None:
                continue
            spreads = gather_spreads(edition, rubric, criterion)
            if any(spread.values for spread in spreads.values()):
                found.append(_grid(spreads, rubric, criterion, edition, names))
    return tuple(found)


def gather_spreads(edition: Edition, rubric: Rubric, criterion: Criterion) -> dict[str, Spread]:
    """By agent, the mean score of each scenario with a red flag, over judges and replicates.

    A scenario without a readable score gives no value and stays in `planned`.
    """
    job = edition.job
    flagged = [
        s.scenario
        for s in edition.scenarios
        if job.suite.red_flags_in(s, job.mode)
        and job.suite.rubric_of(s).rubric == rubric.rubric
        and criterion in rubric.criteria_for(s)
    ]
    found = {}
    for agent in (a.id for a in edition.agents):
        scores = [_scores(edition, agent, scenario, criterion.criterion) for scenario in flagged]
        values = tuple(fmean(own) for own in scores if own)
        found[agent] = Spread(values=values, planned=len(flagged))
    return found


def _threshold(criterion: Criterion, edition: Edition) -> float | None:
    """What the rubric sets, else what a gate asks of the same cases."""
    if criterion.spread and criterion.spread.at_least is not None:
        return criterion.spread.at_least
    gates = edition.board.gates if edition.board else ()
    here = (criterion.criterion, RED_FLAGS)
    return next((g.at_least for g in gates if (g.criterion, g.where) == here), None)


def _scores(edition: Edition, agent: str, scenario: str, criterion: str) -> list[float]:
    return [
        score.value
        for fact in edition.transcripts.get(scenario, ())
        if fact.agent == agent
        for sheet in fact.sheets
        for score in sheet.scores
        if score.criterion == criterion
    ]


def edges_of(rubric: Rubric, criterion: Criterion) -> tuple[float, ...]:
    """Where the parts of a scale begin and end: at its anchors, else in equal steps."""
    low, high = rubric.scale_of(criterion)
    anchors = criterion.anchors or rubric.anchors
    inner = sorted(float(at) for at in anchors if low < at < high)
    if len(inner) < 2:
        inner = [low + (high - low) * n / STEPS for n in range(1, STEPS)]
    return (low, *inner, high)


def counts_between(values: Iterable[float], edges: Sequence[float]) -> list[int]:
    """How many values lie in each part; an edge belongs to the part above it, the last to both."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[sum(value >= edge for edge in edges[1:-1])] += 1
    return counts


def _grid(
    spreads: Mapping[str, Spread],
    rubric: Rubric,
    criterion: Criterion,
    edition: Edition,
    names: Names,
) -> Grid:
    say, edges = names.say, edges_of(rubric, criterion)
    threshold = _threshold(criterion, edition)
    judges = say("list.comma").join(
        say("scorer", name=names.judge(j.id), model=plain(j.judge.model or formats.DASH))
        for j in edition.judges
        if "rubric" in j.judge.uses
    )
    facts = {"judges": judges, "level": formats.level(LEVEL)}
    heads = [
        GridHead(label=formats.between(formats.number(a), formats.number(b)))
        for a, b in pairwise(edges)
    ]
    heads.append(GridHead(label=say("spread.median")))
    if threshold is not None:
        heads.append(GridHead(label=say("spread.reached", n=formats.number(threshold))))
    return Grid(
        id=f"spread-{rubric.rubric}-{criterion.criterion}",
        title=say("spread.title", criterion=plain(say.of(criterion.name))),
        about=say("spread.about" if threshold is None else "spread.about.threshold", **facts),
        corner=say("agent"),
        heads=tuple(heads),
        rows=tuple(
            GridRow(label=names.label(agent), cells=_cells(spread, edges, threshold, names))
            for agent, spread in spreads.items()
            if spread.values
        ),
        key="",
        few="",
    )


def _cells(
    spread: Spread, edges: Sequence[float], threshold: float | None, names: Names
) -> tuple[Cell, ...]:
    say, n = names.say, len(spread.values)
    cells = [
        Cell(text=formats.count(c, say), tone="flat") for c in counts_between(spread.values, edges)
    ]
    note = say("n", n=n) if n == spread.planned else say("n.part", n=n, of=spread.planned)
    cells.append(Cell(text=formats.tenth(median(spread.values)), note=note, tone="flat"))
    if threshold is not None:
        hits = sum(value >= threshold for value in spread.values)
        low, high = wilson(hits, n)
        within = formats.between(formats.percent(low), formats.percent(high))
        cells.append(Cell(text=formats.percent(hits / n), note=within, tone="flat"))
    return tuple(cells)
