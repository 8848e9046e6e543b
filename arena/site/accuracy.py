"""Accuracy of multiple choice on the page: in all and by category, then by subject."""

from collections.abc import Sequence

from arena.domain.accuracy import Accuracy, Part, Proportion
from arena.domain.board import Board
from arena.domain.suite import Suite
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.part_views import AccuracyCell, AccuracyRow, AccuracyTable, AccuracyTables
from arena.site.text import plain

_Place = tuple[Part, str]
_ABSENT = AccuracyCell(text=formats.DASH, notes=())


def build_accuracy(edition: Edition, names: Names) -> AccuracyTables | None:
    """The accuracy of a board; None where it has none."""
    board = edition.board
    if board is None or not board.accuracy:
        return None
    say, suite = names.say, edition.job.suite
    places = list(dict.fromkeys((a.part, a.name) for a in board.accuracy))
    wide = [place for place in places if place[0] != "subject"]
    subjects = [place for place in places if place[0] == "subject"]
    whole, each = say("accuracy.whole"), say("accuracy.subjects")
    return AccuracyTables(
        about=say("accuracy.about", level=formats.level(board.method.level)),
        tables=(
            _table(board, suite, wide, names, id="accuracy-all", title=whole),
            _table(board, suite, subjects, names, id="accuracy-subjects", title=each),
        ),
    )


def _table(
    board: Board, suite: Suite, places: Sequence[_Place], names: Names, *, id: str, title: str
) -> AccuracyTable:
    found = {(a.agent, a.part, a.name): a for a in board.accuracy}
    agents = [s.agent for s in board.agents]
    return AccuracyTable(
        id=id,
        title=title,
        heads=tuple(names.label(agent) for agent in agents),
        rows=tuple(
            AccuracyRow(
                label=_label(part, name, suite, names),
                cells=tuple(_cell(found.get((agent, part, name)), names) for agent in agents),
            )
            for part, name in places
        ),
    )


def _label(part: str, name: str, suite: Suite, names: Names) -> str:
    say = names.say
    if part == "subject":
        known = {d.domain: d.name for d in suite.domains}.get(name)
        return plain(say.of(known)) if known else plain(name)
    if part == "category":
        shown = say.of(suite.choice.category_name(name)) if suite.choice else name
        return say("accuracy.category", name=plain(shown))
    return say(f"accuracy.{part}")


def _cell(one: Accuracy | None, names: Names) -> AccuracyCell:
    if one is None or one.over_all is None:
        return _ABSENT
    say = names.say
    notes = [say("accuracy.right", right=one.right, n=one.replies)]
    if one.unparsed:
        notes.append(say("accuracy.unparsed", n=one.unparsed))
        notes.append(say("accuracy.over_parsed", share=_share(one.over_parsed)))
    if one.replies < one.planned:
        notes.append(say("accuracy.waiting", n=one.planned - one.replies))
    return AccuracyCell(text=_share(one.over_all), notes=tuple(notes))


def _share(found: Proportion | None) -> str:
    if found is None:
        return formats.DASH
    within = formats.between(formats.percent(found.low), formats.percent(found.high))
    return f"{formats.percent(found.share)} ({within})"
