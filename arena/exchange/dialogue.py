"""Dialogues of other tools: messages with parts, tools and several replies in a row, made plain.

What a tool said and what is no text has no place in a transcript: it is counted, not kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.domain.call import Message

TEXT = ("text",)
THOUGHTS = ("reasoning", "thinking")


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Messages in turn: user, agent, user, agent. `tools`, `others`: what is not in them."""

    messages: tuple[Message, ...]
    tools: int
    others: int

    @property
    def turns(self) -> tuple[str, ...]:
        """What the user says, in order."""
        return tuple(m.text for m in self.messages if m.role == "user")


def read_dialogue(said: Any) -> Dialogue:
    """The dialogue of a list of messages; what is no message counts among the others.

    Several messages of one role in a row are one: an agent that used a tool in between answers
    once.
    """
    messages: list[Message] = []
    tools = others = 0
    for one in said if isinstance(said, list) else ():
        role = one.get("role") if isinstance(one, dict) else None
        if role == "tool":
            tools += 1
            continue
        if role not in ("user", "assistant", "system"):
            others += 1
            continue
        text, strange = _text(one.get("content"))
        others += strange
        _add(messages, Message(role, text))
    return Dialogue(tuple(messages), tools, others)


def _add(messages: list[Message], new: Message) -> None:
    last = messages[-1] if messages else None
    if last is None or last.role != new.role:
        messages.append(new)
        return
    parts = [text for text in (last.text, new.text) if text.strip()]
    messages[-1] = Message(new.role, "\n\n".join(parts))


def _text(content: Any) -> tuple[str, int]:
    """The text of a content, and how many parts of it are none."""
    if isinstance(content, str):
        return content, 0
    texts, strange = [], 0
    for part in content if isinstance(content, list) else ():
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in TEXT and isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif kind not in THOUGHTS:
            strange += 1
    return "\n".join(texts), strange


def write_dialogue(messages: Iterable[Message]) -> list[Mapping[str, str]]:
    """The messages as a list of role and content."""
    return [{"role": m.role, "content": m.text} for m in messages]
