"""Coloured tables: who beat whom, and absolute scores by domain and by criterion."""

from dataclasses import replace

from arena.domain.audit import PairJudges
from arena.domain.board import Board
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL
from arena.domain.rounds import LAST, MEAN, TREND
from arena.domain.suite import Criterion
from arena.site import formats
from arena.site.facts import Edition
from arena.site.gates import build_gates
from arena.site.names import Names, criteria_of
from arena.site.score_grids import HUNDRED, build_scores, step
from arena.site.spread import build_spreads
from arena.site.views import Cell, Grid, GridHead, GridRow

FEW_COMPARISONS = 20
"""A cell with fewer comparisons is hatched."""
_DIAGONAL = Cell(text="", tone="none")


def build_grids(edition: Edition, names: Names) -> tuple[Grid, ...]:
    """The grids that the board has anything for."""
    board, spreads = edition.board, build_spreads(edition, names)
    if board is None:
        return spreads
    grids = [
        _pairs(board, names),
        _domains(edition, board, names),
        _rounds(board, names),
        _apart(edition, names),
        _criteria(edition, board, names, counted=True),
        _criteria(edition, board, names, counted=False),
        _scopes(board, names),
    ]
    gates = build_gates(board, edition.job.suite, names)
    return (*gates, *(g for g in grids if g is not None), *spreads)


def _pairs(board: Board, names: Names) -> Grid | None:
    say = names.say
    met = {(p.a, p.b): (p.share, p.n) for p in board.pairs}
    met |= {(p.b, p.a): (None if p.share is None else 1 - p.share, p.n) for p in board.pairs}
    agents = [s.agent for s in board.agents if s.comparisons]
    if len(agents) < 2:
        return None
    thin = {pair: p for p in board.diagnostics.audit.pairs for pair in ((p.a, p.b), (p.b, p.a))}
    rows = []
    for row in agents:
        cells = [
            _DIAGONAL
            if row == column
            else _marked(
                _share(*met.get((row, column), (None, 0)), names), thin.get((row, column)), names
            )
            for column in agents
        ]
        rows.append(GridRow(label=names.label(row), cells=tuple(cells)))
    return Grid(
        id="pairs",
        title=say("pairs.title"),
        about=say("pairs.about"),
        corner=say("pairs.corner"),
        heads=tuple(GridHead(label=names.label(a)) for a in agents),
        rows=tuple(rows),
        key="diverging",
        ends=("0%", "100%"),
        few=say("key.few_comparisons", n=FEW_COMPARISONS),
    )


def _marked(cell: Cell, thin: PairJudges | None, names: Names) -> Cell:
    """A cell of a pair that not the whole panel compared says by how many judges it was."""
    if thin is None or thin.judges == thin.of:
        return cell
    note = names.say("judges.may", k=thin.judges, n=thin.of)
    return replace(cell, note=names.say("list.dot").join(n for n in (cell.note, note) if n))


def _share(share: float | None, count: int, names: Names) -> Cell:
    if share is None or not count:
        return Cell(text=names.say("never_met"), tone="none")
    return Cell(
        text=formats.percent(share),
        note=names.say("n", n=count),
        tone=f"v{min(10, max(0, round(share * 10)))}",
        few=count < FEW_COMPARISONS,
    )


def _domains(edition: Edition, board: Board, names: Names) -> Grid | None:
    say = names.say
    domains = [
        d for d in edition.job.suite.domains if any(d.domain in s.domains for s in board.agents)
    ]
    return build_scores(
        board,
        names,
        id="domains",
        title=say("domains.title"),
        about=say("domains.about"),
        heads=[(d.domain, GridHead(label=say.of(d.name))) for d in domains],
        read=lambda s: s.domains,
        tone=lambda _, mean: step(mean / 100),
        ends=HUNDRED,
    )


def _rounds(board: Board, names: Names) -> Grid | None:
    """Scores over the rounds, where rounds are scored; a trend has no better colour than 0."""
    say = names.say
    notes = {TREND: say("rounds.trend_note")}
    return build_scores(
        board,
        names,
        id="rounds",
        title=say("rounds.title"),
        about=say("rounds.about"),
        heads=[
            (key, GridHead(label=say(f"rounds.{key}"), note=notes.get(key, "")))
            for key in (LAST, MEAN, TREND)
        ],
        read=lambda s: s.rounds,
        tone=lambda key, mean: "flat" if key == TREND else step(mean / 100),
        ends=HUNDRED,
    )


def _scopes(board: Board, names: Names) -> Grid | None:
    """Agreement of the scores of rounds and of wholes, a row a criterion."""
    say = names.say
    if not board.scopes:
        return None

    def flat(text: str, note: str = "") -> Cell:
        return Cell(text=text, note=note, tone="flat")

    return Grid(
        id="scopes",
        title=say("scopes.title"),
        about=say("scopes.about", level=formats.level(board.method.level)),
        corner=say("scores.criterion"),
        heads=tuple(
            GridHead(label=say(f"scopes.{key}"))
            for key in ("turn", "transcript", "difference", "spearman")
        ),
        rows=tuple(
            GridRow(
                label=names.criterion(found.criterion),
                cells=(
                    flat(formats.hundredth(found.turn), say("n", n=found.transcripts)),
                    flat(formats.hundredth(found.transcript)),
                    flat(
                        formats.hundredth(found.difference),
                        _within(found.difference_low, found.difference_high),
                    ),
                    flat(
                        formats.hundredth(found.spearman),
                        _within(found.spearman_low, found.spearman_high),
                    ),
                ),
            )
            for found in board.scopes
        ),
        key="",
        few="",
    )


def _within(low: float | None, high: float | None) -> str:
    """An interval below its estimate; empty where there is none."""
    if low is None or high is None:
        return ""
    return formats.between(formats.hundredth(low), formats.hundredth(high))


def _apart(edition: Edition, names: Names) -> Grid | None:
    """Scores of scenarios with another scoring sheet than the main one."""
    say, rubrics = names.say, edition.job.suite.rubrics
    keys = [key for key in rubrics if any(key in a.apart for a in edition.agents)]
    if not keys:
        return None
    rows = [
        GridRow(
            label=names.label(agent.id),
            cells=tuple(_mean(agent.apart.get(key), names) for key in keys),
        )
        for agent in edition.agents
        if agent.apart
    ]
    return Grid(
        id="apart",
        title=say("apart.title"),
        about=say("apart.about"),
        corner=say("agent"),
        heads=tuple(GridHead(label=say.of(rubrics[key].name)) for key in keys),
        rows=tuple(rows),
        key="rising",
        few=say("key.few_scenarios", n=MIN_SCENARIOS_FOR_INTERVAL),
        ends=HUNDRED,
    )


def _mean(found: tuple[float, int] | None, names: Names) -> Cell:
    if found is None:
        return Cell(text=formats.DASH, tone="none")
    mean, scenarios = found
    return Cell(
        text=formats.tenth(mean),
        note=names.say("n", n=scenarios),
        tone=step(mean / 100),
        few=scenarios < MIN_SCENARIOS_FOR_INTERVAL,
    )


def _criteria(edition: Edition, board: Board, names: Names, *, counted: bool) -> Grid | None:
    say = names.say
    known: dict[str, tuple[Criterion, tuple[float, float]]] = {
        c.criterion: (c, scale)
        for c, scale in criteria_of(edition.job.suite)
        if c.counts == counted and any(c.criterion in s.criteria for s in board.agents)
    }

    def tone(key: str, mean: float) -> str:
        criterion, (low, high) = known[key]
        part = (mean - low) / (high - low)
        return step(1 - part if criterion.direction == "lower" else part) if counted else "flat"

    kind = "criteria" if counted else "style"
    return build_scores(
        board,
        names,
        id=kind,
        title=say(f"{kind}.title"),
        about=say(f"{kind}.about"),
        heads=[(key, _criterion_head(c, scale, names)) for key, (c, scale) in known.items()],
        read=lambda s: s.criteria,
        tone=tone,
        ends=(say("key.worst"), say("key.best")) if counted else ("", ""),
    )


def _criterion_head(criterion: Criterion, scale: tuple[float, float], names: Names) -> GridHead:
    low, high = (formats.number(v) for v in scale)
    note = f"{low}{formats.RANGE}{high}"
    if criterion.direction == "lower":
        note = names.say("criterion.lower", scale=note)
    return GridHead(label=names.say.of(criterion.name), note=note)
