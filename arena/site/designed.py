"""By which design the comparisons were chosen, in words."""

from collections.abc import Iterable

from arena.domain.board import Board, BoardDesign
from arena.site import formats
from arena.site.facts import Edition
from arena.site.text import plain
from arena.site.views import Term
from arena.site.words import Say


def say_design(edition: Edition, say: Say) -> str:
    """How the comparisons of a board were chosen; empty where nothing is known or asked of it."""
    board = edition.board
    if board is None or board.design is None or edition.job.suite.choice is not None:
        return ""
    design = board.design
    said = say(
        f"method.design.{design.design}",
        n=formats.DASH if design.comparisons is None else formats.count(design.comparisons, say),
        baseline=_baseline(edition, design, say),
    )
    earlier = [name for name in design.history if name != design.design]
    if earlier:
        said += say("method.design.earlier", designs=_names(earlier, say))
    return said + _say_rule(board, design, say)


def build_design_term(board: Board, say: Say) -> Iterable[Term]:
    """The designs and their seed, as a word and its value."""
    design = board.design
    if design is None:
        return
    value = _names(design.history, say)
    if design.design != "all":
        value = say("term.design.value", designs=value, seed=design.seed)
    yield Term(label=say("term.design"), value=value, code=formats.short_digest(design.plan))


def _say_rule(board: Board, design: BoardDesign, say: Say) -> str:
    if design.stop_width is None:
        return ""
    return say(
        "method.design.looks" if design.stopped is None else "method.design.stopped",
        width=formats.number(design.stop_width),
        look=design.stopped,
        looks=design.looks,
        level=formats.level(board.method.level),
    )


def _baseline(edition: Edition, design: BoardDesign, say: Say) -> str:
    names = {a.agent: say.of(a.display) for a in edition.job.agents}
    return plain(names.get(design.baseline or "", design.baseline or formats.DASH))


def _names(designs: Iterable[str], say: Say) -> str:
    return say.join([plain(say.known(f"design.name.{name}", name)) for name in designs])
