"""A product on loopback, and how an agent of it is asked without a store."""

from types import SimpleNamespace

import pytest

from arena.domain.agent import Agent
from arena.domain.call import Endpoint, Message, Request
from arena.domain.sitting import Sitting
from arena.errors import ProviderFault
from arena.llm.adapters.http import HttpProvider
from tests.support.product_server import ProductServer

CHAT = {
    "request": {"text": "$message", "sid": "$session", "user": "$user"},
    "reply": "$.data.text",
    "session": "$.data.sid",
    "ok": "$.errcode == 0",
}
"""A product that keeps the dialogue."""
WHOLE = {"request": {"messages": "$messages", "user": "$user"}, "reply": "$.reply"}
"""A product that is sent the dialogue whole."""


@pytest.fixture
def product():
    with ProductServer() as server:
        yield server


def http_agent(url, path="/chat", name="homebot", **more):
    """An agent of the product, as data/arena.yaml describes it."""
    block = {"url": url + path, **(WHOLE if path == "/whole" else CHAT), **more}
    block = {k: v for k, v in block.items() if v is not None}
    return {"agent": name, "vendor": "homebot", "version": "2026Q4", "http": block}


class Asking:
    """A provider of one agent, asked as the desk asks it."""

    def __init__(self, agent, secrets=None, clock=lambda: 1_800_000_000.25, timeout=60.0):
        self.agent = Agent.model_validate(agent)
        self.slept = []
        self.timeout = timeout

        async def sleep(seconds):
            self.slept.append(seconds)

        self.provider = HttpProvider(
            {self.agent.agent: self.agent.http},
            secrets={self.agent.agent: secrets or {}},
            clock=clock,
            sleep=sleep,
        )

    def request(self, *said, sitting=None):
        roles = ("user", "assistant")
        messages = tuple(Message(roles[n % 2], text) for n, text in enumerate(said))
        return Request(
            endpoint=Endpoint(id=f"agent:{self.agent.agent}", model="", timeout=self.timeout),
            messages=messages,
            sitting=sitting or Sitting(seed="s", scenario="S-1").seated(1),
        )

    async def say(self, *said, sitting=None):
        return await self.provider(self.request(*said, sitting=sitting))

    async def fault(self, *said, sitting=None) -> ProviderFault:
        with pytest.raises(ProviderFault) as caught:
            await self.say(*(said or ("hello",)), sitting=sitting)
        return caught.value


@pytest.fixture
def asking():
    return SimpleNamespace(of=Asking, agent=http_agent)
