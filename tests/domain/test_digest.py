"""Digests: one text for a value, the same on any machine."""

import hashlib
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.digest import canonical, digest

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec=None), max_size=12)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)

KNOWN = [
    # Each is the first 32 hex digits of SHA-256 over the UTF-8 text on the right.
    (None, "74234e98afe7498fb5daf1f36ac2d78a", "null"),
    ([], "4f53cda18c2baa0c0354bb5f9a3ecbe5", "[]"),
    (
        {"b": [1, 2.5, None, True], "a": "您好"},
        "ce3048935afa4fafce426a645bbf82f9",
        '{"a":"您好","b":[1,2.5,null,true]}',
    ),
    (["a b", {"z": 1, "é": {}}], "724aff17a839606d54297d765997de09", '["a b",{"z":1,"é":{}}]'),
]


@pytest.mark.parametrize(("value", "known", "text"), KNOWN)
def test_known_values_keep_their_text_and_digest(value, known, text):
    assert canonical(value) == text
    assert digest(value) == hashlib.sha256(text.encode()).hexdigest()[:32]
    assert digest(value) == known


@given(st.dictionaries(st.text(max_size=6), LEAVES, min_size=2, max_size=6))
def test_the_order_of_keys_does_not_matter(mapping):
    backwards = dict(reversed(mapping.items()))
    assert list(backwards) != list(mapping)
    assert digest(backwards) == digest(mapping)


@given(st.lists(st.integers(), min_size=2, max_size=5, unique=True))
def test_the_order_of_a_list_does_matter(items):
    assert digest(items) != digest(items[::-1])


@settings(max_examples=50)
@given(VALUES)
def test_a_value_that_went_through_json_has_the_same_digest(value):
    assert digest(json.loads(json.dumps(value))) == digest(value)


@settings(max_examples=50)
@given(VALUES)
def test_a_digest_is_32_hex_digits(value):
    found = digest(value)
    assert len(found) == 32
    assert set(found) <= set("0123456789abcdef")


@settings(max_examples=50)
@given(VALUES, VALUES)
def test_different_texts_have_different_digests(one, two):
    assert (digest(one) == digest(two)) is (canonical(one) == canonical(two))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_say_has_no_digest(value):
    with pytest.raises(ValueError, match="JSON"):
        digest([value])


def test_a_lone_surrogate_has_a_digest_of_its_own():
    assert len({digest("\ud800"), digest("\ud801"), digest("\ufffd"), digest("?")}) == 4


def test_another_process_with_another_hash_seed_agrees():
    code = "from arena.domain.digest import digest; print(digest({'b': {'x', 'y'} and 1, 'a': 2}))"
    seeds = ["1", "2"]
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in seeds
    }
    assert found == {digest({"a": 2, "b": 1})}
