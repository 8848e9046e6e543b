"""A transcript as a judge reads it: rounds numbered, roles named, thinking left out."""

import re
from dataclasses import dataclass

from arena.domain.transcript import Transcript
from arena.domain.words import Lang
from arena.judging.phrases import DIALOGUE
from arena.judging.shield import QUOTED, reveal
from arena.judging.thinking import split_thinking

_ROLES = "|".join(("user", "agent", "system", "assistant", "用户", "智能体", "系统", "助手"))
_ROLE_LINE = re.compile(
    rf"^(?=[ \t]*+\[\d{{0,3}}\][ \t]*+(?:{_ROLES})[ \t]*+[:：])", re.MULTILINE | re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What was said, made safe to show. `own` is the agent's side: system prompt, then replies.

    The system prompt is empty where the agent had none. `welcome`: what it said before the first
    turn.
    """

    turns: tuple[str, ...]
    own: tuple[str, ...]
    welcome: str = ""

    @property
    def replies(self) -> tuple[str, ...]:
        """The agent's replies, one a round."""
        return self.own[1:]


def spoken(transcript: Transcript) -> Spoken:
    """What was said in a transcript; the same for every judge.

    Thinking that is still in a reply is taken out; control characters are shown; a line that
    imitates the head of a turn is marked.
    """
    system = [m.text for m in transcript.messages if m.role == "system"]
    rounds = transcript.rounds
    replies = [split_thinking(reply).visible for _, reply in rounds]
    return Spoken(
        turns=tuple(_safe(turn) for turn, _ in rounds),
        own=(_safe("\n".join(system)), *(_safe(reply) for reply in replies)),
        welcome=_safe(split_thinking(transcript.welcome).visible),
    )


def write_dialogue(
    turns: tuple[str, ...], own: tuple[str, ...], *, lang: Lang, welcome: str = ""
) -> str:
    """The dialogue as one text: a head line before each turn, `[2] agent:`; a welcome is `[0]`."""
    say = DIALOGUE[lang]
    system, *replies = own
    parts = [f"[{say['system']}]\n{system}"] if system else []
    if welcome:
        parts.append(f"[0] {say['agent']}:\n{welcome}")
    for n, (turn, reply) in enumerate(zip(turns, replies, strict=True), start=1):
        parts.append(f"[{n}] {say['user']}:\n{turn}")
        parts.append(f"[{n}] {say['agent']}:\n{reply if reply.strip() else say['empty']}")
    return "\n".join(parts)


def _safe(text: str) -> str:
    return _ROLE_LINE.sub(QUOTED, reveal(text))
