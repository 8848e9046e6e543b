"""A file of outcomes made ready for DuckDB: its kind, and UTF-8 bytes at a harmless path."""

import codecs
import csv
import gzip
import shutil
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, BinaryIO, Literal, cast

from arena.errors import UsageError

Kind = Literal["csv", "jsonl", "json", "parquet"]

GZIP = b"\x1f\x8b"
UNREADABLE = {b"PK\x03\x04": "XLSX, ZIP", b"\x28\xb5\x2f\xfd": "Zstandard"}
ENDINGS: dict[str, tuple[Kind, str]] = {
    ".csv": ("csv", ","),
    ".tsv": ("csv", "\t"),
    ".tab": ("csv", "\t"),
    ".jsonl": ("jsonl", ""),
    ".ndjson": ("jsonl", ""),
    ".json": ("jsonl", ""),
    ".parquet": ("parquet", ""),
}
DELIMITERS = (",", "\t", ";", "|")
MARKED = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What DuckDB is to read: `path` holds UTF-8 (perhaps gzipped), or Parquet.

    `encoding`: what it was decoded from where that was not UTF-8. `header`: the names in the
    first row of a CSV file.
    """

    path: Path
    kind: Kind
    gzipped: bool
    delimiter: str = ""
    encoding: str | None = None
    header: tuple[str, ...] = ()


def prepare(name: str, stdin: BinaryIO | None, scratch: Path) -> Prepared:
    """The file `name` made ready, with whatever copy it needs in `scratch`.

    `-` stands for all of `stdin`, or of the process's own. Raises UsageError for a file that is
    missing, empty, a folder, damaged, of a kind that cannot be read, or in an encoding that is
    neither Unicode nor GB18030.
    """
    path = scratch / "source"
    try:
        _place(name, stdin, path)
        gzipped = _starts(path, gzipped=False).startswith(GZIP)
        start = _starts(path, gzipped=gzipped)
        _refuse(name, start)
        kind, delimiter = _kind(name, start)
        if kind == "parquet":
            return Prepared(path=path, kind=kind, gzipped=False)
        encoding = _decode(name, path, scratch / "decoded", start, gzipped)
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(name, error) from None
    if encoding:
        path, gzipped = scratch / "decoded", False
    if kind == "jsonl":
        text = _starts(path, gzipped=gzipped).decode("utf-8-sig", "ignore")
        kind = "json" if text.lstrip().startswith("[") else kind
        return Prepared(path=path, kind=kind, gzipped=gzipped, encoding=encoding)
    delimiter, header = _header(name, path, gzipped, delimiter)
    return Prepared(
        path=path,
        kind=kind,
        gzipped=gzipped,
        delimiter=delimiter,
        encoding=encoding,
        header=header,
    )


def _refuse(name: str, start: bytes) -> None:
    for magic, format_ in UNREADABLE.items():
        if start.startswith(magic):
            raise UsageError(
                "{path}: {format} cannot be read",
                fix="Save it as CSV, TSV, JSON lines or Parquet (CSV and JSON may be gzipped).",
                path=name,
                format=format_,
            )
    if not start.strip():
        raise UsageError("{path}: the file is empty", path=name)


def _place(name: str, stdin: BinaryIO | None, path: Path) -> None:
    """Put the file at `path`: DuckDB would expand `*` and `[` in a name of its own."""
    if name == "-":
        with path.open("wb") as copy:
            shutil.copyfileobj(stdin or sys.stdin.buffer, copy, CHUNK)
        return
    origin = Path(name).absolute()
    if origin.is_dir():
        raise IsADirectoryError(21, "Is a directory")
    if origin.is_file():
        try:
            path.symlink_to(origin)
            return
        except OSError:
            # Some systems let only administrators make links.
            path.unlink(missing_ok=True)
    with origin.open("rb") as source, path.open("wb") as copy:
        shutil.copyfileobj(source, copy, CHUNK)


def _open(path: Path, *, gzipped: bool) -> IO[bytes]:
    # GzipFile has all that a binary file is used for here, though no type says so.
    return cast(IO[bytes], gzip.open(path, "rb")) if gzipped else path.open("rb")


def _starts(path: Path, *, gzipped: bool) -> bytes:
    with _open(path, gzipped=gzipped) as file:
        return file.read(1 << 16)


def _kind(name: str, start: bytes) -> tuple[Kind, str]:
    """The kind by the name's ending, else by the first bytes; and the delimiter it suggests."""
    if start.startswith(b"PAR1"):
        return "parquet", ""
    endings = [ending.lower() for ending in Path(name).suffixes if ending.lower() != ".gz"]
    if name != "-" and endings and endings[-1] in ENDINGS and endings[-1] != ".parquet":
        return ENDINGS[endings[-1]]
    text = start.removeprefix(codecs.BOM_UTF8).lstrip()
    return ("jsonl", "") if text.startswith((b"{", b"[{")) else ("csv", "")


def _decode(name: str, path: Path, copy: Path, start: bytes, gzipped: bool) -> str | None:
    """None where the bytes are UTF-8; else the encoding from which `copy` was made."""
    marked = next((encoding for mark, encoding in MARKED if start.startswith(mark)), None)
    if marked:
        if _transcode(path, copy, marked, gzipped):
            return marked
        raise UsageError(
            "{path}: not text in any encoding known here",
            why="It is marked as {encoding}, but is not.",
            path=name,
            encoding=marked,
        )
    line = 1
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in _chunks(path, gzipped):
            decoder.decode(chunk)
            line += chunk.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        # Bytes kept from the last chunk belong to one character, so they hold no line break.
        line += error.object[: error.start].count(b"\n")
        # Spreadsheets in China save CSV as GB18030.
        if _transcode(path, copy, "gb18030", gzipped):
            return "gb18030"
        raise UsageError(
            "{path}: line {line} is neither UTF-8 nor GB18030",
            fix="Save the file as UTF-8.",
            path=name,
            line=line,
        ) from None
    return None


def _transcode(path: Path, copy: Path, encoding: str, gzipped: bool) -> bool:
    """Write `path` to `copy` as UTF-8; False where it is not text in that encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with copy.open("wb") as out:
            for chunk in _chunks(path, gzipped):
                out.write(decoder.decode(chunk).encode())
            out.write(decoder.decode(b"", final=True).encode())
    except UnicodeError:
        return False
    return True


def _chunks(path: Path, gzipped: bool) -> Iterator[bytes]:
    with _open(path, gzipped=gzipped) as file:
        while chunk := file.read(CHUNK):
            yield chunk


def _header(name: str, path: Path, gzipped: bool, expected: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter and the names in the first row; empty names are numbered."""
    with TextIOWrapper(_open(path, gzipped=gzipped), encoding="utf-8-sig", newline="") as text:
        line = text.readline()
        likeliest = max(DELIMITERS, key=line.count)
        delimiter = expected if expected and expected in line else likeliest
        text.seek(0)
        try:
            first = next(csv.reader(text, delimiter=delimiter), [])
        except csv.Error as error:
            raise UsageError("{path}: cannot be read: {reason}", path=name, reason=error) from None
    names = [column or f"column {place}" for place, column in enumerate(first, start=1)]
    return delimiter, tuple(names)


def _unreadable(name: str, error: Exception) -> UsageError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UsageError("{path}: cannot be read: {reason}", path=name, reason=reason)
