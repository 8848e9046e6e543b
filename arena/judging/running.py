"""The record that an agent keeps in its replies: read by sections, whatever dress they wear.

Sections are asked for by the mode's instruction. They are found as keys of a JSON object, or under
headings: `# History`, `**History**`, `【History】`, `History:`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.telling import Section, fold_label
from arena.judging.lenient import find_objects

_LEAD = re.compile(r"[ \t]*(?:[-*•][ \t]+)?(?P<marks>#{0,6})[ \t]*(?:\d{1,2}[.、)）][ \t]*)?")
_PAIRS = (("**", "**"), ("__", "__"), ("【", "】"), ("[", "]"), ("「", "」"))
_COLON = re.compile(r"[:：]")
_NOTHING = " \t\n\r-—–_.。/*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The sections of one reply by key; an empty text: the reply gives the section nothing.

    `whole`: no section was found, and each holds the whole reply.
    """

    texts: Mapping[str, str]
    whole: bool = False
    said: str = ""
    """What stands before the record: the part that is spoken."""


def read_sections(reply: str, sections: Sequence[Section]) -> Running:
    """The record in a reply. Linear in its length; never raises.

    The last JSON object that has a section's name as a key wins, else headings; of a section that
    stands there twice the last is taken; without either the whole reply stands for every section.
    """
    labels = {label: s.section for s in sections for label in s.labels}
    found = _from_json(reply, labels) or _from_headings(reply, labels)
    if not found:
        whole = reply.strip()
        return Running(texts={s.section: whole for s in sections}, whole=True, said=whole)
    texts = {s.section: _filled(found.get(s.section, "")) for s in sections}
    return Running(texts=texts, said=_before(reply, labels))


def _before(reply: str, labels: Mapping[str, str]) -> str:
    """The text above the first heading or object; the whole reply where nothing stands there."""
    lines: list[str] = []
    for line in reply.split("\n"):
        if line.lstrip().startswith(("{", "```")) or labels.get(fold_label(_head(line)[0])):
            break
        lines.append(line)
    return "\n".join(lines).strip() or reply.strip()


def _from_json(reply: str, labels: Mapping[str, str]) -> dict[str, str]:
    best: dict[str, str] = {}
    for found in find_objects(reply):
        own = {
            labels[fold_label(key)]: _text(value)
            for key, value in found.value.items()
            if fold_label(key) in labels
        }
        best = own or best
    return best


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_text(one) for one in value)
    return value if isinstance(value, str) else ""


def _from_headings(reply: str, labels: Mapping[str, str]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    current: str | None = None
    for line in reply.split("\n"):
        label, rest = _head(line)
        section = labels.get(fold_label(label))
        if section:
            current = section
            texts[section] = [rest]
        elif line.lstrip().startswith("#"):
            # A heading of something else ends the section above it.
            current = None
        elif current is not None:
            texts[current].append(line)
    return {key: "\n".join(lines) for key, lines in texts.items()}


def _head(line: str) -> tuple[str, str]:
    """The label of a heading and what follows it; a mark, brackets or a colon make one."""
    lead = _LEAD.match(line)
    if lead is None:
        return "", ""
    text = line[lead.end() :].strip()
    for opened, closed in _PAIRS:
        if text.startswith(opened):
            label, _, rest = text.removeprefix(opened).partition(closed)
            return label.strip().rstrip(":："), rest.lstrip(" \t:：")
    label, *rest_of = _COLON.split(text, maxsplit=1)
    if rest_of or lead["marks"]:
        return label, "".join(rest_of)
    return "", ""


def _filled(text: str) -> str:
    """The text of a section; one of dashes and dots alone is empty."""
    return text.strip() if text.strip(_NOTHING) else ""
