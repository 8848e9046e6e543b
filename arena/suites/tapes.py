"""Transcripts that were made elsewhere: JSON lines, one transcript a line.

A line holds `scenario` and `messages`, a list of {role, content} (or {role, text}, or [role,
text]); `agent` where the file holds several, `replicate` where there is more than one. What else
it holds is left alone, so that exports of other tools can be used as they are.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from arena.domain.product import Tape
from arena.errors import ConfigError
from arena.suites.reading import read_jsonl

USER = ("user", "human", "customer", "用户")
AGENT = ("assistant", "agent", "bot", "ai", "model", "智能体", "助手")
SYSTEM = ("system", "系统")


class TapeLine(BaseModel):
    """A line of the file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    scenario: str = Field(min_length=1)
    messages: tuple[tuple[str, str], ...] = Field(min_length=1)
    agent: str | None = None
    replicate: int = Field(default=1, ge=1)

    @field_validator("messages", mode="before")
    @classmethod
    def _as_pairs(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [_pair(one) for one in value]


def load_tapes(file: Path, agent: str) -> Mapping[tuple[str, int], Tape]:
    """The transcripts of an agent by scenario and replicate; lines without agent are its own.

    Raises ConfigError with file:line for a line that is no transcript, one that is there twice,
    and a file that holds none of this agent.
    """
    found: dict[tuple[str, int], Tape] = {}
    others: set[str] = set()
    for number, line in read_jsonl(file, TapeLine):
        if line.agent not in (None, agent):
            others.add(str(line.agent))
            continue
        at = (line.scenario, line.replicate)
        if at in found:
            raise ConfigError(
                "{place}: a second transcript of scenario {scenario}, replicate {replicate}",
                fix="The first is at {first}; number repetitions with `replicate`.",
                place=f"{file}:{number}",
                scenario=line.scenario,
                replicate=line.replicate,
                first=found[at].place,
            )
        found[at] = _tape(f"{file}:{number}", line.messages)
    if not found:
        raise ConfigError(
            "{path}: no transcript of {agent}",
            fix="Agents in it: {agents}. Name one of them in `replay: agent`.",
            path=file,
            agent=agent,
            agents=", ".join(sorted(others))[:200] or "-",
        )
    return found


def _pair(one: Any) -> Any:
    if isinstance(one, Mapping):
        text = next((one[k] for k in ("content", "text") if isinstance(one.get(k), str)), None)
        return [one.get("role"), text]
    return one


def _tape(place: str, messages: Sequence[tuple[str, str]]) -> Tape:
    """The rounds of a dialogue; a first message of the agent is its welcome."""
    spoken = [(_who(place, role), text) for role, text in messages]
    spoken = [(who, text) for who, text in spoken if who != "system"]
    welcome = ""
    if spoken and spoken[0][0] == "agent":
        welcome, spoken = spoken[0][1], spoken[1:]
    roles = [who for who, _ in spoken]
    if not spoken or roles != ["user", "agent"] * (len(spoken) // 2):
        raise ConfigError(
            "{place}: `messages` must alternate: a user turn, then the agent's reply",
            fix="Join messages that follow each other, and leave out an unanswered last turn.",
            place=place,
        )
    texts = [text for _, text in spoken]
    return Tape(
        place=place, rounds=tuple(zip(texts[::2], texts[1::2], strict=True)), welcome=welcome
    )


def _who(place: str, role: str) -> str:
    folded = role.strip().casefold()
    for who, names in (("user", USER), ("agent", AGENT), ("system", SYSTEM)):
        if folded in names:
            return who
    raise ConfigError(
        "{place}: nobody is called {role} in a dialogue",
        fix="`role` is user or assistant.",
        place=place,
        role=role[:40],
    )
