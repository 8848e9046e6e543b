"""Shapes of keys and of personal data in text."""

import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

PERSONAL = ("email", "mobile", "phone", "id_number")
"""Kinds of personal data, which can be masked; keys cannot be published at all."""
SHORTEST = 6
"""Characters of a variable's value from which on it is looked for; shorter ones are in any text."""
MOBILE = 11
"""Digits of a mobile number of China, without the country's."""
_HEX = "0-9a-fA-F"
_COUNTRY = re.compile(rf"(?<![{_HEX}.])(?:\+|00)?86[ -]?$")
"""What may stand before a mobile number of China."""
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_WIDE = {0xFF01 + n: 0x21 + n for n in range(94)}
"""Wide forms of ASCII characters, as Chinese texts write digits, too."""
_WIDE_PARTS = (re.compile(r"[０-９Ａ-Ｚａ-ｚ＠＋－．＿]"), re.compile(r"\+\d{1,3}[ .-]?（"))
"""What of them can be a part of a hit; Chinese punctuation is in almost every text. One search for
both would have to try each character."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a text, of one kind; `value` as it is compared: however it was written."""

    kind: str
    start: int
    end: int
    value: str


def find_hits(text: str, secrets: Mapping[str, str] = {}) -> list[Hit]:
    """Keys, variables' values and personal data, by place; what overlaps is told once.

    `secrets`: values of variables by name. Searching keeps every character's place.
    """
    narrow = text.translate(_WIDE) if any(p.search(text) for p in _WIDE_PARTS) else text
    hits = sorted(_all_hits(narrow, secrets), key=lambda h: (h.start, -h.end))
    kept: list[Hit] = []
    for hit in hits:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _all_hits(text: str, secrets: Mapping[str, str]) -> Iterator[Hit]:
    for value in secrets.values():
        if len(value) >= SHORTEST:
            for found in re.finditer(re.escape(value), text):
                yield Hit("variable", found.start(), found.end(), value)
    for kind, clues, pattern, holds in _SHAPES:
        if any(clue in text for clue in clues):
            for found in pattern.finditer(text):
                start = _begins(found) if kind == "mobile" else found.start()
                if start is not None and holds(value := text[start : found.end()]):
                    yield Hit(kind, start, found.end(), _compared(kind, value))


def _begins(found: re.Match[str]) -> int | None:
    """Where a mobile number begins, with the country's; None within a longer number."""
    text, start = found.string, found.start()
    country = _COUNTRY.search(text, max(start - 5, 0), start)
    if country is not None:
        return country.start()
    before = text[start - 1 : start]
    return None if before and before in f"{string.hexdigits}." else start


def _compared(kind: str, value: str) -> str:
    """A value however it is written: with or without gaps, case and the country's number."""
    if kind in ("mobile", "phone", "id_number"):
        value = re.sub(r"[^\dXx+]", "", value)
    elif kind != "email":
        return value
    return value[-MOBILE:] if kind == "mobile" else value.lower()


def _always(_: str) -> bool:
    return True


def _is_phone(value: str) -> bool:
    return 8 <= sum(char.isdigit() for char in value) <= 15


def _is_id_number(value: str) -> bool:
    """Whether the day of birth exists and the check digit is right (GB 11643)."""
    try:
        born = date(int(value[6:10]), int(value[10:12]), int(value[12:14]))
    except ValueError:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(value[:17], _WEIGHTS, strict=True))
    return 1900 <= born.year < 2100 and _CHECKS[total % 11] == value[17].upper()


# Patterns begin with what is rare in a text and look back from there: a look back at every
# character takes ten times as long.
_SHAPES: tuple[tuple[str, tuple[str, ...], re.Pattern[str], Callable[[str], bool]], ...] = (
    (
        "api_key",
        ("sk-",),
        re.compile(r"sk-(?<![A-Za-z0-9_-]sk-)(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}"),
        _always,
    ),
    (
        "bearer",
        ("earer",),
        re.compile(r"[Bb]earer\s+(?=[^\s\"'<>&]*\d)[A-Za-z0-9._~+/-]{16,}=*"),
        _always,
    ),
    (
        "access_key",
        ("AKIA", "ASIA"),
        re.compile(r"A(?<![A-Z0-9]A)(?:KIA|SIA)[0-9A-Z]{16}(?![0-9A-Z])"),
        _always,
    ),
    (
        "email",
        ("@",),
        re.compile(
            r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}"
        ),
        _always,
    ),
    (
        "id_number",
        ("",),
        re.compile(rf"[1-9](?<![{_HEX}.].)\d{{16}}[\dXx](?![{_HEX}])"),
        _is_id_number,
    ),
    (
        # Before the international form, of which it may be the end.
        "mobile",
        ("1",),
        re.compile(rf"1[3-9]\d(?:[ -]?\d{{4}}){{2}}(?![{_HEX}]|\.\d)"),
        _always,
    ),
    (
        "phone",
        ("+",),
        re.compile(
            r"\+(?<![A-Za-z0-9_.+]\+)[1-9]\d{0,2}(?:[ .-]?(?:\(\d{1,4}\)|\d{1,4})){2,6}(?!\d)"
        ),
        _is_phone,
    ),
)
