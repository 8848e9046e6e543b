"""What a check of a workspace found: one row, said in words by the command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from arena.errors import ArenaError

State = Literal["ok", "warn", "fail", "skipped"]
STATES: tuple[State, ...] = ("ok", "warn", "fail", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    `check` names what; `said` and `todo` are keys of sentences that `facts` fill, `todo` empty
    where there is nothing to do. `who`: the endpoints concerned (`agent:ID`, `judge:ID`,
    `user:ID`), none for the workspace. `error` speaks instead of both sentences.
    """

    check: str
    state: State
    said: str = ""
    who: tuple[str, ...] = ()
    todo: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    error: ArenaError | None = None


def blocked_by(findings: tuple[Finding, ...]) -> frozenset[str]:
    """Endpoints that a failed check is about: asking them is of no use, or not allowed."""
    return frozenset(who for one in findings if one.state == "fail" for who in one.who)
