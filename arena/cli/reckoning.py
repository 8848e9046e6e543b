"""Money told apart: what agents and judges cost, as of when, and how a run came out."""

from collections.abc import Iterable

from arena.cli import output
from arena.cli.money import money, sum_up
from arena.cli.words import Lang, say
from arena.domain.forecast import Forecast, Span, drift_of
from arena.domain.money import Rates
from arena.store.summaries import SpendLine

SPEAKERS = ("agent", "user", "judge")


def cost_apart(forecast: Forecast) -> dict[str, Span | None]:
    """The forecast cost of agents, simulated users and judges; None where it is unknown."""
    parts = {}
    for speaker in SPEAKERS:
        own = [line for line in forecast.lines if line.who.startswith(f"{speaker}:")]
        if own:
            parts[speaker] = Forecast(lines=tuple(own)).cost
    return parts


def show_apart(forecast: Forecast, rates: Rates, lang: Lang) -> None:
    """A line of what agents and judges are to cost, and as of when rates are."""
    parts = cost_apart(forecast)
    if len(parts) > 1:
        told = [
            say(lang, f"cost_of_{speaker}", cost=money(span, rates.currency, lang))
            for speaker, span in parts.items()
        ]
        output.tell(say(lang, "cost_apart", parts=" · ".join(told)))
    show_rates(rates, lang)


def show_rates(rates: Rates, lang: Lang) -> None:
    """As of when the exchange rates are, where there are any."""
    if rates.rates and rates.as_of:
        output.tell(say(lang, "rates_as_of", date=rates.as_of))


def show_spent_apart(lines: Iterable[SpendLine], rates: Rates, lang: Lang) -> None:
    """A line of what agents and judges have cost."""
    lines, told = list(lines), []
    for speaker in SPEAKERS:
        own = [line for line in lines if line.speaker == speaker]
        if not own:
            continue
        total = sum_up(own, rates)
        amount = f"{total.amount:.4f} {rates.currency}"
        if total.unknown and total.unknown == sum(line.calls for line in own):
            amount = say(lang, "unknown_cost")
        told.append(say(lang, f"cost_of_{speaker}", cost=amount))
    if len(told) > 1:
        output.tell(say(lang, "cost_apart", parts=" · ".join(told)))


def tell_drift(forecast: Forecast, lines: Iterable[SpendLine], rates: Rates, lang: Lang) -> None:
    """Warn of what came out far from the middle of its forecast; unknown is not compared."""
    lines = list(lines)
    total = sum_up(lines, rates)
    found: list[tuple[str, Span, float | None]] = [
        ("calls", Span(forecast.calls, forecast.calls), float(sum(li.calls for li in lines))),
        ("tokens_in", forecast.tokens_in, _sum(li.tokens_in for li in lines)),
        ("tokens_out", forecast.tokens_out, _sum(li.tokens_out for li in lines)),
    ]
    if forecast.cost is not None and not forecast.unpriced and not total.unknown:
        found.append(("cost", forecast.cost, float(total.amount)))
    told = [
        say(lang, "drift_of", what=say(lang, f"column_{what}"), drift=f"{drift:+.0%}")
        for what, span, actual in found
        if actual is not None and (drift := drift_of(span, actual)) is not None
    ]
    if told:
        output.tell(say(lang, "drift", told=", ".join(told)), style="yellow")


def _sum(numbers: Iterable[int | None]) -> float | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return float(total)
