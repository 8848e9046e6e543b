"""Estimates of tokens: monotone, and additive enough to forecast with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Message
from arena.domain.tokens import PER_MESSAGE, bound_tokens, estimate_prompt, estimate_tokens

TEXT = st.text(max_size=60)

# One for each CJK character, one for each four others (rounded up).
KNOWN = [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("您好", 2), ("您好ab", 3), ("🙂", 1)]


@pytest.mark.parametrize(("text", "tokens"), KNOWN)
def test_known_texts(text, tokens):
    assert estimate_tokens(text) == tokens


@given(TEXT, TEXT)
def test_more_text_is_never_fewer_tokens(text, more):
    assert estimate_tokens(text + more) >= estimate_tokens(text)
    assert estimate_tokens(more + text) >= estimate_tokens(text)


@given(TEXT, TEXT)
def test_joining_texts_saves_at_most_one_token(one, two):
    apart = estimate_tokens(one) + estimate_tokens(two)
    assert apart - 1 <= estimate_tokens(one + two) <= apart


@given(st.lists(TEXT, max_size=5))
def test_a_prompt_is_its_messages_and_what_surrounds_them(texts):
    messages = [Message("user", text) for text in texts]
    expected = sum(estimate_tokens(t) for t in texts) + PER_MESSAGE * len(texts)
    assert estimate_prompt(messages) == expected
    assert estimate_prompt(iter(messages)) == expected


@given(st.text())
def test_a_bound_is_never_below_the_estimate(text):
    assert bound_tokens(text) >= estimate_tokens(text) - 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("word", 2), ("2026", 4), ("您好", 4), ("Привет", 12), ("🙂", 4), ("\ud800", 1)],
)
def test_a_bound_counts_scripts_that_vocabularies_know_less(text, tokens):
    assert bound_tokens(text) == tokens
