"""Bridges: the same presentations put once more to a judge that another model serves by now.

Nothing else can tell whether two models behind one name judge alike. A bridge's answers have keys
of their own, so they stand on no board; they only decide whether the answers of both models may.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

from arena.domain.digest import digest
from arena.domain.method import LEVEL, MIN_COMPARISONS, MIN_SCENARIOS
from arena.domain.verdict import Presentation

SHARE = 0.3
"""Part of the old comparisons that a bridge asks about, where nothing else is said."""
WITHIN = 0.1
"""Half the width, in parts of a share, that no interval of a bridge may exceed for boards to join:
about 70 points between equals. A drift that is smaller may go unseen."""
CHANGING = 0.2
"""Part of verdicts that is taken to turn round, before anything is known: one in five."""
LEAST_SCENARIOS = MIN_SCENARIOS
LEAST_PRESENTATIONS = MIN_COMPARISONS
"""Of every agent that is met."""
LEAST_READ = 0.8
"""Part of what was asked that must have been answered readably."""

Finding = Literal["holds", "drifts", "small"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BridgeTerms:
    """What is put again: a `share` of the comparisons, by judge of those that `old` models gave."""

    share: float
    old: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Mean change of the share per presentation, new model less old, and its interval.

    `agent`: whose share; None: the share of the side that was shown first. `half`: half the width
    of the interval. Where nothing changed at all there is no interval, and `half` is the largest
    part of presentations that may have changed unseen; None where nothing may be said.
    """

    agent: str | None
    mean: float
    low: float | None
    high: float | None
    half: float | None
    presentations: int
    scenarios: int

    @property
    def covers_zero(self) -> bool:
        """Whether no drift at all is among what may be."""
        if self.low is None or self.high is None:
            return self.mean == 0
        return self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """What a judge's two models, `old` and `new`, say of the same presentations.

    `asked`: presentations put to the judge again, `read`: answered readably by the new model,
    `others`: by neither of the two. `drifts`: first that of the side shown first, then by agent;
    their intervals hold together at `level`. `finding`: holds (no drift is seen, and one of
    `WITHIN` would have been), drifts (an interval leaves out zero), small (too little to say).
    """

    judge: str
    old: str
    new: str
    asked: int
    read: int
    others: int
    scenarios: int
    level: float
    drifts: tuple[Drift, ...]
    finding: Finding

    @property
    def seen(self) -> float | None:
        """The drift that would have been seen for every agent; None where one is unknown."""
        halves = [d.half for d in self.drifts]
        known = [half for half in halves if half is not None]
        return max(known) if known and len(known) == len(halves) else None

    @property
    def strays(self) -> tuple[Drift, ...]:
        """The drifts that leave out zero."""
        return tuple(d for d in self.drifts if not d.covers_zero)


def bridged(shown: Presentation, served: str) -> Presentation:
    """A presentation once more, for whoever serves its judge now; `served`: who answered it."""
    return replace(shown, judge_digest=digest(["bridge", shown.judge_digest, served]))


def expected_half(fewest: int, agents: int) -> float | None:
    """Half the width that an agent's interval would have if one verdict in five changed.

    `fewest`: presentations of the agent with fewest, of `agents`. None without any.
    """
    if fewest == 0:
        return None
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / (agents + 1) / 2)
    return z * math.sqrt(CHANGING / fewest)


def find_finding(drifts: tuple[Drift, ...], *, asked: int, read: int, scenarios: int) -> Finding:
    """What a bridge says: a drift that is seen counts, however small the bridge."""
    if any(not d.covers_zero for d in drifts):
        return "drifts"
    enough = (
        bool(drifts)
        and scenarios >= LEAST_SCENARIOS
        and read >= LEAST_READ * asked
        and all(d.presentations >= LEAST_PRESENTATIONS for d in drifts)
        and all(d.half is not None and d.half <= WITHIN for d in drifts)
    )
    return "holds" if enough else "small"


def joined_models(
    used: Mapping[str, str], bridges: tuple[Bridge, ...]
) -> dict[str, frozenset[str]]:
    """Judge → the model strings whose answers may stand together with those of the one used.

    `used`: judge → that model string. Bridges that hold connect, also through a third model.
    """
    found = {}
    for judge, model in used.items():
        held = [{b.old, b.new} for b in bridges if b.judge == judge and b.finding == "holds"]
        together, grown = {model}, True
        while grown:
            more = {m for pair in held if pair & together for m in pair} - together
            together |= more
            grown = bool(more)
        if len(together) > 1:
            found[judge] = frozenset(together)
    return found
