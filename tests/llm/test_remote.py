"""LiteLLM's edge: what it is asked, its replies, its prices and where keys go, in our terms."""

import os
import subprocess
import sys
from decimal import Decimal
from types import SimpleNamespace

import pytest

from arena.domain.call import Message, Request
from arena.llm.remote import SETTINGS, Remote, host_of
from arena.llm.scripted import Play, Scripted
from tests.llm.edge import SECRETS, build, fault_of, response

LAZY = pytest.mark.filterwarnings("ignore")
"""LiteLLM imports more of itself with the first call, and warns."""


async def test_only_one_attempt_is_made_and_litellm_retries_nothing(remote, answering, make):
    given = answering(response())
    await remote(make.request(sampling={"temperature": 0.7, "max_tokens": 9}))
    (arguments,) = given
    assert (arguments["num_retries"], arguments["max_retries"]) == (0, 0)
    assert (arguments["temperature"], arguments["max_tokens"]) == (0.7, 9)
    assert arguments["timeout"] == 60
    assert arguments["messages"] == [{"role": "user", "content": "hello"}]
    assert "response_format" not in arguments
    assert "api_key" not in arguments
    assert "api_base" not in arguments


@pytest.mark.parametrize(
    ("endpoint", "key"),
    [
        ({"api_key_env": "OWN_KEY"}, "own-secret-4711"),
        ({"api_key_env": "OWN_KEY", "api_base": "https://h.example/v1"}, "own-secret-4711"),
        ({"api_base": "https://h.example/v1"}, "none"),
    ],
)
async def test_a_place_gets_its_own_key_or_none(remote, answering, make, endpoint, key):
    given = answering(response())
    await remote(make.request(endpoint=make.endpoint(**endpoint)))
    assert given[0]["api_key"] == key


async def test_a_place_whose_key_is_not_set_never_gets_another(remote, answering, make):
    # An empty key makes LiteLLM look for one in the environment, and send that.
    given = answering(response())
    endpoint = make.endpoint(api_key_env="NOT_SET", api_base="https://h.example/v1")
    await remote(make.request(endpoint=endpoint))
    assert given[0]["api_key"]
    assert given[0]["api_key"] not in SECRETS.values()


async def test_a_schema_is_sent_only_where_it_is_taken(remote, answering, make):
    given = answering(response())
    schema = {"type": "object"}
    for kind in ("json_schema", "json_object", "text"):
        await remote(make.request(response_format=kind, schema=schema))
    first, second, third = given
    assert first["response_format"]["json_schema"]["schema"] == schema
    assert second["response_format"] == {"type": "json_object"}
    assert "response_format" not in third


async def test_a_reply_is_read(remote, answering, make):
    message = SimpleNamespace(content="fine", reasoning_content="hm")
    choice = SimpleNamespace(message=message, finish_reason="length")
    answering(response(choices=[choice]))
    reply = await remote(make.request())
    assert (reply.text, reply.thinking, reply.finish_reason) == ("fine", "hm", "length")
    assert (reply.model_returned, reply.tokens_in, reply.tokens_out) == ("m-1", 7, 3)
    assert reply.params_dropped == ()


async def test_no_choices_give_no_text(remote, answering, make):
    answering(response(choices=[]))
    reply = await remote(make.request())
    assert (reply.text, reply.finish_reason) == (None, "no_choices")


@pytest.mark.parametrize("content", [None, ""])
@pytest.mark.reported("R16")
async def test_an_empty_message_stays_what_it_is(remote, answering, make, content):
    answering(response(content))
    reply = await remote(make.request())
    assert (reply.text, reply.thinking) == (content, None)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        SimpleNamespace(),
        SimpleNamespace(prompt_tokens=0, completion_tokens=0),
        SimpleNamespace(prompt_tokens=None, completion_tokens=None),
    ],
    ids=["none", "without numbers", "nought", "null"],
)
async def test_usage_that_is_not_told_is_unknown_and_not_0(remote, answering, make, usage):
    answering(response(usage=usage))
    reply = await remote(make.request())
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


async def test_a_reply_of_no_tokens_to_a_known_prompt_is_nought(remote, answering, make):
    answering(response(usage=SimpleNamespace(prompt_tokens=7, completion_tokens=0)))
    reply = await remote(make.request())
    assert (reply.tokens_in, reply.tokens_out) == (7, 0)


@pytest.mark.reported("R55")
async def test_a_parameter_that_is_not_taken_is_dropped_and_recorded(
    remote, answering, make, litellm
):
    given = answering(build(litellm.UnsupportedParamsError), response())
    endpoint = make.endpoint(model="anthropic/claude-3-haiku-20240307")
    request = make.request(endpoint=endpoint, sampling={"seed": 1, "temperature": 0})
    reply = await remote(request)
    assert reply.params_dropped == ("seed",)
    assert "seed" not in given[-1]
    assert given[-1]["temperature"] == 0
    assert len(given) == 2
    assert (await remote(request)).params_dropped == ("seed",)
    assert len(given) == 3


async def test_a_parameter_that_was_not_asked_for_is_not_recorded_as_dropped(
    remote, answering, make, litellm
):
    answering(build(litellm.UnsupportedParamsError), response())
    endpoint = make.endpoint(model="anthropic/claude-3-haiku-20240307")
    await remote(make.request(endpoint=endpoint, sampling={"seed": 1}))
    reply = await remote(make.request(endpoint=endpoint, sampling={"temperature": 0}))
    assert reply.params_dropped == ()


@pytest.mark.reported("R55")
async def test_when_nothing_can_be_dropped_it_is_a_fault_and_not_a_loop(
    remote, answering, make, litellm
):
    given = answering(build(litellm.UnsupportedParamsError))
    fault = await fault_of(remote, make.request(sampling={"temperature": 0}))
    assert fault.fault == "rejected"
    assert len(given) == 1


def test_a_list_price_is_in_dollars_per_million(remote, litellm):
    price = remote.list_price("gpt-4o-mini")
    known = litellm.model_cost["gpt-4o-mini"]
    assert price.currency == "USD"
    assert float(price.input_per_million) == pytest.approx(known["input_cost_per_token"] * 1e6)
    assert float(price.output_per_million) == pytest.approx(known["output_cost_per_token"] * 1e6)
    assert remote.list_price("openai/gpt-4o-mini") == price


@pytest.mark.parametrize("model", ["nobody/knows-me", "openai/my-local", "", "scripted/x/y"])
@pytest.mark.reported("R52")
def test_an_unknown_model_has_no_list_price(remote, model):
    assert remote.list_price(model) is None


@pytest.mark.parametrize(
    "known",
    [
        {"input_cost_per_token": 1e-6},
        {"input_cost_per_token": 1e-6, "output_cost_per_token": None},
        {"output_cost_per_token": 1e-6},
        {"input_cost_per_token": 0, "output_cost_per_token": 0},
        {},
    ],
)
@pytest.mark.reported("R52")
def test_half_a_list_price_is_unknown_and_never_0(remote, litellm, monkeypatch, known):
    monkeypatch.setitem(litellm.model_cost, "half/known", known)
    assert remote.list_price("half/known") is None


@pytest.mark.parametrize(
    ("model", "api_base", "host"),
    [
        ("openai/m", "https://h.example:8443/v1", "h.example:8443"),
        ("deepseek/deepseek-chat", None, "deepseek"),
        ("gpt-4o", None, "gpt-4o"),
    ],
)
def test_the_host_is_that_of_the_place_or_the_provider(model, api_base, host):
    assert host_of(model, api_base) == host


def test_who_serves_a_model_string_is_asked_of_litellm(remote):
    assert remote.knows_provider("deepseek/deepseek-chat")
    assert not remote.knows_provider("nobody-knows-me")


@pytest.fixture
def played(litellm, suite, script):
    """Scripted agents and judges reached through LiteLLM's own machinery."""
    play = Scripted({"everyday-en": Play(suite, script)})
    yield Remote(secrets={}, custom={"scripted": play}, environ={}), play
    litellm.custom_provider_map = []


@LAZY
async def test_a_scripted_agent_answers_alike_through_litellm(played, make, suite, script):
    remote, play = played
    who = script.agents[0].agent
    endpoint = make.endpoint(model=f"scripted/everyday-en/{who}")
    request = Request(
        endpoint=endpoint,
        messages=(Message("system", "Be kind."), Message("user", suite.scenarios[0].turns[0])),
        sampling={"temperature": 0.5, "max_tokens": 300},
    )
    there, here = await remote(request), await play(request)
    assert (there.text, there.tokens_in, there.tokens_out) == (
        here.text,
        here.tokens_in,
        here.tokens_out,
    )
    assert there.finish_reason == "stop"
    assert remote.list_price(endpoint.model).per_call == Decimal(0)
    assert remote.knows_provider(endpoint.model)
    assert remote.missing_variables(endpoint.model) == []


@LAZY
async def test_a_fault_of_a_scripted_model_comes_through_as_it_is(played, make):
    remote, _ = played
    endpoint = make.endpoint(model="scripted/everyday-en/nobody")
    fault = await fault_of(remote, make.request(endpoint=endpoint))
    assert (fault.fault, fault.status) == ("rejected", 404)
    assert "scripts nobody called nobody" in fault.message


QUIET = """
import os, socket, sys
asked = []
def refuse(*a, **k):
    asked.append(a)
    raise OSError("no network here")
socket.getaddrinfo = refuse
socket.socket.connect = refuse
from arena.llm.remote import SETTINGS, Remote
assert "litellm" not in sys.modules
Remote(secrets={}, custom={})
assert "litellm" in sys.modules
assert all(os.environ[name] == value for name, value in SETTINGS.items())
assert "LEAKED_FROM_ENV_FILE" not in os.environ
print(len(asked))
"""


@pytest.mark.reported("R49", "R50")
def test_importing_litellm_touches_no_network_and_no_env_file(tmp_path):
    (tmp_path / ".env").write_text("LEAKED_FROM_ENV_FILE=1\n")
    environ = {k: v for k, v in os.environ.items() if k not in SETTINGS}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", QUIET],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr[-800:]


@pytest.mark.parametrize("proxy", ["HTTP_PROXY", "https_proxy"])
def test_loopback_never_goes_through_a_proxy(litellm, proxy):
    environ = {proxy: "http://proxy.example:3128", "NO_PROXY": "intern.example"}
    Remote(secrets={}, custom={}, environ=environ)
    for name in ("NO_PROXY", "no_proxy"):
        assert environ[name].split(",") == ["intern.example", "127.0.0.1", "localhost"]


def test_without_a_proxy_nothing_is_set(litellm):
    environ = {}
    Remote(secrets={}, custom={}, environ=environ)
    assert environ == SETTINGS
