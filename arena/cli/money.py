"""The forecast, the question before money is spent, and the cap."""

import sys
from collections.abc import Iterable
from decimal import Decimal

from arena.cli import output
from arena.cli.designs import tell_plan
from arena.cli.fees import fees_due, with_fees
from arena.cli.words import Lang, say
from arena.domain.config import Config, parse_money
from arena.domain.forecast import Forecast, Span
from arena.domain.money import Money, Rates, Spend, add_up
from arena.errors import ConfigError, RefusedToSpend, UsageError
from arena.store.store import Store
from arena.store.summaries import SpendLine


def show_forecast(forecast: Forecast, rates: Rates, lang: Lang) -> None:
    """The forecast on stderr: calls, tokens, money as a range, time, and what has no price."""
    if forecast.lines:
        several = ["job"] if any(line.job for line in forecast.lines) else []
        columns = (*several, "stage", "who", "calls", "tokens_in", "tokens_out", "cost")
        rows = [
            [
                *([line.job] if several else []),
                say(lang, f"stage_{line.stage}"),
                line.who.split(":", 1)[1],
                f"{line.calls:,}",
                tokens(line.tokens_in),
                tokens(line.tokens_out),
                money(line.cost, rates.currency, lang),
            ]
            for line in forecast.lines
        ]
        heads = [say(lang, f"column_{head}") for head in columns]
        table = output.make_table(
            "", heads, rows, right=frozenset(range(len(columns) - 4, len(columns)))
        )
        output.stderr().print(table)
    output.tell(
        say(
            lang,
            "forecast_total",
            calls=f"{forecast.calls:,}",
            present=f"{forecast.present:,}",
            cost=money(forecast.cost, rates.currency, lang),
            minutes=minutes(forecast.seconds),
        ),
        style="bold",
    )
    if forecast.unpriced:
        names = ", ".join(who.split(":", 1)[1] for who in forecast.unpriced)
        output.tell(say(lang, "forecast_unpriced", names=names), style="yellow")
    for cut in forecast.cuts:
        facts = {
            "who": cut.who.split(":", 1)[1],
            "stage": say(lang, f"stage_{cut.stage}"),
            "prompts": f"{cut.prompts:,}",
            "of": f"{cut.of:,}",
        }
        output.tell(say(lang, "forecast_cut", **facts), style="yellow")
        if cut.unfit:
            facts["unfit"] = f"{cut.unfit:,}"
            output.tell(say(lang, "forecast_unfit", **facts), style="yellow")
    for fact in forecast.plans:
        tell_plan(fact, lang)
    if forecast.guarded:
        output.tell(say(lang, "forecast_guarded", pairs=", ".join(forecast.guarded)))
    if forecast.marked:
        pairs = ", ".join(forecast.marked)
        output.tell(say(lang, "forecast_marked", pairs=pairs), style="yellow")


def consent(forecast: Forecast, *, yes: bool, lang: Lang) -> None:
    """Ask whether to spend; raises RefusedToSpend on no, or when nobody can be asked.

    Nothing is asked when the forecast is known to cost nothing.
    """
    free = forecast.cost is not None and forecast.cost.high == 0
    if yes or (free and not forecast.unpriced):
        return
    if not sys.stdin.isatty():
        raise RefusedToSpend(
            "nobody to ask whether to spend",
            why="The forecast is above, and there is no terminal to answer on.",
            fix="Add --yes to spend, or --dry-run to see the forecast only.",
        )
    sys.stderr.write(say(lang, "spend_question"))
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes", "是", "好"):
        raise RefusedToSpend("not spent: you said no", fix="Nothing was asked of any model.")


def budget_of(
    config: Config, max_cost: str | None, forecast: Forecast, store: Store, *, unpriced: bool
) -> Decimal | None:
    """What this command may spend, in the workspace's currency; None when there is no cap.

    `max_cost` of the configuration caps the workspace in all, --max-cost this command: the
    tighter one holds. Raises RefusedToSpend when something without price would be called.
    """
    rates, lines = config.money, store.summaries.spend()
    caps = []
    if max_cost is not None:
        try:
            caps.append(_in_ours(parse_money(max_cost), rates, "--max-cost"))
        except ValueError as error:
            raise UsageError("--max-cost: {reason}", reason=str(error)) from None
    if config.cap is not None:
        spent = at_most(with_fees(config, lines), rates)
        if spent.unknown and not unpriced:
            raise RefusedToSpend(
                "{calls} calls of unknown cost so far, under max_cost",
                why="What they cost may have used it up: no price, no usage, or no exchange rate.",
                fix="See `arena status`; --allow-unpriced spends all the same.",
                calls=spent.unknown,
            )
        caps.append(_in_ours(config.cap, rates, "max_cost") - spent.amount)
    if not caps:
        return None
    if forecast.unpriced and not unpriced:
        raise RefusedToSpend(
            "no known price, under a cap: {names}",
            why="A cap cannot hold for what has no price or no exchange rate.",
            fix="Add `price:` (and `rates:`) in data/arena.yaml, or --allow-unpriced.",
            names=", ".join(who.split(":", 1)[1] for who in forecast.unpriced),
        )
    return min(caps) - sum(fees_due(forecast, config, lines).values(), Decimal(0))


def sum_up(lines: Iterable[SpendLine], rates: Rates) -> Spend:
    """What was spent, in the workspace's currency, and how many calls are not in the sum."""
    total, unknown = Decimal(0), 0
    for line in lines:
        costs = [Money(line.cost, line.currency)] if line.cost and line.currency else []
        one = add_up(costs, rates)
        total += one.amount
        # A fee has no calls of its own, and is unknown all the same where no rate is known.
        unknown += max(line.calls, 1) if one.unknown else line.unpriced
    return Spend(amount=total, unknown=unknown)


def at_most(lines: Iterable[SpendLine], rates: Rates) -> Spend:
    """The most that can have been spent: calls of unknown cost count with what was held for them.

    `unknown` are those of which not even that is known, or for which there is no rate.
    """
    total, unknown = Decimal(0), 0
    for line in lines:
        one = sum_up([line], rates)
        total += one.amount
        held = None
        if line.held is not None and line.currency is not None:
            held = add_up([Money(line.held, line.currency)], rates)
        if held is None or held.unknown:
            unknown += one.unknown
        else:
            total += held.amount
            unknown += one.unknown - line.unpriced + line.unheld
    return Spend(amount=total, unknown=unknown)


def money(span: Span | None, currency: str, lang: Lang) -> str:
    """A range of money, or the word for unknown."""
    if span is None:
        return say(lang, "unknown_cost")
    if span.high == 0:
        return f"0 {currency}"
    digits = 2 if span.high >= 0.1 else 4
    return f"{span.low:.{digits}f}–{span.high:.{digits}f} {currency}"


def tokens(span: Span) -> str:
    """A range of tokens, rounded to what is known."""
    return f"{_short(span.low)}–{_short(span.high)}"


def minutes(seconds: float) -> str:
    """A rough duration."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _short(number: float) -> str:
    if number >= 1e6:
        return f"{number / 1e6:.1f} M"
    return f"{number / 1e3:.1f} k" if number >= 1e3 else f"{number:.0f}"


def _in_ours(cap: Money, rates: Rates, where: str) -> Decimal:
    amount = rates.convert(cap)
    if amount is None:
        raise ConfigError(
            "{where}: no exchange rate from {other} to {ours}",
            fix="Add it under `rates:` in data/arena.yaml, or give the cap in {ours}.",
            where=where,
            other=cap.currency,
            ours=rates.currency,
        )
    return amount
