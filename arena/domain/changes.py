"""What changed since a former board: agents come and gone, and how those on both have moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from arena.domain.bridge import Bridge
from arena.domain.eligibility import Eligible
from arena.domain.job import Job
from arena.domain.money import Money
from arena.domain.standing import Standing, Why

Presence = Literal["both", "new", "gone"]
Unknown = Literal[
    "", "unrated", "reference", "not_here", "method", "few", "unscored", "coverage", "judges"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """New less old, with an interval that counts every scenario once, or why there is none.

    The interval is of this agent by itself. `moved`: that it changed holds together with all other
    agents of whom that is said, after Holm. `same`: both rest on the same answers, so that what did
    not change is known and not estimated.
    `why`, where there is no interval. unrated: not rated on both boards. reference: it is what the
    others are measured by, so that it cannot move. not_here: this store does
    not hold the answers of both boards. method: the boards' method has no paired interval. few:
    fewer scenarios than an interval takes, or nothing varied. unscored: no score on one of them.
    coverage: scores of other scenarios on one than on the other. judges: other models scored.
    """

    difference: float | None
    low: float | None = None
    high: float | None = None
    moved: bool = False
    same: bool = False
    why: Unknown = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChange:
    """One agent on either board.

    `altered`: whether its own model, prompt, sampling or version differ; None: not known.
    `rating`: change of the rating, both boards set to the same mean over the reference.
    `absolute`: change of the absolute score. `cost_then`, `cost_now`: per transcript.
    """

    agent: str
    presence: Presence
    altered: bool | None
    then: Standing | None
    now: Standing | None
    rating: Shift
    absolute: Shift
    cost_then: Money | None = None
    cost_now: Money | None = None

    @property
    def eligibility(self) -> tuple[Eligible | None, Eligible | None]:
        """What it was and what it is; None where no gate tells."""
        then, now = (s.eligibility.state if s and s.eligibility else None for s in self._both)
        return then, now

    @property
    def _both(self) -> tuple[Standing | None, Standing | None]:
        return self.then, self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """A board against a former one of the same suite, mode, judges and method.

    `source`: the former one's file or folder, by its name; `at`, `software`: when it was made and
    by what; `at_now`, `software_now` likewise. `level` of all intervals, each by itself.
    `reference`: the agents by which ratings of both boards are measured: those rated on both that
    did not change themselves (`settled`), else all that are rated on both.
    `caveats`: what could not be compared, or differs and must be known;
    `names`: of agents that are gone, (zh, en).
    """

    suite: str
    mode: str
    source: str
    at: str | None
    at_now: str | None
    software: str
    software_now: str
    level: float
    reference: tuple[str, ...]
    settled: bool
    agents: tuple[AgentChange, ...]
    bridges: tuple[Bridge, ...]
    caveats: tuple[Why, ...]
    names: Mapping[str, tuple[str, str]]

    def of(self, presence: Presence) -> tuple[AgentChange, ...]:
        """The agents on both boards, new ones, or those that are gone."""
        return tuple(change for change in self.agents if change.presence == presence)

    @property
    def moved(self) -> tuple[AgentChange, ...]:
        """The agents whose rating changed by more than chance explains."""
        return tuple(change for change in self.agents if change.rating.moved)


def key_of(job: Job) -> str:
    """What tells the jobs of a workspace apart."""
    return f"{job.suite.suite} {job.mode} {job.origin}"


def to_json(changes: Changes) -> dict[str, Any]:
    """The changes as one tree; null is unknown."""
    return {
        "suite": changes.suite,
        "mode": changes.mode,
        "then": {"source": changes.source, "at": changes.at, "software": changes.software},
        "now": {"at": changes.at_now, "software": changes.software_now},
        "level": changes.level,
        "reference": {"agents": list(changes.reference), "settled": changes.settled},
        "caveats": [{"key": c.key, "facts": dict(c.facts)} for c in changes.caveats],
        "bridges": [
            {
                "judge": b.judge,
                "old": b.old,
                "new": b.new,
                "presentations": b.read,
                "scenarios": b.scenarios,
                "seen": b.seen,
                "finding": b.finding,
            }
            for b in changes.bridges
        ],
        "agents": [_agent(change) for change in changes.agents],
    }


def _agent(change: AgentChange) -> dict[str, Any]:
    then, now = change.eligibility
    return {
        "agent": change.agent,
        "presence": change.presence,
        "altered": change.altered,
        "then": _standing(change.then),
        "now": _standing(change.now),
        "rating": _shift(change.rating),
        "absolute": _shift(change.absolute),
        "eligibility": {"then": then, "now": now},
        "cost": {"then": _money(change.cost_then), "now": _money(change.cost_now)},
    }


def _standing(standing: Standing | None) -> dict[str, Any] | None:
    if standing is None:
        return None
    return {
        "state": standing.state.value,
        "rating": standing.rating,
        "low": standing.low,
        "high": standing.high,
        "rank_low": standing.rank_low,
        "rank_high": standing.rank_high,
        "absolute": standing.absolute.mean if standing.absolute else None,
    }


def _shift(shift: Shift) -> dict[str, Any]:
    return {
        "difference": shift.difference,
        "low": shift.low,
        "high": shift.high,
        "moved": shift.moved,
        "same": shift.same,
        "unknown": shift.why or None,
    }


def _money(money: Money | None) -> dict[str, str] | None:
    return None if money is None else {"amount": f"{money.amount:f}", "currency": money.currency}
