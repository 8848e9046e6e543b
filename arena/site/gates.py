"""Eligibility on the page: the first column of the ranking, and each gate."""

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
PLACES = {
    Eligible.ELIGIBLE: 0,
    Eligible.AWAITING: 1,
    Eligible.UNKNOWN: 2,
    Eligible.NOT_ELIGIBLE: 2,
}
"""The groups of a ranking: what is not known does not pass, and stands with what fails."""


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


def eligibility_sort(standing: Standing | None, board: Board | None, names: Names) -> Figure:
    """What the column is sorted by, and the reason from the gate that decides."""
    if board is None or not board.gates or standing is None or standing.eligibility is None:
        return Figure(text="")
    worst = min(standing.eligibility.gates, key=_place, default=None)
    note = "" if worst is None else _reason(worst, board, names)
    return Figure(text="", note=note, sort=str(group_of(standing)))


def _reason(result: GateResult, board: Board, names: Names) -> str:
    gate, panel = board.gates[result.gate], result.panel
    return names.say(
        f"eligible.why.{result.why or 'met'}",
        criterion=names.criterion(gate.criterion),
        met=panel.met,
        cases=panel.cases,
        quota=formats.percent(gate.quota),
        n=result.open if result.why == "unreviewed" else result.waiting,
        planned=result.planned,
        least=formats.percent(gate.min_coverage),
    )


def _place(result: GateResult) -> int:
    return ("failed", "unknown", "awaiting", "passed").index(result.state)


def build_gates(board: Board, suite: Suite, names: Names) -> tuple[Grid, ...]:
    """Each agent against each gate; nothing where none is set."""
    return (_gates(board, suite, names),) if board.gates else ()


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
