"""What the plan of its comparisons means for a board: how it was made, and what it may not say."""

from dataclasses import replace
from typing import Any

from arena.domain.board import Board, BoardDesign, Calibration, Slice
from arena.domain.design import ADAPTIVE, ComparisonPlan
from arena.domain.method import Method
from arena.domain.standing import Points, Standing, State, Why, order_standings
from arena.maths.designs.stopping import level_of_look

_NO_AGENT: dict[str, Any] = dict.fromkeys(
    (
        *("low", "high", "open", "se", "se_clustered", "rank_low", "rank_high"),
        *("resample_rank_low", "resample_rank_high", "p_best", "worst", "best"),
    )
)
_NO_PAIR: dict[str, Any] = dict.fromkeys(
    ("p_a_above_b", "se", "low", "high", "p", "p_holm", "decision")
)
_NO_SLICE: dict[str, Any] = dict.fromkeys(("low", "high", "rank_low", "rank_high"))
_NO_EFFECT: dict[str, Any] = dict.fromkeys(("se", "low", "high", "p"))


def level_by(plan: ComparisonPlan, method: Method) -> Method:
    """The method with the level that each look of the plan has: 1 − α/L."""
    level = round(level_of_look(plan.terms.looks, level=method.level), 12)
    return replace(method, level=level)


def mark(board: Board, plan: ComparisonPlan) -> Board:
    """The board with the design of its comparisons; without intervals where verdicts chose them."""
    terms, stop = plan.terms, plan.stop
    design = BoardDesign(
        design=terms.design,
        history=plan.history,
        comparisons=None if plan.cells is None else len(plan.cells),
        baseline=terms.baseline,
        seed=terms.seed,
        stop_width=terms.stop_width,
        looks=terms.looks,
        stopped=None if stop is None else stop.number,
        plan=plan.key,
    )
    marked = replace(board, design=design, notes=(*board.notes, *_notes(board, plan)))
    return _without_intervals(marked) if _chosen_by_verdicts(board, plan) else marked


def _notes(board: Board, plan: ComparisonPlan) -> tuple[Why, ...]:
    facts = {
        "width": plan.terms.stop_width,
        "looks": plan.terms.looks,
        "level": board.method.level,
    }
    if plan.stop is not None:
        return (Why(key="stopped", facts={"look": plan.stop.number, **facts}),)
    if _chosen_by_verdicts(board, plan):
        return (Why(key="adaptive"),)
    return (Why(key="looks", facts=facts),) if plan.terms.stop_width is not None else ()


def _chosen_by_verdicts(board: Board, plan: ComparisonPlan) -> bool:
    """Whether verdicts chose what was compared; where everything was, nothing was chosen."""
    rows = board.diagnostics.rows
    whole = plan.cells is None and "not_asked" not in rows.excluded
    return ADAPTIVE in plan.history and not whole


def _without_intervals(board: Board) -> Board:
    return replace(
        board,
        agents=order_standings(_bare(s) for s in board.agents),
        pairs=tuple(replace(pair, **_NO_PAIR) for pair in board.pairs),
        slices=tuple(_bare_slice(part) for part in board.slices),
        effects=tuple(replace(effect, **_NO_EFFECT) for effect in board.effects),
        calibration=_bare_calibration(board.calibration),
    )


def _bare(standing: Standing) -> Standing:
    bare = replace(
        standing,
        controlled=_bare_points(standing.controlled),
        calibrated=_bare_points(standing.calibrated),
        **_NO_AGENT,
    )
    if standing.state is not State.RANKED:
        return bare
    return replace(bare, state=State.PROVISIONAL, why=Why(key="adaptive"))


def _bare_points(points: Points | None) -> Points | None:
    return points and replace(points, low=None, high=None, se=None)


def _bare_calibration(found: Calibration | None) -> Calibration | None:
    return found and replace(found, why=found.why or "adaptive")


def _bare_slice(part: Slice) -> Slice:
    return replace(
        part,
        agents=tuple(
            replace(
                s,
                state=State.PROVISIONAL if s.state is State.RANKED else s.state,
                **_NO_SLICE,
            )
            for s in part.agents
        ),
    )
