"""Which judge is asked about which transcripts: sheets and presentations, with the vendor guard."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, Literal, TypeVar

from arena.domain.agent import Agent, Judge, Use, kin
from arena.domain.design import Cell
from arena.domain.score import SheetSpec
from arena.domain.sheet_parts import Scope
from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import ORDERS, Order, Presentation, Wording
from arena.judging.key import key_wording
from arena.judging.wording import wording

Guard = Literal["exclude", "warn", "allow"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned(Generic[T]):
    """What is planned, and what the vendor guard found.

    `guarded`: each (judge, agent) of one vendor or family that meets in the plan. With `exclude`
    they were left out; with `warn` they are only marked; with `allow` none is listed. `withheld`:
    each (judge, comparison) that was left out so.
    """

    items: tuple[T, ...]
    guarded: tuple[tuple[str, str], ...]
    withheld: tuple[tuple[str, Cell], ...] = ()


def plan_sheets(
    *,
    suite: Suite,
    mode: str,
    transcripts: Sequence[TranscriptSpec],
    judges: Sequence[Judge],
    agents: Sequence[Agent],
    guard: Guard,
) -> Planned[SheetSpec]:
    """The sheets of every transcript for every judge that uses rubrics, in the given order.

    A rubric's scopes say which: one a round, in the order of rounds, one for the whole, or both.

    Transcripts of other suites, modes or scenarios are passed over, and so are questions whose
    answer is not known. Raises KeyError for a transcript of an agent that is not among `agents`.
    """
    panel = _Panel(suite, mode, judges, agents, guard, "rubric")
    items = []
    for spec in transcripts:
        if not panel.covers(spec):
            continue
        for judge in panel.judges:
            if panel.may(judge, spec.agent):
                items += _sheets(panel, judge, spec)
    return Planned(items=tuple(items), guarded=tuple(panel.guarded))


def _sheets(panel: "_Panel", judge: Judge, spec: TranscriptSpec) -> list[SheetSpec]:
    """What one judge is asked of one transcript."""
    rubric = panel.suite.rubric_of(panel.scenarios[spec.scenario])
    asked: list[tuple[Scope, int]] = []
    for scope in rubric.scopes:
        rounds = range(1, spec.rounds + 1) if scope == "turn" else (0,)
        asked += [(scope, number) for number in rounds]
    return [
        SheetSpec(
            transcript=spec.key,
            agent=spec.agent,
            scenario=spec.scenario,
            judge=judge.judge,
            judge_digest=panel.digests[judge.judge],
            wording=panel.wording(judge, spec.scenario, scope),
            scope=scope,
            round=number,
        )
        for scope, number in asked
    ]


def plan_presentations(
    *,
    suite: Suite,
    mode: str,
    transcripts: Sequence[TranscriptSpec],
    judges: Sequence[Judge],
    agents: Sequence[Agent],
    guard: Guard,
    among: Collection[Cell] | None = None,
) -> Planned[Presentation]:
    """Every pair of agents on what both were shown, in both orders, before every judge.

    `among`: only these comparisons; None: all of them. The answer key has no orders and judges
    once. A pair shares scenario, what was shown, kind of user and replicate; `a` is the agent
    first in alphabetical order. With `exclude` a judge meets no pair in which either agent is
    kin. Passes over and raises as `plan_sheets` does.
    """
    panel = _Panel(suite, mode, judges, agents, guard, "pairwise")
    met: dict[tuple[str, str, str, int], list[TranscriptSpec]] = {}
    for spec in transcripts:
        if panel.covers(spec):
            met.setdefault((spec.scenario, spec.shown, spec.user, spec.replicate), []).append(spec)
    items, withheld = [], []
    for group in met.values():
        in_order = sorted(group, key=lambda spec: spec.agent)
        for a, b in combinations(in_order, 2):
            cell = Cell(a.scenario, a.replicate, a.agent, b.agent)
            if a.agent == b.agent or (among is not None and cell not in among):
                continue
            allowed = [j for j in panel.judges if panel.may(j, a.agent, b.agent)]
            items += _present(panel, allowed, a, b)
            withheld += [(j.judge, cell) for j in panel.judges if j not in allowed]
    return Planned(items=tuple(items), guarded=tuple(panel.guarded), withheld=tuple(withheld))


def _present(
    panel: "_Panel", judges: Sequence[Judge], a: TranscriptSpec, b: TranscriptSpec
) -> list[Presentation]:
    """The orders of a pair for every judge that may see it."""
    return [
        Presentation(
            a=a.key,
            b=b.key,
            agent_a=a.agent,
            agent_b=b.agent,
            scenario=a.scenario,
            replicate=a.replicate,
            judge=judge.judge,
            judge_digest=panel.digests[judge.judge],
            wording=panel.wording(judge, a.scenario),
            order=order,
        )
        for judge in judges
        for order in panel.orders
    ]


class _Panel:
    """The judges of one use, what they are told, and whom they may judge."""

    def __init__(
        self,
        suite: Suite,
        mode: str,
        judges: Sequence[Judge],
        agents: Sequence[Agent],
        guard: Guard,
        use: Use,
    ) -> None:
        self.suite, self.mode, self.guard, self.use = suite, mode, guard, use
        self.judges = [judge for judge in judges if use in judge.uses]
        self.digests = {judge.judge: judge.digest() for judge in self.judges}
        self.agents = {agent.agent: agent for agent in agents}
        self.scenarios: dict[str, Scenario] = {s.scenario: s for s in suite.scenarios}
        # The answer key is shown nobody first.
        self.orders: tuple[Order | None, ...] = (None,) if suite.choice else ORDERS
        # A dict keeps the order in which pairs were met.
        self.guarded: dict[tuple[str, str], None] = {}
        self._wordings: dict[tuple[str, str, Scope], Wording] = {}

    def covers(self, spec: TranscriptSpec) -> bool:
        return (
            spec.suite == self.suite.suite
            and spec.mode == self.mode
            and spec.scenario in self.scenarios
            and (self.suite.choice is None or spec.scenario in self.suite.choice.answers)
        )

    def may(self, judge: Judge, *agents: str) -> bool:
        """Whether the guard lets a judge meet some agents; notes the kin among them."""
        related = [name for name in agents if kin(judge, self.agents[name])]
        if self.guard == "allow":
            return True
        self.guarded |= dict.fromkeys((judge.judge, name) for name in related)
        return self.guard == "warn" or not related

    def wording(self, judge: Judge, scenario: str, scope: Scope = "transcript") -> Wording:
        if self.suite.choice is not None:
            return key_wording(self.suite.choice.answers[scenario])
        key = (judge.judge, scenario, scope)
        if key not in self._wordings:
            self._wordings[key] = wording(
                suite=self.suite,
                scenario=self.scenarios[scenario],
                mode=self.mode,
                judge=judge,
                use=self.use,
                scope=scope,
            )
        return self._wordings[key]
