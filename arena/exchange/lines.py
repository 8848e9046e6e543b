"""Files of JSON lines with texts, of any size: read once to be checked, and again a line at a time.

UTF-8, with or without a byte-order mark, with any line ending. A line that is no JSON object is
counted as wrong with its place; the others are kept as places in the file, not as texts.
"""

import hashlib
import json
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from arena.domain.imported import LeftOut
from arena.errors import ConfigError
from arena.exchange.result_files import ResultFile

MARK = b"\xef\xbb\xbf"
LONGEST = 64 * 1024 * 1024
"""Bytes of one line: what is longer is no line of results."""
Row = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Line:
    """Where a line stands: its file and that file's name for people, number, first byte, bytes."""

    path: Path
    name: str
    number: int
    at: int
    size: int

    @property
    def place(self) -> str:
        """As people are told: `model_answer/x.jsonl:12`."""
        return f"{self.name}:{self.number}"


def read_lines(
    path: Path, name: str, bad: LeftOut, files: list[ResultFile]
) -> Iterator[tuple[Line, Row]]:
    """Every object of a file with its place; wrong lines are counted in `bad` as malformed.

    Once all of them are read, the file with its digest is added to `files`. Raises ConfigError for
    a file that cannot be read, a line that is no UTF-8 and one without an end.
    """
    found = hashlib.sha256()
    at = 0
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(_lines(stream, path), start=1):
                found.update(raw)
                line = Line(path, name, number, at, len(raw))
                at += len(raw)
                text = _decoded(raw, line)
                if not text.strip():
                    continue
                row = to_object(text)
                if row is None:
                    bad.note("malformed", line.place)
                else:
                    yield line, row
    except OSError as error:
        raise ConfigError(
            "{path}: cannot be read: {reason}", path=path, reason=error.strerror
        ) from None
    files.append(ResultFile(name, found.hexdigest(), ""))


def _lines(stream: BufferedReader, path: Path) -> Iterator[bytes]:
    number = 0
    while raw := stream.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise ConfigError(
                "{path}:{line}: more than {most} MB in one line",
                path=path,
                line=number,
                most=LONGEST // 1024**2,
            )
        yield raw


def _decoded(raw: bytes, line: Line) -> str:
    try:
        return (raw.removeprefix(MARK) if line.at == 0 else raw).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(
            "{path}:{line}: not UTF-8 text (byte {byte})",
            fix="Save the file as UTF-8; editors and Excel offer it under “Save as”.",
            path=line.path,
            line=line.number,
            byte=line.at + error.start,
        ) from None


def to_object(text: str) -> dict[str, Any] | None:
    """The JSON object that a text is; None for anything else, and where a key stands twice."""
    try:
        value = json.loads(text, object_pairs_hook=single_keys, parse_constant=no_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; raises ValueError where a key stands twice, since either value may be meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("key twice")
    return found


def no_number(text: str) -> float:
    """Raises ValueError: NaN and Infinity are no JSON."""
    raise ValueError(text)


def mark(*parts: str) -> bytes:
    """128 bits by which what a line is about is known again: many are kept, so they are short."""
    text = json.dumps(parts, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Places(Sequence[tuple[Line]]):
    """Lines that each stand alone, kept as numbers: of a million there are few bytes each."""

    def __init__(self) -> None:
        self._files: list[tuple[Path, str]] = []
        self._file, self._number = array("L"), array("Q")
        self._at, self._size = array("Q"), array("L")

    def append(self, line: Line) -> None:
        """Keep one more."""
        if not self._files or self._files[-1] != (line.path, line.name):
            self._files.append((line.path, line.name))
        self._file.append(len(self._files) - 1)
        self._number.append(line.number)
        self._at.append(line.at)
        self._size.append(line.size)

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, index: int) -> tuple[Line]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[Line]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Line] | list[tuple[Line]]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        path, name = self._files[self._file[index]]
        return (Line(path, name, self._number[index], self._at[index], self._size[index]),)


class Grouped(Collection[tuple[Line, ...]]):
    """Lines that belong together: `groups` of them by their numbers among all `lines`."""

    def __init__(self, lines: Places, groups: Iterable[Sequence[int]]) -> None:
        self._lines = lines
        self._ends, self._numbers = array("L"), array("L")
        for group in groups:
            self._numbers.extend(group)
            self._ends.append(len(self._numbers))

    def __len__(self) -> int:
        return len(self._ends)

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)

    def __iter__(self) -> Iterator[tuple[Line, ...]]:
        begin = 0
        for end in self._ends:
            yield tuple(self._lines[n][0] for n in self._numbers[begin:end])
            begin = end


class Reread(Collection[T], Generic[T]):
    """Records of some lines, read from their files anew whenever they are gone through.

    `groups`: lines that belong together, mostly one. `make` gives the records of a group, `count`
    says how many there are of all of them.
    """

    def __init__(
        self,
        groups: Collection[Sequence[Line]],
        make: Callable[[Sequence[tuple[Line, Row]]], Iterable[T]],
        count: int,
    ) -> None:
        self._groups, self._make, self._count = groups, make, count

    def __len__(self) -> int:
        return self._count

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)

    def __iter__(self) -> Iterator[T]:
        """Raises ConfigError where a file was changed since it was checked."""
        with _Shelf() as shelf:
            for group in self._groups:
                yield from self._make([(line, shelf.read(line)) for line in group])


class _Shelf:
    """The file that was read last, open."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._stream: BufferedReader | None = None

    def __enter__(self) -> "_Shelf":
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def read(self, line: Line) -> Row:
        """The object of a line. Raises ConfigError where there is none any more."""
        try:
            if self._stream is None or line.path != self._path:
                self.__exit__()
                self._path, self._stream = line.path, line.path.open("rb")
            self._stream.seek(line.at)
            raw = self._stream.read(line.size)
        except OSError as error:
            raise ConfigError(
                "{path}: cannot be read: {reason}", path=line.path, reason=error.strerror
            ) from None
        row = to_object(raw.removeprefix(MARK).decode("utf-8", "replace"))
        if row is None:
            raise ConfigError(
                "{path}:{line}: changed while it was read", path=line.path, line=line.number
            )
        return row
