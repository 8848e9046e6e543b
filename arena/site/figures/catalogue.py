"""The figures there are, by name, and how one is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.domain.words import Lang
from arena.errors import UsageError
from arena.site.figures.canvas import check_file, lettered, print_figure, write_file
from arena.site.figures.lettering import Lettering
from arena.site.figures.ratings import draw_ratings
from arena.site.figures.scatters import draw_absolute, draw_cost
from arena.site.figures.source import Source
from arena.site.figures.tables import draw_domains, draw_matrix

FIGURES: Mapping[str, Callable[[Source, Lettering], Any]] = {
    "ratings": draw_ratings,
    "matrix": draw_matrix,
    "domains": draw_domains,
    "cost": draw_cost,
    "absolute": draw_absolute,
}
"""Each draws, or gives None where there is too little to draw."""


@dataclass(frozen=True, slots=True)
class Made:
    """A figure as bytes.

    `renamed`: agents that stand under their ids because no font here shows their names;
    `english_instead`: Chinese was asked for, and no font here has it.
    """

    content: bytes
    renamed: tuple[str, ...]
    english_instead: bool


def make_figure(
    name: str, source: Source, lang: Lang, kind: str, font: str | None = None
) -> Made | None:
    """A figure; `kind` is the end of a file's name. None where there is too little to draw.

    Raises UsageError for a font that is not there, ArenaError where a character has no glyph.
    """
    letters = Lettering(source, lang, font)
    with lettered(letters.face):
        drawn = FIGURES[name](source, letters)
    if drawn is None:
        return None
    content = print_figure(drawn, kind, letters.face)
    return Made(content, tuple(letters.renamed), letters.english_instead)


def write_figure(
    name: str, source: Source, lang: Lang, path: Path, font: str | None = None
) -> Made:
    """Make a figure and write exactly this file.

    Raises UsageError as `check_file` and `make_figure`, or where there is too little to draw, and
    ArenaError where the file cannot be written.
    """
    check_file(path)
    made = make_figure(name, source, lang, path.suffix.lower(), font)
    if made is None:
        raise UsageError(
            "{path}: there is too little on this board for the figure {name}",
            why="It needs rated agents; cost and absolute need three, with what they are set "
            "against.",
            path=path,
            name=name,
        )
    write_file(made.content, path)
    return made


def figures_of(source: Source, lang: Lang) -> dict[str, Made]:
    """Every figure that can be drawn, as SVG and PNG, by file name."""
    found = {
        f"{n}{kind}": make_figure(n, source, lang, kind)
        for n in FIGURES
        for kind in (".svg", ".png")
    }
    return {file: made for file, made in found.items() if made is not None}
