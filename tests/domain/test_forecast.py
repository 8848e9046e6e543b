"""Forecasts: sums of what is known, names of what is not."""

from decimal import Decimal

import pytest

from arena.domain.agent import Price
from arena.domain.forecast import (
    LESS,
    MORE,
    Cuts,
    Expected,
    Forecast,
    ForecastLine,
    Span,
    forecast_lines,
)
from arena.domain.money import Rates

RATES = Rates(currency="CNY", rates={"USD": Decimal(7)})
ONE = ForecastLine(
    stage="collect",
    who="agent:x",
    calls=3,
    tokens_in=Span(10, 20),
    tokens_out=Span(1, 2),
    cost=Span(0.5, 1.0),
    seconds=6,
)


def line(**changes):
    from dataclasses import replace

    return replace(ONE, **changes)


def lines_of(expected, **options):
    given = {"prices": {}, "rates": RATES, "seconds_per_call": {}, "concurrency": {}}
    return forecast_lines("score", expected, **(given | options))


def test_sums_are_sums_of_lines():
    both = Forecast(lines=(line(), line(who="agent:y", cost=Span(2, 3))))
    assert both.calls == 6
    assert both.tokens_in == Span(20, 40)
    assert both.tokens_out == Span(2, 4)
    assert both.cost == Span(2.5, 4.0)


def test_an_unknown_cost_is_named_and_not_added():
    both = Forecast(lines=(line(), line(who="agent:y", cost=None), line(who="agent:y", cost=None)))
    assert both.cost == Span(0.5, 1.0)
    assert both.unpriced == ("agent:y",)


def test_an_unknown_cost_of_no_call_is_not_named():
    assert Forecast(lines=(line(calls=0, cost=None),)).unpriced == ()


def test_endpoints_of_a_stage_work_side_by_side_and_stages_follow_each_other():
    plan = Forecast(
        lines=(
            line(seconds=6),
            line(who="agent:y", seconds=9),
            line(stage="score", who="judge:j", seconds=5),
        )
    )
    assert plan.seconds == 9 + 5


def cuts(prompts):
    return Cuts(stage="compare", who="judge:j", prompts=prompts, of=10, unfit=0)


def test_adding_forecasts_adds_everything():
    one = Forecast(
        lines=(line(),), present=2, cuts=(cuts(1),), guarded=("j × x",), marked=("j × z",)
    )
    two = Forecast(
        lines=(line(who="agent:y"),), present=3, cuts=(cuts(4),), guarded=("j × x", "j × y")
    )
    both = one + two
    assert both.lines == one.lines + two.lines
    assert (both.present, both.cut) == (5, 5)
    assert both.guarded == ("j × x", "j × y")
    assert both.marked == ("j × z",)
    assert Forecast() + one == one


def test_a_line_is_a_range_around_the_estimate():
    (found,) = lines_of({"agent:x": Expected(calls=2, tokens_in=1000, tokens_out=200)})
    assert found.calls == 2
    assert found.tokens_in == Span(1000 * LESS, 1000 * MORE)
    assert found.tokens_out == Span(200 * LESS, 200 * MORE)
    assert found.cost is None


def test_who_has_nothing_to_do_has_no_line():
    assert lines_of({"agent:x": Expected()}) == ()


def test_tokens_calls_and_sessions_are_priced_in_the_workspace_currency():
    price = Price(
        input_per_million=1000, output_per_million=2000, per_call=1, per_session=10, currency="USD"
    )
    expected = {"agent:x": Expected(calls=4, sessions=2, tokens_in=1000, tokens_out=100)}
    (found,) = lines_of(expected, prices={"agent:x": price})
    # Low: 700 × 1000/10⁶ + 70 × 2000/10⁶ + 4 × 1 + 2 × 10 = 0.7 + 0.14 + 24 = 24.84 USD × 7
    # High: 1500 and 150 tokens: 1.5 + 0.3 + 24 = 25.8 USD × 7
    assert found.cost == pytest.approx(Span(24.84 * 7, 25.8 * 7))


@pytest.mark.parametrize(
    "prices", [{}, {"agent:x": None}, {"agent:x": Price(per_call=1, currency="EUR")}]
)
def test_no_price_or_no_rate_is_unknown(prices):
    (found,) = lines_of({"agent:x": Expected(calls=1)}, prices=prices)
    assert found.cost is None


def test_a_flat_price_costs_no_call_anything():
    (found,) = lines_of(
        {"agent:x": Expected(calls=5)}, prices={"agent:x": Price(flat=99, currency="CNY")}
    )
    assert found.cost == Span(0, 0)


def test_time_is_calls_over_what_runs_at_once():
    (found,) = lines_of(
        {"agent:x": Expected(calls=12)},
        seconds_per_call={"agent:x": 5},
        concurrency={"agent:x": 4},
    )
    assert found.seconds == 15


def test_spans_add_only_to_spans():
    assert Span(1, 2) + Span(3, 4) == Span(4, 6)
    with pytest.raises(TypeError):
        sum([Span(1, 2)])
