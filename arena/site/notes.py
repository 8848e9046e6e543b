"""Sentences for the notes of a board: what must be known before its numbers are read."""

from collections.abc import Mapping

from arena.domain.board import Board
from arena.domain.standing import Standing
from arena.site import formats
from arena.site.names import Names
from arena.site.text import plain
from arena.site.words import Say

MOST_NAMED = 6
_OF_JUDGES = frozenset(
    (
        *("decoy_fooled", "unjudged_pairs", "thin_pairs", "fewer_judges"),
        *("served_split", "served_mixed", "served_joined", "possible_injection"),
        *("bridge_holds", "bridge_drifts", "bridge_small"),
    )
)


def say_notes(board: Board, names: Names) -> tuple[str, ...]:
    """A sentence a note; those that explain why nobody is ranked are in the headline itself."""
    said = []
    for note in board.notes:
        key = f"note.{note.key}"
        if key in names.say.table:
            said.append(names.say(key, **_facts(note.key, note.facts, board, names)))
    return tuple(said)


def say_extremes(standing: Standing, say: Say) -> str:
    """Where a rating lies were all missing comparisons lost, or won; empty where not told.

    With all of them lost (or won) there may be no rating at that end.
    """
    if standing.worst is None and standing.best is None:
        return ""
    if standing.worst is None or standing.best is None:
        none, worst, best = say("lost.no_rating"), standing.worst, standing.best
        ends = [none if value is None else formats.whole(value) for value in (worst, best)]
        return f" {formats.RANGE} ".join(ends)
    return formats.between(formats.whole(standing.worst), formats.whole(standing.best))


def _facts(key: str, facts: Mapping[str, object], board: Board, names: Names) -> dict[str, str]:
    found = {name: str(value) for name, value in facts.items()}
    if key == "many_missing":
        found["agents"] = _missing(facts.get("agents"), board, names)
    if key == "narrow_interval":
        found["interval"] = names.say.known(f"interval.{facts.get('interval')}", formats.DASH)
        found["scenarios"] = names.say("design.scenarios", n=facts.get("scenarios"))
    if key in _OF_JUDGES:
        found |= _judged(facts, names)
    if key in ("looks", "stopped"):
        found["level"] = formats.level(board.method.level)
        found["width"] = formats.number(float(str(facts.get("width"))))
    if key == "order_matters":
        found["example"] = _example(board, names)
    return found


def _judged(facts: Mapping[str, object], names: Names) -> dict[str, str]:
    """Facts of notes about judges: agents and judges by name, lists as lists."""
    found = {}
    for name, value in facts.items():
        if isinstance(value, list | tuple):
            say = names.agent if name == "agents" else plain
            found[name] = names.say.join([say(str(one)) for one in value])
        elif name in ("decoy", "judge"):
            found[name] = (names.agent if name == "decoy" else names.judge)(str(value))
        else:
            found[name] = plain(str(value))
    return found


def _missing(agents: object, board: Board, names: Names) -> str:
    """The agents with where their ratings would lie."""
    named = [str(a) for a in agents] if isinstance(agents, list | tuple) else []
    standings = {s.agent: s for s in board.agents}
    shown = []
    for agent in named[:MOST_NAMED]:
        within = say_extremes(standings[agent], names.say) if agent in standings else ""
        name = names.agent(agent)
        shown.append(names.say("note.within", name=name, within=within) if within else name)
    if len(named) > MOST_NAMED:
        listed = names.say("list.comma").join(shown)
        return names.say("list.more", names=listed, n=len(named) - MOST_NAMED)
    return names.say.join(shown)


def _example(board: Board, names: Names) -> str:
    """The agent whose rating depends most on the order of the rows."""
    orders = board.diagnostics.orders
    if not orders:
        return ""
    agent = max(orders, key=lambda a: (orders[a][1] - orders[a][0], a))
    low, high = (formats.whole(v) for v in orders[agent])
    return names.say("note.orders", name=names.agent(agent), low=low, high=high)
