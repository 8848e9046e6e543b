"""The messages of a reply as one text: texts joined, whatever is no text named by its kind."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

KINDS = ("type", "msgtype", "msg_type", "message_type", "kind")
TEXTS = ("text", "content", "value", "message", "body", "reply")
TEXTUAL = frozenset({"text", "txt", "markdown", "plain", "string", "message", "answer"})
NAME = re.compile(r"[^\w-]+")
DEEPEST = 8


def join_parts(found: list[Any]) -> tuple[str, int]:
    """The text of what was found at `reply`, and how many messages it is made of.

    A part that is no text stands as `[image]`, `[card]` …, so that a judge sees that there was
    one; nothing of it but its kind is kept.
    """
    texts = [text for text in _texts(found, 0) if text.strip()]
    return "\n".join(texts), len(texts)


def _texts(value: Any, depth: int) -> Iterator[str]:
    if value is None or depth > DEEPEST:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, depth + 1)
    elif isinstance(value, Mapping):
        yield from _of_mapping(value, depth)
    else:
        yield str(value).lower() if isinstance(value, bool) else str(value)


def _of_mapping(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    kind = next((value[k] for k in KINDS if isinstance(value.get(k), str)), "text")
    if kind.casefold() not in TEXTUAL:
        yield marker(kind)
        return
    inner = next((value[k] for k in TEXTS if value.get(k) is not None), None)
    if inner is None:
        yield marker("part")
    else:
        yield from _texts(inner, depth + 1)


def marker(kind: str) -> str:
    """What stands for a part that is no text."""
    return f"[{NAME.sub('-', kind.strip().casefold())[:24].strip('-') or 'part'}]"
