"""Where in a JSON value something is: JSONPath, and conditions on what is found there.

The one file that names the library. It takes a moment to import, so it is done where a path is.
"""

from functools import lru_cache
from typing import Any

from arena.domain.condition import Condition, parse_condition


@lru_cache(maxsize=256)
def compile_path(text: str) -> Any:
    """A path that can be looked up; raises ValueError where it is not one."""
    from jsonpath_ng.exceptions import JSONPathError
    from jsonpath_ng.ext import parse

    try:
        return parse(text)
    except (JSONPathError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(" ".join(str(error).split())[:200] or type(error).__name__) from None


def find(path: str, value: Any) -> list[Any]:
    """What is found at a path, in the order of the value; empty where nothing is."""
    try:
        return [found.value for found in compile_path(path).find(value)]
    except (TypeError, ValueError, KeyError, AttributeError, IndexError):
        return []  # a filter that compares what cannot be compared finds nothing


def holds(text: str, value: Any) -> bool:
    """Whether a condition holds for a JSON value."""
    condition = _parsed(text)
    return condition.holds(find(condition.path, value))


@lru_cache(maxsize=256)
def _parsed(text: str) -> Condition:
    return parse_condition(text)
