"""Printing, and nothing else: results on stdout, everything else on stderr.

Text that comes from models or files is shown literally, with control characters as code points.
"""

import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.words import BREAKS


def open_streams() -> None:
    """Make both streams survive any text, whatever the console's encoding."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="replace")


def console() -> Console:
    """The console for results; plain when stdout is no terminal."""
    wide = None if sys.stdout.isatty() else 160
    return Console(highlight=False, soft_wrap=True, width=wide)


def stderr() -> Console:
    """The console for progress, forecasts and warnings."""
    wide = None if sys.stderr.isatty() else 160
    return Console(stderr=True, highlight=False, soft_wrap=True, width=wide)


def plain(text: str) -> str:
    """Text as a terminal may show it: control and format characters as code points."""
    return "".join(
        f"⟨U+{ord(c):04X}⟩" if c != "\n" and unicodedata.category(c) in HIDDEN else c for c in text
    )


def in_one_line(text: str) -> str:
    """As `plain`, for a cell or a name that must not break its line."""
    return plain("".join(BREAKS.get(c, c) for c in text))


HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co"})


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on stdout."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    if not text.isascii():
        # Escaped they mean the same to a parser and nothing to a terminal.
        text = "".join(
            json.dumps(c)[1:-1] if unicodedata.category(c) in HIDDEN and c != "\n" else c
            for c in text
        )
    sys.stdout.write(text + "\n")


def print_text(text: str) -> None:
    """Text that is a document of its own on stdout; plain where that is a terminal."""
    sys.stdout.write(plain(text) if sys.stdout.isatty() else text)


def print_shown(text: str, *, style: str = "") -> None:
    """Text on stdout as a person reads it: literal, wherever it goes."""
    console().print(Text(plain(text), style=style))


def clear() -> None:
    """Begin a page anew, where stdout is a terminal."""
    if sys.stdout.isatty():
        console().clear()


def tell(message: str, *, style: str = "") -> None:
    """A line on stderr."""
    stderr().print(Text(plain(message), style=style))


@contextmanager
def busy(message: str) -> Iterator[None]:
    """A spinner on stderr while the block runs, where stderr is a terminal; else nothing."""
    if not sys.stderr.isatty():
        yield
        return
    with stderr().status(Text(plain(message))):
        yield


def print_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int]
) -> None:
    """A table on stdout; columns in `right` are numbers."""
    console().print(make_table(title, heads, rows, right=right))


def make_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: frozenset[int]
) -> Table:
    """A table that lines up with Chinese text, too."""
    table = Table(
        title=Text(plain(title), style="bold") if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for number, head in enumerate(heads):
        table.add_column(
            Text(head), justify="right" if number in right else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*[Text(in_one_line(cell)) for cell in row])
    return table
