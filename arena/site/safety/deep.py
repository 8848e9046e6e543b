"""Changing every text of a tree of records, and nothing else in it."""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

T = TypeVar("T")
Change = Callable[[str], str]


def map_texts(tree: T, change: Change) -> T:
    """The same tree with every text changed, keys of mappings too.

    Goes through tuples, lists, sets, mappings, dataclasses and pydantic records. Members of enums
    and fields that hold one of a few given words are no texts. What nothing changes in is kept as
    the same object; the tree that was given is never changed.
    """
    return _mapped(tree, change)  # type: ignore[no-any-return]


def _mapped(value: Any, change: Change) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return change(value)
    if isinstance(value, BaseModel):
        return _record(value, _model_fields(type(value)), change)
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value, _text_fields(type(value)), change)
    if isinstance(value, Mapping):
        return _mapping(value, change)
    if isinstance(value, tuple | list | set | frozenset):
        return _collection(value, change)
    return value


def _collection(value: Any, change: Change) -> Any:
    made = [_mapped(one, change) for one in value]
    if all(new is old for new, old in zip(made, value, strict=True)):
        return value
    return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)


def _mapping(value: Mapping[Any, Any], change: Change) -> Mapping[Any, Any]:
    made = {_mapped(k, change): _mapped(v, change) for k, v in value.items()}
    same = all(
        new_key is key and made[new_key] is value[key]
        for new_key, key in zip(made, value, strict=False)
    )
    return value if same and len(made) == len(value) else made


def _record(value: Any, names: tuple[str, ...], change: Change) -> Any:
    changed = {}
    for name in names:
        old = getattr(value, name)
        new = _mapped(old, change)
        if new is not old:
            changed[name] = new
    if not changed:
        return value
    if isinstance(value, BaseModel):
        return value.model_copy(update=changed)
    return replace(value, **changed)


@cache
def _text_fields(kind: type) -> tuple[str, ...]:
    hints = get_type_hints(kind)
    return tuple(f.name for f in fields(kind) if f.init and not _is_choice(hints[f.name]))


@cache
def _model_fields(kind: type[BaseModel]) -> tuple[str, ...]:
    return tuple(n for n, f in kind.model_fields.items() if not _is_choice(f.annotation))


def _is_choice(hint: Any) -> bool:
    """Whether a field holds one of a few given words, or nothing."""
    if get_origin(hint) is Literal:
        return True
    if get_origin(hint) in (Union, types.UnionType):
        return any(_is_choice(arm) for arm in get_args(hint))
    return False
