"""Plans of comparisons in the terminal: before they are followed, and at every look."""

from collections import Counter
from typing import Any

from arena.cli import output
from arena.cli.board_view import percent
from arena.cli.words import Lang, say
from arena.cli.workspace import Bench
from arena.designing.current import cell_of, draft_plan, planned_presentations
from arena.domain.design import ADAPTIVE, ComparisonPlan, Look
from arena.domain.forecast import PlanFact
from arena.domain.job import Job
from arena.store.store import Store

MOST_COLUMNS = 12
"""Agents up to which the comparisons of pairs are shown as a square table."""
MOST_NAMED = 6


def tell_plan(fact: PlanFact, lang: Lang) -> None:
    """What a forecast says of a plan; of `all` only what the vendor guard takes from it."""
    if fact.design != "all":
        output.tell(
            say(
                lang,
                "design_line",
                design=say(lang, f"design_{fact.design}"),
                comparisons=f"{fact.comparisons:,}",
            )
        )
    if fact.adaptive:
        output.tell(say(lang, "design_adaptive_warning"), style="yellow")
    if fact.evened:
        more = ["…"] if len(fact.unscored) > MOST_NAMED else []
        names = ", ".join([*fact.unscored[:MOST_NAMED], *more]) or "—"
        output.tell(say(lang, "design_evened", pairs=fact.evened, names=names), style="yellow")
    if fact.stop_width is not None:
        said = say(lang, "design_stop", width=f"{fact.stop_width:g}", looks=fact.looks)
        output.tell(said)
    if fact.withheld:
        output.tell(say(lang, "design_withheld", comparisons=f"{fact.withheld:,}"))


def tell_look(plan: ComparisonPlan, look: Look, lang: Lang) -> None:
    """What is still undecided, and whether the stop rule ended the plan."""
    if ADAPTIVE in plan.history:
        told = {"undecided": look.undecided, "pairs": look.pairs}
        output.tell(say(lang, "look_round", comparisons=f"{len(plan.cells or ()):,}", **told))
        return
    widest = say(lang, "look_open") if look.widest is None else f"{look.widest:.0f}"
    facts = {
        "number": look.number,
        "looks": look.looks,
        "undecided": look.undecided,
        "pairs": look.pairs,
        "widest": widest,
        "level": percent(look.level),
    }
    output.tell(say(lang, "look_line" if look.looks > 1 else "look_only", **facts))
    if look.stopped:
        output.tell(say(lang, "look_stopped", **facts), style="bold")


def show_plans(bench: Bench, store: Store, lang: Lang) -> None:
    """The plans in counts on stderr: per agent, per pair, and the load of scenarios.

    Of `all` there is nothing to show that the forecast does not say.
    """
    for job in bench.jobs:
        counts = _Counts(job, store)
        if counts.plan.terms.design == "all":
            continue
        heads = [say(lang, f"column_{key}") for key in ("agent", "comparisons", "scenarios")]
        rows = [
            [name, f"{counts.agents[name]:,}", str(len(counts.scenarios_of[name]))]
            for name in counts.names
        ]
        title = f"{job.suite.suite} · {job.mode}"
        output.stderr().print(output.make_table(title, heads, rows, right=frozenset({1, 2})))
        output.stderr().print(_pairs(counts, lang))
        for key, some in (("pair", counts.every_pair), ("scenario", counts.every_scenario)):
            if some:
                output.tell(say(lang, f"design_per_{key}", low=min(some), high=max(some)))
        for (judge, a, b), n in sorted(counts.withheld.items()):
            output.tell(say(lang, "design_pair_withheld", judge=judge, a=a, b=b, n=n))


def describe_plans(bench: Bench, store: Store) -> dict[str, Any]:
    """The plans as JSON-able data; `comparisons` are before every judge and in both orders."""
    return {"plans": [_describe(job, store) for job in bench.jobs]}


class _Counts:
    """How a plan spreads over agents, pairs and scenarios of a job's selection."""

    def __init__(self, job: Job, store: Store) -> None:
        self.plan: ComparisonPlan = draft_plan(job, store)
        planned = planned_presentations(job, self.plan)
        cells = {cell_of(p) for p in planned.items} | {cell for _, cell in planned.withheld}
        self.names = sorted(a.agent for a in job.agents)
        self.pairs = Counter((a, b) for _, _, a, b in cells)
        self.agents = Counter(name for _, _, a, b in cells for name in (a, b))
        self.scenarios = Counter(scenario for scenario, *_ in cells)
        self.scenarios_of: dict[str, set[str]] = {name: set() for name in self.names}
        for scenario, _, a, b in cells:
            self.scenarios_of[a].add(scenario)
            self.scenarios_of[b].add(scenario)
        self.withheld = Counter((judge, cell.a, cell.b) for judge, cell in planned.withheld)
        everywhere = [s.scenario for s in job.selection.scenarios_of(job.suite)]
        self.every_scenario = [self.scenarios[name] for name in everywhere]
        self.every_pair = [
            self.pairs[a, b] for i, a in enumerate(self.names) for b in self.names[i + 1 :]
        ]


def _pairs(counts: _Counts, lang: Lang) -> Any:
    """Comparisons of each pair: as a square where it fits, else in a row each."""
    if len(counts.names) > MOST_COLUMNS:
        heads = ["a", "b", say(lang, "column_comparisons")]
        rows = [[a, b, str(n)] for (a, b), n in sorted(counts.pairs.items())]
        return output.make_table("", heads, rows, right=frozenset({2}))
    numbers = [str(n) for n in range(1, len(counts.names) + 1)]
    rows = [
        [number, name, *(str(_met(counts, name, other)) for other in counts.names)]
        for number, name in zip(numbers, counts.names, strict=True)
    ]
    right = frozenset(range(2, len(numbers) + 2))
    return output.make_table("", ["", say(lang, "column_pairs"), *numbers], rows, right=right)


def _met(counts: _Counts, one: str, other: str) -> str | int:
    return "·" if one == other else counts.pairs[min(one, other), max(one, other)]


def _describe(job: Job, store: Store) -> dict[str, Any]:
    counts = _Counts(job, store)
    plan = counts.plan
    return {
        "suite": job.suite.suite,
        "mode": job.mode,
        "design": plan.terms.design,
        "history": list(plan.history),
        "plan": plan.key,
        "seed": plan.terms.seed,
        "baseline": plan.terms.baseline,
        "stop_width": plan.terms.stop_width,
        "looks": plan.terms.looks,
        "scores": plan.scores,
        "unscored": list(plan.unscored),
        "evened": plan.evened,
        "comparisons": sum(counts.pairs.values()),
        "agents": {name: counts.agents[name] for name in counts.names},
        "pairs": [{"a": a, "b": b, "comparisons": n} for (a, b), n in sorted(counts.pairs.items())],
        "scenarios": dict(sorted(counts.scenarios.items())),
        "withheld": [
            {"judge": judge, "a": a, "b": b, "comparisons": n}
            for (judge, a, b), n in sorted(counts.withheld.items())
        ],
    }
