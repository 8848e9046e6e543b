"""Agents and judges: what identifies them, and what may not stand in their record."""

from types import SimpleNamespace

import pytest

from arena.domain.agent import Agent, Judge

AGENT = {"agent": "x", "vendor": "v", "model": "m"}
JUDGE = {"judge": "j", "vendor": "v", "model": "m"}


def make(kind, **changes):
    return (Agent if kind == "agent" else Judge).model_validate(
        (AGENT if kind == "agent" else JUDGE) | changes
    )


BEARING = [
    ("agent", {"model": "other"}),
    ("agent", {"api_base": "https://h.example/v1"}),
    ("agent", {"system": "Be kind."}),
    ("agent", {"sampling": {"temperature": 0}}),
    ("agent", {"version": "2"}),
    ("judge", {"model": "other"}),
    ("judge", {"api_base": "https://h.example/v1"}),
    ("judge", {"sampling": {"temperature": 0}}),
    ("judge", {"version": "2"}),
    ("judge", {"response_format": "json_object"}),
]
NOT_BEARING = [
    ("agent", {"name": "Other"}),
    ("agent", {"short": "o"}),
    ("agent", {"vendor": "w"}),
    ("agent", {"family": "qwen"}),
    ("agent", {"region": "cn"}),
    ("agent", {"api_key_env": "KEY"}),
    ("agent", {"limits": {"rpm": 5}}),
    ("agent", {"price": {"per_call": 1, "currency": "CNY"}}),
    ("judge", {"name": "Other"}),
    ("judge", {"region": "cn"}),
    ("judge", {"api_key_env": "KEY"}),
    ("judge", {"limits": {"rpm": 5}}),
    ("judge", {"uses": ["rubric"]}),
]


def case(value):
    return value if isinstance(value, str) else next(iter(value))


@pytest.mark.parametrize(("kind", "changes"), BEARING, ids=case)
def test_what_bears_on_an_answer_changes_the_digest(kind, changes):
    assert make(kind, **changes).digest() != make(kind).digest()


@pytest.mark.parametrize(("kind", "changes"), NOT_BEARING, ids=case)
def test_what_does_not_bear_on_an_answer_changes_no_digest(kind, changes):
    assert make(kind, **changes) != make(kind)
    assert make(kind, **changes).digest() == make(kind).digest()


def test_a_slash_at_the_end_of_a_place_makes_no_other_agent():
    one, two = (make("agent", api_base=f"https://h.example/v1{end}") for end in ("", "/"))
    assert one.digest() == two.digest()


@pytest.mark.parametrize(
    "name",
    [
        *("api_key", "headers", "extra_headers", "default_headers", "api_base", "base_url"),
        *("messages", "model", "stream", "timeout", "response_format", "num_retries"),
    ],
)
def test_sampling_holds_neither_secrets_nor_what_arena_sets(name):
    with pytest.raises(ValueError, match=name):
        make("agent", sampling={name: "x"})


@pytest.mark.parametrize(
    "place", ["h.example/v1", "ftp://h.example", "https://user:pw@h.example/v1", "https://k@h"]
)
def test_a_place_is_a_url_without_a_password(place):
    with pytest.raises(ValueError, match="api_base"):
        make("judge", api_base=place)


def test_an_at_sign_in_a_path_is_no_password():
    assert make("agent", api_base="https://h.example/a@b").api_base == "https://h.example/a@b"


@pytest.mark.parametrize("key", ["sk-abcdef", "", "1KEY", "A KEY", "A=B"])
def test_a_key_is_named_by_its_variable(key):
    with pytest.raises(ValueError, match="api_key_env"):
        make("agent", api_key_env=key)


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "a\x00b", "\x7f", "x" * 201])
def test_an_id_is_printable_text_of_one_line(name):
    with pytest.raises(ValueError, match="agent"):
        make("agent", agent=name)


@pytest.mark.parametrize("name", ["x", "康伴 2.1", "a/b", "../up", "<b>", "CON", "a'b\"c"])
def test_any_printable_id_is_taken(name):
    assert make("agent", agent=name).id == name


def test_a_label_has_at_most_ten_characters():
    long = make(
        "agent", agent="a-very-long-name", name={"zh": "一二三四五六七八九十一", "en": "ok"}
    )
    assert (long.label.zh, long.label.en) == ("一二三四五六七八九…", "ok")
    assert len(make("agent", agent="a-very-long-name").label.en) == 10
    with pytest.raises(ValueError, match="at most 10 characters"):
        make("agent", short="elevenchars")


@pytest.mark.parametrize("given", ["S", {"zh": "S"}, {"en": "S"}, {"zh": "S", "en": "S"}])
def test_one_language_stands_for_both(given):
    name = make("agent", name=given).name
    assert SimpleNamespace(zh=name["zh"], en=name["en"]) == SimpleNamespace(zh="S", en="S")


def test_a_judge_is_used_for_something():
    with pytest.raises(ValueError, match="uses"):
        make("judge", uses=[])
    with pytest.raises(ValueError, match="context"):
        make("judge", context=10)
