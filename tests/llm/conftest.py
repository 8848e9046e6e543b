"""Providers that are functions, time that only passes when somebody sleeps, and LiteLLM once."""

import asyncio
import os
import warnings
from decimal import Decimal
from types import SimpleNamespace

import pytest

from arena.domain.call import Endpoint, Message, Reply, Request
from arena.llm.asking import Question, Tools
from arena.llm.limiter import Budget, LocalLimiter
from arena.llm.remote import Remote
from arena.suites.find import shipped_suites
from arena.suites.load import load_script, load_suite
from tests.llm.edge import SECRETS

# How long an example takes says nothing on a busy machine.


class Time:
    """A clock that sleeping moves."""

    def __init__(self):
        self.at = 0.0
        self.slept = []

    def clock(self):
        return self.at

    def now(self):
        return f"T+{self.at:g}"

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds
        await asyncio.sleep(0)


class Says:
    """A provider that says one thing after the other, the last for ever; faults are raised."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    async def __call__(self, request):
        self.requests.append(request)
        answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Reply) else make_reply(answer)


def make_reply(text="fine", **changes):
    values = {"finish_reason": "stop", "model_returned": "m-1", "tokens_in": 100, "tokens_out": 10}
    return Reply(text=text, **(values | changes))


def make_endpoint(name="agent:x", **changes):
    return Endpoint(id=name, **({"model": "openai/m", "host": "h.example"} | changes))


def make_request(text="hello", endpoint=None, **changes):
    return Request(
        endpoint=endpoint or make_endpoint(), messages=(Message("user", text),), **changes
    )


def make_question(request=None, **changes):
    values = {
        "key": "k",
        "round": 1,
        "attempt": 1,
        "request": (request or make_request()).to_item(),
    }
    return Question(**(values | changes)).to_item()


def make_tools(provider, time=None, *, cap=None, endpoints=None):
    time = time or Time()
    endpoints = endpoints or {"agent:x": make_endpoint()}
    budget = Budget(None if cap is None else Decimal(cap))
    return Tools(
        provider=provider,
        limiter=LocalLimiter(endpoints, budget, clock=time.clock, sleep=time.sleep),
        clock=time.clock,
        now=time.now,
        sleep=time.sleep,
    )


async def turns(count=30):
    for _ in range(count):
        await asyncio.sleep(0)


async def soon(awaitable):
    """The result, or a failure instead of a test that hangs."""
    return await asyncio.wait_for(awaitable, 10)


@pytest.fixture(scope="session")
def make():
    return SimpleNamespace(
        reply=make_reply,
        endpoint=make_endpoint,
        request=make_request,
        question=make_question,
        tools=make_tools,
        turns=turns,
        soon=soon,
        Says=Says,
        Time=Time,
    )


@pytest.fixture(scope="session")
def suite():
    return load_suite(shipped_suites() / "everyday-en")


@pytest.fixture(scope="session")
def script():
    return load_script(shipped_suites() / "everyday-en")


@pytest.fixture(scope="session")
def litellm():
    """The library, imported once for the whole session: it takes seconds and warns."""
    from arena.llm.remote import _import_litellm

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _import_litellm(os.environ)


@pytest.fixture
def remote(litellm):
    return Remote(secrets=SECRETS, custom={}, environ={}, now=lambda: "2026-10-21T07:27:00.000Z")


@pytest.fixture
def answering(remote, monkeypatch):
    """LiteLLM's one call replaced by a function; what it was given is kept."""
    given = []

    def answer_with(*answers):
        answers = list(answers)

        async def acompletion(**arguments):
            given.append(arguments)
            answer = answers[min(len(given), len(answers)) - 1]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr(remote._litellm, "acompletion", acompletion)
        return given

    return answer_with
