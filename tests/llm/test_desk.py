"""The desk: what a question may cost, and answers handled one after the other."""

import asyncio
import gc
import json
from decimal import Decimal

import pytest

from arena.domain.agent import Price
from arena.domain.call import Message, Status
from arena.domain.money import Money, Rates, cost_of_call
from arena.domain.tally import Tally
from arena.errors import ProviderFault
from arena.llm.desk import Desk, Stop
from arena.llm.executor import LocalExecutor

RATES = Rates(currency="CNY", rates={"USD": Decimal(7)})
TOKENS = Price(input_per_million=1000, output_per_million=2000, currency="USD")


def desk_of(
    make, provider, *, prices=None, capped=False, cap=None, window=8, places=None, stop=None
):
    endpoints = {
        who: make.endpoint(who, attempts=1, **((places or {}).get(who, {})))
        for who in ("agent:x", "agent:y")
    }
    tools = make.tools(provider, endpoints=endpoints, cap=cap)
    return Desk(
        executor=LocalExecutor(tools),
        endpoints=endpoints,
        prices=prices or {},
        rates=RATES,
        window=window,
        stop=stop or Stop(),
        seed=5,
        run="r",
        capped=capped,
    )


def question(desk, key="k", who="agent:x", **changes):
    values = {
        "kind": "transcript",
        "speaker": "agent",
        "entrant": who.split(":")[1],
        "entrant_digest": "d",
        "messages": (Message("user", "hello there"),),
        "sampling": {},
        "attempt": 1,
        "round": 1,
    }
    return desk.ask_of(who, key=key, **(values | changes))


async def worked(make, desk, first, handle=None):
    seen = []

    async def keep(answer):
        seen.append(answer)
        return (await handle(answer)) if handle else ()

    shift = await make.soon(desk.work(first, keep, Tally(stage="s")))
    return shift, seen


def reserve(desk, **changes):
    found = question(desk, **changes).question.reserve
    return None if found is None else Decimal(found)


PRICES = [
    TOKENS,
    Price(per_call="0.3", currency="CNY"),
    Price(per_session=2, currency="CNY"),
    Price(flat=9, currency="CNY"),
    Price(input_per_million=1, output_per_million=1, per_call=1, per_session=1, currency="USD"),
]


@pytest.mark.parametrize("price", PRICES, ids=[f"price {n}" for n in range(len(PRICES))])
@pytest.mark.parametrize("sampling", [{}, {"max_tokens": 100}])
@pytest.mark.parametrize("text", ["hello there", "您好" * 300, "x" * 4000])
async def test_the_reserve_covers_what_the_call_can_cost(make, price, sampling, text):
    desk = desk_of(make, make.Says("x"), prices={"agent:x": price}, capped=True)
    held = reserve(desk, sampling=sampling, messages=(Message("user", text),))
    most = next(iter(sampling.values()), 4096)
    # One token a Chinese character, one for three others: more than is usual.
    tokens_in = sum(1 if ord(c) > 0x2E80 else 1 / 3 for c in text) + 4
    cost = cost_of_call(price, tokens_in=int(tokens_in), tokens_out=most, first_of_session=True)
    assert held >= RATES.convert(Money(cost, price.currency))


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
async def test_a_limit_of_tokens_is_set_aside_whatever_its_name(make, name):
    desk = desk_of(make, make.Says("x"), prices={"agent:x": TOKENS}, capped=True)
    # 20 000 reply tokens × 2000/10⁶ USD × 7
    assert reserve(desk, sampling={name: 20_000}) >= 280


async def test_twice_the_tokens_are_set_aside_for_the_second_try(make):
    desk = desk_of(make, make.Says("x"), prices={"agent:x": TOKENS}, capped=True)
    one, two = (reserve(desk, sampling={"max_tokens": n}) for n in (1000, 2000))
    # 2 × 1000 more reply tokens × 2000/10⁶ USD × 7
    assert two - one == Decimal(28)


@pytest.mark.parametrize(
    "prices", [{}, {"agent:x": None}, {"agent:x": Price(per_call=1, currency="EUR")}]
)
async def test_what_has_no_price_or_no_rate_has_no_reserve(make, prices):
    desk = desk_of(make, make.Says("x"), prices=prices, capped=True)
    assert reserve(desk) is None


async def test_without_a_cap_nothing_is_set_aside(make):
    desk = desk_of(make, make.Says("x"), prices={"agent:x": TOKENS}, capped=False)
    assert reserve(desk) is None


@pytest.mark.parametrize(("round", "first"), [(0, True), (1, True), (2, False), (3, False)])
async def test_only_the_first_round_begins_a_session(make, round, first):
    desk = desk_of(make, make.Says("x"))
    assert question(desk, round=round).question.first_of_session is first


async def test_a_call_is_kept_with_all_that_is_known_of_it(make):
    desk = desk_of(make, make.Says("fine"), prices={"agent:x": TOKENS})
    shift, (answer,) = await worked(
        make, desk, [question(desk, sampling={"temperature": 0}, context="mine", attempt=3)]
    )
    call = answer.last
    assert answer.asked.context == "mine"
    assert (call.serves, call.round, call.attempt, call.status) == ("k", 1, 3, Status.OK)
    assert (call.model_asked, call.model_returned, call.host) == ("openai/m", "m-1", "h.example")
    assert json.loads(call.params_sent) == {"temperature": 0}
    # 100 × 1000/10⁶ + 10 × 2000/10⁶
    assert (call.cost, call.currency) == (Decimal("0.12"), "USD")
    assert (call.run, call.text) == ("r", "fine")
    assert (shift.calls, shift.refusals) == (1, 0)


async def test_every_attempt_round_and_speaker_has_a_key_of_its_own(make):
    desk = desk_of(make, make.Says("fine"))
    asked = [
        question(desk),
        question(desk, round=2),
        question(desk, attempt=2),
        question(desk, key="k-2"),
        question(desk, speaker="user"),
    ]
    _, answers = await worked(make, desk, asked)
    assert len({a.last.key for a in answers}) == len(asked)


async def test_what_follows_from_an_answer_is_asked_too(make):
    desk = desk_of(make, make.Says("fine"))

    async def handle(answer):
        n = answer.asked.question.round
        return [question(desk, round=n + 1)] if n < 4 else []

    shift, answers = await worked(make, desk, [question(desk)], handle)
    assert [a.asked.question.round for a in answers] == [1, 2, 3, 4]
    assert shift.calls == 4


async def test_no_more_are_begun_and_uncommitted_than_an_endpoint_has_places(make):
    open_now, most = 0, 0

    async def provider(request):
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await make.turns(3)
        return make.reply()

    async def handle(answer):
        nonlocal open_now
        await make.turns(5)
        open_now -= 1
        return ()

    desk = desk_of(make, provider, places={"agent:x": {"concurrency": 3}})
    _, answers = await worked(make, desk, [question(desk, f"k-{n}") for n in range(12)], handle)
    assert len(answers) == 12
    assert most == 3


async def test_an_endpoint_that_refuses_us_is_left_and_the_others_go_on(make):
    async def provider(request):
        if request.endpoint.id == "agent:x":
            raise ProviderFault("denied", "no such key", status=401)
        return make.reply()

    places = {"agent:x": {"concurrency": 1}}
    desk = desk_of(make, provider, places=places)
    asked = [question(desk, f"k-{n}", who) for n in range(5) for who in ("agent:x", "agent:y")]
    shift, answers = await worked(make, desk, asked)
    assert shift.denied == {"agent:x": "no such key"}
    by = [a.asked.entrant for a in answers]
    assert (by.count("x"), by.count("y")) == (1, 5)
    assert (shift.calls, shift.refusals) == (6, 1)


async def test_the_cap_ends_the_round_and_keeps_what_is_done(make):
    price = Price(per_call=1, currency="CNY")
    desk = desk_of(
        make,
        make.Says("fine"),
        prices={"agent:x": price},
        capped=True,
        cap=3,
        places={"agent:x": {"concurrency": 1}},
    )
    shift, answers = await worked(make, desk, [question(desk, f"k-{n}") for n in range(9)])
    assert shift.capped
    assert len(answers) == 3
    assert all(a.last.status is Status.OK for a in answers)


async def test_stopping_begins_nothing_more_and_ends_what_goes_on(make):
    stop = Stop()
    begun = []

    async def provider(request):
        begun.append(request)
        stop.request(2)
        await make.turns(5)
        return make.reply()

    desk = desk_of(make, provider, stop=stop, places={"agent:x": {"concurrency": 1}})
    shift, answers = await worked(make, desk, [question(desk, f"k-{n}") for n in range(9)])
    assert shift.stopped
    assert len(answers) == len(begun) < 9
    assert (stop.signal, stop.hard.is_set()) == (2, False)


async def test_stopping_twice_ends_what_is_under_way(make):
    stop = Stop()

    async def provider(request):
        stop.request(15)
        stop.request(2)
        await asyncio.Event().wait()

    desk = desk_of(make, provider, stop=stop)
    shift, answers = await worked(make, desk, [question(desk)])
    assert (shift.stopped, answers) == (True, [])
    assert stop.signal == 15


async def test_an_error_of_handling_ends_the_round_and_is_raised(make):
    async def handle(answer):
        raise LookupError("no disk")

    desk = desk_of(make, make.Says("fine"), places={"agent:x": {"concurrency": 1}})
    with pytest.raises(LookupError, match="no disk"):
        await worked(make, desk, [question(desk, f"k-{n}") for n in range(9)], handle)


async def test_a_mistake_of_our_own_in_a_call_is_raised(make):
    desk = desk_of(make, make.Says(KeyError("ours")))
    with pytest.raises(RuntimeError, match="KeyError"):
        await worked(make, desk, [question(desk)])


async def test_nothing_to_ask_is_done_at_once(make):
    desk = desk_of(make, make.Says("fine"))
    shift, answers = await worked(make, desk, [])
    assert (shift.calls, answers) == (0, [])


async def test_what_is_there_when_work_begins_is_not_searched_for_cycles_until_it_ends(make):
    frozen = []

    async def provider(request):
        frozen.append(gc.get_freeze_count())
        raise ProviderFault("rejected", "no")

    desk = desk_of(make, provider)
    await worked(make, desk, [question(desk)])
    assert frozen[0] > 0
    assert gc.get_freeze_count() == 0
