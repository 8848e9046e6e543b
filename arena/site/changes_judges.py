"""Bridges on the page of changes: what two models behind one judge made of the same texts."""

from arena.domain.bridge import Bridge, Drift
from arena.domain.changes import Changes
from arena.site import formats
from arena.site.changes_views import ChangeCell, ChangeRow, ChangeTable
from arena.site.names import Names
from arena.site.text import plain
from arena.site.words import Say


def build_bridges(changes: Changes, names: Names) -> ChangeTable:
    """A row for every drift of every bridge; no rows where there is no bridge."""
    say = names.say
    rows = [_row(b, drift, names) for b in changes.bridges for drift in b.drifts]
    told = [_sentence(bridge, names) for bridge in changes.bridges]
    return ChangeTable(
        id="bridges",
        title=say("bridge.title"),
        about=" ".join([*told, say("bridge.about")]),
        corner=say("bridge.whose"),
        heads=tuple(cell.label for cell in rows[0].cells) if rows else (),
        rows=tuple(rows),
    )


def _sentence(bridge: Bridge, names: Names) -> str:
    return names.say(
        f"note.bridge_{bridge.finding}",
        judge=names.judge(bridge.judge),
        old=plain(bridge.old),
        new=plain(bridge.new),
        read=bridge.read,
        asked=bridge.asked,
        scenarios=bridge.scenarios,
        seen=formats.DASH if bridge.seen is None else f"{bridge.seen:.2f}",
    )


def _row(bridge: Bridge, drift: Drift, names: Names) -> ChangeRow:
    say = names.say
    first = say("bridge.first", judge=names.judge(bridge.judge))
    return ChangeRow(
        name=first if drift.agent is None else names.agent(drift.agent),
        href="",
        badges=(),
        cells=(
            _drift(drift, say),
            ChangeCell(
                label=say("bridge.presentations"), text=formats.count(drift.presentations, say)
            ),
        ),
    )


def _drift(drift: Drift, say: Say) -> ChangeCell:
    note = ""
    if drift.low is not None and drift.high is not None:
        low, high = (formats.signed(f"{end:+.3f}") for end in (drift.low, drift.high))
        way = say("changes.way.chance" if drift.covers_zero else "changes.way.moved")
        note = say("changes.within", low=low, high=high, way=way)
    return ChangeCell(
        label=say("bridge.drift"),
        text=formats.signed(f"{drift.mean:+.3f}"),
        note=note,
        moved=not drift.covers_zero,
    )
