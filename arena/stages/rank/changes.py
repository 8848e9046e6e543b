"""Two boards → what changed between them: differences that count every scenario once.

Reads `transcript`, `sheet`, `score`, `verdict` and `call`; writes nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from arena.domain.basis import Basis
from arena.domain.board import Board
from arena.domain.changes import AgentChange, Changes, Presence, Shift
from arena.domain.former import Former
from arena.domain.job import Job
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL
from arena.domain.standing import Standing, State
from arena.errors import UsageError
from arena.maths.drift import clustered_change, paired_changes
from arena.maths.intervals import holm
from arena.stages.rank.comparable import check_comparable, rescored_by
from arena.stages.rank.sides import Found, find_side, side_of
from arena.store.store import Store

_PLACE: dict[Presence, int] = {"both": 0, "new": 1, "gone": 2}


def compare_boards(former: Former, job: Job, store: Store) -> Changes:
    """What changed since a former board, by the latest board of a job.

    Raises UsageError where there is no board yet, and for boards that must not be compared.
    """
    board = store.boards.latest(
        job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
    )
    if board is None:
        raise UsageError(
            "there is no board of {suite} yet", fix="Run: arena rank", suite=job.suite.suite
        )
    if board.basis is None:
        raise UsageError(
            "the board of {suite} was made by an older version and cannot be compared",
            fix="Run: arena rank",
            suite=job.suite.suite,
        )
    caveats = check_comparable(former, board, board.basis)
    both = _Both(former, board, board.basis, job, store)
    return Changes(
        suite=job.suite.suite,
        mode=job.mode,
        source=former.source,
        at=former.board.at,
        at_now=board.at,
        software=former.board.software,
        software_now=board.software,
        level=board.method.level,
        reference=both.reference,
        settled=both.settled,
        agents=both.changes(),
        bridges=board.diagnostics.audit.bridges,
        caveats=caveats,
        names={name: (words.zh, words.en) for name, words in sorted(former.names.items())},
    )


@dataclass(frozen=True, slots=True)
class Weighed:
    """A change with p of none, before it is adjusted; None where there is no interval."""

    shift: Shift
    p: float | None = None


@dataclass(frozen=True, slots=True)
class _Answers:
    """What both boards rest on, as far as it is in the store."""

    then: Found | None
    now: Found | None


class _Both:
    """Two boards side by side."""

    def __init__(self, former: Former, board: Board, basis: Basis, job: Job, store: Store) -> None:
        self.former, self.board, self.basis = former, board, basis
        self.then = {s.agent: s for s in former.board.agents}
        self.now = {s.agent: s for s in board.agents}
        rated = (State.RANKED, State.PROVISIONAL)
        self.common = tuple(
            sorted(
                name
                for name in self.then.keys() & self.now.keys()
                if all(of[name].state in rated for of in (self.then, self.now))
            )
        )
        unaltered = tuple(name for name in self.common if self._altered(name) is False)
        # An agent that got better must not make the others look worse.
        self.settled = bool(unaltered)
        self.reference = unaltered or self.common
        self.answers = _Answers(
            find_side(job, former.board, former.basis, store),
            find_side(job, board, basis, store),
        )
        self.rescored = bool(rescored_by(former.basis, basis))
        level = board.method.level
        self.ratings = decide(self._ratings(), level)
        both = {n: (self.then[n], self.now[n]) for n in self.then.keys() & self.now.keys()}
        scores = {name: self._absolute(*both[name]) for name in sorted(both)}
        self.scores = decide(scores, level)

    def changes(self) -> tuple[AgentChange, ...]:
        """Every agent of either board: on both by the order of now, new ones, those gone."""
        names = [s.agent for s in self.board.agents]
        names += [s.agent for s in self.former.board.agents if s.agent not in self.now]
        found = [self._change(name) for name in names]
        return tuple(sorted(found, key=lambda change: _PLACE[change.presence]))

    def _change(self, name: str) -> AgentChange:
        then, now = self.then.get(name), self.now.get(name)
        presence: Presence = "both" if then and now else "new" if now else "gone"
        return AgentChange(
            agent=name,
            presence=presence,
            altered=self._altered(name) if presence == "both" else None,
            then=then,
            now=now,
            rating=self.ratings.get(name, Shift(difference=None, why="unrated")),
            absolute=self.scores.get(name, Shift(difference=None, why="unscored")),
            cost_then=self.former.costs.get(name),
        )

    def _altered(self, name: str) -> bool | None:
        """Whether an agent is not what it was; None where that is not known."""
        old, new = self.former.basis.agents.get(name), self.basis.agents.get(name)
        return old != new if old and new else None

    def _ratings(self) -> dict[str, Weighed]:
        """Change of each rating about the mean of the reference."""
        if len(self.common) < 2:
            return {}
        found = self._shifts()
        if len(self.reference) == 1:
            found[self.reference[0]] = Weighed(Shift(difference=0.0, why="reference"))
        return found

    def _shifts(self) -> dict[str, Weighed]:
        before, after = (self._about(of) for of in (self.then, self.now))
        apart = {name: after[name] - before[name] for name in self.common}
        then, now = self.answers.then, self.answers.now
        if then is None or now is None:
            return {n: Weighed(Shift(difference=d, why="not_here")) for n, d in apart.items()}
        unaltered = all(self._altered(name) is False for name in self.common)
        if unaltered and set(then.comparisons) == set(now.comparisons):
            return {name: Weighed(Shift(difference=0.0, same=True)) for name in self.common}
        if not self._has_paired():
            return {n: Weighed(Shift(difference=d, why="method")) for n, d in apart.items()}
        return self._paired(then, now)

    def _about(self, standings: Mapping[str, Standing]) -> dict[str, float]:
        """Ratings of the agents on both boards about the mean of the reference."""
        ratings = {n: r for n in self.common if (r := standings[n].rating) is not None}
        mean = fmean(ratings[name] for name in self.reference)
        return {name: rating - mean for name, rating in ratings.items()}

    def _has_paired(self) -> bool:
        """Whether the boards' method has an interval that pairs scenarios."""
        method = self.board.method
        plain = method.ties == "half" and method.cluster == ("scenario",)
        adaptive = self.board.chosen_by_verdicts or self.former.board.chosen_by_verdicts
        return plain and method.estimator == "bradley-terry" and not adaptive

    def _paired(self, then: Found, now: Found) -> dict[str, Weighed]:
        agents = sorted({*self.then, *self.now})
        scenarios = self.basis.scenarios
        old = side_of(then, self.former.board, agents, scenarios)
        new = side_of(now, self.board, agents, scenarios)
        mask = np.array([name in self.reference for name in agents])
        level = self.board.method.level
        said = paired_changes(old, new, mask, level=level)
        used = len({c.scenario for c in (*then.comparisons, *now.comparisons)})
        found = {}
        for n in (agents.index(name) for name in self.common):
            difference, margin = float(said.change[n]), float(said.half[n])
            if used < MIN_SCENARIOS_FOR_INTERVAL or np.isnan(margin):
                found[agents[n]] = Weighed(Shift(difference=difference, why="few"))
                continue
            low, high = difference - margin, difference + margin
            shift = Shift(difference=difference, low=low, high=high)
            found[agents[n]] = Weighed(shift, float(said.p[n]))
        return found

    def _absolute(self, then: Standing, now: Standing) -> Weighed:
        if then.absolute is None or now.absolute is None:
            return Weighed(Shift(difference=None, why="unscored"))
        difference = now.absolute.mean - then.absolute.mean
        sides = (self.answers.then, self.answers.now)
        old, new = (side.scores.get(now.agent) if side else None for side in sides)
        if self.rescored:
            return Weighed(Shift(difference=difference, why="judges"))
        if old is None or new is None:
            return Weighed(Shift(difference=difference, why="not_here"))
        if old.keys() != new.keys():
            return Weighed(Shift(difference=difference, why="coverage"))
        same = self._altered(now.agent) is False and old == new
        return _shift_of(old, new, same=same, level=self.board.method.level)


def decide(tested: Mapping[str, Weighed], level: float) -> dict[str, Shift]:
    """Who moved: those whose p, adjusted for the number of agents after Holm, is at most α."""
    names = sorted(name for name, of in tested.items() if of.p is not None)
    adjusted = holm(np.array([tested[name].p for name in names], dtype=np.float64))
    moved = {n for n, p in zip(names, adjusted.tolist(), strict=True) if p <= 1 - level}
    return {name: replace(of.shift, moved=name in moved) for name, of in tested.items()}


def _shift_of(
    old: Mapping[str, float], new: Mapping[str, float], *, same: bool, level: float
) -> Weighed:
    """Change of a mean over scenarios, paired by scenario."""
    if same:
        return Weighed(Shift(difference=0.0, same=True))
    names = sorted(old)
    change = np.array([new[name] - old[name] for name in names])
    said = clustered_change(np.arange(len(names)), change, level=level)
    if len(names) < MIN_SCENARIOS_FOR_INTERVAL or said.low is None:
        return Weighed(Shift(difference=said.mean, why="few"))
    return Weighed(Shift(difference=said.mean, low=said.low, high=said.high), said.p)
