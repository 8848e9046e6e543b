"""Which judge is asked about which transcripts: sheets and presentations, with the vendor guard."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Literal

from arena.domain.agent import Agent, Judge, Use, kin
from arena.domain.design import Cell
from arena.domain.score import SheetSpec
from arena.domain.sheet_parts import Scope
from arena.domain.suite import Scenario, Suite
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import ORDERS, Order, Presentation, Wording
from arena.judging.key import key_wording
from arena.judging.panel import Planned, Thin
from arena.judging.wording import wording

Guard = Literal["exclude", "warn", "allow"]
__all__ = ["Guard", "Planned", "Thin", "plan_presentations", "plan_sheets"]


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

    A rubric's scopes say which: one a round, in the order of rounds, one for the whole, or both;
    all of them once for each replicate of the judge. Sheets of stand-ins wait in `reserve`.

    Transcripts of other suites, modes or scenarios are passed over, and so are questions whose
    answer is not known. Raises KeyError for a transcript of an agent that is not among `agents`.
    """
    panel = _Panel(suite, mode, judges, agents, guard, "rubric")
    items: list[SheetSpec] = []
    reserve: list[SheetSpec] = []
    for spec in transcripts:
        if not panel.covers(spec):
            continue
        for judge in panel.judges:
            if panel.may(judge, spec.agent):
                (reserve if judge.stand_in else items).extend(_sheets(panel, judge, spec))
    return Planned(items=tuple(items), guarded=tuple(panel.guarded), reserve=tuple(reserve))


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
            judge_replicate=replicate,
        )
        for replicate in range(1, judge.times + 1)
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
    first in alphabetical order. With `exclude` a judge meets no pair in which either agent is kin
    (`withheld`); pairs that are left with fewer judges than the panel are listed. Two decoys never
    meet. Passes over and raises as `plan_sheets` does.
    """
    panel = _Panel(suite, mode, judges, agents, guard, "pairwise")
    met: dict[tuple[str, str, str, int], list[TranscriptSpec]] = {}
    for spec in transcripts:
        if panel.covers(spec):
            met.setdefault((spec.scenario, spec.shown, spec.user, spec.replicate), []).append(spec)
    seats = _Seats()
    for group in met.values():
        in_order = sorted(group, key=lambda spec: spec.agent)
        for a, b in combinations(in_order, 2):
            cell = Cell(a.scenario, a.replicate, a.agent, b.agent)
            if panel.meet(a.agent, b.agent) and (among is None or cell in among):
                seats.fill(panel, a, b, cell)
    return Planned(
        items=tuple(seats.items),
        guarded=tuple(panel.guarded),
        reserve=tuple(seats.reserve),
        thin=tuple(seats.thin),
        withheld=tuple(seats.withheld),
    )


class _Seats:
    """Who is asked about pairs at once, who may be called, and who is kept away."""

    def __init__(self) -> None:
        self.items: list[Presentation] = []
        self.reserve: list[Presentation] = []
        self.thin: list[Thin] = []
        self.withheld: list[tuple[str, Cell]] = []

    def fill(self, panel: "_Panel", a: TranscriptSpec, b: TranscriptSpec, cell: Cell) -> None:
        """Seat the judges of one pair."""
        may = [judge for judge in panel.judges if panel.may(judge, a.agent, b.agent)]
        seated = [judge for judge in may if not judge.stand_in]
        self.items += _present(panel, seated, a, b)
        self.reserve += _present(panel, [judge for judge in may if judge.stand_in], a, b)
        if len(seated) < panel.size:
            self.thin.append(_thin(a, b, len(seated)))
        kept_away = (j for j in panel.judges if j not in may and not j.stand_in)
        self.withheld += [(judge.judge, cell) for judge in kept_away]


def _thin(a: TranscriptSpec, b: TranscriptSpec, judges: int) -> Thin:
    return Thin(
        agent_a=a.agent,
        agent_b=b.agent,
        scenario=a.scenario,
        replicate=a.replicate,
        judges=judges,
    )


def _present(
    panel: "_Panel", judges: Sequence[Judge], a: TranscriptSpec, b: TranscriptSpec
) -> list[Presentation]:
    """The orders of a pair for some judges, as often as each is asked."""
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
            judge_replicate=replicate,
        )
        for judge in judges
        for replicate in range(1, judge.times + 1)
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
        self.size = sum(not judge.stand_in for judge in self.judges)
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

    def meet(self, a: str, b: str) -> bool:
        """Whether two agents are compared: not one with itself, nor two decoys."""
        decoys = self.agents[a].kind == "decoy" and self.agents[b].kind == "decoy"
        return a != b and not decoys

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
