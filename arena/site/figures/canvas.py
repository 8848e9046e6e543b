"""From a drawing to a file: SVG, PNG or PDF, the same bytes for the same input."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, UsageError
from arena.site.figures.fonts import Typeface

KINDS = (".svg", ".png", ".pdf")
DOTS = 160
"""Dots an inch of a PNG."""
_METADATA: dict[str, dict[str, None]] = {
    ".svg": {"Date": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}


def check_file(path: Path) -> None:
    """Raise UsageError for a file of another kind than these, or a folder."""
    if path.suffix.lower() not in KINDS or path.is_dir():
        raise UsageError(
            "{path}: a figure is a file that ends in {kinds}", path=path, kinds=", ".join(KINDS)
        )


@contextmanager
def lettered(face: Typeface) -> Iterator[None]:
    """Within the block a typeface is drawn with, and a character that it lacks is an error."""
    from matplotlib import rc_context

    settled: Any = {
        "font.family": list(face.families),
        "svg.fonttype": "none",
        "svg.hashsalt": "arena",
        "pdf.fonttype": 42,
        "axes.unicode_minus": face.covers("\u2212"),
    }
    with rc_context(settled), warnings.catch_warnings():
        warnings.filterwarnings("error", message="Glyph .* missing")
        try:
            yield
        except UserWarning as missing:
            raise ArenaError(
                "a character of a figure is in no font here: {reason}",
                fix="Name a font with --font, or install the extra `zh-fonts`.",
                reason=str(missing)[:200],
            ) from None


def print_figure(figure: Any, kind: str, face: Typeface) -> bytes:
    """The bytes of a drawing; `kind` is the end of a file's name."""
    into = io.BytesIO()
    with lettered(face):
        figure.savefig(into, format=kind[1:], dpi=DOTS, metadata=_METADATA[kind])
    return into.getvalue()


def write_file(content: bytes, path: Path) -> None:
    """Write exactly this file; raises ArenaError where it cannot be written."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ArenaError(
            "{path}: cannot be written: {reason}", path=path, reason=error.strerror or str(error)
        ) from None
