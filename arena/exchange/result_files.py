"""Files of results: read whole, unpacked where they are packed, with a digest of what was read."""

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.domain.digest import digest
from arena.errors import ConfigError

MOST_BYTES = 512 * 1024 * 1024
"""The largest text that is read, unpacked: a small file can unfold to any size."""


@dataclass(frozen=True, slots=True)
class ResultFile:
    """A file that was read: its name for people, its bytes' digest, its text."""

    name: str
    sha256: str
    text: str


def read_file(path: Path, name: str) -> ResultFile:
    """A file's text; one whose name ends in .gz is unpacked.

    Raises ConfigError for one that cannot be read, is no UTF-8 or too large.
    """
    try:
        raw = _unpacked(path) if path.suffix.casefold() == ".gz" else _plain(path)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError("{path}: cannot be read: {reason}", path=path, reason=reason) from None
    if len(raw) > MOST_BYTES:
        raise ConfigError(
            "{path}: more than {most} MB of text", path=path, most=MOST_BYTES // 1024**2
        )
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(
            "{path}:{line}: not UTF-8 text (byte {byte})",
            fix="Save the file as UTF-8; editors and Excel offer it under “Save as”.",
            path=path,
            line=line,
            byte=error.start,
        ) from None
    return ResultFile(name, hashlib.sha256(raw).hexdigest(), text)


def read_object(file: ResultFile, path: Path) -> dict[str, Any]:
    """The JSON object that a file is. Raises ConfigError, with the line, for anything else."""
    value = parse_document(file.text, path, _single_keys)
    return value if isinstance(value, dict) else {}


def parse_document(text: str, path: Path, pairs: Callable[[list[Any]], Any] | None = None) -> Any:
    """A JSON document; `pairs` makes its objects. Raises ConfigError with the line at fault."""
    try:
        return json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "{path}:{line}: not valid JSON: {reason}",
            path=path,
            line=getattr(error, "lineno", 1),
            reason=getattr(error, "msg", "") or str(error) or "nested too deeply",
        ) from None


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; raises ValueError where a key stands twice, since either value may be meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice")
    return found


def read_array(file: ResultFile, path: Path) -> list[Any]:
    """The JSON list that a file is. Raises ConfigError, with the line, for anything else."""
    value = parse_document(file.text, path, _single_keys)
    if not isinstance(value, list):
        raise ConfigError("{path}: no JSON list", path=path)
    return value


def content_of(files: Sequence[ResultFile]) -> str:
    """Digest of some files by name, whatever their order."""
    return digest(sorted([file.name, file.sha256] for file in files))


def _plain(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(MOST_BYTES + 1)


def _unpacked(path: Path) -> bytes:
    with gzip.open(path, "rb") as stream:
        return stream.read(MOST_BYTES + 1)
