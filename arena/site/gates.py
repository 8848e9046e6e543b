"""Eligibility on the page: the first column of the ranking, each gate, and the worst quotations."""

from collections.abc import Iterator

from arena.domain.board import Board
from arena.domain.eligibility import Eligible, GateResult, GateShare
from arena.domain.gate import Gate
from arena.domain.standing import Standing
from arena.domain.suite import Suite
from arena.maths.intervals import LEVEL
from arena.site import formats
from arena.site.names import Names
from arena.site.text import plain
from arena.site.views import Badge, Cell, Figure, Grid, GridHead, GridRow

SIGNS = {
    Eligible.ELIGIBLE: "✓",
    Eligible.AWAITING: "…",
    Eligible.UNKNOWN: "?",
    Eligible.NOT_ELIGIBLE: "✕",
}
"""A sign before the words, so that a state is not told by colour alone."""
WORDS = "flat words"
"""Cells that hold sentences, which break."""
TONES = {Eligible.ELIGIBLE: "plain"}
PLACES = {state: n for n, state in enumerate(Eligible)}
"""The order of the groups of a ranking."""


def group_of(standing: Standing | None) -> int:
    """The group of an agent in the ranking: eligible first; all alike where no gate is set."""
    if standing is None or standing.eligibility is None:
        return 0
    return PLACES[standing.eligibility.state]


def build_eligibility(standing: Standing | None, names: Names) -> Badge | None:
    """What gates say of an agent, in words with a sign; None where no gate is set."""
    if standing is None or standing.eligibility is None:
        return None
    say, state = names.say, standing.eligibility.state
    return Badge(
        label=f"{SIGNS[state]} {say(f'eligible.{state.value}')}",
        tone=TONES.get(state, "note"),
        hint=say(f"eligible.{state.value}.hint"),
    )


def eligibility_sort(standing: Standing | None) -> Figure:
    """What the column is sorted by, and how many cases are met in the gate that decides."""
    if standing is None or standing.eligibility is None:
        return Figure(text="")
    gates = standing.eligibility.gates
    worst = min(gates, key=lambda g: _place(g), default=None)
    note = "" if worst is None else f"{worst.panel.met}/{worst.panel.cases}"
    return Figure(text="", note=note, sort=str(group_of(standing)))


def _place(result: GateResult) -> int:
    return ("failed", "unknown", "awaiting", "passed").index(result.state)


def build_gates(board: Board, suite: Suite, names: Names) -> tuple[Grid, ...]:
    """Each agent against each gate, and the worst quotations where any could be verified."""
    if not board.gates:
        return ()
    grids = [_gates(board, suite, names)]
    if any(s.eligibility and s.eligibility.worst for s in board.agents):
        grids.append(_quotations(board, names))
    return tuple(grids)


def _gates(board: Board, suite: Suite, names: Names) -> Grid:
    say = names.say
    return Grid(
        id="gates",
        title=say("gates.title"),
        about=say("gates.about", level=formats.level(LEVEL)),
        corner=say("agent"),
        heads=tuple(_head(gate, suite, names) for gate in board.gates),
        rows=tuple(
            GridRow(
                label=names.label(s.agent),
                cells=tuple(_cell(result, names) for result in s.eligibility.gates),
            )
            for s in board.agents
            if s.eligibility is not None
        ),
        key="",
        few="",
    )


def _head(gate: Gate, suite: Suite, names: Names) -> GridHead:
    say = names.say
    return GridHead(
        label=say_gate(gate, suite, names),
        note=say(f"gates.test.{gate.test}", quota=formats.percent(gate.quota)),
    )


def say_gate(gate: Gate, suite: Suite, names: Names) -> str:
    """What a gate asks of each case."""
    return names.say(
        "gates.head",
        criterion=names.criterion(gate.criterion),
        n=formats.number(gate.at_least),
        where=_where(gate, suite, names),
    )


def _where(gate: Gate, suite: Suite, names: Names) -> str:
    kind, _, name = gate.where.partition(":")
    if not name:
        return names.say(f"gates.where.{kind}")
    known = next((d.name for d in suite.domains if kind == "domain" and d.domain == name), None)
    return plain(names.say.of(known) if known else name)


def _cell(result: GateResult, names: Names) -> Cell:
    say, panel = names.say, result.panel
    share = _share(panel) if panel.cases else formats.DASH
    text = say("gates.cell", state=say(f"gates.state.{result.state}"), share=share)
    return Cell(text=text, note=say("list.semicolon").join(_notes(result, names)), tone=WORDS)


def _share(share: GateShare) -> str:
    within = formats.between(formats.percent(share.low), formats.percent(share.high))
    return f"{share.met}/{share.cases} · {formats.percent(share.share)} ({within})"


def _notes(result: GateResult, names: Names) -> Iterator[str]:
    say = names.say
    counts = {
        "gates.left_out": result.failed,
        "gates.waiting": result.waiting,
        "gates.open": result.open,
        "gates.turned": result.turned,
    }
    for key, n in counts.items():
        if n:
            yield say(key, n=n)
    if result.people:
        yield say("gates.people", people=plain(", ".join(result.people)))
    for share in result.judges:
        key = "gates.judge.kin" if share.kin else "gates.judge"
        yield say(key, judge=names.judge(share.judge or ""), met=share.met, cases=share.cases)


def _quotations(board: Board, names: Names) -> Grid:
    say = names.say
    most = max(len(s.eligibility.worst) for s in board.agents if s.eligibility)
    return Grid(
        id="worst",
        title=say("worst.title"),
        about=say("worst.about"),
        corner=say("agent"),
        heads=tuple(GridHead(label=say("worst.head", n=n + 1)) for n in range(most)),
        rows=tuple(
            GridRow(label=names.label(s.agent), cells=_quoted(s, most, names))
            for s in board.agents
            if s.eligibility is not None and s.eligibility.worst
        ),
        key="",
        few="",
    )


def _quoted(standing: Standing, most: int, names: Names) -> tuple[Cell, ...]:
    quotations = standing.eligibility.worst if standing.eligibility else ()
    cells = [
        Cell(
            text=plain(one.quote),
            note=names.say(
                "worst.note",
                scenario=plain(one.scenario),
                round=one.round if one.round > 0 else formats.DASH,
                judge=names.judge(one.judge),
                criterion=names.criterion(one.criterion),
                score=formats.tenth(one.score),
            ),
            tone=WORDS,
        )
        for one in quotations
    ]
    return (*cells, *[Cell(text=formats.DASH, tone=WORDS)] * (most - len(cells)))
