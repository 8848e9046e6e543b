"""How all figures look."""

from typing import Any

INK, LINE, PALE, GRID = "#1b2a41", "#4a6fa5", "#8a94a6", "#dde2ea"
WIDTH = 8.0
"""Inches."""
DIVERGING = ("#b35806", "#f1a340", "#fee0b6", "#f7f7f7", "#d1e5f0", "#67a9cf", "#2166ac")
"""Orange for losing, blue for winning: told apart without red and green."""
RISING = ("#f7f7f7", "#d1e5f0", "#92c5de", "#4393c3", "#2166ac", "#053061")


def new_figure(width: float, height: float) -> tuple[Any, Any]:
    """A drawing of so many inches, and its axes; made without any global state."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def finish(axes: Any, title: str, about: str) -> None:
    """Title, what it is of, and no frame. Nothing in a text is taken for mathematics."""
    axes.set_title(f"{title}\n{about}", loc="left", fontsize=10, color=INK, parse_math=False)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelsize=9)


def shades(colours: tuple[str, ...]) -> Any:
    """A scale of colours."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("arena", list(colours))


def ink_on(shade: tuple[float, ...]) -> str:
    """A colour for text that can be read on a shade."""
    red, green, blue = shade[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else INK
