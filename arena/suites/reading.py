"""Reading the files that people edit: YAML and JSON lines, with the place of every mistake.

All text is UTF-8, with or without a byte-order mark, with any line ending.
"""

import difflib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from arena.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)
SECRET_KEYS = {"api_key_env", "sampling"}
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
    """A JSON-lines file as (line number, record) pairs; blank lines are skipped."""
    records = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
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
        records.append((number, check(value, model, place=lambda _, n=number: f"{path}:{n}")))  # type: ignore[misc]
    return tuple(records)


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
    """A plain value as a model; raises ConfigError for the first mistake, saying where it is."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = min(found, key=lambda e: e["type"] != "extra_forbidden")
        more = len(found) - 1
        fix, near = _nearest(first, model)
        template, facts = _complaint(first)
        raise ConfigError(
            "{place}: " + template,
            why="{more} more mistake(s) in this file." if more else "",
            fix=fix,
            place=place(_within(value, first["loc"])),
            more=more,
            near=near,
            **facts,
        ) from None


def _complaint(error: Any) -> tuple[str, dict[str, str]]:
    """The template of a complaint and its facts."""
    key = ".".join(str(part) for part in error["loc"] if not _is_type_name(part))
    match error["type"]:
        case "extra_forbidden":
            return "unknown key `{key}`", {"key": key}
        case "missing":
            return "`{key}` is missing", {"key": key}
        case "value_error":
            message = str(error["ctx"]["error"])
            return ("`{key}`: {reason}" if key else "{reason}"), {"key": key, "reason": message}
        case "model_type" | "dict_type":
            return "`{key}`: {reason}", {"key": key, "reason": "should be a mapping, `key: value`"}
        case _ if SECRET_KEYS & set(map(str, error["loc"])):
            # What stands there may be a key that was pasted into the wrong place.
            return "`{key}`: {reason}", {"key": key, "reason": error["msg"].lower()}
        case _:
            given = repr(error["input"])
            shown = given if len(given) <= 60 else given[:57] + "…"
            facts = {"key": key, "reason": error["msg"].lower(), "given": shown}
            return "`{key}`: {reason}, not {given}", facts


def _is_type_name(part: str | int) -> bool:
    # pydantic puts the branch of a union into the path: `CompareCriterion`, `constrained-str`.
    return isinstance(part, str) and (part[:1].isupper() or "constrained-str" in part)


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
