"""Agents two by two: how far apart they are, and whether they can be told apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from arena.domain.board import Board
from arena.domain.standing import PairStanding, State
from arena.site import formats
from arena.site.names import Names
from arena.site.part_views import PairRow, TwoByTwo

MOST_PAIRS = 15
"""More pairs than this are not all listed here: each stands on the pages of its two agents."""


def build_two_by_two(
    board: Board | None, names: Names, duel: Callable[[str, str], str] = lambda one, other: ""
) -> TwoByTwo | None:
    """Neighbours in the ranking and all pairs of ranked agents; None with fewer than two.

    `duel` gives the way to the page of two agents; empty where there is none.
    """
    if board is None:
        return None
    ranked = [s for s in board.agents if s.state is State.RANKED and s.rating is not None]
    order = [s.agent for s in sorted(ranked, key=lambda s: (-(s.rating or 0.0), s.agent))]
    if len(order) < 2:
        return None
    say = names.say
    rows = _Rows({(p.a, p.b): p for p in board.pairs}, names, duel)
    pairs = list(combinations(order, 2))
    listed = pairs if 1 < len(pairs) <= MOST_PAIRS else []
    level = formats.level(board.method.level)
    risk = formats.level(1 - board.method.level)
    return TwoByTwo(
        about=(
            say("two.about", level=level),
            say("two.holm", n=len(pairs), risk=risk),
            say("two.resamples"),
        ),
        level=level,
        neighbours=rows.of(list(pairwise(order))),
        every=rows.of(listed),
        every_title=say("two.every", n=len(pairs)),
        more=say("two.more", n=len(pairs)) if len(pairs) > MOST_PAIRS else "",
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    known: Mapping[tuple[str, str], PairStanding]
    names: Names
    duel: Callable[[str, str], str]

    def of(self, pairs: Sequence[tuple[str, str]]) -> tuple[PairRow, ...]:
        """The rows of those pairs that the board knows."""
        found = []
        for upper, lower in pairs:
            pair = self.known.get((min(upper, lower), max(upper, lower)))
            if pair is not None:
                row = _row(pair, upper, lower, self.names)
                found.append(replace(row, href=self.duel(upper, lower)))
        return tuple(found)


def _row(pair: PairStanding, upper: str, lower: str, names: Names) -> PairRow:
    turned = pair.a != upper
    low, high = (_negative(pair.high), _negative(pair.low)) if turned else (pair.low, pair.high)
    return PairRow(
        upper=names.agent(upper),
        lower=names.agent(lower),
        share=formats.percent(_other(pair.share) if turned else pair.share),
        count=_count(pair, names),
        difference=formats.change(_negative(pair.difference) if turned else pair.difference),
        interval=formats.reach(low, high),
        above=_above(_other(pair.p_a_above_b) if turned else pair.p_a_above_b, names),
        decision=_decision(pair, names),
        decided=pair.decision is not None,
    )


def _count(pair: PairStanding, names: Names) -> str:
    say = names.say
    said = say("n", n=formats.count(pair.n, say))
    if pair.missing:
        said = say("two.missing", count=said, missing=formats.number(pair.missing))
    return said


def _other(share: float | None) -> float | None:
    return None if share is None else 1 - share


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def _above(part: float | None, names: Names) -> str:
    """How often the upper one is above in the resamples: a count of draws, never a chance."""
    if part is None:
        return formats.DASH
    return names.say("two.above", share=formats.percent(part))


def _decision(pair: PairStanding, names: Names) -> str:
    say, p = names.say, formats.small(pair.p_holm)
    if pair.decision is not None:
        better = pair.a if pair.decision == "a" else pair.b
        return say("two.decided", name=names.agent(better), p=p)
    if pair.p_holm is None:
        return say("two.untested")
    return say("two.open", p=p)
