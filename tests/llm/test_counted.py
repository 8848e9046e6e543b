"""What a server on loopback counts: tries by status, pauses of an endpoint, and the pace."""

import asyncio
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.llm.asking import Question, Tools, ask
from arena.llm.limiter import Budget, LocalLimiter
from arena.llm.remote import Remote
from tests.support import behaviours
from tests.support.llm_server import LLMServer

pytestmark = pytest.mark.filterwarnings("ignore")
PRICE = {"input_per_million": "1000", "output_per_million": "2000", "currency": "CNY"}
TRIED_AGAIN = (408, 409, 429, 500, 502, 503, 504, 529)
NEVER = {400: "rejected", 401: "denied", 402: "denied", 403: "denied", 404: "rejected"}
NEVER |= {422: "rejected"}


@pytest.fixture(scope="module")
def remote(litellm):
    return Remote(secrets={}, custom={}, environ={})


@pytest.fixture
def answers(monkeypatch):
    """A behaviour of the server, by name, for the time of a test."""

    def register(name, reply, code=None):
        def say(server, ask):
            return reply(server, ask) if callable(reply) else behaviours.error(reply, "no", code)

        monkeypatch.setitem(behaviours.BEHAVIOURS, name, say)

    return register


async def asked(make, remote, server, model, *, attempts=3, limits=None, key="k", text="hello"):
    """A call through LiteLLM in which nobody waits; its attempts, and the time that was passed."""
    endpoint = make.endpoint(
        "agent:x", model=f"openai/{model}", api_base=server.url, attempts=attempts, timeout=20
    )
    at = make.Time()
    limits = limits or LocalLimiter(
        {endpoint.id: endpoint}, Budget(None), clock=at.clock, sleep=at.sleep
    )
    tools = Tools(provider=remote, limiter=limits, clock=at.clock, now=at.now, sleep=at.sleep)
    question = make.question(
        make.request(text, endpoint=endpoint), key=key, price=PRICE, rate="1", most="5"
    )
    result = await asyncio.wait_for(ask(question, tools), 60)
    return result["attempts"], at


@pytest.mark.parametrize("status", TRIED_AGAIN)
async def test_these_statuses_are_tried_again(make, remote, answers, status):
    answers("odd", status)
    async with LLMServer() as server:
        made, at = await asked(make, remote, server, "odd")
        assert server.begun == 3
    assert [a["status"] for a in made] == ["error"] * 3
    # Half a second, then one: with their jitter, and nothing else.
    assert at.slept[0] == pytest.approx(0.5, rel=0.26)


@pytest.mark.parametrize("status", NEVER)
async def test_these_statuses_are_never_tried_again(make, remote, answers, status):
    answers("odd", status)
    async with LLMServer() as server:
        made, at = await asked(make, remote, server, "odd")
        assert server.begun == 1
    assert [a["fault"] for a in made] == [NEVER[status]]
    assert at.slept == []


@pytest.mark.parametrize("model", ["policy", "policy-azure"])
async def test_what_a_policy_blocks_is_never_tried_again(make, remote, model):
    async with LLMServer() as server:
        made, _ = await asked(make, remote, server, model)
        assert server.begun == 1
    assert [a["status"] for a in made] == ["blocked"]


async def test_nobody_at_the_door_is_tried_again_and_costs_nothing(make, remote):
    async with LLMServer() as server:
        pass
    made, _ = await asked(make, remote, server, "ok")
    assert [(a["status"], a["cost"]) for a in made] == [("error", "0")] * 3


@pytest.mark.parametrize("model", ["cut-then-ok", "garbled-then-ok"])
async def test_an_answer_that_was_lost_is_tried_again_and_its_cost_is_unknown(
    make, remote, answers, model
):
    def garbled(server, ask):
        right = behaviours.BEHAVIOURS["ok"](server, ask)
        return behaviours.BEHAVIOURS["garbage"](server, ask) if server.fails_yet(ask) else right

    answers("garbled-then-ok", garbled)
    async with LLMServer() as server:
        made, _ = await asked(make, remote, server, model)
        assert server.begun == 2
    first, second = made
    assert (first["status"], first["cost"], first["held"]) == ("error", None, "5")
    assert (second["status"], second["held"]) == ("ok", None)
    assert second["cost"] is not None


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_refusal_by_status_costs_nothing(make, remote, answers, status):
    answers("odd", status)
    async with LLMServer() as server:
        made, _ = await asked(make, remote, server, "odd", attempts=1)
    assert [(a["cost"], a["held"]) for a in made] == [("0", None)]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    "said", ["7", "Wed, 21 Oct 2026 07:28:07 GMT"], ids=["seconds", "HTTP date"]
)
async def test_retry_after_is_honoured(make, remote, answers, status, said):
    def later(server, ask):
        headers = (("retry-after", said), ("date", "Wed, 21 Oct 2026 07:28:00 GMT"))
        refusal = behaviours.error(status, "later", "limit")
        ok = behaviours.BEHAVIOURS["ok"]
        return replace(refusal, headers=headers) if server.fails_yet(ask) else ok(server, ask)

    answers("later", later)
    async with LLMServer() as server:
        made, at = await asked(make, remote, server, "later")
    assert [a["status"] for a in made] == ["error", "ok"]
    assert at.at == 7


async def test_a_429_holds_back_the_whole_endpoint(make, remote, answers):
    answers("odd", 429)
    async with LLMServer() as server:
        endpoint = make.endpoint("agent:x")
        at = make.Time()
        limits = LocalLimiter({"agent:x": endpoint}, Budget(None), clock=at.clock, sleep=at.sleep)
        await asked(make, remote, server, "odd", limits=limits, attempts=2)
        assert at.at > 0  # the call waited, at the door, on the limiter's own clock
        before = at.at
        await limits.pause("agent:x", 5)
        await limits.start("agent:x", None)
        assert at.at == before + 5


@pytest.mark.parametrize("code", ["insufficient_quota"])
async def test_a_quota_that_is_used_up_is_no_rate_to_wait_for(make, remote, answers, code):
    answers(
        "spent",
        lambda server, ask: behaviours.error(429, "You exceeded your current quota", code, code),
    )
    async with LLMServer() as server:
        made, at = await asked(make, remote, server, "spent")
        assert server.begun == 1
    assert [a["fault"] for a in made] == ["denied"]
    assert at.slept == []


async def test_a_server_counts_no_more_in_a_window_than_is_allowed(make, remote):
    """A window of two seconds in the place of a minute; a second one sees the flow go on."""
    window, rpm, calls = 2.0, 40, 90
    began, arrived = {}, {}

    def answer(request):
        arrived[request["messages"][0]["content"]] = time.monotonic()
        return "fine"

    async def provider(request):
        began[request.messages[0].text] = time.monotonic()
        return await remote(request)

    async with LLMServer(answer=answer, latency=0.05) as server:
        endpoint = make.endpoint(
            "agent:x", model="openai/ok", api_base=server.url, concurrency=200, rpm=rpm, tpm=40_000
        )
        limits = LocalLimiter(
            {"agent:x": endpoint}, Budget(None), clock=time.monotonic, window=window
        )
        tools = Tools(
            provider=provider,
            limiter=limits,
            clock=time.monotonic,
            now=lambda: "",
            sleep=asyncio.sleep,
        )
        questions = [
            Question(
                key=f"k{n}",
                round=1,
                attempt=1,
                request=make.request(f"hello {n}", endpoint=endpoint).to_item(),
                tokens=500,
            )
            for n in range(calls)
        ]
        await asyncio.gather(*(ask(q.to_item(), tools) for q in questions))
        assert server.begun == calls
    delay = max(arrived[text] - began[text] for text in arrived)
    times = sorted(arrived.values())
    # What the machine delays on the way is not the limiter's: a window is shorter by so much.
    for first, last in zip(times, times[rpm:], strict=False):
        assert last - first > window - delay
    starts = sorted(began.values())
    assert all(a <= b for a, b in pairwise(starts))
    assert all(b - a >= window for a, b in zip(starts, starts[rpm:], strict=False))
