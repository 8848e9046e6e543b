"""JSON as judges write it: a tolerant parser for objects, safe against hostile text.

Tolerated: line breaks and control characters inside strings, illegal escapes, trailing commas,
full-width punctuation, a leading plus sign. Refused, although `json.loads` takes them: NaN,
Infinity, and a key that stands twice with different values.

A failed attempt is never searched again: the search goes on where it failed. So the work is
linear in the text, and an object quoted inside a broken one is not mistaken for an answer.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 32
_SPACE = re.compile(r"[\s\ufeff]*")
# An opening brace with its first key, so that most braces of prose cost nothing.
_START = re.compile(
    r"[{｛][\s\ufeff]*+"
    r'(?:"[^"\\\n]{0,80}+"|[“＂][^“”"＂\n]{0,80}+[”"＂])'
    r"[\s\ufeff]*+[:：]"
)
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_WIDE_STRING = re.compile(r'[“＂].*?[”"＂](?=\s*[:：,，}｝\]］])', re.DOTALL)
_NUMBER = re.compile(
    r"[+＋-]?(?:0|[1-9][0-9]{0,17})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?(?![\w.])"
)
_LITERAL = re.compile(r"(?:true|false|null)(?!\w)")
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "'": "'", "\n": "\n",
    "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_QUOTES = frozenset('"“＂')
_COLON, _COMMA = frozenset(":："), frozenset(",，")
_OBJECT, _OBJECT_END = frozenset("{｛"), frozenset("}｝")
_ARRAY, _ARRAY_END = frozenset("[［"), frozenset("]］")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An object found in a text: its value, where it ends, and a key that contradicts itself."""

    value: dict[str, Any]
    end: int
    twice: str | None


def find_objects(text: str) -> Iterator[Found]:
    """The balanced objects of a text in order; objects inside one of them are not listed."""
    at = 0
    while start := _START.search(text, at):
        found = _attempt(text, start.start())
        if isinstance(found, Found):
            yield found
            at = found.end
        else:
            at = max(found, start.end())


def whole_object(text: str) -> Found | None:
    """The object that a text is, but for white space around it; None when it is none."""
    start = _SPACE.match(text)
    at = start.end() if start else 0
    if not _START.match(text, at):
        return None
    found = _attempt(text, at)
    if isinstance(found, int) or text[found.end :].strip(" \t\r\n\ufeff"):
        return None
    return found


def to_number(text: str) -> float | None:
    """The number that a string is, in the same notation; None when it is none."""
    match = _NUMBER.fullmatch(text.strip())
    return None if match is None else _number(match)


def _attempt(text: str, at: int) -> Found | int:
    """The object that begins at a brace, or the place where reading it failed."""
    reader = _Reader(text, at)
    try:
        value = reader.nested(reader.object)
    except _Malformed as fault:
        return fault.at
    return Found(value=value, end=reader.at, twice=reader.twice)


def _number(match: re.Match[str]) -> float | None:
    literal = match[0].replace("＋", "+")
    if match[1] is None and match[2] is None:
        return int(literal)
    value = float(literal)
    return value if math.isfinite(value) else None


class _Malformed(Exception):
    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class _Reader:
    """One attempt. Every method begins at `at` and leaves it behind what it has read."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        self.depth = 0
        self.twice: str | None = None

    def peek(self) -> str:
        """The next character that is not white space; empty at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def nested(self, read: Callable[[], Any]) -> Any:
        if self.depth == MAX_DEPTH:
            raise _Malformed(self.at)
        self.depth += 1
        self.at += 1
        value = read()
        self.depth -= 1
        return value

    def object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.peek() not in _OBJECT_END:
            key = self.string()
            if self.peek() not in _COLON:
                raise _Malformed(self.at)
            self.at += 1
            value = self.value()
            # repr, because 1 == True and 1 == 1.0 in Python.
            if key in found and repr(found[key]) != repr(value):
                self.twice = key
            found[key] = value
            self.separator(_OBJECT_END)
        self.at += 1
        return found

    def array(self) -> list[Any]:
        found = []
        while self.peek() not in _ARRAY_END:
            found.append(self.value())
            self.separator(_ARRAY_END)
        self.at += 1
        return found

    def separator(self, end: frozenset[str]) -> None:
        mark = self.peek()
        if mark in _COMMA:
            self.at += 1
        elif mark not in end:
            raise _Malformed(self.at)

    def value(self) -> Any:
        mark = self.peek()
        if mark in _OBJECT:
            return self.nested(self.object)
        if mark in _ARRAY:
            return self.nested(self.array)
        if mark in _QUOTES:
            return self.string()
        if literal := _LITERAL.match(self.text, self.at):
            self.at = literal.end()
            return _LITERALS[literal[0]]
        return self.number()

    def number(self) -> float:
        match = _NUMBER.match(self.text, self.at)
        value = None if match is None else _number(match)
        if match is None or value is None:
            raise _Malformed(self.at)
        self.at = match.end()
        return value

    def string(self) -> str:
        mark = self.peek()
        if mark not in _QUOTES:
            raise _Malformed(self.at)
        match = (_STRING if mark == '"' else _WIDE_STRING).match(self.text, self.at)
        if match is None:
            raise _Malformed(len(self.text))
        self.at = match.end()
        return _unescape(match[0][1:-1])


def _unescape(raw: str) -> str:
    plain = _ESCAPE.sub(_one_escape, raw) if "\\" in raw else raw
    # Joins surrogate pairs; a lone one could not be stored and becomes U+FFFD.
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _one_escape(match: re.Match[str]) -> str:
    mark = match[1]
    if len(mark) > 1:
        return chr(int(mark[1:], 16))
    return _ESCAPES.get(mark, "\\" + mark)
