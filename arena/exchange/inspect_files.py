"""Logs of Inspect as files: one JSON document, or an .eval archive of a document a sample.

An archive is read member by member and never unpacked onto the disk. What it claims to hold is
limited before it is read, and what it does hold while it is read.
"""

import hashlib
import importlib
import json
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from arena.errors import ConfigError
from arena.exchange.lines import LONGEST
from arena.exchange.result_files import MOST_BYTES, ResultFile, read_file, read_object

ENDINGS = (".json", ".eval")
HEADER = "header.json"
SAMPLES = "samples/"
ZSTANDARD = 93
"""The number of that packing in archives; Python reads it from 3.14 on."""
MEMBERS = 100_000
MOST_DOCUMENT = 100 * 1024**2
"""Bytes of a log that is one JSON document."""
Log = tuple[Mapping[str, Any], Iterator[tuple[str, Any]]]


def find_results(path: Path) -> tuple[Path, ...]:
    """The logs that a path names: itself, or all below a folder."""
    if path.is_file():
        return (path,)
    return tuple(sorted(p for p in path.rglob("*") if p.suffix in ENDINGS and p.is_file()))


def is_log(document: Mapping[str, Any]) -> bool:
    """Whether a document is a log: it says what was evaluated."""
    return isinstance(document.get("eval"), dict)


@contextmanager
def open_log(path: Path, name: str, files: list[ResultFile]) -> Iterator[Log]:
    """A log's head and its samples with their places, one at a time; adds its digest to `files`.

    Raises ConfigError for a file that is no log, cannot be read, or claims more than it may.
    """
    if path.suffix == ".eval":
        with _archive(path) as archive:
            files.append(ResultFile(name, _digest(path), ""))
            yield _head(archive, path), _members(archive, path, name)
        return
    _check_size(path)
    file = read_file(path, name)
    document = read_object(file, path)
    files.append(ResultFile(name, file.sha256, ""))
    samples = document.get("samples")
    listed = samples if isinstance(samples, list) else []
    yield document, ((f"{name}:{n}", one) for n, one in enumerate(listed, start=1))


def _check_size(path: Path) -> None:
    """Refuse a document that would have to be held whole and is too large for it."""
    if path.is_file() and path.stat().st_size > MOST_DOCUMENT:
        raise ConfigError(
            "{path}: more than {most} MB in one JSON document",
            why="Archives are read a sample at a time; a document is held whole.",
            fix="inspect log convert --to eval",
            path=path,
            most=MOST_DOCUMENT // 1024**2,
        )


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextmanager
def _archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise ConfigError("{path}: cannot be read: {reason}", path=path, reason=error) from None
    with archive:
        members = archive.infolist()
        whole = sum(member.file_size for member in members)
        largest = max((member.file_size for member in members), default=0)
        if len(members) > MEMBERS or whole > MOST_BYTES or largest > LONGEST:
            raise ConfigError(
                "{path}: more than {most} MB of text", path=path, most=MOST_BYTES // 1024**2
            )
        for member in members:
            inside = PurePosixPath(member.filename.replace("\\", "/"))
            if inside.is_absolute() or ".." in inside.parts:
                raise ConfigError(
                    "{path}: it names a file outside itself: {name}",
                    path=path,
                    name=member.filename[:80],
                )
        yield archive


def _head(archive: zipfile.ZipFile, path: Path) -> Mapping[str, Any]:
    if HEADER not in archive.namelist():
        raise ConfigError(
            "{path}: no finished log of Inspect: {name} is missing", path=path, name=HEADER
        )
    value = _value(archive, archive.getinfo(HEADER), path)
    return value if isinstance(value, dict) else {}


def _members(archive: zipfile.ZipFile, path: Path, name: str) -> Iterator[tuple[str, Any]]:
    for member in archive.infolist():
        if member.filename.startswith(SAMPLES) and member.filename.endswith(".json"):
            yield f"{name}: {member.filename}", _value(archive, member, path)


def _value(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> Any:
    try:
        raw = _bytes(archive, member, path)
        return json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError, OSError, zipfile.BadZipFile, EOFError) as error:
        raise ConfigError(
            "{path}: {name}: not valid JSON: {reason}",
            path=path,
            name=member.filename[:80],
            reason=str(error)[:200] or "nested too deeply",
        ) from None


def _bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> bytes:
    if member.compress_type != ZSTANDARD:
        with archive.open(member) as stream:
            return stream.read(LONGEST + 1)
    packed = _packed(archive, member)
    return _unpack(path)(packed, min(member.file_size, LONGEST))


def _packed(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The packed bytes of a member: they follow its own head, whose length is in it."""
    stream = archive.fp
    if stream is None:
        raise zipfile.BadZipFile("closed")
    stream.seek(member.header_offset)
    head = stream.read(30)
    if len(head) < 30 or head[:4] != b"PK\x03\x04":
        raise zipfile.BadZipFile("no head")
    name, extra = struct.unpack("<HH", head[26:30])
    stream.seek(name + extra, 1)
    return stream.read(member.compress_size)


def _unpack(path: Path) -> Callable[[bytes, int], bytes]:
    """What unpacks Zstandard, to at most so many bytes; raises ConfigError where nothing does."""
    for module in ("compression.zstd", "backports.zstd", "zstandard"):
        try:
            found: Any = importlib.import_module(module)
        except ImportError:
            continue
        if module == "zstandard":
            return lambda raw, most: _limited(found.ZstdDecompressor().decompressobj(), raw, most)
        return lambda raw, most: bytes(found.ZstdDecompressor().decompress(raw, most))
    raise ConfigError(
        "{path}: packed with Zstandard, which this Python cannot unpack",
        fix="pip install zstandard, or: inspect log convert --to json",
        path=path,
    )


def _limited(unpacking: Any, raw: bytes, most: int) -> bytes:
    """Unpack piece by piece, so that no more is made than was claimed."""
    found = bytearray()
    step = 1 << 14
    for start in range(0, len(raw), step):
        found += unpacking.decompress(raw[start : start + step])
        if len(found) > most:
            raise zipfile.BadZipFile("larger than it claims")
    return bytes(found)
