"""LiteLLM's exceptions in our terms, and no key in what they say."""

import pytest

from arena.llm.remote import redact
from tests.llm.edge import build, fault_of

KINDS = {"retry", "blocked", "denied", "rejected"}

# What each exception means; the number is the status it is made with, where it takes one.
MEANINGS = [
    ("Timeout", None, "retry"),
    ("APIConnectionError", None, "retry"),
    ("APIError", 409, "retry"),
    ("APIError", 500, "retry"),
    ("APIError", 529, "retry"),
    ("APIError", 402, "denied"),
    ("APIError", 403, "denied"),
    ("RateLimitError", None, "retry"),
    ("InternalServerError", None, "retry"),
    ("BadGatewayError", None, "retry"),
    ("ServiceUnavailableError", None, "retry"),
    ("APIResponseValidationError", None, "retry"),
    ("AuthenticationError", None, "denied"),
    ("PermissionDeniedError", None, "denied"),
    ("PaymentRequiredError", None, "denied"),
    ("ContentPolicyViolationError", None, "blocked"),
    ("BadRequestError", None, "rejected"),
    ("ContextWindowExceededError", None, "rejected"),
    ("UnsupportedParamsError", None, "rejected"),
    ("NotFoundError", None, "rejected"),
    ("UnprocessableEntityError", None, "rejected"),
    ("InvalidRequestError", None, "rejected"),
]


def exported(litellm):
    """Every exception class that LiteLLM exports as its own."""
    return {
        name: found
        for name, found in vars(litellm).items()
        if isinstance(found, type)
        and issubclass(found, Exception)
        and found.__module__.startswith("litellm")
    }


@pytest.mark.parametrize(("name", "status", "kind"), MEANINGS)
async def test_what_each_exception_means(remote, answering, make, litellm, name, status, kind):
    answering(build(getattr(litellm, name), status=status))
    fault = await fault_of(remote, make.request())
    assert fault.fault == kind
    assert fault.message.startswith(f"{name}: ")
    assert "\n" not in fault.message


async def test_every_exception_that_litellm_exports_becomes_a_fault(
    remote, answering, make, litellm
):
    classes = exported(litellm)
    assert {name for name, _, _ in MEANINGS} <= set(classes)
    for name, cls in classes.items():
        error = build(cls)
        given = answering(error)
        given.clear()
        fault = await fault_of(remote, make.request())
        assert fault.fault in KINDS, name
        assert len(given) == 1, name


@pytest.mark.parametrize("error", [ValueError("odd"), IndexError("list"), RuntimeError("boom")])
async def test_any_other_exception_becomes_a_fault_too(remote, answering, make, error):
    answering(error)
    assert (await fault_of(remote, make.request())).fault in KINDS


async def test_being_cancelled_is_no_fault(remote, answering, make):
    import asyncio

    answering(asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        await remote(make.request())


@pytest.mark.parametrize(
    "said",
    ["Missing credentials. Please pass an `api_key`", "The api_key client option must be set"],
)
async def test_a_missing_key_is_denied_though_litellm_calls_it_a_server_error(
    remote, answering, make, litellm, said
):
    answering(build(litellm.InternalServerError, said))
    assert (await fault_of(remote, make.request())).fault == "denied"


@pytest.mark.parametrize("sign", ["content_filter", "content_policy_violation", "Risk Control"])
@pytest.mark.reported("R15")
async def test_a_refusal_by_policy_is_blocked_under_any_exception(
    remote, answering, make, litellm, sign
):
    answering(build(litellm.BadRequestError, f"code {sign}: no"))
    assert (await fault_of(remote, make.request())).fault == "blocked"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"llm_provider-retry-after": "3"}, 3.0),
        ({"retry-after": "-4"}, 0.0),
        (
            {
                "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
                "date": "Wed, 21 Oct 2026 07:27:48 GMT",
            },
            12.0,
        ),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 60.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00", "date": "Wed, 21 Oct 2026"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
async def test_retry_after_is_read_from_litellm_s_headers(
    remote, answering, make, litellm, headers, expected
):
    error = build(litellm.RateLimitError)
    error.litellm_response_headers = headers
    answering(error)
    assert (await fault_of(remote, make.request())).retry_after == expected


async def test_the_key_of_the_endpoint_is_taken_out_of_messages(remote, answering, make, litellm):
    answering(build(litellm.AuthenticationError, "bad key own-secret-4711, own-secret-4711"))
    endpoint = make.endpoint(api_key_env="OWN_KEY")
    fault = await fault_of(remote, make.request(endpoint=endpoint))
    assert "own-secret-4711" not in fault.message
    assert "[key]" in fault.message


async def test_a_key_that_litellm_found_by_itself_is_taken_out_too(
    remote, answering, make, litellm
):
    answering(build(litellm.AuthenticationError, "bad key someone-elses-key"))
    assert "someone-elses-key" not in (await fault_of(remote, make.request())).message


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abc123DEF456",
        "Authorization: Bearer abc123.DEF-456_x",
        "api_key=abc123DEF456",
        "key: abc123DEF456",
    ],
)
def test_what_looks_like_a_key_is_taken_out(text):
    found = redact(text, ())
    assert "[key]" in found
    assert "abc123" not in found


def test_an_empty_or_tiny_secret_spoils_no_message():
    assert redact("yes, yes", ("", "yes")) == "yes, yes"


def test_a_message_is_one_line_of_at_most_500_characters():
    assert redact("a\n b\t\n  c", ()) == "a b c"
    assert len(redact("x" * 5000, ())) == 500
