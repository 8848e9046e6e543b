"""Reading the files that people edit: YAML and JSON lines, with the place of every mistake.

All text is UTF-8, with or without a byte-order mark, with any line ending.
"""

import difflib
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from arena.errors import ConfigError
from arena.suites.complaints import complaint_of

Model = TypeVar("Model", bound=BaseModel)
NAMED = re.compile(r"`(\w+)`")
MOST_NODES = 200_000
"""Values in one YAML file; aliases of aliases can unfold to far more than any file means."""
Place = Callable[[Sequence[str | int]], str]
"""From the path of a value inside a file to "file:line"."""


def read_text(path: Path) -> str:
    """A file's text; raises ConfigError naming the file when it cannot be read as UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigError("{path}: no such file", path=path) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(
            "{path}:{line}: not UTF-8 text (byte {byte})",
            fix="Save the file as UTF-8; editors and Excel offer it under “Save as”.",
            path=path,
            line=line,
            byte=error.start,
        ) from None
    except OSError as error:
        raise ConfigError(
            "{path}: cannot be read: {reason}", path=path, reason=error.strerror
        ) from None


def read_yaml(path: Path, model: type[Model]) -> Model:
    """A YAML file, checked against a closed model.

    Raises ConfigError with file:line, the key and the nearest known one.
    """
    yaml = YAML(typ="rt", pure=True)
    text = read_text(path)
    try:
        loaded = yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError(
            "{path}:{line}: not valid YAML: {reason}",
            fix="Check the indentation and quotes of this line and the one above it.",
            path=path,
            line=line,
            reason=error.problem or error.context,
        ) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(
            "{path}: not valid YAML: {reason}", path=path, reason=str(error).splitlines()[0]
        ) from None
    if loaded is None:
        loaded = CommentedMap()
    value = _plain(loaded, path, itertools.count())
    return check(value, model, place=lambda at: f"{path}:{_line_of(loaded, at)}")


def read_jsonl(path: Path, model: type[Model]) -> tuple[tuple[int, Model], ...]:
    """A JSON-lines file as (line number, record) pairs; blank lines are skipped.

    Raises ConfigError for the first line with a mistake.
    """
    records, mistakes = scan_jsonl(path, model)
    if mistakes:
        raise mistakes[0]
    return records


def scan_jsonl(
    path: Path, model: type[Model]
) -> tuple[tuple[tuple[int, Model], ...], tuple[ConfigError, ...]]:
    """As `read_jsonl`, but with the mistakes of all lines beside the records of the others.

    Raises ConfigError only when the file itself cannot be read.
    """
    records, mistakes = [], []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append((number, _record(path, number, line, model)))
        except ConfigError as error:
            mistakes.append(error)
    return tuple(records), tuple(mistakes)


def _record(path: Path, number: int, line: str, model: type[Model]) -> Model:
    try:
        value = json.loads(line, object_pairs_hook=_single_keys)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "{path}:{line}: not valid JSON at column {column}: {reason}",
            fix="Each line is one JSON object; quotes and line breaks in a text are escaped.",
            path=path,
            line=number,
            column=getattr(error, "colno", 1),
            reason=getattr(error, "msg", "") or str(error) or "nested too deeply",
        ) from None
    return check(value, model, place=lambda _: f"{path}:{number}")


def read_json(path: Path, model: type[Model]) -> Model:
    """A file that is one JSON value, as a model; raises ConfigError."""
    try:
        value = json.loads(read_text(path), object_pairs_hook=_single_keys)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            "{path}:{line}: not valid JSON at column {column}: {reason}",
            path=path,
            line=getattr(error, "lineno", 1),
            column=getattr(error, "colno", 1),
            reason=getattr(error, "msg", "") or str(error) or "nested too deeply",
        ) from None
    return check(value, model, place=lambda _: f"{path}:1")


def _single_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key twice: {next(k for k in keys if keys.count(k) > 1)}")
    return found


def line_of(path: Path, at: Sequence[str | int]) -> int:
    """The line of a YAML file, from 1, where the value at a path inside it begins."""
    return _line_of(YAML(typ="rt", pure=True).load(read_text(path)), at)


def check(value: Any, model: type[Model], *, place: Place) -> Model:
    """A plain value as a model.

    Raises ConfigError for the first mistake, saying where it is, with the `others`.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = [e for e in error.errors(include_url=False) if not _follows(e, error)]
        # A misspelt key explains best why another one is missing.
        found.sort(key=lambda e: e["type"] != "extra_forbidden")
        told: dict[Any, ConfigError] = {}
        for one in found:
            # Each branch of a union complains of the same value.
            complaint = _told(value, model, one, place)
            told.setdefault((complaint.facts["place"], complaint.facts["key"]), complaint)
        first, *others = told.values()
        raised = ConfigError(
            first.what,
            why="{more} more mistake(s) in this file." if others else "",
            fix=first.fix,
            **{**first.facts, "more": len(others)},
        )
        raised.others = tuple(others)
        raise raised from None


def each_mistake(error: ConfigError) -> tuple[ConfigError, ...]:
    """The error and the `others` of its record, one by one, without their count."""
    if not error.others:
        return (error,)
    return (ConfigError(error.what, fix=error.fix, **error.facts), *error.others)


def _follows(one: Any, error: ValidationError) -> bool:
    """Whether a list is found too short only because an entry of it is wrong."""
    loc = one["loc"]
    inside = (e["loc"] for e in error.errors(include_url=False) if len(e["loc"]) > len(loc))
    return one["type"] == "too_short" and any(i[: len(loc)] == loc for i in inside)


def _told(value: Any, model: type[BaseModel], error: Any, place: Place) -> ConfigError:
    """One of pydantic's complaints as an error of ours."""
    fix, near = _nearest(error, model)
    template, facts = complaint_of(error)
    loc = _within(value, error["loc"] or _named(error))
    return ConfigError("{place}: " + template, fix=fix, place=place(loc), near=near, **facts)


def _named(error: Any) -> tuple[str, ...]:
    """The key that a complaint about a whole record begins with, like `compare`."""
    reason = str(error.get("ctx", {}).get("error", ""))
    named = NAMED.match(reason)
    return (named[1],) if named else ()


def _within(value: Any, loc: Sequence[str | int]) -> tuple[str | int, ...]:
    """The part of pydantic's path that exists in the value itself."""
    path: list[str | int] = []
    for part in loc:
        known = part in value if isinstance(value, Mapping) else False
        if isinstance(value, list) and isinstance(part, int):
            known = part < len(value)
        if known:
            value = value[part]
            path.append(part)
    return tuple(path)


def _nearest(error: Any, model: type[BaseModel]) -> tuple[str, str]:
    """The template of a hint, and the nearest known key or all of them."""
    if error["type"] != "extra_forbidden":
        return "", ""
    wrong = str(error["loc"][-1])
    owner = _model_at(model, error["loc"][:-1])
    known = list(owner.model_fields) if owner else []
    close = difflib.get_close_matches(wrong, known, n=1, cutoff=0.5)
    if close:
        return "Did you mean `{near}`?", close[0]
    return "Known keys here: {near}.", ", ".join(known)


def _model_at(model: type[BaseModel], loc: Sequence[str | int]) -> type[BaseModel] | None:
    """The model that owns the keys at a path, found through the annotations."""
    owners: list[type[BaseModel]] = [model]
    for part in loc:
        if isinstance(part, int):
            continue
        if part in {o.__name__ for o in owners}:
            owners = [o for o in owners if o.__name__ == part]
            continue
        following: list[type[BaseModel]] = []
        for owner in owners:
            if field := owner.model_fields.get(part):
                following += _models_in(field.annotation)
        owners = following or owners
    return owners[0] if owners else None


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [m for inner in getattr(annotation, "__args__", ()) for m in _models_in(inner)]


def _line_of(node: Any, path: Sequence[str | int]) -> int:
    """The line, from 1, where the value at a path begins, or its nearest parent."""
    line = 1
    for part in path:
        try:
            if isinstance(node, CommentedMap):
                line = node.lc.key(part)[0] + 1
            elif isinstance(node, CommentedSeq) and isinstance(part, int):
                line = node.lc.item(part)[0] + 1
            node = node[part]
        except (KeyError, IndexError, TypeError):
            break
    return line


def _plain(node: Any, path: Path, seen: Iterator[int]) -> Any:
    """Plain dicts and lists instead of the round-trip ones; `seen` counts the values."""
    if next(seen) > MOST_NODES:
        raise ConfigError("{path}: not valid YAML: {reason}", path=path, reason="too many values")
    if isinstance(node, Mapping):
        return {k: _plain(v, path, seen) for k, v in node.items()}
    if isinstance(node, list):
        return [_plain(v, path, seen) for v in node]
    if isinstance(node, bool) or node is None:
        return node
    for kind in (int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return str(node)
