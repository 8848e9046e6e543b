"""A board as a person reads it: columns of text, and what may be said below."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from arena.cli import output
from arena.cli.calibration_view import say_calibration
from arena.cli.gate_view import say_eligible, say_gates
from arena.cli.words import Lang, say
from arena.domain.board import Board
from arena.domain.rounds import LAST, TREND
from arena.domain.standing import (
    AbsoluteScore,
    Open,
    PairStanding,
    Points,
    Standing,
    State,
    order_standings,
)

MOST_SENTENCES = 8
NOTHING_COMPARED = "no_comparisons"
Names = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table: key of its heading, what stands in it, and whether it is a number."""

    key: str
    cell: Callable[[Standing], str]
    number: bool = True


def columns(board: Board, names: Names, lang: Lang) -> tuple[Column, ...]:
    """The columns that this board can fill."""
    agents = board.agents
    found = [
        Column(key="rank", cell=lambda s: ranks(s.rank_low, s.rank_high), number=False),
        Column(key="agent", cell=lambda s: _name(s, names, lang), number=False),
        Column(key="rating", cell=lambda s: _whole(s.rating)),
        Column(key="interval", cell=lambda s: interval(s.low, s.high, s.open), number=False),
    ]
    if board.method.like:
        digits = 6 if board.method.like == "evalica" else 2
        found.insert(0, Column(key="figure", cell=lambda s: _fixed(s.figure, digits)))
    if board.gates:
        column = Column(key="eligible", cell=lambda s: say_eligible(s, lang), number=False)
        found.insert(0, column)
    if board.method.controls:
        found.append(Column(key="controlled", cell=lambda s: _points(s.controlled)))
    if any(s.calibrated for s in agents):
        found.append(Column(key="calibrated", cell=lambda s: _points(s.calibrated)))
    if any(s.worst is not None or s.best is not None for s in agents):
        found.append(Column(key="extremes", cell=lambda s: interval(s.worst, s.best, None)))
    if any(s.absolute for s in agents):
        found.append(Column(key="absolute", cell=lambda s: _with_margin(s.absolute)))
    if any(s.rounds for s in agents):
        found.append(Column(key="last_round", cell=lambda s: _with_margin(s.rounds.get(LAST))))
        found.append(Column(key="trend", cell=lambda s: _with_margin(s.rounds.get(TREND))))
    found.append(Column(key="share", cell=lambda s: _part(s.share)))
    found.append(Column(key="record", cell=lambda s: f"{s.wins}/{s.ties}/{s.losses}", number=False))
    found.append(Column(key="comparisons", cell=lambda s: f"{s.comparisons:,}"))
    return tuple(found)


def show_board(board: Board, title: str, names: Names, lang: Lang) -> None:
    """The table on stdout, and what may be said of it on stderr."""
    shown = columns(board, names, lang)
    heads = [
        say(
            lang,
            f"column_{c.key}",
            level=percent(board.method.level),
            like=board.method.like or "",
        )
        for c in shown
    ]
    rows = [[c.cell(s) for c in shown] for s in board.agents]
    right = frozenset(i for i, c in enumerate(shown) if c.number)
    output.print_table(title, heads, rows, right=right)
    for line in (*remarks(board, names, lang), *sentences(board, names, lang)):
        output.tell(line)


def remarks(board: Board, names: Names, lang: Lang) -> list[str]:
    """What stands under the table: what decides, what is missing, how sure."""
    # Of an import nothing is left to be asked, so it is no use to say what to ask next.
    notes = [n for n in board.notes if not (board.imported and n.key == NOTHING_COMPARED)]
    found = [_note(note.key, note.facts, names, lang) for note in notes]
    if board.design is not None and board.design.design != "all":
        design = say(lang, f"design_{board.design.design}")
        found.append(say(lang, "design_line", design=design, comparisons=board.design.comparisons))
    if not board.imported:
        found.extend(_connections(board, names, lang))
    found.extend(say_gates(board, names, lang))
    found.extend(_decoys(board, names, lang))
    ranked = [s for s in board.agents if s.state is State.RANKED]
    if len(ranked) > 1:
        pairs = len(ranked) * (len(ranked) - 1) // 2
        decided = sum(p.decision is not None for p in board.pairs)
        risk = f"{1 - board.method.level:.2g}"
        found.append(say(lang, "decided", decided=decided, pairs=pairs, risk=risk))
    said = board.diagnostics
    if said.tie_share is not None:
        flips = "—" if said.flip_rate is None else f"{said.flip_rate:.0%}"
        ties = f"{said.tie_share:.0%}"
        found.append(say(lang, "diagnostics", flips=flips, ties=ties, cycles=said.cycles))
    found.extend(_findings(board, lang))
    if len(board.panel) == 1 and not board.accuracy:
        found.append(say(lang, "single_judge", judge=board.panel[0]))
    return found


def _connections(board: Board, names: Names, lang: Lang) -> Iterator[str]:
    """Which comparison would connect whoever is not connected; each pair once."""
    said: set[tuple[str, ...]] = set()
    for standing in board.agents:
        pair = tuple(standing.why.facts.get("connect", ())) if standing.why else ()
        if len(pair) == 2 and pair not in said and len(said) < MOST_SENTENCES:
            said.add(pair)
            facts = {side: names.get(name, name) for side, name in zip("ab", pair, strict=True)}
            agent = names.get(standing.agent, standing.agent)
            yield say(lang, "connect", agent=agent, **facts)


def _decoys(board: Board, names: Names, lang: Lang) -> Iterator[str]:
    """Where each decoy stands: beside the table, never in it."""
    for decoy in board.diagnostics.audit.decoys:
        rating = _whole(decoy.rating) if decoy.open is None else "—"
        within = interval(decoy.low, decoy.high, decoy.open)
        yield say(
            lang,
            f"decoy_{decoy.finding}",
            decoy=names.get(decoy.decoy, decoy.decoy),
            rating=rating if within == "—" else f"{rating} ({within})",
            absolute=_with_margin(decoy.absolute),
            comparisons=f"{decoy.comparisons:,}",
        )


def _findings(board: Board, lang: Lang) -> Iterator[str]:
    said = board.diagnostics
    if said.tie_parameter is not None:
        key = "nu" if board.method.ties == "davidson" else "kappa"
        yield say(lang, f"tie_{key}", value=f"{said.tie_parameter:.3f}")
    if said.second_opinion is not None:
        yield say(lang, "second_opinion", difference=f"{said.second_opinion:.1e}")
    for e in board.effects:
        yield say(
            lang,
            "effect",
            control=e.control if e.judge is None else f"{e.control} · {e.judge}",
            effect=f"{e.effect:+.3f}",
            interval=_between(e.low, e.high, ".3f", "+"),
        )
    if board.calibration:
        yield from say_calibration(board.calibration, lang)
    if board.slices:
        yield say(lang, "slices_looked_at", n=len(board.slices))


def sentences(board: Board, names: Names, lang: Lang) -> list[str]:
    """Each two neighbours among the ranked, in words: the difference and whether it decides."""
    ranked = [s.agent for s in order_standings(board.agents) if s.state is State.RANKED]
    pairs = {frozenset((p.a, p.b)): p for p in board.pairs}
    found = []
    for upper, lower in pairwise(ranked[: MOST_SENTENCES + 1]):
        pair = pairs[frozenset((upper, lower))]
        found.append(sentence(pair, upper, names, lang, level=board.method.level))
    return found


def sentence(pair: PairStanding, upper: str, names: Names, lang: Lang, *, level: float) -> str:
    """What may be said of two agents, the higher first."""
    turned = pair.a != upper
    lower = pair.a if turned else pair.b
    facts = {
        "upper": names.get(upper, upper),
        "lower": names.get(lower, lower),
        "level": percent(level),
    }
    if pair.difference is None or pair.low is None or pair.high is None:
        return say(lang, "pair_unknown", **facts)
    sign = -1 if turned else 1
    low, high = sorted((sign * pair.low, sign * pair.high))
    facts |= {
        "difference": f"{sign * pair.difference:+.0f}",
        "interval": f"{low:+.0f} … {high:+.0f}",
    }
    return say(lang, "pair_decided" if pair.decision else "pair_open", **facts)


def show_slices(board: Board, names: Names, lang: Lang) -> None:
    """The slices as one table on stdout: a row an agent and slice."""
    if not board.slices:
        return
    heads = [
        say(lang, f"column_{key}", level=percent(board.method.level))
        for key in ("slice", "rank", "agent", "rating", "interval", "comparisons")
    ]
    rows = [
        [
            f"{part.by} = {part.value}" if i == 0 else "",
            ranks(s.rank_low, s.rank_high),
            names.get(s.agent, s.agent)
            if s.state is State.RANKED
            else f"{names.get(s.agent, s.agent)} ({say(lang, f'state_{s.state.value}')})",
            _whole(s.rating),
            interval(s.low, s.high, None),
            f"{s.comparisons:,}",
        ]
        for part in board.slices
        for i, s in enumerate(part.agents)
    ]
    output.print_table(say(lang, "slices"), heads, rows, right=frozenset({3, 5}))


def percent(level: float) -> str:
    """A level as it was asked for: 98.75 % is not 99 %."""
    return f"{100 * level:.6g}%"


def ranks(low: int | None, high: int | None) -> str:
    """A rank range."""
    if low is None or high is None:
        return "—"
    return str(low) if low == high else f"{low}–{high}"


def interval(low: float | None, high: float | None, side: Open | None) -> str:
    """An interval in points; a bound where one side is open."""
    if side == "above" and low is not None:
        return f"≥ {low:.0f}"
    if side == "below" and high is not None:
        return f"≤ {high:.0f}"
    return _between(low, high, ".0f")


def _between(low: float | None, high: float | None, digits: str, sign: str = "") -> str:
    if low is None or high is None:
        return "—"
    return f"{low:{sign}{digits}} – {high:{sign}{digits}}"


def _note(key: str, facts: Mapping[str, object], names: Names, lang: Lang) -> str:
    shown = dict(facts)
    for name, value in facts.items():
        if isinstance(value, list | tuple):
            shown[name] = ", ".join(names.get(one, one) for one in value)
    if "decoy" in shown:
        shown["decoy"] = names.get(str(shown["decoy"]), shown["decoy"])
    if isinstance(level := shown.get("level"), float):
        shown["level"] = percent(level)
    if isinstance(width := shown.get("width"), float):
        shown["width"] = f"{width:g}"
    return say(lang, f"note_{key}", **shown)


def _name(standing: Standing, names: Names, lang: Lang) -> str:
    name = names.get(standing.agent, standing.agent)
    if standing.state is State.RANKED:
        return name
    return f"{name} ({say(lang, f'state_{standing.state.value}')})"


def _whole(value: float | None) -> str:
    return "—" if value is None else f"{value:.0f}"


def _fixed(value: float | None, digits: int) -> str:
    return "—" if value is None else f"{value:.{digits}f}"


def _part(value: float | None) -> str:
    return "—" if value is None else f"{value:.1%}"


def _points(points: Points | None) -> str:
    if points is None:
        return "—"
    return f"{points.rating:.0f} ({_between(points.low, points.high, '.0f')})"


def _with_margin(score: AbsoluteScore | None) -> str:
    if score is None:
        return "—"
    if score.low is None or score.high is None:
        return f"{score.mean:.1f}"
    return f"{score.mean:.1f} ({score.low:.1f}–{score.high:.1f})"
