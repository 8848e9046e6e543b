"""A table of absolute scores: agents against parts of what was scored, each with its interval."""

from collections.abc import Callable, Mapping, Sequence

from arena.domain.board import Board
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL
from arena.domain.standing import AbsoluteScore, Standing
from arena.site import formats
from arena.site.names import Names
from arena.site.views import Cell, Grid, GridHead, GridRow

HUNDRED = ("0", "100")
"""The ends of the scale of absolute scores."""


def step(part: float) -> str:
    """The colour of a score that lies so far up its scale, 0 to 1."""
    return f"q{min(9, max(0, int(part * 10)))}"


def build_scores(
    board: Board,
    names: Names,
    *,
    id: str,
    title: str,
    about: str,
    heads: Sequence[tuple[str, GridHead]],
    read: Callable[[Standing], Mapping[str, AbsoluteScore]],
    tone: Callable[[str, float], str],
    ends: tuple[str, str],
) -> Grid | None:
    """A row for each agent with any score; None where nobody has one.

    The number of scenarios stands in every cell, or once where it is the same in all of them.
    """
    say = names.say
    read_by = {s.agent: read(s) for s in board.agents}
    rows = {agent: scores for agent, scores in read_by.items() if scores}
    if not rows or not heads:
        return None
    counts = {
        (score.scenarios, score.planned)
        for scores in rows.values()
        for key, _ in heads
        if (score := scores.get(key)) is not None
    }
    same = len(counts) == 1
    few = say("key.few_scenarios", n=MIN_SCENARIOS_FOR_INTERVAL)
    if same:
        few = say("list.semicolon").join((say("key.all", n=_count(*counts.pop(), names)), few))
    return Grid(
        id=id,
        title=title,
        about=about,
        corner=say("agent"),
        heads=tuple(head for _, head in heads),
        rows=tuple(
            GridRow(
                label=names.label(agent),
                cells=tuple(
                    _score(key, scores.get(key), tone, names, counted=not same) for key, _ in heads
                ),
            )
            for agent, scores in rows.items()
        ),
        key="" if id == "style" else "rising",
        few=few,
        ends=ends,
    )


def _count(scenarios: int, planned: int, names: Names) -> str:
    if scenarios == planned:
        return names.say("n", n=scenarios)
    return names.say("n.part", n=scenarios, of=planned)


def _score(
    key: str,
    score: AbsoluteScore | None,
    tone: Callable[[str, float], str],
    names: Names,
    *,
    counted: bool,
) -> Cell:
    if score is None:
        return Cell(text=formats.DASH, tone="none")
    notes = []
    if score.low is not None and score.high is not None:
        notes.append(formats.give(score.mean, score.low, score.high))
    if counted:
        notes.append(_count(score.scenarios, score.planned, names))
    return Cell(
        text=formats.tenth(score.mean),
        note=names.say("list.dot").join(notes),
        tone=tone(key, score.mean),
        few=score.scenarios < MIN_SCENARIOS_FOR_INTERVAL,
    )
