"""plan: a board and the calls so far → how many more scenarios would separate two agents.

Reads the plan, `board` and `call`; writes nothing. The difference to see is stated beforehand; it
is never the one observed.
"""

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL
from arena.domain.money import Money, add_up
from arena.domain.standing import PairStanding, Standing, State
from arena.errors import UsageError
from arena.judging.plans import sheets_of
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.designs.power import POWER, scenarios_missing, scenarios_needed, unit_error
from arena.store.store import Store
from arena.store.tables import CallRecord

Unit = Literal["scenarios", "comparisons"]
AT_ONCE = 2000
"""Keys whose calls are read at once: calls carry their replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What a test takes: units in all, and how many of them are to be added.

    `alpha`: the test's two-sided error. None: no number up to 10⁹ is enough.
    """

    alpha: float
    needed: int | None
    extra: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Separation:
    """What it takes to see a stated difference between two agents.

    `unit` is what is drawn as one, and so what is planned: scenarios, or comparisons where nothing
    is known of scenarios. `there`: units under the board; `waiting`: scenarios of the suite that
    have no comparison yet, None where no suite is known. In points: `difference` (stated),
    `observed` (`a` less `b`), `margin` (half its interval at `board_level`), `se`, and
    `tau` = √there · se. `share`: what the better agent earns of the other at `difference`.
    `adjusted`: for `pairs` pairs that are tested together, α / pairs each, as in the first step of
    Holm; `alone`: for this pair alone.
    """

    a: str
    b: str
    unit: Unit
    there: int
    waiting: int | None
    difference: float
    share: float
    power: float
    level: float
    observed: float
    margin: float
    board_level: float
    se: float
    tau: float
    pairs: int
    adjusted: Need
    alone: Need


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioCost:
    """What a scenario has cost so far: all agents, all judges, failed attempts included.

    `calls` and `cost` (in the workspace's currency) are means per scenario. `cost` is the part
    that is known, None when none is; `unknown` of the `counted` calls are not in it.
    """

    calls: float
    cost: Decimal | None
    counted: int
    unknown: int


def separate(
    board: Board,
    first: str,
    second: str,
    *,
    difference: float,
    power: float = POWER,
    level: float | None = None,
) -> Separation:
    """How many units show a true `difference` (points) of two agents with probability `power`.

    `level`: 1 − α; None is the board's own, at which it decides its pairs. Never fewer scenarios
    than a board takes to rank anybody. Raises UsageError when an agent is not on the board or not
    rated, when the difference has no standard error, or when `difference` is not positive.
    """
    _check_names(board, first, second)
    unit, there = _units(board)
    pair = next(p for p in board.pairs if {p.a, p.b} == {first, second})
    observed, se, margin = _observed(pair, there)
    level = board.method.level if level is None else level
    alpha = round(1 - level, 12)
    tau = unit_error(se, there)
    pairs = _pairs_tested(board, first, second)

    def need(alpha: float) -> Need:
        enough = scenarios_needed(tau, difference, alpha=alpha, power=power)
        if enough is None:
            return Need(alpha=alpha, needed=None, extra=None)
        needed = max(enough, board.method.min_scenarios)
        return Need(alpha=alpha, needed=needed, extra=scenarios_missing(needed, there))

    return Separation(
        a=first,
        b=second,
        unit=unit,
        there=there,
        waiting=None if board.suite is None else max(0, (board.scenarios_planned or 0) - there),
        difference=difference,
        share=1 / (1 + math.exp(-difference / POINTS_PER_NAT)),
        power=power,
        level=level,
        observed=observed if pair.a == first else -observed,
        margin=margin,
        board_level=board.method.level,
        se=se,
        tau=tau,
        pairs=pairs,
        adjusted=need(alpha / pairs),
        alone=need(alpha),
    )


def latest_board(job: Job, *, store: Store) -> Board:
    """The board computed last for a job. Raises UsageError when there is none."""
    board = store.boards.latest(job.suite.suite, job.mode, domains=job.selection.domains)
    if board is None:
        raise UsageError(
            "no board yet of {suite} · {mode}",
            why="What scenarios leave unknown is read from a board.",
            fix="Run `arena rank` first, with the same --suite, --mode and --domain.",
            suite=job.suite.suite,
            mode=job.mode,
        )
    return board


def cost_per_scenario(job: Job, *, store: Store) -> ScenarioCost | None:
    """What a scenario of the job's plan has cost so far; None when nothing was asked for any.

    Each stage is divided by the scenarios that it has come to: one that is half way through the
    suite must not look cheap.
    """
    calls, known = 0.0, Decimal(0)
    counted = unknown = 0
    for scenario_of in _work(job, store):
        made = _made(scenario_of, store)
        if not made:
            continue
        reached = len({scenario for scenario, _ in made})
        spend = add_up((price for _, price in made), job.rates)
        calls += len(made) / reached
        known += spend.amount / reached
        counted += len(made)
        unknown += spend.unknown
    if not counted:
        return None
    cost = None if unknown == counted else known
    return ScenarioCost(calls=calls, cost=cost, counted=counted, unknown=unknown)


def _check_names(board: Board, first: str, second: str) -> None:
    if first == second:
        raise UsageError("two different agents are needed, not {name} twice", name=first)
    standings = {s.agent: s for s in board.agents}
    for name in (first, second):
        if name not in standings:
            near = next(iter(difflib.get_close_matches(name, standings, n=1, cutoff=0.5)), "")
            raise UsageError(
                "no agent called {name} on the board",
                fix="Did you mean {near}?" if near else "There are: {near}.",
                name=name,
                near=near or ", ".join(standings)[:200] or "none",
            )
        _check_rated(standings[name])


def _check_rated(standing: Standing) -> None:
    if standing.rating is not None:
        return
    if standing.state is State.UNBOUNDED:
        raise UsageError(
            "{name} is not rated: its difference from others has no standard error",
            why="It never lost, or never won, a point against the rated agents: only a bound "
            "is known.",
            fix="`arena rank` shows the bound.",
            name=standing.agent,
        )
    raise UsageError(
        "{name} is not rated: its difference from others has no standard error",
        why="No comparisons tie it to the rated agents.",
        fix="Compare it with one of them first.",
        name=standing.agent,
    )


def _units(board: Board) -> tuple[Unit, int]:
    """What a board draws as one, and how many of them it has."""
    if len(board.method.cluster) > 1:
        raise UsageError(
            "no number of scenarios can be planned where two clusters cross",
            why="The error then shrinks with both, not with the scenarios alone.",
            fix="Rank with one --cluster.",
        )
    if board.scenarios is None:
        return "comparisons", board.comparisons
    return "scenarios", board.scenarios


def _observed(pair: PairStanding, there: int) -> tuple[float, float, float]:
    """Difference of a pair, its standard error, and half its interval."""
    if there < MIN_SCENARIOS_FOR_INTERVAL:
        raise UsageError(
            "too few scenarios for a standard error: {there}",
            why="It takes {least} to say how much differs from scenario to scenario.",
            fix="Run some more first: arena run, then arena rank.",
            there=there,
            least=MIN_SCENARIOS_FOR_INTERVAL,
        )
    if pair.difference is None or not pair.se or pair.low is None or pair.high is None:
        raise UsageError(
            "the board has no standard error for the difference of {a} and {b}",
            why="Too few scenarios bear on their ratings, or nothing varies in these.",
            a=pair.a,
            b=pair.b,
        )
    return pair.difference, pair.se, (pair.high - pair.low) / 2


def _pairs_tested(board: Board, first: str, second: str) -> int:
    """Pairs of ranked agents, these two among them; while nobody is ranked, of rated ones."""
    ranked = {s.agent for s in board.agents if s.state is State.RANKED}
    tested = ranked or {s.agent for s in board.agents if s.rating is not None}
    return math.comb(len(tested | {first, second}), 2)


def _work(job: Job, store: Store) -> tuple[Mapping[str, str], ...]:
    """What each stage is to do, in the order of stages: key → scenario."""
    specs = job.all_transcripts()
    transcripts = {spec.key: spec.scenario for spec in specs}
    # Stand-ins were asked too, where they were called: what was paid is part of the cost.
    scoring, comparing = sheets_of(job), planned_presentations(job, plan_in_force(job, store))
    return (
        transcripts,
        {spec.key: spec.scenario for spec in (*scoring.items, *scoring.reserve)},
        {spec.key: spec.scenario for spec in (*comparing.items, *comparing.reserve)},
    )


def _made(scenario_of: Mapping[str, str], store: Store) -> list[tuple[str, Money | None]]:
    """Scenario and price of every call that was made for some work."""
    keys = list(scenario_of)
    return [
        (scenario_of[call.serves], _price(call))
        for start in range(0, len(keys), AT_ONCE)
        for call in store.calls.all(keys[start : start + AT_ONCE])
    ]


def _price(call: CallRecord) -> Money | None:
    """What a call cost; None when that is unknown.

    A failed call of an agent without a price was never billed as far as anybody knows: it counts
    as nothing, as it does in the sum that `arena status` shows.
    """
    if call.cost is not None and call.currency is not None:
        return Money(call.cost, call.currency)
    if call.status is Status.ERROR and call.currency is None:
        return Money(Decimal(0), "")
    return None
