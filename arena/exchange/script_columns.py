"""The columns of a script that is filled in by hand, and what stands above them."""

from collections.abc import Iterable, Mapping

from arena.domain.by_hand import Column

FORMAT = "script"
NAMES: Mapping[Column, tuple[str, str]] = {
    "scenario": ("情境", "scenario"),
    "replicate": ("第几次", "replicate"),
    "round": ("轮", "round"),
    "paste": ("粘贴这段话", "paste this"),
    "answer": ("产品的回答", "answer"),
    "parts": ("非文字内容", "non-text parts"),
    "who": ("经手人", "who"),
    "when": ("时间", "when"),
    "version": ("产品版本", "version seen"),
    "remark": ("备注", "remark"),
    "suite": ("题集", "suite"),
    "mode": ("模式", "mode"),
    "agent": ("智能体", "agent"),
    "of_version": ("所属版本", "of version"),
    "shown": ("题面摘要", "shown digest"),
}
"""Chinese and English; either half of a header alone means the same."""
FREE: tuple[Column, ...] = ("answer", "parts", "who", "when", "version", "remark")
"""Columns to be filled in."""
HIDDEN: tuple[Column, ...] = ("suite", "mode", "agent", "of_version", "shown")
"""Columns that say whose a row is; nobody needs to read them."""
SPARE: frozenset[Column] = frozenset({"parts", "who", "when", "version", "remark"})
"""Columns without which a script can be read all the same."""


def header_of(column: Column) -> str:
    """What a column is called, in both languages."""
    return " / ".join(NAMES[column])


def find_columns(header: Iterable[str]) -> tuple[dict[Column, int], tuple[Column, ...]]:
    """Where each column stands, and which of them stand twice."""
    known: dict[str, Column] = {}
    for column, names in NAMES.items():
        known |= dict.fromkeys((*names, header_of(column)), column)
    found: dict[Column, int] = {}
    twice: list[Column] = []
    for index, text in enumerate(header):
        column_here = known.get(" ".join(text.casefold().split()))
        if column_here in found:
            twice.append(column_here)
        elif column_here is not None:
            found[column_here] = index
    return found, tuple(dict.fromkeys(twice))


def missing_columns(found: Iterable[Column]) -> tuple[Column, ...]:
    """The columns that are needed and not there."""
    there = set(found)
    return tuple(c for c in NAMES if c not in there and c not in SPARE)
