"""The ratings on parts of the comparisons: a table for each column that the board was cut by.

A slice is a row and an agent a column: ratings stand about the mean of the slice's own ranked
agents, so they may be read along a row and not from row to row.
"""

from collections.abc import Sequence

from arena.domain.board import Board, Slice, SliceStanding
from arena.domain.standing import State
from arena.domain.suite import Suite
from arena.site import formats
from arena.site.facts import Edition
from arena.site.left_out import WITHOUT_JUDGE, say_left_out
from arena.site.names import Names
from arena.site.part_views import SliceCell, SliceRow, Slices, SliceTable
from arena.site.text import plain

OPEN_ROWS = 6
"""A longer table is folded at first, and begins with the largest slices."""
MOST_CELLS = 360
"""A table is cut at about so many cells, so that the page stays light."""
_ABSENT = SliceCell(text=formats.DASH, note="", state="")


def build_slices(edition: Edition, names: Names) -> Slices | None:
    """The slices of a board; None where it has none."""
    board = edition.board
    if board is None or not board.slices:
        return None
    kinds = dict.fromkeys(s.by for s in board.slices)
    numbers = {kind: f"slices-{n}" for n, kind in enumerate(kinds, start=1)}
    tables = [
        _table(edition.job.suite, board, kind, [s for s in board.slices if s.by == kind], names, id)
        for kind, id in numbers.items()
    ]
    about = names.say(
        "slices.about",
        n=len(board.slices),
        level=formats.level(board.method.level),
        minimum=board.method.min_scenarios,
    )
    return Slices(about=about, tables=tuple(tables))


def _table(
    suite: Suite, board: Board, kind: str, slices: Sequence[Slice], names: Names, id: str
) -> SliceTable:
    say = names.say
    met = {s.agent for part in slices for s in part.agents}
    agents = [s.agent for s in board.agents if s.agent in met]
    most = max(1, MOST_CELLS // max(1, len(agents)))
    shown = _largest(slices, most)
    left = len(slices) - len(shown)
    known = f"slices.by.{kind}"
    title = say(known) if known in say.table else say("slices.by.other", column=plain(kind))
    return SliceTable(
        id=id,
        title=say("slices.count", title=title, n=len(slices)),
        said=say_left_out(board, slices, names) if kind == WITHOUT_JUDGE else (),
        corner=title,
        heads=tuple(names.label(agent) for agent in agents),
        rows=tuple(_row(suite, part, agents, names) for part in shown),
        more=say("slices.more", n=left) if left else "",
        unfolded=len(slices) <= OPEN_ROWS,
    )


def _largest(slices: Sequence[Slice], most: int) -> list[Slice]:
    """The slices in their own order; a long list begins with the largest, and may be cut."""
    if len(slices) <= OPEN_ROWS:
        return list(slices)
    return sorted(slices, key=lambda s: (-s.comparisons, s.value))[:most]


def _row(suite: Suite, part: Slice, agents: Sequence[str], names: Names) -> SliceRow:
    found = {s.agent: s for s in part.agents}
    size = names.say("slices.comparisons", n=formats.count(part.comparisons, names.say))
    where = names.say("design.scenarios", n=formats.count(part.scenarios, names.say))
    return SliceRow(
        label=_value(suite, part, names),
        note=names.say("list.dot").join((size, where)),
        cells=tuple(_cell(found.get(agent), names) for agent in agents),
    )


def _value(suite: Suite, part: Slice, names: Names) -> str:
    """A slice's name for people."""
    if part.by == "domain":
        known = {d.domain: d.name for d in suite.domains}.get(part.value)
        return plain(names.say.of(known) if known else part.value)
    if part.by == WITHOUT_JUDGE:
        return names.say("slices.without", judge=names.judge(part.value))
    if part.by == "judge":
        return names.judge(part.value)
    if part.by == "criterion":
        return names.criterion(part.value)
    return plain(part.value)


def _cell(standing: SliceStanding | None, names: Names) -> SliceCell:
    if standing is None:
        return _ABSENT
    state = standing.state.value
    if standing.state is State.UNBOUNDED:
        return SliceCell(text=_bound(standing, names), note="", state=state)
    if standing.rating is None:
        text = names.say(f"slices.{State.DISCONNECTED.value}")
        return SliceCell(text=text, note="", state=state)
    note = ""
    if standing.low is not None and standing.high is not None:
        note = formats.between(formats.whole(standing.low), formats.whole(standing.high))
    return SliceCell(text=formats.whole(standing.rating), note=note, state=state)


def _bound(standing: SliceStanding, names: Names) -> str:
    """What is known of an agent that never lost or never earned a point in a slice."""
    if standing.low is not None and standing.high is None:
        return names.say("rating.at_least", n=formats.whole(standing.low))
    if standing.high is not None and standing.low is None:
        return names.say("rating.at_most", n=formats.whole(standing.high))
    return names.say("slices.unbounded")
