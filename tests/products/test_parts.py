"""Joining messages, reading streams, conditions and placeholders: laws of the small parts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.condition import parse_condition
from arena.domain.placeholders import ABSENT, check_places, check_secrets, fill, variables_in
from arena.domain.web import Stream
from arena.llm.adapters.parts import join_parts
from arena.llm.adapters.signing import fill_url
from arena.llm.adapters.stream import Events
from arena.suites.paths import compile_path, holds

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.text(), JSON)
def test_a_value_that_is_filled_in_is_that_value_and_is_not_filled_again(text, value):
    template = {"a": "$message", "b": ["$history", {"c": "${KEY}-$message"}], "d": 5}
    filled = fill(template, {"message": text, "history": value}, {"KEY": "$message"})
    assert filled == {"a": text, "b": [value, {"c": "$message-$message"}], "d": 5}


def test_what_is_not_there_yet_leaves_its_key_out():
    assert fill({"sid": "$session", "l": ["$session", 1]}, {"session": ABSENT}, {}) == {"l": [1]}


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ({"a": "Say: $message"}, "a placeholder must be the whole value: \\$message"),
        ({"a": ["$mesage"]}, "nothing fills the placeholder: \\$mesage .known: \\$message"),
    ],
)
def test_a_placeholder_is_a_whole_value_that_is_known(template, said):
    with pytest.raises(ValueError, match=said):
        check_places(template, ("message", "user"))


@pytest.mark.parametrize("key", ["Authorization", "app_secret", "apiKey", "password", "X-API-Key"])
def test_a_secret_is_named_and_never_written(key):
    with pytest.raises(ValueError, match="does not stand in this file") as caught:
        check_secrets({"deep": [{key: "s3cr3t-value"}]})
    assert "s3cr3t" not in str(caught.value)
    check_secrets({key: "Bearer ${NAME}"})
    assert variables_in({key: "Bearer ${NAME}"}) == {"NAME"}


@given(st.text())
def test_what_is_inserted_into_a_url_stays_within_its_part(text):
    filled = fill_url("https://h.example/s/$session/say", {"session": text})
    assert filled.startswith("https://h.example/s/")
    assert filled.endswith("/say")
    assert filled.count("/") == 5
    assert not set(filled) & set("?#")


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("$.errcode == 0", {"errcode": 0}, True),
        ("$.errcode == 0", {"errcode": "0"}, True),
        ("$.errcode == 0", {"errcode": False}, False),
        ("$.errcode == 0", {}, False),
        ("$.errcode != 0", {}, True),
        ("$.status == done", {"status": "done"}, True),
        ("$.status == 'is done'", {"status": "is done"}, True),
        ("$.ok == true", {"ok": True}, True),
        ("$.ok == true", {"ok": 1}, False),
        ("$.ok", {"ok": {"x": 1}}, True),
        ("$.ok", {"ok": False}, False),
        ('$.m[?(@.t == "x")].ok == 1', {"m": [{"t": "x", "ok": 1}]}, True),
    ],
)
def test_a_condition_holds_or_not(text, value, expected):
    assert holds(text, value) is expected


@pytest.mark.parametrize("text", ["errcode == 0", "", "$.a = 0", "0 == $.a"])
def test_a_condition_that_is_none_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match="is written like"):
        parse_condition(text)


@pytest.mark.parametrize("text", ["$.", "$[", "$..[?(", "$.a[?(@.b ==)]"])
def test_what_is_no_path_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        compile_path(text)


@given(JSON)
def test_whatever_stands_at_a_reply_becomes_text(value):
    text, count = join_parts([value])
    assert (count > 0) is bool(text.strip())


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ({"type": "text", "text": "hi"}, "hi"),
        ({"msgtype": "text", "text": {"content": "hi"}}, "hi"),
        ({"type": "image", "url": "u"}, "[image]"),
        ({"type": "Mini Program<script>"}, "[mini-program-script]"),
        ({"type": "///"}, "[part]"),
        ({"url": "u"}, "[part]"),
        (7, "7"),
    ],
)
def test_a_part_is_its_text_or_its_kind(part, text):
    assert join_parts([part]) == (text, 1)


def stream_of(pieces, ends=True):
    text = "".join(f"event: x\r\ndata: {json.dumps({'d': p})}\r\n\r\n" for p in pieces)
    return (": hello\n\n" + text + ("data: [DONE]\n\n" if ends else "")).encode()


@given(st.lists(st.text(), max_size=5), st.integers(1, 40))
def test_a_stream_is_the_same_however_it_is_cut_into_chunks(pieces, size):
    events, raw = Events(Stream(text="$.d")), stream_of(pieces)
    ended = [events.push(raw[n : n + size]) for n in range(0, len(raw), size)]
    assert ended.index(True) >= len(ended) - 3
    assert events.text() == "".join(pieces)
    assert events.whole


@pytest.mark.parametrize(
    ("stream", "raw", "text", "whole"),
    [
        ({}, b"data: one\n\ndata: two\n\ndata: [DONE]\n\n", "onetwo", True),
        ({}, b"data: one\n\ndata: tw", "onetw", False),
        ({"ends": "close"}, b"data: one\ndata: more", "one\nmore", True),
        (
            {"text": "$.t", "join": "last"},
            b'data: {"t": "a"}\n\ndata: {"t": "ab"}\n\n',
            "ab",
            False,
        ),
        (
            {"text": "$.t", "ends": "$.event == end"},
            b'data: {"t": "a"}\n\ndata: {"event": "end"}\n\ndata: {"t": "x"}\n\n',
            "a",
            True,
        ),
        ({"text": "$.t"}, b"data: not json\n\ndata: [DONE]\n\n", "", True),
    ],
)
def test_streams_are_written_in_several_ways(stream, raw, text, whole):
    events = Events(Stream.model_validate(stream))
    events.push(raw)
    events.finish()
    assert (events.text(), events.whole) == (text, whole)
