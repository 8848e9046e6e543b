"""How the files of a suite were saved: what is read all the same, and what was lost."""

from collections.abc import Iterator
from pathlib import Path

from arena.errors import ConfigError

PATTERNS = ("*.yaml", "*.jsonl", "*.md", "templates/*")
BOM = b"\xef\xbb\xbf"
LOST = "\ufffd".encode()
"""What an editor writes in the place of a character that it could not read."""


def saving_notes(folder: Path) -> Iterator[ConfigError]:
    """What is odd about the bytes of a suite's files, each with file:line; nothing is refused."""
    files = {path for pattern in PATTERNS for path in folder.glob(pattern) if path.is_file()}
    for path in sorted(files):
        try:
            raw = path.read_bytes()
        except OSError:
            # Whoever reads the file says so.
            continue
        yield from _notes(path, raw)


def _notes(path: Path, raw: bytes) -> Iterator[ConfigError]:
    if raw.startswith(BOM):
        yield ConfigError(
            "{path}:{line}: begins with a byte-order mark; it is read all the same",
            fix="Nothing needs doing; saving as “UTF-8” without BOM takes it away.",
            path=path,
            line=1,
        )
    if b"\r" in raw:
        yield ConfigError(
            "{path}:{line}: lines end as Windows writes them (CRLF); they are read all the same",
            fix="Nothing needs doing; an editor's setting “LF” takes it away.",
            path=path,
            line=_line(raw, b"\r"),
        )
    if LOST in raw:
        yield ConfigError(
            "{path}:{line}: holds � where a character was lost in an earlier saving",
            fix="Write the character again and save as UTF-8.",
            path=path,
            line=_line(raw, LOST),
        )


def _line(raw: bytes, part: bytes) -> int:
    return raw[: raw.index(part)].count(b"\n") + 1
