"""The adapter `http` against a product on loopback: what is sent, what is read, what is refused."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from arena.domain.call import Request
from arena.domain.sitting import Sitting
from arena.llm.adapters.wire import is_loopback, proxy_for
from tests.support.product_server import APP_SECRET, SECRET, ProductServer

HOSTILE = '", "sid": "S9"}\n$session ${KEY} {{message}} \u202e\x00 你好 🙂'
SIT = Sitting(seed="s", scenario="S-1").seated(1)
TOKEN = {
    "request": {"secret": "${APP_SECRET}"},
    "reply": "$.access_token",
    "expires": "$.expires_in",
}
SECRETS = {"APP_SECRET": APP_SECRET}


def bare(path, url, **more):
    """A block for one of the product's pages that keeps no session."""
    return {"path": path, "session": None, "ok": "$.errcode == 0", **more}


async def test_what_is_inserted_stays_one_json_value_whatever_it_says(asking, product):
    one = asking.of(asking.agent(product.url), secrets={"KEY": "k"})
    assert (await one.say(HOSTILE)).text == f"You said {HOSTILE} (1)."
    assert product.seen[0]["body"] == {"text": HOSTILE, "user": SIT.user}


async def test_a_session_is_read_from_the_first_reply_and_sent_on(asking, product):
    one = asking.of(asking.agent(product.url))
    first = await one.say("hello")
    assert "sid" not in product.seen[0]["body"]
    later = await one.say("hello", "hi", "more", sitting=replace(SIT, state=first.state))
    assert later.text == "You said more (2)."
    assert product.sessions == {"S1": ["hello", "more"]}


async def test_a_first_session_id_is_sent_where_the_product_wants_one(asking, product):
    block = asking.agent(product.url, session={"path": "$.data.sid", "first": ""})
    await asking.of(block).say("hello")
    assert product.seen[0]["body"]["sid"] == ""


async def test_the_whole_dialogue_is_sent_in_the_product_s_words(asking, product):
    shape = {"role": "role", "text": "content", "user": "U", "agent": "A"}
    one = asking.of(asking.agent(product.url, "/whole", history=shape))
    assert not one.agent.stateful
    await one.say("a", "b", "c")
    assert [(m["role"], m["content"]) for m in product.seen[0]["body"]["messages"]] == [
        ("U", "a"),
        ("A", "b"),
        ("U", "c"),
    ]


@pytest.mark.parametrize(
    ("how", "fault", "said", "uncertain"),
    [
        ("429", "retry", "status 429", False),
        ("503", "retry", "status 503", False),
        ("500", "retry", "status 500", True),
        ("drop", "retry", "the connection broke off", True),
        ("lost", "retry", "the connection broke off", True),
        ("hang", "retry", "no answer within 1 s (`limits: timeout`)", True),
        ("busy", "retry", "error 45009 (`ok: $.errcode == 0`): too busy", False),
        (
            "broken",
            "rejected",
            "error 50001 (`ok: $.errcode == 0`): no such model for [key]",
            False,
        ),
        ("404", "rejected", "status 404", False),
        ("403", "denied", "status 403", False),
    ],
)
async def test_each_error_is_named_with_its_host(asking, product, how, fault, said, uncertain):
    product.next(how)
    block = asking.agent(product.url, retry_codes=[45009])
    one = asking.of(block, secrets=SECRETS, timeout=1.0 if how == "hang" else 60.0)
    found = await one.fault()
    assert found.message.startswith(f"127.0.0.1:{product.url.rsplit(':')[-1]}: {said}")
    assert (found.fault, found.uncertain) == (fault, uncertain)
    assert len(found.message.splitlines()) == 1
    assert APP_SECRET not in found.message


async def test_retry_after_is_handed_on(asking):
    with ProductServer(retry_after="7") as product:
        product.next("429")
        assert (await asking.of(asking.agent(product.url)).fault()).retry_after == 7


async def test_a_date_to_retry_after_is_counted_from_the_product_s_own_clock(asking):
    late = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    with ProductServer(retry_after=late) as product:
        product.next("429")
        waits = (await asking.of(asking.agent(product.url)).fault()).retry_after
    assert 3600 < waits <= 7200


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/html", "an HTML page instead of JSON; check `url`"),
        ("/missing", "nothing at `reply` ($.data.text)"),
        ("/elsewhere", "redirects to another host (localhost:1); check `url`"),
        ("/big", "an answer of more than 2000 bytes (`max_bytes`)"),
    ],
)
async def test_an_answer_that_is_no_reply_is_refused_by_name(asking, product, path, said):
    found = await asking.of(asking.agent(product.url, path, max_bytes=2000)).fault()
    assert (found.fault, found.message.split(": ", 1)[1]) == ("rejected", said)


async def test_a_redirect_within_the_host_is_followed(asking, product):
    assert (await asking.of(asking.agent(product.url, "/redirect")).say("hi")).text
    assert [one["path"] for one in product.seen] == ["/redirect", "/chat"]


async def test_nobody_there_is_certain(asking):
    found = await asking.of(asking.agent("http://127.0.0.1:1")).fault()
    assert (found.fault, found.uncertain) == ("retry", False)
    assert "cannot be reached" in found.message


async def test_several_messages_are_joined_and_counted_and_what_is_no_text_is_marked(
    asking, product
):
    block = asking.agent(product.url, "/several", reply="$.messages", session=None)
    reply = await asking.of(block).say("hi")
    assert reply.text == "First.\n[image]\nSecond.\n[b-card-b]"
    assert reply.finish_reason == "messages:4"


async def test_a_token_is_fetched_once_and_renewed_when_it_is_refused(asking):
    with ProductServer(token_uses=2) as product:
        token = {"url": f"{product.url}/token", **TOKEN}
        headers = {"Authorization": "Bearer $token"}
        block = asking.agent(product.url, "/secure", token=token, headers=headers)
        one = asking.of(block, secrets=SECRETS)
        for _ in range(5):
            assert (await one.say("hi")).text
        assert len(product.tokens) == 3
        paths = [asked["path"] for asked in product.seen]
        assert paths.count("/secure") == 5 + 2


async def test_a_token_that_an_error_code_refuses_is_renewed_as_well(asking):
    with ProductServer(token_uses=1) as product:
        token = {"url": f"{product.url}/token", "expired_codes": [42001], **TOKEN}
        block = asking.agent(product.url, "/secure", token=token, query={"access_token": "$token"})
        one = asking.of(block, secrets=SECRETS)
        assert (await one.say("hi")).text
        assert (await one.say("hi")).text
        assert len(product.tokens) == 2


async def test_a_token_that_is_always_refused_denies_the_endpoint(asking):
    with ProductServer(token_uses=0) as product:
        token = {"url": f"{product.url}/token", **TOKEN}
        headers = {"Authorization": "Bearer $token"}
        block = asking.agent(product.url, "/secure", token=token, headers=headers)
        found = await asking.of(block, secrets=SECRETS).fault()
        assert found.fault == "denied"
        assert len(product.tokens) == 2


async def test_a_token_is_asked_for_again_before_it_ends(asking, product):
    now = [1_800_000_000.0]
    token = {"url": f"{product.url}/token", **TOKEN}
    headers = {"Authorization": "Bearer $token"}
    block = asking.agent(product.url, "/secure", token=token, headers=headers)
    one = asking.of(block, secrets=SECRETS, clock=lambda: now[0])
    for seconds, tokens in ((0, 1), (6000, 1), (7000, 2)):
        now[0] = 1_800_000_000.0 + seconds
        await one.say("hi")
        assert len(product.tokens) == tokens


async def test_no_token_is_said_without_the_secret(asking, product):
    token = {"url": f"{product.url}/token", "ok": "$.errcode == 0", **TOKEN}
    headers = {"Authorization": "Bearer $token"}
    block = asking.agent(product.url, "/secure", token=token, headers=headers)
    found = await asking.of(block, secrets={"APP_SECRET": "wrong-secret"}).fault()
    assert found.fault == "denied"
    assert "invalid appid" in found.message
    assert "wrong-secret" not in found.message


SIGN = {"secret_env": "SIGN_SECRET", "template": "$time\n$body", "header": "X-Sign"}


async def test_a_signature_is_made_of_what_is_sent(asking, product):
    headers = {"X-Timestamp": "$time"}
    block = asking.agent(product.url, "/signed", sign=SIGN, headers=headers)
    assert (await asking.of(block, secrets={"SIGN_SECRET": SECRET}).say("你好")).text
    found = await asking.of(block, secrets={"SIGN_SECRET": "another"}).fault()
    assert "bad signature" in found.message


async def test_a_signature_may_be_a_field(asking, product):
    sign = {"secret_env": "SIGN_SECRET", "template": "$time$user$message", "field": "sign"}
    block = asking.agent(product.url, sign=sign)
    await asking.of(block, secrets={"SIGN_SECRET": SECRET}).say("hi")
    assert len(product.seen[0]["body"]["sign"]) == 64


POLL = {
    "id": "$.task",
    "query": {"task": "$id"},
    "until": "$.status == done",
    "failed": "$.status == failed",
    "interval": 2,
}


async def test_a_late_reply_is_fetched_and_a_poll_that_fails_is_only_a_poll(asking, product):
    poll = {"url": f"{product.url}/result", **POLL}
    block = asking.agent(product.url, "/submit", poll=poll, reply="$.text")
    one = asking.of(block, timeout=200)
    reply = await one.say("hi")
    assert reply.text == "late T1/x"
    assert reply.state["session"] == "S1"
    assert one.slept == [2, 2, 2]
    assert one.agent.patience == one.agent.limits.timeout + 120


async def test_a_reply_that_never_comes_is_given_up(asking, product, monkeypatch):
    poll = {"url": f"{product.url}/result", **POLL, "until": "$.status == never", "deadline": 0.2}
    block = asking.agent(product.url, "/submit", poll=poll, reply="$.text")
    found = await asking.of(block, timeout=30).fault()
    assert found.message.endswith("not done within 0.2 s (`poll: deadline`)")
    assert found.uncertain


async def test_a_stream_is_read_to_its_end(asking, product):
    stream = {"text": "$.delta"}
    block = asking.agent(
        product.url, "/stream", stream=stream, reply=None, session="$.sid", ok=None
    )
    reply = await asking.of(block).say("你好")
    assert (reply.text, reply.state["session"]) == ("You said 你好 (1).", "S1")


async def test_a_stream_that_is_cut_is_no_reply(asking, product):
    block = asking.agent(
        product.url, "/stream", stream={"text": "$.delta"}, reply=None, session="$.sid", ok=None
    )
    product.next("lost")
    found = await asking.of(block).fault()
    assert "broke off before its end" in found.message
    assert found.uncertain


async def test_an_error_in_the_place_of_a_stream_is_that_error(asking, product):
    block = asking.agent(product.url, "/stream", stream={"text": "$.delta"}, session="$.sid")
    product.next("broken")
    assert "error 50001" in (await asking.of(block).fault()).message


@pytest.mark.parametrize("path", ["/hello", None])
async def test_what_a_product_says_first_is_fetched_before_the_first_message(asking, product, path):
    welcome = {"url": f"{product.url}{path}", "request": {"user": "$user"}, "reply": "$.greeting"}
    block = asking.agent(product.url, session="$..sid", welcome=welcome if path else True)
    one = asking.of(block)
    first = await one.say("hi")
    said = "Good morning, I am Homebot." if path else "You said  (1)."
    assert first.welcome == said
    assert len(product.sessions) == 1
    assert (await one.say("hi", "x", "y", sitting=replace(SIT, state=first.state))).welcome == ""


async def test_a_key_that_a_product_repeats_is_not_kept(asking, product):
    one = asking.of(asking.agent(product.url), secrets=SECRETS)
    assert (await one.say(f"is it {APP_SECRET}?")).text == "You said is it [key]? (1)."


def test_loopback_never_goes_through_a_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "proxy.example:3128")
    monkeypatch.setenv("http_proxy", "proxy.example:3128")
    assert proxy_for("http://product.example/x") == "http://proxy.example:3128"
    for url in ("http://127.0.0.1:8/x", "http://localhost/x", "http://[::1]:9/x"):
        assert proxy_for(url) is None
    assert not is_loopback("product.example")


async def test_what_travels_with_a_dialogue_is_json(asking, product):
    one = asking.of(asking.agent(product.url))
    reply = await one.say("hi")
    request = one.request("hi", sitting=replace(SIT, state=reply.state))
    assert Request.from_item(json.loads(json.dumps(request.to_item()))) == request
