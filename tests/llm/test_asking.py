"""One call with its attempts: what comes back for each kind of reply and fault."""

import asyncio
from decimal import Decimal

import pytest

from arena.errors import ProviderFault
from arena.llm.asking import ask

PRICE = {"input_per_million": "1000", "output_per_million": "2000", "currency": "USD"}


def later(**more):
    return ProviderFault("retry", "try later", status=503, **more)


async def asked(make, provider, *, time=None, cap=None, sampling=None, endpoint=None, **question):
    endpoint = endpoint or make.endpoint()
    tools = make.tools(provider, time, cap=cap, endpoints={endpoint.id: endpoint})
    request = make.request(endpoint=endpoint, sampling=sampling or {})
    result = await make.soon(ask(make.question(request, **question), tools))
    return result, tools


def statuses(result):
    return [a["status"] for a in result["attempts"]]


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"text": "fine"}, "ok"),
        ({"text": "fine", "finish_reason": None}, "ok"),
        ({"text": ""}, "empty"),
        ({"text": None}, "empty"),
        ({"text": " \n "}, "empty"),
        ({"text": "<think>only thoughts</think>"}, "empty"),
        ({"text": "<think>never closed"}, "empty"),
        ({"text": "<think>a</think> said"}, "ok"),
        ({"text": None, "finish_reason": "no_choices"}, "empty"),
        ({"text": "cut of", "finish_reason": "length"}, "truncated"),
        ({"text": "", "finish_reason": "length"}, "truncated"),
        ({"text": None, "finish_reason": "content_filter"}, "blocked"),
        ({"text": "half an answer", "finish_reason": "content_filter"}, "blocked"),
    ],
)
async def test_the_status_of_each_kind_of_reply(make, reply, status):
    provider = make.Says(make.reply(**reply))
    result, _ = await asked(make, provider)
    assert statuses(result) == [status]
    assert result["stopped"] is None
    assert result["attempts"][0]["text"] == reply["text"]


@pytest.mark.parametrize("kind", ["denied", "rejected", "blocked"])
@pytest.mark.reported("R15", "R56")
async def test_what_will_not_pass_is_asked_once(make, kind):
    provider = make.Says(ProviderFault(kind, "no", status=401))
    time = make.Time()
    result, _ = await asked(make, provider, time=time)
    assert statuses(result) == ["blocked" if kind == "blocked" else "error"]
    assert (result["attempts"][0]["fault"], result["attempts"][0]["error"]) == (kind, "no")
    assert (len(provider.requests), time.slept) == (1, [])


async def test_a_passing_fault_is_tried_again_until_an_answer_comes(make):
    provider = make.Says(later(), later(), "fine")
    time = make.Time()
    result, _ = await asked(make, provider, time=time, attempt=4)
    assert statuses(result) == ["error", "error", "ok"]
    assert [a["attempt"] for a in result["attempts"]] == [4, 5, 6]
    assert len(time.slept) == 2
    assert 0.375 <= time.slept[0] <= 0.625 < time.slept[1] <= 1.25


@pytest.mark.parametrize("most", [1, 2, 5])
async def test_attempts_have_a_limit(make, most):
    provider = make.Says(later())
    result, _ = await asked(make, provider, endpoint=make.endpoint(attempts=most))
    assert statuses(result) == ["error"] * most


async def test_the_deadline_ends_the_waiting(make):
    provider = make.Says(later(retry_after=40))
    time = make.Time()
    endpoint = make.endpoint(deadline=100, attempts=20)
    result, _ = await asked(make, provider, time=time, endpoint=endpoint)
    # At 0, 40 and 80 seconds; the next would begin at 120.
    assert len(result["attempts"]) == 3
    assert time.at == 80


async def test_a_wait_longer_than_the_deadline_is_not_begun(make):
    time = make.Time()
    result, _ = await asked(make, make.Says(later(retry_after=10**9)), time=time)
    assert (statuses(result), time.slept) == (["error"], [])


@pytest.mark.reported("R56")
async def test_retry_after_pauses_the_whole_endpoint(make):
    time = make.Time()
    _, tools = await asked(make, make.Says(later(retry_after=9), "fine"), time=time)
    assert time.slept[0] == 9
    assert tools.limiter._until == {"agent:x": 9}


@pytest.mark.parametrize(
    "first", [{"text": "cut", "finish_reason": "length"}, {"text": ""}], ids=["truncated", "empty"]
)
@pytest.mark.reported("R07", "R14")
async def test_a_short_reply_is_asked_for_once_more_with_twice_the_tokens(make, first):
    provider = make.Says(make.reply(**first), "whole")
    result, _ = await asked(make, provider, sampling={"max_tokens": 50, "temperature": 0})
    assert statuses(result)[1:] == ["ok"]
    assert [r.sampling for r in provider.requests] == [
        {"max_tokens": 50, "temperature": 0},
        {"max_tokens": 100, "temperature": 0},
    ]
    assert [a["params_sent"]["max_tokens"] for a in result["attempts"]] == [50, 100]
    assert provider.requests[0].messages == provider.requests[1].messages


@pytest.mark.reported("R07")
async def test_a_limit_of_either_name_is_doubled(make):
    provider = make.Says(make.reply("cut", finish_reason="length"), "whole")
    result, _ = await asked(make, provider, sampling={"max_completion_tokens": 50})
    assert statuses(result) == ["truncated", "ok"]
    assert [r.sampling["max_completion_tokens"] for r in provider.requests] == [50, 100]


async def test_it_is_asked_for_once_more_and_not_twice(make):
    provider = make.Says(make.reply("cut", finish_reason="length"))
    result, _ = await asked(make, provider, sampling={"max_tokens": 50})
    assert statuses(result) == ["truncated", "truncated"]


@pytest.mark.parametrize("sampling", [{}, {"temperature": 0}, {"max_tokens": None}])
async def test_without_a_limit_of_tokens_it_is_not_asked_again(make, sampling):
    provider = make.Says(make.reply("cut", finish_reason="length"))
    result, _ = await asked(make, provider, sampling=sampling)
    assert statuses(result) == ["truncated"]


async def test_a_blocked_reply_is_not_asked_for_again(make):
    provider = make.Says(make.reply(None, finish_reason="content_filter"))
    result, _ = await asked(make, provider, sampling={"max_tokens": 50})
    assert statuses(result) == ["blocked"]


async def test_a_fault_after_a_short_reply_keeps_the_larger_limit(make):
    provider = make.Says(make.reply(""), later(), "whole")
    result, _ = await asked(make, provider, sampling={"max_tokens": 50})
    assert statuses(result) == ["empty", "error", "ok"]
    assert provider.requests[2].sampling == {"max_tokens": 100}


@pytest.mark.reported("R53")
async def test_a_provider_that_ignores_its_timeout_is_left(make):
    left = []

    async def hangs(request):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            left.append(True)
            raise

    endpoint = make.endpoint(timeout=-0.99, attempts=1)
    result, _ = await asked(make, hangs, endpoint=endpoint)
    (attempt,) = result["attempts"]
    assert (attempt["status"], attempt["fault"]) == ("error", "retry")
    assert "no answer within" in attempt["error"]
    assert left == [True]


async def test_a_mistake_of_our_own_is_not_swallowed(make):
    tools = make.tools(make.Says(KeyError("ours")), cap="5")
    with pytest.raises(KeyError, match="ours"):
        await ask(make.question(reserve="2"), tools)
    assert tools.limiter.budget.reserved == 0


async def test_a_call_that_ends_early_gives_its_place_back(make):
    endpoint = make.endpoint(concurrency=1, attempts=1)
    tools = make.tools(make.Says(later(), "fine"), endpoints={endpoint.id: endpoint})
    for status in ("error", "ok"):
        result = await make.soon(ask(make.question(make.request(endpoint=endpoint)), tools))
        assert statuses(result) == [status]


async def test_cost_is_kept_in_its_own_currency_and_spent_in_the_workspace_s(make):
    # 100 × 1000/10⁶ + 10 × 2000/10⁶ = 0.12 USD, at 7 CNY each.
    result, tools = await asked(make, make.Says("fine"), price=PRICE, rate="7", reserve="1", cap=9)
    (attempt,) = result["attempts"]
    assert (Decimal(attempt["cost"]), attempt["currency"]) == (Decimal("0.12"), "USD")
    assert tools.limiter.budget.spent == Decimal("0.84")


@pytest.mark.parametrize("usage", [{"tokens_in": None}, {"tokens_out": None}])
async def test_without_usage_the_cost_is_unknown_and_the_reserve_is_spent(make, usage):
    provider = make.Says(make.reply(**usage))
    result, tools = await asked(make, provider, price=PRICE, rate="7", reserve="1", cap=9)
    assert result["attempts"][0]["cost"] is None
    assert tools.limiter.budget.spent == 1


async def test_without_a_price_the_cost_is_unknown(make):
    result, _ = await asked(make, make.Says("fine"))
    (attempt,) = result["attempts"]
    assert (attempt["cost"], attempt["currency"]) == (None, None)


@pytest.mark.parametrize(
    ("fault", "cost"),
    [(ProviderFault("retry", "too many", status=429), "0"), (TimeoutError(), None)],
    ids=["turned away: nothing", "left in mid-answer: unknown"],
)
async def test_what_a_fault_costs_is_nothing_or_unknown(make, fault, cost):
    result, _ = await asked(
        make, make.Says(fault), price=PRICE, rate="7", endpoint=make.endpoint(attempts=1)
    )
    assert result["attempts"][0]["cost"] == cost


@pytest.mark.parametrize(
    ("fault", "spent"),
    [
        (TimeoutError(), 1),
        (ProviderFault("denied", "no such key", status=401), 0),
        (ProviderFault("retry", "too many", status=429), 0),
    ],
    ids=["left while it worked", "refused", "limited"],
)
async def test_a_call_that_may_have_been_paid_for_keeps_its_reserve(make, fault, spent):
    # A provider that was left in mid-answer may bill it; one that turned us away does not.
    endpoint = make.endpoint(attempts=1)
    _, tools = await asked(
        make, make.Says(fault), price=PRICE, rate="7", reserve="1", cap=9, endpoint=endpoint
    )
    assert tools.limiter.budget.spent == spent


async def test_a_session_is_paid_with_its_first_round(make):
    price = {"per_session": "3", "currency": "CNY"}
    for first, cost in ((True, 3), (False, 0)):
        result, _ = await asked(
            make, make.Says("fine"), price=price, rate="1", first_of_session=first
        )
        assert Decimal(result["attempts"][0]["cost"]) == cost


async def test_the_cap_stops_before_the_call(make):
    provider = make.Says("fine")
    result, _ = await asked(make, provider, price=PRICE, rate="7", reserve="2", cap=1)
    assert result == {"attempts": [], "stopped": "cap"}
    assert provider.requests == []


async def test_attempts_made_before_the_cap_are_kept(make):
    provider = make.Says(make.reply("cut", finish_reason="length"))
    # The first attempt costs 0.84; the second may cost 1 more, which crosses 1.5.
    result, tools = await asked(
        make, provider, sampling={"max_tokens": 5}, price=PRICE, rate="7", reserve="1", cap="1.5"
    )
    assert (statuses(result), result["stopped"]) == (["truncated"], "cap")
    assert tools.limiter.budget.spent == Decimal("0.84")


async def test_a_record_says_what_was_sent_and_when_it_ended(make):
    time = make.Time()

    async def slow(request):
        time.at += 1.5
        return make.reply("fine", thinking="hm", params_dropped=("seed",))

    request = make.request(sampling={"temperature": 0}, response_format="json_object")
    result = await ask(make.question(request), make.tools(slow, time))
    (attempt,) = result["attempts"]
    assert attempt["latency_ms"] == 1500
    assert attempt["at"] == "T+1.5"
    assert attempt["params_sent"] == {"temperature": 0, "response_format": "json_object"}
    assert attempt["params_dropped"] == ["seed"]
    assert (attempt["thinking"], attempt["model_returned"]) == ("hm", "m-1")
    assert (attempt["tokens_in"], attempt["tokens_out"]) == (100, 10)


async def test_what_was_dropped_was_not_sent(make):
    provider = make.Says(make.reply(params_dropped=("seed",)))
    result, _ = await asked(make, provider, sampling={"seed": 7, "temperature": 0})
    (attempt,) = result["attempts"]
    assert attempt["params_dropped"] == ["seed"]
    assert attempt["params_sent"] == {"temperature": 0}
