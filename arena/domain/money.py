"""Money: amounts in their own currency, rates to the workspace's, and prices of calls.

None means unknown and is never added up as 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from arena.domain.agent import Price

MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in a currency."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return (
            f"{self.amount:.4f} {self.currency}"
            if self.amount < 1
            else (f"{self.amount:.2f} {self.currency}")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What one unit of a currency is worth in `currency`, as of a date (nothing is fetched)."""

    currency: str
    rates: Mapping[str, Decimal]
    as_of: str | None = None

    def convert(self, money: Money) -> Decimal | None:
        """The amount in the workspace's currency; None when no rate is known."""
        if money.currency == self.currency or money.amount == 0:
            return money.amount  # nothing is nothing in every currency
        rate = self.rates.get(money.currency)
        return None if rate is None else money.amount * rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """A sum of money in the workspace's currency, and how many calls could not be added."""

    amount: Decimal
    unknown: int = 0


def add_up(costs: Iterable[Money | None], rates: Rates) -> Spend:
    """The sum of what is known, and the count of what is not (no price, or no rate)."""
    total, unknown = Decimal(0), 0
    for cost in costs:
        value = None if cost is None else rates.convert(cost)
        if value is None:
            unknown += 1
        else:
            total += value
    return Spend(amount=total, unknown=unknown)


def cost_of_call(
    price: Price | None, *, tokens_in: int | None, tokens_out: int | None, first_of_session: bool
) -> Decimal | None:
    """What one call costs in the price's currency; None when that cannot be known.

    Tokens cost per million; `per_call` is added to every call, `per_session` to the first call of
    a transcript. A `flat` price is paid outside the calls, so each call adds nothing; sums add it.
    """
    if price is None:
        return None
    total = Decimal(0)
    if price.input_per_million is not None and price.output_per_million is not None:
        if tokens_in is None or tokens_out is None:
            return None
        total += price.input_per_million * tokens_in / MILLION
        total += price.output_per_million * tokens_out / MILLION
    if price.per_call is not None:
        total += price.per_call
    if price.per_session is not None and first_of_session:
        total += price.per_session
    return total
