"""What may be concluded at first glance: who passes the gates, who leads of them, who is cheapest.

Each clause follows a rule of its own and claims only what decisions and intervals support; a
clause that they do not support is not said.
"""

from collections.abc import Collection
from decimal import Decimal

from arena.domain.board import Board
from arena.domain.eligibility import Eligible
from arena.domain.standing import State
from arena.site import formats
from arena.site.facts import Edition
from arena.site.headline import say_headline, say_names
from arena.site.names import Names
from arena.site.outlays import find_cheapest


def say_claims(edition: Edition, names: Names) -> tuple[str, ...]:
    """The clauses of an edition, in the order in which a reader needs them."""
    board = edition.board
    if board is None:
        return (names.say("headline.waiting"),)
    eligible = eligible_on(board)
    clauses = [
        _gates(edition, board, eligible, names),
        _lead(board, eligible, names),
        _cheapest(edition, board, eligible, names),
    ]
    return tuple(clause for clause in clauses if clause)


def say_lead(edition: Edition, names: Names) -> str:
    """Who leads, of those who may be chosen where gates are set and somebody ranked passes them."""
    board = edition.board
    if board is None:
        return names.say("headline.waiting")
    return _lead(board, eligible_on(board), names)


def eligible_on(board: Board) -> frozenset[str] | None:
    """Who passes every gate of a board; None where no gate is set."""
    if not board.gates:
        return None
    return frozenset(_in_state(board, Eligible.ELIGIBLE))


def _in_state(board: Board, state: Eligible) -> list[str]:
    return [s.agent for s in board.agents if s.eligibility and s.eligibility.state is state]


def _gates(edition: Edition, board: Board, eligible: Collection[str] | None, names: Names) -> str:
    say = names.say
    if eligible is None:
        # Of multiple choice there is nothing that a gate could look at.
        return "" if edition.job.suite.choice else say("claims.no_gates")
    passed = [s.agent for s in board.agents if s.agent in eligible]
    waiting = _in_state(board, Eligible.AWAITING)
    facts = {"n": len(passed), "of": len(board.agents)}
    said = say("claims.nobody", **facts)
    if passed:
        said = say("claims.passed", names=say_names(passed, say, names.agent), **facts)
    if waiting:
        told = say_names(waiting, say, names.agent)
        said += say("claims.awaiting", n=len(waiting), names=told)
    return said


def _lead(board: Board, eligible: Collection[str] | None, names: Names) -> str:
    say = names.say
    ranked = {s.agent for s in board.agents if s.state is State.RANKED}
    if eligible is None or not ranked:
        return say_headline(board, say, names.agent)
    if not ranked & set(eligible):
        return say("claims.regardless", said=say_headline(board, say, names.agent))
    return say("claims.among", said=say_headline(board, say, names.agent, eligible))


def _cheapest(
    edition: Edition, board: Board, eligible: Collection[str] | None, names: Names
) -> str:
    """Of whom one may choose: those who pass, else everybody on the board."""
    say = names.say
    among = [s.agent for s in board.agents if not eligible or s.agent in eligible]
    found = find_cheapest(edition, among)
    if found.kind == "none":
        return ""
    said = say(
        f"claims.cost.{found.kind}",
        names=say_names(found.agents, say, names.agent),
        cost=formats.money(Decimal(repr(found.cost)), found.currency),
        n=found.scenarios,
    )
    return say("claims.among", said=said) if eligible else said
