"""What changes when one judge is left out: whose rank range, and who stands above whom."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from arena.domain.board import Board, Slice
from arena.domain.standing import State
from arena.site import formats
from arena.site.names import Names

WITHOUT_JUDGE = "without_judge"
MOST_CHANGES = 6


def say_left_out(board: Board, slices: Sequence[Slice], names: Names) -> tuple[str, ...]:
    """A sentence or two for each slice that leaves a judge out."""
    return (names.say("left_out.about"), *(_say(board, part, names) for part in slices))


def _say(board: Board, part: Slice, names: Names) -> str:
    say, judge = names.say, names.judge(part.value)
    if not any(s.state is State.RANKED for s in part.agents):
        return say("left_out.nobody", judge=judge)
    ranges, swapped = _ranges(board, part, names), _swapped(board, part, names)
    if not ranges and not swapped:
        return say("left_out.same", judge=judge)
    parts = []
    if ranges:
        parts.append(say("left_out.ranges", changes=_short(ranges, names)))
    if swapped:
        parts.append(say("left_out.order", changes=_short(swapped, names)))
    return say("left_out.changed", judge=judge, changes=say("list.semicolon").join(parts))


def _short(changes: Sequence[str], names: Names) -> str:
    listed = names.say("list.comma").join(changes[:MOST_CHANGES])
    more = len(changes) - MOST_CHANGES
    return names.say("left_out.more", changes=listed, n=more) if more > 0 else listed


def _ranges(board: Board, part: Slice, names: Names) -> list[str]:
    """Agents ranked on the board whose rank range is another one here, or none."""
    here = {s.agent: (s.rank_low, s.rank_high) for s in part.agents}
    found = []
    for standing in board.agents:
        before = (standing.rank_low, standing.rank_high)
        after = here.get(standing.agent, (None, None))
        if standing.state is State.RANKED and before != after:
            facts = {"before": _range(before, names), "after": _range(after, names)}
            found.append(names.say("left_out.range", name=names.agent(standing.agent), **facts))
    return found


def _range(ranks: tuple[int | None, int | None], names: Names) -> str:
    low, high = ranks
    if low is None or high is None:
        return names.say("left_out.no_rank")
    return formats.between(str(low), str(high))


def _swapped(board: Board, part: Slice, names: Names) -> list[str]:
    """Pairs ranked on both whose ratings stand the other way round here."""
    here = {
        s.agent: s.rating for s in part.agents if s.state is State.RANKED and s.rating is not None
    }
    return [
        names.say("left_out.swap", upper=names.agent(lower), lower=names.agent(upper))
        for upper, lower in combinations(_ranked(board), 2)
        if upper in here and lower in here and here[lower] > here[upper]
    ]


def _ranked(board: Board) -> Iterable[str]:
    ranked = [s for s in board.agents if s.state is State.RANKED and s.rating is not None]
    return [s.agent for s in sorted(ranked, key=lambda s: (-(s.rating or 0.0), s.agent))]
