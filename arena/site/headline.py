"""The one sentence on top: it claims only what the decisions of the board support."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from arena.domain.board import Board
from arena.domain.standing import Standing, State
from arena.site.words import Say

Kind = Literal["none", "single", "clear", "ahead", "level", "group"]
Rest = Literal["", "all_behind", "some_behind"]
MOST_NAMED = 6
MOST_LEVEL = 3
"""So many of a part that cannot be told apart are named; of more the number is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Who leads, as far as that is known. Agents by id.

    kind: none (nobody is ranked), single (one agent is), clear (the leader is distinguishably
    better than every other), ahead (nobody is better than the leader, but it cannot be told from
    some), level (no pair can be told apart), group (several lead).
    `leaders`: ranked agents that no other is distinguishably better than; they can never be told
    apart from each other. `alike`: others that cannot be told from the only leader.
    `rest`: what holds for all other ranked agents against the leaders.
    """

    kind: Kind
    leaders: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    rest: Rest = ""


def find_lead(board: Board, among: Collection[str] | None = None) -> Lead:
    """The lead of a board, from its decisions over pairs of ranked agents alone.

    `among`: only these agents count. Decisions were adjusted over all pairs, so they hold for a
    part of them too.
    """
    ranked = [
        s.agent
        for s in board.agents
        if s.state is State.RANKED and (among is None or s.agent in among)
    ]
    if not ranked:
        return Lead(kind="none")
    if len(ranked) == 1:
        return Lead(kind="single", leaders=(ranked[0],))
    better = {pair for pair in _decisions(board) if set(pair) <= set(ranked)}
    beaten = {loser for winner, loser in better}
    leaders = tuple(a for a in ranked if a not in beaten)
    others = tuple(a for a in ranked if a in beaten)
    if not better:
        return Lead(kind="level", leaders=leaders)
    if len(leaders) == 1:
        alike = tuple(a for a in others if (leaders[0], a) not in better)
        kind: Kind = "ahead" if alike else "clear"
        return Lead(kind=kind, leaders=leaders, alike=alike, others=others)
    return Lead(kind="group", leaders=leaders, others=others, rest=_rest(leaders, others, better))


def _decisions(board: Board) -> set[tuple[str, str]]:
    """(better, worse) of every pair that can be told apart."""
    found = set()
    for pair in board.pairs:
        if pair.decision == "a":
            found.add((pair.a, pair.b))
        elif pair.decision == "b":
            found.add((pair.b, pair.a))
    return found


def _rest(leaders: Sequence[str], others: Sequence[str], better: set[tuple[str, str]]) -> Rest:
    beats = [[(leader, other) in better for leader in leaders] for other in others]
    if all(all(row) for row in beats):
        return "all_behind"
    return "some_behind" if all(any(row) for row in beats) else ""


def say_headline(
    board: Board, say: Say, name: Callable[[str], str], among: Collection[str] | None = None
) -> str:
    """The sentence of a board; `among`: of these agents only, of whom one at least is ranked."""
    lead = find_lead(board, among)
    facts = {
        "leaders": say_names(lead.leaders, say, name),
        "alike": say_names(lead.alike, say, name),
        "n": len(lead.leaders if lead.kind == "level" else lead.others),
    }
    if lead.kind == "none" and board.imported:
        return say("headline.none.imported")
    if lead.kind == "none":
        return say(f"headline.none.{_reason(board)}")
    own = _of_part(lead) if among is not None else ""
    sentence = say(f"headline.{lead.kind}{own}", **facts)
    return sentence + (say(f"headline.{lead.rest}", **facts) if lead.rest else "")


def _of_part(lead: Lead) -> str:
    """Which sentence tells the same of a part of the agents; empty for the usual one."""
    if lead.kind == "level" and len(lead.leaders) > MOST_LEVEL:
        return ".many"
    return ".among" if lead.kind in ("single", "level") else ""


def say_beside(board: Board, say: Say, name: Callable[[str], str]) -> tuple[str, ...]:
    """What must be said beside the headline: who is left out of it, and how to read it."""
    said = [say("headline.overlap")] if find_lead(board).kind not in ("none", "single") else []
    for state in (State.UNBOUNDED, State.PROVISIONAL, State.DISCONNECTED):
        agents = [s for s in board.agents if s.state is state]
        for key, group in _split(state, agents):
            names = say_names([s.agent for s in group], say, name)
            said.append(say(f"beside.{key}", names=names, n=len(group)))
    return tuple(said)


def _split(state: State, agents: Sequence[Standing]) -> list[tuple[str, list[Standing]]]:
    """Groups of agents that share a sentence; nothing for an empty group."""
    groups: dict[str, list[Standing]] = {}
    for agent in agents:
        key = state.value
        if agent.why and agent.why.key in ("undefeated", "pointless", "no_comparisons"):
            key = agent.why.key
        groups.setdefault(key, []).append(agent)
    return list(groups.items())


def _reason(board: Board) -> str:
    """Why nobody is ranked: the board's first note that has a sentence."""
    known = ("one_agent", "no_comparisons", "few_scenarios", "nobody_rated")
    return next((n.key for n in board.notes if n.key in known), "nobody_ranked")


def say_names(agents: Sequence[str], say: Say, name: Callable[[str], str]) -> str:
    """Agents by name; of a long list the first few and how many more."""
    names = [name(a) for a in agents]
    if len(names) <= MOST_NAMED + 1:
        return say.join(names)
    more = len(names) - MOST_NAMED
    return say("list.more", names=say("list.comma").join(names[:MOST_NAMED]), n=more)
