"""Tables as pictures: who won against whom, and the absolute score by domain."""

from collections.abc import Sequence
from typing import Any

from arena.site.figures.lettering import Lettering
from arena.site.figures.source import Source
from arena.site.figures.style import (
    DIVERGING,
    INK,
    PALE,
    RISING,
    finish,
    ink_on,
    new_figure,
    shades,
)

FEW = 20
"""Comparisons below which a share says little; as on the page."""
_Cell = tuple[float, str] | None
"""A value from 0 to 1 and the text of it; None: there is none."""


def draw_matrix(source: Source, letters: Lettering) -> Any:
    """The share that the agent of a row won against that of a column; None below two agents."""
    agents = [s.agent for s in source.board.agents]
    pairs = {(p.a, p.b): p for p in source.board.pairs}
    if len(agents) < 2 or not any(p.share is not None for p in pairs.values()):
        return None

    def cell(row: str, column: str) -> _Cell:
        pair = pairs.get((row, column)) or pairs.get((column, row))
        if pair is None or pair.share is None:
            return None
        share = pair.share if pair.a == row else 1 - pair.share
        few = "*" if pair.n < FEW else ""
        return share, f"{share:.0%}{few}\nn={pair.n}"

    names = [letters.agent(a) for a in agents]
    cells = [[None if r == c else cell(r, c) for c in agents] for r in agents]
    figure, axes = _grid(names, names, cells, DIVERGING)
    about = letters.say("figure.matrix.about", few=FEW)
    finish(axes, f"{letters.title} · {letters.say('figure.matrix')}", about)
    return figure


def draw_domains(source: Source, letters: Lettering) -> Any:
    """The absolute score of each agent in each domain, 0–100; None where there are none."""
    agents = [s for s in source.board.agents if s.domains]
    domains = list(dict.fromkeys(d for s in agents for d in s.domains))
    domains.sort(key=[*source.domains, *domains].index)
    if not domains:
        return None
    cells: list[list[_Cell]] = [
        [
            None if (score := s.domains.get(d)) is None else (score.mean / 100, f"{score.mean:.0f}")
            for s in agents
        ]
        for d in domains
    ]
    rows = [letters.domain(d) for d in domains]
    figure, axes = _grid(rows, [letters.agent(s.agent) for s in agents], cells, RISING)
    about = letters.say("figure.domains.about")
    finish(axes, f"{letters.title} · {letters.say('figure.domains')}", about)
    return figure


def _grid(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Sequence[Sequence[_Cell]],
    colours: tuple[str, ...],
) -> tuple[Any, Any]:
    """A table of coloured cells on the fixed scale 0 to 1, the text of each in it."""
    from matplotlib.patches import Rectangle

    scale = shades(colours)
    figure, axes = new_figure(2.6 + 0.85 * len(columns), 2.0 + 0.5 * len(rows))
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            shade = scale(cell[0]) if cell else (1.0, 1.0, 1.0, 1.0)
            axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fc=shade, ec="white", lw=1.5))
            text, ink = (cell[1], ink_on(shade)) if cell else ("—", PALE)
            axes.text(x, y, text, ha="center", va="center", fontsize=8, color=ink, parse_math=False)
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(range(len(columns)), columns, rotation=35, ha="right", parse_math=False)
    axes.set_yticks(range(len(rows)), rows, parse_math=False)
    axes.tick_params(colors=INK)
    return figure, axes
