"""What LiteLLM answers and raises, made by hand: for tests of its edge."""

import inspect
from types import SimpleNamespace

import httpx
import pytest

from arena.errors import ProviderFault

SECRETS = {"OWN_KEY": "own-secret-4711", "OPENAI_API_KEY": "someone-elses-key", "PLAIN": "yes"}


def build(cls, message="it went wrong", status=None, **more):
    """An exception of a class, whatever its signature asks for."""
    response = httpx.Response(status or 400, request=httpx.Request("POST", "https://h.example"))
    known = {
        "message": message,
        "model": "m",
        "llm_provider": "openai",
        "response": response,
        "status_code": status or 500,
        "current_cost": 2.0,
        "max_budget": 1.0,
        "raw_response": "{}",
        "schema": "{}",
        "cooldown_time": 1.0,
        "enable_pre_call_checks": False,
        "cooldown_list": [],
        "max_rounds": 3,
        "failures": (),
    } | more
    if cls.__init__ in (Exception.__init__, ValueError.__init__):
        return cls(message)
    wanted = inspect.signature(cls).parameters.values()
    given = {p.name: known[p.name] for p in wanted if p.default is p.empty or p.name in more}
    return cls(**given)


def response(content="fine", **changes):
    message = SimpleNamespace(content=content)
    choice = SimpleNamespace(message=message, finish_reason="stop")
    usage = SimpleNamespace(prompt_tokens=7, completion_tokens=3)
    return SimpleNamespace(**({"choices": [choice], "usage": usage, "model": "m-1"} | changes))


async def fault_of(remote, request):
    with pytest.raises(ProviderFault) as caught:
        await remote(request)
    return caught.value
