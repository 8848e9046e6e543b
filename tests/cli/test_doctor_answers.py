"""What the end of a tiny call tells: the status, the host, the next step, and never a key."""

from types import SimpleNamespace

import pytest

from arena.cli.checks.answers import read_answers
from arena.cli.checks.calls import Pinged
from arena.cli.words import say
from arena.domain.call import Status
from arena.llm.mainland import OTHER_HOST, other_base

KEY = "fish-and-chips-4711"


def told(error, code, *, host="api.example.com", denied=False, status=Status.ERROR):
    call = SimpleNamespace(
        status=status, error=error, latency_ms=5, model_returned=None, model_asked="x/y"
    )
    answer = SimpleNamespace(last=call, calls=(call,), code=code)
    scene = SimpleNamespace(
        entrants={"agent:a": None},
        host=lambda who: host,
        clean=lambda text: text.replace(KEY, "[key]"),
    )
    denials = frozenset(["agent:a"] if denied else [])
    (row,) = read_answers(scene, Pinged(answers={"agent:a": answer}, denied=denials, kept_from={}))
    return row, say("en", row.said, **row.facts), say("en", row.todo, **row.facts)


def test_a_refused_key_names_the_host_of_the_other_side():
    row, said, todo = told("AuthenticationError: no", 401, host="api.moonshot.ai", denied=True)
    assert row.state == "fail"
    assert "api.moonshot.ai" in said
    assert "api_base: https://api.moonshot.cn/v1" in todo
    assert "api_base" not in told("AuthenticationError: no", 401, denied=True)[2]


def test_the_limit_of_one_token_is_not_held_against_a_model():
    said = "BadRequestError: max_completion_tokens must be at least 16"
    assert told(said, 400)[0].state == "warn"
    assert told("BadRequestError: no such parameter: top_q", 400)[0].state == "fail"


@pytest.mark.parametrize(
    ("error", "code", "step"),
    [
        ("NotFoundError: no such model", 404, "model string"),
        ("no answer within 30 s", None, "timeout"),
        ("h: status 502 with an HTML page", 502, "A page for people"),
        ("RateLimitError: slow down", 429, "rpm"),
        ("api.example.com: cannot be reached (refused); check `url`", None, "is running"),
        ("h: nothing at `reply` ($.x)", None, "See what it said"),
    ],
)
def test_each_failure_has_its_next_step(error, code, step):
    row, _, todo = told(error, code)
    assert row.state == "fail"
    assert step in todo


def test_what_a_provider_repeats_of_a_key_is_not_said():
    _, said, _ = told(f"AuthenticationError: litellm.AuthenticationError: {KEY} is wrong", 401)
    assert KEY not in said
    assert said.endswith(": [key] is wrong")


def test_every_host_of_two_sides_has_its_other_side():
    assert other_base("api.example.com") is None
    assert other_base("api.moonshot.cn:443") == "https://api.moonshot.ai/v1"
    assert other_base("minimax") == "https://api.minimaxi.com/v1"
    assert all(
        base.startswith("https://") and host not in base for host, base in OTHER_HOST.items()
    )
