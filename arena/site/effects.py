"""What position, length, style and vendor do to a verdict, as far as a board was freed of them."""

import math

from arena.domain.board import Board, Effect
from arena.site import formats
from arena.site.board_terms import say_control
from arena.site.names import Names
from arena.site.part_views import EffectRow


def build_effects(board: Board | None, names: Names) -> tuple[EffectRow, ...]:
    """A row an effect; none where the board has no controls."""
    return tuple(_row(e, names) for e in board.effects) if board else ()


def _row(effect: Effect, names: Names) -> EffectRow:
    say = names.say
    unit = f"unit.{effect.control}"
    interval = formats.DASH
    if effect.low is not None and effect.high is not None:
        ends = (_signed(effect.low), _signed(effect.high))
        interval = f"{ends[0]} … {ends[1]}"
    return EffectRow(
        control=say_control(effect.control, say),
        unit=say(unit if unit in say.table else "unit.other"),
        judge=names.judge(effect.judge) if effect.judge is not None else "",
        effect=_signed(effect.effect),
        interval=interval,
        # What the favoured side earns of an equal: the logistic function of the effect.
        equal=formats.percent(1 / (1 + math.exp(-max(-700.0, min(700.0, effect.effect))))),
        p=formats.small(effect.p).removeprefix(f"={formats.SPACE}"),
        rows=formats.count(effect.rows, say),
    )


def _signed(value: float) -> str:
    return formats.signed(f"{value:+.2f}")
