"""Tables of multiple-choice questions, as C-Eval publishes them: one file a subject and split.

`SUBJECT_SPLIT.csv` or `.jsonl`, in one folder (as EvalScope lays its own out) or in a folder for
each split (as the download does). The columns are id, question, A, B, C, D, and where there are
any answer, explanation, category; others are passed over.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, RootModel

from arena.domain.question import Question
from arena.errors import ConfigError
from arena.suites.reading import check, read_jsonl, read_text

SUFFIXES = (".csv", ".jsonl")
SUBJECT = re.compile(r"^[a-z][a-z0-9_]{0,63}$")
NEEDED = ("id", "question", "A", "B", "C", "D")


class Row(RootModel[dict[str, Any]]):
    """Any JSON object; which keys count is decided afterwards."""

    model_config = ConfigDict(frozen=True)


def find_tables(folder: Path, split: str) -> dict[str, Path]:
    """The tables of a split: subject -> file, in order of the subjects' names.

    Raises ConfigError for a file whose subject is no key, for a subject with two files, and for a
    file that lies outside the folder.
    """
    found: dict[str, Path] = {}
    for path in sorted(p for p in _candidates(folder, split) if p.suffix in SUFFIXES):
        subject = path.stem.removesuffix(f"_{split}")
        if not SUBJECT.match(subject):
            raise ConfigError(
                "{path}: its name gives no subject: {subject}",
                fix="A subject is small letters, digits and underscores, like logic_val.csv.",
                path=path,
                subject=subject,
            )
        if not path.resolve().is_relative_to(folder.resolve()):
            raise ConfigError("{path}: leads out of {folder}", path=path, folder=folder)
        if first := found.get(subject):
            raise ConfigError(
                "{path}: subject {subject} is already read from {first}",
                fix="Keep one of the two files.",
                path=path,
                subject=subject,
                first=first,
            )
        found[subject] = path
    return dict(sorted(found.items()))


def read_questions(path: Path, *, answered: bool) -> tuple[tuple[str, Question], ...]:
    """The questions of a table, each with its place (file:line).

    `answered`: each must have an answer. Raises ConfigError for a file that cannot be read, a
    missing column or answer, and an id that is there twice.
    """
    rows = _csv_rows(path) if path.suffix == ".csv" else _json_rows(path)
    seen: dict[str, str] = {}
    found = []
    for line, row in rows:
        place = f"{path}:{line}"
        question = check(row, Question, place=lambda _, place=place: place)  # type: ignore[misc]
        if first := seen.get(question.id.casefold()):
            raise ConfigError(
                "{place}: question {id} is already at {first}",
                place=place,
                id=question.id,
                first=first,
            )
        if answered and question.answer is None:
            raise ConfigError(
                "{place}: question {id} has no answer",
                fix="Questions without answers are played with `split: test`.",
                place=place,
                id=question.id,
            )
        seen[question.id.casefold()] = place
        found.append((place, question))
    if not found:
        raise ConfigError("{path}: no question in it", path=path)
    return tuple(found)


def _candidates(folder: Path, split: str) -> Iterator[Path]:
    for place in (folder, folder / split):
        if place.is_dir():
            yield from (p for p in place.glob(f"*_{split}.*") if p.is_file())


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in read_jsonl(path, Row):
        yield line, row.root


def _csv_rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        names = [name.strip() for name in next(reader, [])]
        _check_header(path, names)
        begins = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(names):
                raise ConfigError(
                    "{path}:{line}: {found} cells where the heading has {expected}",
                    fix="A text with commas, quotes or line breaks stands in quotes.",
                    path=path,
                    line=begins,
                    found=len(cells),
                    expected=len(names),
                )
            if cells:
                yield begins, dict(zip(names, cells, strict=True))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise ConfigError(
            "{path}:{line}: not valid CSV: {reason}",
            fix="A text with commas, quotes or line breaks stands in quotes.",
            path=path,
            line=reader.line_num,
            reason=str(error),
        ) from None


def _check_header(path: Path, names: list[str]) -> None:
    missing = [name for name in NEEDED if name not in names]
    if missing or len(set(names)) < len(names):
        raise ConfigError(
            "{path}:1: the heading needs {needed}, each once",
            why="It has: {names}.",
            path=path,
            needed=", ".join(NEEDED),
            names=", ".join(names)[:200] or "nothing",
        )
