"""A board's ratings with their intervals as one drawing in a file: SVG or PNG.

The page draws its own small inline SVG; this is for papers and slides.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.domain.board import Board
from arena.domain.standing import Standing
from arena.errors import ArenaError, UsageError

KINDS = (".svg", ".png")
WIDTH, ROW, AROUND = 7.0, 0.34, 1.1
"""Inches: the width, the height of a row, and of what stands above and below the rows."""
LONGEST = 36
"""Characters of a name that are shown."""
FONTS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Microsoft YaHei", "PingFang SC", "SimHei", "Droid Sans Fallback",
)  # fmt: skip
"""Fonts that hold Chinese, best first; DejaVu Sans comes with matplotlib and does not."""
USUAL_FONT = "DejaVu Sans"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was written; `renamed` are the agents whose own name no font here can show."""

    path: Path
    renamed: tuple[str, ...]


def check_file(path: Path) -> None:
    """Raise UsageError for a file of another kind than SVG or PNG, or a folder."""
    if path.suffix.lower() not in KINDS or path.is_dir():
        raise UsageError(
            "{path}: a figure is a file that ends in {kinds}",
            path=path,
            kinds=", ".join(KINDS),
        )


def write_whiskers(board: Board, names: Mapping[str, str], title: str, path: Path) -> Drawn:
    """Draw the rated agents of a board into exactly this file; `names` to show by agent.

    Who has no rating is not drawn. An agent whose name no font here can show stands under its id.
    Raises UsageError as `check_file`, or where nobody is rated, and ArenaError where the file
    cannot be written.
    """
    check_file(path)
    rated = [s for s in board.agents if s.rating is not None]
    if not rated:
        raise UsageError("{path}: nobody on this board has a rating", path=path)
    shown = [_clip(names.get(s.agent, s.agent)) for s in rated]
    fonts, covered = _choose_font([title, *shown])
    labels = [
        name if covered(name) else _readable(_clip(s.agent), covered)
        for s, name in zip(rated, shown, strict=True)
    ]
    figure = _draw(rated, labels, _readable(_clip(title, 2 * LONGEST), covered), fonts)
    _save(figure, path, fonts)
    renamed = [
        s.agent for s, name, label in zip(rated, shown, labels, strict=True) if name != label
    ]
    return Drawn(path, tuple(renamed))


def _clip(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _readable(text: str, covered: Callable[[str], bool]) -> str:
    """The text, or its code points where no font here has all of it."""
    return text if covered(text) else _clip(ascii(text)[1:-1], 2 * LONGEST)


def _draw(rated: Sequence[Standing], labels: Sequence[str], title: str, fonts: list[str]) -> Any:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.family": fonts}):
        figure = Figure(figsize=(WIDTH, AROUND + ROW * len(rated)), layout="constrained")
        axes = figure.add_subplot()
        for row, standing in enumerate(rated):
            if standing.low is not None and standing.high is not None:
                axes.plot([standing.low, standing.high], [row, row], color="#4a6fa5", linewidth=2)
            if standing.rating is not None:
                axes.plot([standing.rating], [row], "o", color="#1b2a41", markersize=5)
        axes.set_yticks(range(len(rated)), labels, parse_math=False)
        axes.set_ylim(len(rated) - 0.5, -0.5)
        axes.grid(axis="x", color="#dddddd")
        axes.set_axisbelow(True)
        axes.set_title(title, loc="left", fontsize=10, parse_math=False)
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
    return figure


def _save(figure: Any, path: Path, fonts: list[str]) -> None:
    from matplotlib import rc_context

    settled: Any = {"svg.fonttype": "none", "svg.hashsalt": "arena", "font.family": fonts}
    # The same board makes the same bytes.
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    try:
        with rc_context(settled):
            figure.savefig(path, dpi=160, metadata=metadata)
    except OSError as error:
        raise ArenaError(
            "{path}: cannot be written: {reason}", path=path, reason=error.strerror or str(error)
        ) from None


def _choose_font(texts: Iterable[str]) -> tuple[list[str], Callable[[str], bool]]:
    """The fonts to use, and whether they show all of a text."""
    from matplotlib import font_manager

    held = _characters(font_manager.findfont(USUAL_FONT))
    fonts = [USUAL_FONT]
    wanted = {ord(c) for text in texts for c in text}
    installed = {font.name: font.fname for font in font_manager.fontManager.ttflist}
    for name in FONTS:
        if wanted <= held:
            break
        if name in installed:
            held |= _characters(installed[name])
            fonts.append(name)
    return fonts, lambda text: all(ord(c) in held for c in text)


def _characters(file: str) -> set[int]:
    from matplotlib.font_manager import get_font

    return set(get_font(file).get_charmap())
