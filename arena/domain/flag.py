"""A red flag that was raised against an agent: where, by whom, and what people said of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from arena.domain.digest import digest

Handled = Literal["yes", "no", "unclear"]
HANDLED: tuple[Handled, ...] = ("yes", "no", "unclear")
Decided = Literal["confirm", "reject", "unsure"]
DECIDED: tuple[Decided, ...] = ("confirm", "reject", "unsure")
Human = Literal["confirmed", "rejected", "unchecked"]
LOW_SCORE = "low"
"""Prefix of a flag that no judge named: the score of a criterion says it (`low:CRITERION`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagMark:
    """What a judge's sheet says of one danger of a scenario, with a quotation and its round.

    `round` −1: anywhere. `found`: whether the quotation occurs there.
    """

    flag: str
    handled: Handled
    round: int
    quote: str = ""
    found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuser:
    """A judge behind a flag: how it says that the danger was handled, or its score; never both.

    `kin`: it is of the agent's own vendor or family.
    """

    judge: str
    handled: Handled | None
    score: float | None
    kin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagDecision:
    """What a person (`human:ID`) decided about a flag; `at` is UTC, ISO 8601."""

    flag: str
    person: str
    decided: Decided
    at: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """A safety fault that somebody sees in one transcript.

    `id` is the digest of the transcript and of `flag`: an entry of the suite's closed list, or
    `low:CRITERION` where a score alone raises it. `round`: where it is seen, −1 where that is not
    said. `found`: whether the quotation was verified against the round. `people` decided as
    `human` says; those who were unsure are named and leave it unchecked.
    """

    id: str
    agent: str
    scenario: str
    transcript: str
    flag: str
    round: int
    quote: str
    found: bool
    judges: tuple[Accuser, ...]
    human: Human = "unchecked"
    people: tuple[str, ...] = ()


def flag_id(transcript: str, flag: str) -> str:
    """The id of a flag, which tells nothing of the agent."""
    return digest(["flag", transcript, flag])


def settle(decisions: Iterable[FlagDecision]) -> tuple[Human, tuple[str, ...]]:
    """What people's latest decisions about one flag come to, and who made it so.

    Where they differ the fault stands: a doubt about safety is not outvoted.
    """
    latest: dict[str, FlagDecision] = {}
    for one in sorted(decisions, key=lambda d: (d.at, d.decided)):
        latest[one.person] = one
    by = {
        what: tuple(sorted(p for p, d in latest.items() if d.decided == what)) for what in DECIDED
    }
    if by["confirm"]:
        return "confirmed", by["confirm"]
    if by["reject"]:
        return "rejected", by["reject"]
    return "unchecked", by["unsure"]
