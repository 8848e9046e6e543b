"""Reading the letter of a multiple-choice reply.

What counts, the last of these in a reply: `答案：A`, `答案是C`, `选 D`, with or without brackets
and emphasis, in full-width letters too; and a last line that is nothing but a letter. Where the
answer line names two letters, or none, or takes its letter back, nothing was read: a guess would
be a wrong answer that nobody gave.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import get_args

from arena.domain.choice import Letter

SHAPE = 1
"""Version of these rules: part of the key of what was read by them."""

_SHORT = 80
"""A letter in its dress is shorter; longer runs of marks would only cost time."""
# NFKC has made full-width letters, digits, colons and brackets plain before these are applied.
_DRESS = (
    r"(?:[\s*_`~#>$\"'“”‘’\[\](){}<>【】「」『』《》〔〕:=]|\\(?:boxed|text|mathrm|mathbf|textbf))*"
)
_FILLER = r"(?:正确的?|应该?|为|是|选择?|选项|第|项|就|故)*"
_LETTER = r"(?<![A-Za-z0-9])[A-D](?![A-Za-z0-9])"
_MARK = re.compile(
    rf"答案{_DRESS}(?:应该?|就)?(?:是|为|选|:){{1,2}}"
    rf"|答案{_DRESS}(?={_LETTER})"
    rf"|选择?(?={_DRESS}{_LETTER})"
)
_TAKEN = re.compile(
    rf"{_DRESS}{_FILLER}{_DRESS}([A-Z](?:[、,/&+和或与及\s]*[A-Z])*)(?![A-Za-z0-9])"
)
_BACK = re.compile(
    rf"{_DRESS}[.、,;]?\s*(?:选?项)?\s*(?:是?(?:错|不)|吗|么|\?|以外|之外|除外|还是|或|似乎|可能)"
)
_BARE = re.compile(rf"^{_DRESS}([A-D]){_DRESS}[.。!、,;]*{_DRESS}$")
_ALONE = re.compile(_LETTER)
_DENIAL = re.compile(
    r"[不别勿未没非若](?:[^,，。;；:、.]{0,2})$|(?:如果|假如|假设|要是|为何|为什么)[^,，。;；:]{0,2}$"
)


def read_choice(reply: str) -> Letter | None:
    """The letter that a reply (thinking left out) answers with; None when none can be read."""
    lines = [line for line in map(_plain, reply.splitlines()) if line.strip()]
    if not lines:
        return None
    if len(lines[-1]) <= _SHORT and (bare := _BARE.match(lines[-1])):
        return _letter(bare[1])
    for line in reversed(lines):
        for mark in _marks(line):
            return _read_line(line[mark.end() :])
    return None


def _plain(line: str) -> str:
    return unicodedata.normalize("NFKC", line)


def _marks(line: str) -> Iterator[re.Match[str]]:
    """Where a line begins to answer; `不选 A` and `若选 A` do not."""
    for mark in _MARK.finditer(line):
        if not _DENIAL.search(line[max(0, mark.start() - 5) : mark.start()]):
            yield mark


def _read_line(rest: str) -> Letter | None:
    """The letter of what follows a mark, to the end of the line."""
    taken = _TAKEN.match(rest[:_SHORT])
    if taken is None or _BACK.match(rest[taken.end() : taken.end() + _SHORT]):
        return None
    named = set(re.findall(r"[A-Z]", taken[1])) | set(_ALONE.findall(rest))
    return _letter(named.pop()) if len(named) == 1 else None


def _letter(found: str) -> Letter | None:
    for letter in get_args(Letter):
        if letter == found:
            return letter  # type: ignore[no-any-return]
    return None
