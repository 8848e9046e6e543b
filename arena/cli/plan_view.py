"""A plan as a person reads it, and as data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from arena.cli import output
from arena.cli.money import minutes, money
from arena.cli.words import Lang, say
from arena.domain.forecast import Forecast
from arena.domain.money import Money
from arena.stages.plan import Need, ScenarioCost, Separation


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlan:
    """What would separate two agents on one board, and what the board is of.

    `cost`, `currency`: of a workspace only, as `suite`, `mode` and `at`; `file`: of a file only.
    """

    title: str
    separation: Separation
    suite: str | None = None
    mode: str | None = None
    file: str | None = None
    at: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    cost: ScenarioCost | None = None
    currency: str | None = None

    def tests(self) -> tuple[tuple[str, Need], ...]:
        """The two kinds of test; one where there is one pair, because they are the same."""
        both = (("adjusted", self.separation.adjusted), ("alone", self.separation.alone))
        return both if self.separation.pairs > 1 else both[1:]

    def chosen(self, *, adjusted: bool) -> tuple[str, Need]:
        """The test that was asked for."""
        return self.tests()[0 if adjusted else -1]

    def calls_of(self, need: Need) -> int | None:
        """Calls for what is to be added; None: unknown."""
        if self.cost is None or need.extra is None:
            return None
        return math.ceil(self.cost.calls * need.extra)

    def cost_of(self, need: Need) -> Decimal | None:
        """Known cost of what is to be added; None: unknown."""
        if self.cost is None or self.cost.cost is None or need.extra is None:
            return None
        return self.cost.cost * need.extra


def show_stages(forecast: Forecast, stages: Sequence[str], currency: str, lang: Lang) -> None:
    """A run's calls, money and time by stage, on stdout."""
    rows = []
    for stage, part in _by_stage(forecast, stages):
        cost = money(part.cost, currency, lang)
        if part.unpriced and part.cost is not None:
            cost = say(lang, "plan_cost_part", cost=cost)
        time = minutes(part.seconds) if part.calls else "—"
        rows.append([say(lang, f"stage_{stage}"), f"{part.calls:,}", cost, time])
    heads = [say(lang, f"column_{key}") for key in ("stage", "calls", "cost", "time")]
    output.print_table("", heads, rows, right=frozenset({1, 2, 3}))


def describe_stages(forecast: Forecast, stages: Sequence[str]) -> list[dict[str, Any]]:
    """The same as JSON-able data; cost null: unknown, `unpriced`: who is not in it."""
    return [
        {
            "stage": stage,
            "calls": part.calls,
            "cost": list(part.cost) if part.cost else None,
            "unpriced": list(part.unpriced),
            "seconds": part.seconds,
        }
        for stage, part in _by_stage(forecast, stages)
    ]


def show_pair(plan: PairPlan, lang: Lang, *, adjusted: bool) -> None:
    """The table on stdout; what it says, what was observed and what it costs on stderr."""
    found = plan.separation
    heads = ["tested", "alpha", f"needed_{found.unit}", "present", "extra"]
    heads += ["calls", "cost"] if plan.file is None else []
    output.print_table(
        say(lang, "plan_title", board=plan.title, difference=_points(found), **_names(plan)),
        [say(lang, f"column_{head}") for head in heads],
        [_row(plan, test, need, lang) for test, need in plan.tests()],
        right=frozenset(range(1, len(heads))),
    )
    output.tell(_sentence(plan, lang, adjusted=adjusted), style="bold")
    output.tell(
        say(
            lang,
            "plan_observed",
            difference=f"{found.observed:+.0f}",
            margin=f"{found.margin:.0f}",
            level=_percent(found.board_level),
            **_names(plan),
        )
    )
    if found.unit == "comparisons":
        output.tell(say(lang, "note_rows_drawn"))
    if plan.file is None:
        _show_cost(plan, lang)


def show_limits(plans: Sequence[PairPlan], lang: Lang, *, adjusted: bool) -> None:
    """What no plan can do, and what to do next on each board."""
    output.tell(say(lang, "plan_limits"))
    for line in dict.fromkeys(_next(plan, lang, adjusted=adjusted) for plan in plans):
        output.tell(line)


def describe_pair(plan: PairPlan, *, adjusted: bool) -> dict[str, Any]:
    """A plan as JSON-able data; null: unknown."""
    found, cost = plan.separation, plan.cost
    needs = (("adjusted", found.adjusted), ("alone", found.alone))
    return {
        "suite": plan.suite,
        "mode": plan.mode,
        "file": plan.file,
        "at": plan.at,
        **{k: v for k, v in asdict(found).items() if k not in ("adjusted", "alone")},
        "chosen": "adjusted" if adjusted else "alone",
        "tests": {
            test: {
                **asdict(need),
                "calls": plan.calls_of(need),
                "cost": _number(plan.cost_of(need)),
            }
            for test, need in needs
        },
        "per_scenario": cost and {**asdict(cost), "cost": _number(cost.cost)},
    }


def _by_stage(forecast: Forecast, stages: Sequence[str]) -> list[tuple[str, Forecast]]:
    return [
        (stage, Forecast(lines=tuple(line for line in forecast.lines if line.stage == stage)))
        for stage in stages
    ]


def _row(plan: PairPlan, test: str, need: Need, lang: Lang) -> list[str]:
    found = plan.separation
    cells = [
        say(lang, f"plan_{test}", pairs=found.pairs),
        f"{need.alpha:.2g}",
        _count(need.needed),
        f"{found.there:,}",
        _count(need.extra),
    ]
    if plan.file is None:
        calls = plan.calls_of(need)
        cells += ["—" if calls is None else f"{calls:,}", _amount(plan, plan.cost_of(need), lang)]
    return cells


def _sentence(plan: PairPlan, lang: Lang, *, adjusted: bool) -> str:
    found = plan.separation
    test, need = plan.chosen(adjusted=adjusted)
    key = "endless" if need.extra is None else "more" if need.extra else "enough"
    return say(
        lang,
        f"plan_{key}",
        difference=_points(found),
        share=f"{found.share:.0%}",
        power=_percent(found.power),
        test=say(lang, f"plan_{test}", pairs=found.pairs),
        needed=_count(need.needed),
        extra=_count(need.extra),
        there=f"{found.there:,}",
        unit=say(lang, f"plan_{found.unit}"),
    )


def _show_cost(plan: PairPlan, lang: Lang) -> None:
    cost = plan.cost
    if cost is None:
        output.tell(say(lang, "plan_no_calls"))
        return
    each = _amount(plan, cost.cost, lang)
    output.tell(say(lang, "plan_cost", calls=f"{cost.calls:,.4g}", cost=each))
    if cost.unknown:
        facts = {"unknown": f"{cost.unknown:,}", "calls": f"{cost.counted:,}"}
        output.tell(say(lang, "plan_cost_unknown", **facts), style="yellow")


def _next(plan: PairPlan, lang: Lang, *, adjusted: bool) -> str:
    found = plan.separation
    extra = plan.chosen(adjusted=adjusted)[1].extra
    if extra is None:
        return say(lang, "plan_next_endless")
    if extra == 0:
        command = "arena rank" if plan.file is None else f"arena rank {plan.file}"
        return say(lang, "plan_next_enough", command=command)
    if found.waiting is None:
        unit = say(lang, f"plan_{found.unit}")
        return say(lang, "plan_next_file", extra=f"{extra:,}", unit=unit, file=plan.file)
    if found.waiting >= extra:
        return say(lang, "plan_next_waiting", waiting=f"{found.waiting:,}", suite=plan.suite)
    return say(lang, "plan_next_add", extra=f"{extra - found.waiting:,}", suite=plan.suite)


def _names(plan: PairPlan) -> dict[str, str]:
    a, b = plan.separation.a, plan.separation.b
    return {"a": plan.names.get(a, a), "b": plan.names.get(b, b)}


def _points(found: Separation) -> str:
    return f"{found.difference:.6g}"


def _percent(part: float) -> str:
    return f"{100 * part:.4g}%"


def _count(number: int | None) -> str:
    return "> 10⁹" if number is None else f"{number:,}"


def _amount(plan: PairPlan, amount: Decimal | None, lang: Lang) -> str:
    if amount is None or plan.currency is None or plan.cost is None:
        return say(lang, "unknown_cost")
    shown = f"0 {plan.currency}" if amount == 0 else str(Money(amount, plan.currency))
    return say(lang, "plan_cost_part", cost=shown) if plan.cost.unknown else shown


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
