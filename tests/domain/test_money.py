"""Money: what is unknown stays unknown."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.agent import Price
from arena.domain.money import Money, Rates, add_up, cost_of_call

RATES = Rates(currency="CNY", rates={"USD": Decimal("7.1")}, as_of="2026-11-29")
AMOUNTS = st.decimals(0, 1000, places=4)


def cost(price, tokens_in=1000, tokens_out=500, first=False):
    return cost_of_call(price, tokens_in=tokens_in, tokens_out=tokens_out, first_of_session=first)


def price(**amounts):
    return Price(currency="CNY", **amounts)


TOKENS = {"input_per_million": 2, "output_per_million": 8}


def test_no_price_is_unknown():
    assert cost(None) is None


def test_tokens_cost_per_million():
    # 1000 × 2/10⁶ + 500 × 8/10⁶ = 0.002 + 0.004
    assert cost(price(**TOKENS)) == Decimal("0.006")


@pytest.mark.parametrize(("tokens_in", "tokens_out"), [(None, 500), (1000, None), (None, None)])
def test_a_token_price_without_usage_is_unknown_and_never_0(tokens_in, tokens_out):
    assert cost(price(**TOKENS), tokens_in, tokens_out) is None
    assert cost(price(**TOKENS, per_call=3), tokens_in, tokens_out) is None


def test_a_price_per_call_needs_no_usage():
    assert cost(price(per_call="0.3"), None, None) == Decimal("0.3")


@pytest.mark.parametrize(("first", "expected"), [(True, "1.5"), (False, "0")])
def test_a_session_is_paid_with_its_first_call(first, expected):
    assert cost(price(per_session="1.5"), None, None, first=first) == Decimal(expected)


def test_a_flat_price_adds_nothing_to_a_call():
    assert cost(price(flat=500), None, None, first=True) == 0


def test_parts_of_a_price_add_up():
    # 0.006 for tokens + 0.3 a call + 1.5 a session
    whole = price(**TOKENS, per_call="0.3", per_session="1.5", flat=500)
    assert cost(whole, first=True) == Decimal("1.806")


def test_a_price_of_nought_is_known():
    assert cost(price(input_per_million=0, output_per_million=0)) == 0


@pytest.mark.parametrize("amounts", [{}, {"input_per_million": 1}, {"output_per_million": 1}])
def test_half_a_price_is_refused(amounts):
    with pytest.raises(ValueError, match=r"needs an amount|give both"):
        price(**amounts)


@pytest.mark.parametrize("part", ["per_call", "per_session", "flat"])
def test_a_negative_price_is_refused(part):
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        price(**{part: -1})


def test_own_currency_needs_no_rate_and_another_needs_one():
    assert RATES.convert(Money(Decimal(3), "CNY")) == 3
    assert RATES.convert(Money(Decimal(3), "USD")) == Decimal("21.3")
    assert RATES.convert(Money(Decimal(3), "EUR")) is None


def test_what_is_unknown_is_counted_and_not_added():
    costs = [Money(Decimal(1), "CNY"), None, Money(Decimal(2), "USD"), Money(Decimal(9), "EUR")]
    spent = add_up(costs, RATES)
    assert (spent.amount, spent.unknown) == (Decimal("15.2"), 2)


@given(st.lists(st.none() | AMOUNTS, max_size=8))
def test_unknown_costs_never_change_the_sum(amounts):
    costs = [None if a is None else Money(a, "CNY") for a in amounts]
    spent = add_up(costs, RATES)
    assert spent == type(spent)(
        amount=sum((a for a in amounts if a is not None), Decimal(0)),
        unknown=amounts.count(None),
    )


@given(AMOUNTS, AMOUNTS)
def test_conversion_is_additive(one, two):
    def convert(amount):
        return RATES.convert(Money(amount, "USD"))

    assert convert(one) + convert(two) == convert(one + two)


@pytest.mark.parametrize(
    ("amount", "text"), [("0.00042", "0.0004 CNY"), ("0.5", "0.5000 CNY"), ("12.345", "12.34 CNY")]
)
def test_small_amounts_are_written_with_more_digits(amount, text):
    assert str(Money(Decimal(amount), "CNY")) == text
