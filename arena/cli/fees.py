"""Fees that are paid once (`price: flat`): due with the first call of whoever asks for one.

No call's cost holds a fee; it is added where money is forecast, capped and summed up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from arena.domain.agent import Price
from arena.domain.config import Config
from arena.domain.forecast import Forecast, Span
from arena.domain.money import Money
from arena.store.summaries import SpendLine


def with_fees(config: Config, lines: Sequence[SpendLine]) -> list[SpendLine]:
    """The lines of what was spent, with a line for each fee of somebody who was asked anything."""
    asked = {f"{line.speaker}:{line.entrant}" for line in lines}
    fees = [
        SpendLine(
            speaker=who.split(":", 1)[0],
            entrant=who.split(":", 1)[1],
            currency=price.currency,
            calls=0,
            tokens_in=0,
            tokens_out=0,
            cost=price.flat,
            unpriced=0,
        )
        for who, price in _fees_of(config).items()
        if who in asked
    ]
    return [*lines, *fees]


def with_due_fees(forecast: Forecast, config: Config, lines: Sequence[SpendLine]) -> Forecast:
    """The forecast with the fees that its first calls make due."""
    due = fees_due(forecast, config, lines)
    told = []
    for line in forecast.lines:
        fee = float(due.pop(line.who, Decimal(0))) if line.cost is not None else 0.0
        told.append(replace(line, cost=line.cost + Span(fee, fee)) if line.cost else line)
    return replace(forecast, lines=tuple(told))


def fees_due(forecast: Forecast, config: Config, lines: Sequence[SpendLine]) -> dict[str, Decimal]:
    """Fees in the workspace's currency, of everybody who is to be asked for the first time."""
    asked = {f"{line.speaker}:{line.entrant}" for line in lines}
    wanted = {line.who for line in forecast.lines if line.calls} - asked
    due = {}
    for who, price in _fees_of(config).items():
        amount = config.money.convert(Money(price.flat or Decimal(0), price.currency))
        if who in wanted and amount is not None:
            due[who] = amount
    return due


def with_new_fees(
    config: Config, lines: Sequence[SpendLine], due: Mapping[str, Decimal]
) -> list[SpendLine]:
    """The lines of one command, with the fees that its first calls made due."""
    return [line for line in with_fees(config, lines) if line.calls or _who(line) in due]


def _who(line: SpendLine) -> str:
    return f"{line.speaker}:{line.entrant}"


def _fees_of(config: Config) -> Mapping[str, Price]:
    entrants = {
        **{f"agent:{a.agent}": a.price for a in config.agents},
        **{f"judge:{j.judge}": j.price for j in config.judges},
        **{f"user:{name}": user.price for name, user in config.users.items()},
    }
    return {who: price for who, price in entrants.items() if price and price.flat}
