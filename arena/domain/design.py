"""Plans of comparisons: by which design, which ones, and what was seen when looking on the way.

A plan is fixed before the first verdict that it asks for. What changes it makes another plan,
which keeps what was compared before.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from arena.domain.digest import digest

Design = Literal["all", "even", "random", "informed", "against", "adaptive"]
DESIGNS: tuple[Design, ...] = ("all", "even", "random", "informed", "against", "adaptive")
ADAPTIVE: Design = "adaptive"
USUAL_LOOKS = 4
"""Looks of a plan with a stop rule that does not say how many."""


class Place(NamedTuple):
    """Where agents meet: a scenario in one replicate."""

    scenario: str
    replicate: int


class Cell(NamedTuple):
    """A comparison that is intended, before every judge and in both orders; `a` < `b`."""

    scenario: str
    replicate: int
    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What was asked of a plan; the same terms go on with the same plan.

    `comparisons`: how many there shall be, None for the design's own number. `baseline`: of
    `against`. `stop_width`: points to which every ranked agent's interval must come for the plan
    to end early, at one of `looks` looks; None: it is followed to its end, and `looks` is 1.
    """

    design: Design
    comparisons: int | None = None
    baseline: str | None = None
    stop_width: float | None = None
    looks: int = 1
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was seen when some comparisons of a plan were done.

    `number` of `looks`; `level` of the intervals. `undecided` of `pairs`: the interval of their
    difference includes 0, or there is none. `widest`: points between the ends of the widest
    interval of a ranked agent, None where one is open or nobody is ranked. `stopped`: the plan
    ended here.
    """

    number: int
    looks: int
    level: float
    pairs: int
    undecided: int
    widest: float | None
    stopped: bool


@dataclass(frozen=True, kw_only=True)
class ComparisonPlan:
    """Which comparisons are intended on one suite and mode.

    `agents`, `places`: those that it was made for. `cells` in the order of looks, None: every one
    that there is, however many agents and scenarios there will be. `parts`: how many of the cells
    are done before each look. `scores`: digest of the rubric scores that it read, None where it
    read none; `unscored`: agents of which it knew too few, `evened` pairs were planned as if by
    `even` for it. `history`: the designs that chose its cells, this one last. `after`: the plan
    that it goes on from. `looked`: the looks so far.
    """

    suite: str
    mode: str
    terms: Terms
    agents: tuple[str, ...]
    places: tuple[Place, ...]
    cells: tuple[Cell, ...] | None
    parts: tuple[int, ...]
    scores: str | None
    unscored: tuple[str, ...]
    evened: int
    history: tuple[str, ...]
    after: str | None
    looked: tuple[Look, ...] = ()

    @cached_property
    def key(self) -> str:
        """Digest of the plan; what was seen since is no part of it."""
        told = asdict(self)
        del told["looked"]
        return digest(["plan", told])

    @property
    def stop(self) -> Look | None:
        """The look at which the stop rule ended the plan."""
        return next((look for look in self.looked if look.stopped), None)

    @property
    def due(self) -> tuple[Cell, ...] | None:
        """The cells to compare: all, or those before the look that ended the plan."""
        if self.cells is None or self.stop is None:
            return self.cells
        return self.cells[: self.parts[self.stop.number - 1]]

    def covers(self, agents: Iterable[str], places: Iterable[Place]) -> bool:
        """Whether it was made for all of these agents and places."""
        if self.cells is None:
            return True
        return set(agents) <= set(self.agents) and set(places) <= set(self.places)
