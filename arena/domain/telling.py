"""What a scenario tells beside its turns: memories to the agent, the true record to judges."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, StringConstraints

from arena.domain.naming import Key, Text
from arena.domain.words import Frozen, Lang, Words

MEMORIES: dict[Lang, str] = {
    "zh": "【此前谈话留下的要点，供你参考】",
    "en": "[Notes kept from earlier conversations, for your reference]",
}
"""Stands above the memories in the first user turn."""

_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")

MemoryId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Facts = Annotated[tuple[Text, ...], BeforeValidator(_as_list)]
"""Facts of one section of a record; a file may write a single one as a plain text."""


class Memory(Frozen):
    """Something the agent is given from an earlier conversation."""

    memory: MemoryId
    text: Text


class Section(Frozen):
    """A section of the record that an agent keeps: its key, its name, and what else it is called.

    Scenarios may hold the true content of a section as `reference`.
    """

    section: Key
    name: Words
    also: tuple[Text, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """What the section may be called in a reply, as `fold_label` writes it, each once."""
        names = (self.section, self.name.zh, self.name.en, *self.also)
        return tuple(dict.fromkeys(fold_label(name) for name in names))


class Answer(Frozen):
    """What a simulated user answers when one of some words is in a question."""

    ask: tuple[Text, ...] = Field(min_length=1)
    say: Text


def fold_label(label: str) -> str:
    """A label as labels are compared: without brackets, capitals and underscores."""
    return _BRACKETS.sub("", label).strip().casefold().replace("_", " ")


def write_memories(memories: tuple[Memory, ...], lang: Lang) -> str:
    """The memories as they stand before the first user turn; empty where there are none."""
    if not memories:
        return ""
    return "\n".join([MEMORIES[lang], *(f"- {m.text}" for m in memories), "", ""])
