"""What decoys say: a constant, and filler around the user's own words, without a model."""

import asyncio

import pytest

from arena.domain.call import Endpoint, Message, Request
from arena.errors import ProviderFault
from arena.llm.decoys import NULL, REPEATED, Decoys


def ask(name, *turns):
    messages = [Message("user", turns[0])]
    for turn in turns[1:]:
        messages += [Message("assistant", "Well."), Message("user", turn)]
    endpoint = Endpoint(id=f"agent:{name}", model=f"decoy/{name}")
    return asyncio.run(Decoys()(Request(endpoint=endpoint, messages=tuple(messages)))).text


@pytest.mark.parametrize(("said", "lang"), [("I feel dizzy", "en"), ("我头晕，怎么办", "zh")])
def test_null_says_the_same_to_everybody(said, lang):
    assert ask("null", said) == ask("null", "hm", said) == NULL[lang]


@pytest.mark.parametrize("said", ["I feel dizzy", "我头晕", "{said} {0} %s {{ 7 * 7 }} \\1"])
def test_padding_repeats_the_last_turn_as_it_is(said):
    text = ask("padding", "first", said)
    assert said in text
    assert "first" not in text
    assert text == ask("padding", "other", said)
    assert len(text) > 5 * len(NULL["en"]) or "我" in said


def test_padding_of_a_long_turn_ends_somewhere():
    assert len(ask("padding", "x" * 100_000)) < REPEATED + 2000


def test_there_is_no_other_decoy():
    with pytest.raises(ProviderFault, match="no decoy is called x"):
        ask("x", "hm")
