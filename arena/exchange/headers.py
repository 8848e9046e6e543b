"""What the columns of a table of scenarios are called, in Chinese and in English.

A header may hold both, as in `编号 / scenario`; capitals, spaces and underscores do not matter.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NAMES: dict[str, tuple[str, ...]] = {
    "scenario": ("编号", "scenario", "情境", "情境编号", "scenario id", "id"),
    "domain": ("领域", "domain"),
    "archetype": ("类型", "archetype", "原型"),
    "title": ("标题", "title"),
    "title_en": ("英文标题", "title en"),
    "user": ("人物", "persona", "user"),
    "context": ("背景", "context"),
    "notes": ("评分提示", "notes"),
    "notes_lite": ("首轮评分提示", "notes lite"),
    "failure_mode": ("常见失手", "failure mode"),
    "red_flags": ("险情", "red flags", "red flag"),
    "tags": ("标签", "tags", "tag"),
}
NEEDED = ("scenario", "domain", "title", "user", "turn_1")
TURN = re.compile(r"第([0-9]{1,2}|[一二三四五六七八九十]{1,2})轮|turn ?([0-9]{1,2})")
DIGITS = "一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Header:
    """Where each field stands: column (from 0) by field, and the names of columns not used."""

    fields: dict[str, int]
    unused: tuple[str, ...]
    twice: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Needed fields, and turns before the last one, that no column is known to hold."""
        between = (f"turn_{n}" for n in range(2, self.turns))
        return tuple(field for field in (*NEEDED, *between) if field not in self.fields)

    @property
    def turns(self) -> int:
        """The highest turn that has a column."""
        return max((int(f[5:]) for f in self.fields if f.startswith("turn_")), default=0)


def recognise_header(names: Sequence[str]) -> Header:
    """What each column serves as."""
    fields: dict[str, int] = {}
    unused, twice = [], []
    for index, name in enumerate(names):
        field = _field(name)
        if field is None:
            unused += [name] if name else []
        elif field in fields:
            twice.append(name)
        else:
            fields[field] = index
    return Header(fields, tuple(unused), tuple(twice))


def header_of(field: str) -> str:
    """A field's header in both languages, as in `编号 / scenario`."""
    if field.startswith("turn_"):
        return f"第{field[5:]}轮 / {field}"
    return f"{NAMES[field][0]} / {'persona' if field == 'user' else field}"


def _field(name: str) -> str | None:
    for part in (name, *re.split(r"[/|\n]", name)):
        plain = " ".join(part.casefold().replace("_", " ").split())
        for field, known in NAMES.items():
            if plain in known:
                return field
        if turn := TURN.fullmatch(plain):
            return f"turn_{_number(turn[1] or turn[2])}"
    return None


def _number(text: str) -> int:
    """12 or 十二 as a number, up to 99."""
    if text.isascii():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    value = 10 * (DIGITS.find(tens) + 1 or 1) if ten else 0
    return value + (DIGITS.find(ones) + 1 if ones else 0)
