"""Where an answer may stand in a reply, and what is no answer."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.judging.contract import Complaint, find_answer, read_reply
from arena.judging.lenient import to_number
from arena.judging.phrases import COMPLAIN, DIALOGUE, PAIRWISE, RUBRIC


def accept(value):
    """Takes any object whose "v" is a number, a string or a list."""
    if isinstance(value.get("v"), int | float | str | list):
        return ("ok", value["v"])
    return Complaint(text="no v")


FOUND = [
    ('{"v": 1}', 1),
    (' \ufeff\n{"v": 1}\n', 1),
    ('```json\n{"v": 1}\n```', 1),
    ('Here you are.\n\n```JSON\n{"v": 1}\n```\nI hope this helps!', 1),
    ('```json\n{"v": 1}\n```\nThe agent had printed {"v": 2}.', 1),
    ('Form: {"v": ...}\nMine: {"v": 2}', 2),
    ('{"v": 1} no, {"v": 2}', 2),
    ('{"v": 1}\n{"v": null}', 1),
    ('{"v": 1, "said": "it printed {\\"v\\": 2}"}', 1),
    ('{"answer": {"v": 3}}', 3),
    ('{"v": "a\nb\tc\x01"}', "a\nb\tc\x01"),
    (r'{"v": "C:\d \' \" \u4f60"}', "C:\\d ' \" 你"),
    ('{"v": [1, 2,], "w": {},}', [1, 2]),
    ("｛“v”：“好”，“w”：1｝", "好"),
    ("｛“v”：“他说“行”。”｝", "他说“行”。"),
    ('{"v": +4}', 4),
    ('{"v": -2.5e1}', -25.0),
    ('{"v": "\\ud83d\\ude00"}', "😀"),
    ('{"v": "\\ud83d"}', "\ufffd"),
    ('{"v": 1, "v": 1}', 1),
    ('<think>{"v": 9}</think>{"v": 1}', 1),
    ('old thoughts {"v": 9}</think>{"v": 1}', 1),
    ('{"v": "it left <think> open"}', "it left <think> open"),
    ('{"v": "a lone </think> tag"}', "a lone </think> tag"),
    ('A set {a, b} and {"quoted words"} first. {"v": 1}', 1),
]

NOT_FOUND = [
    "",
    "I cannot decide in this format",
    "1",
    "[1]",
    '{"v": NaN}',
    '{"v": Infinity}',
    '{"v": 1e999}',
    '{"v": 1, "v": 2}',
    '{"v": 1, "v": true}',
    '{"v": 1',
    '{"v": true}'.replace("true", "True"),
    '{"v": 01}',
    '{"v": ' + "9" * 5000 + "}",
    # An object quoted inside a broken one is not the answer.
    '{"w": "the agent wrote {"v": 1} to me"',
    '{"w": {"v": 1}, "x": "cut o',
    '{"w": {"v": 1}, "x": null}',
    '<think>{"v": 1}',
]

HOSTILE = [
    "{",
    "[",
    '{"a":',
    '{"a":[',
    '{"a":“',
    '{“a":“',
    "{“",
    '{"',
    '{"a":1,',
    '{"a":1}',
    '{"a":"\\',
    "｛“a”：",
    "```\n",
    "```x\n",
    "{\n\t ",
    '{"a":{"a":1},',
    '"',
]


@pytest.mark.parametrize(("reply", "value"), FOUND)
def test_an_answer_is_found(reply, value):
    assert find_answer(reply, accept) == ("ok", value)


@pytest.mark.parametrize("reply", NOT_FOUND)
def test_what_is_no_answer_gives_a_complaint(reply):
    found = find_answer(reply, accept)
    assert isinstance(found, Complaint)
    assert found.text


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_replies_end_soon_and_cleanly(piece):
    begun = time.process_time()
    found = find_answer(piece * (200_000 // len(piece)), accept)
    assert isinstance(found, Complaint)
    assert time.process_time() - begun < 1.5


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PROSE = st.text(alphabet=st.characters(exclude_characters='{｛<`"“'), max_size=60)


@given(JSON, PROSE, PROSE, st.booleans(), st.sampled_from(["bare", "fence", "think"]))
def test_an_answer_survives_what_models_put_around_it(rest, before, after, ascii_only, dress):
    value = {"v": [json.loads(json.dumps(rest))], "rest": rest}
    text = json.dumps(value, ensure_ascii=ascii_only)
    around = {
        "bare": f"{before}{text}{after}",
        "fence": f"{before}\n```json\n{text}\n```\n{after}",
        "think": f'<think>{before}{{"v": 0}}</think>{before}{text}{after}',
    }[dress]
    assert find_answer(around, accept) == ("ok", value["v"])


@given(st.text(alphabet='{}[]"“”：，:,\\ab1+-.e \n`<>/') | st.text())
def test_no_text_raises(text):
    found = find_answer(text, accept)
    assert isinstance(found, Complaint) or found[0] == "ok"


@pytest.mark.parametrize(
    ("text", "finish", "status"),
    [
        (None, None, Status.EMPTY),
        ("", "stop", Status.EMPTY),
        (" \n", "length", Status.EMPTY),
        ("<think>what is", "length", Status.EMPTY),
        (None, "content_filter", Status.BLOCKED),
        ("I am afr", "content_filter", Status.BLOCKED),
        ('{"v": 1, "w": "cut o', "length", Status.TRUNCATED),
        ('{"v": 1, "w": "cut o', "stop", Status.UNPARSED),
        ("no object", None, Status.UNPARSED),
    ],
)
def test_a_reply_without_an_answer_has_its_status(text, finish, status):
    found = read_reply(text, accept, finish_reason=finish, lang="en")
    assert isinstance(found, Complaint)
    assert found.status is status


@pytest.mark.parametrize("finish", [None, "stop", "length", "content_filter"])
def test_a_complete_answer_counts_however_the_reply_ended(finish):
    assert read_reply('{"v": 1}', accept, finish_reason=finish, lang="en") == ("ok", 1)


def test_the_complaint_is_about_what_was_meant_as_the_answer():
    def picky(value):
        return Complaint(text=value["v"], near=value["v"] == "nearly")

    assert find_answer('{"v": "nearly"} {"v": "far"}', picky).text == "nearly"
    assert find_answer('{"v": "first"} {"v": "last"}', picky).text == "last"


@pytest.mark.parametrize(
    ("text", "number"),
    [("4", 4), (" +4 ", 4), ("3.5", 3.5), ("4/5", None), ("four", None), ("", None), ("4分", None)],
)
def test_a_numeric_string_is_a_number_and_nothing_else_is(text, number):
    assert to_number(text) == number


@pytest.mark.parametrize("phrases", [RUBRIC, PAIRWISE, COMPLAIN, DIALOGUE])
def test_both_languages_have_the_same_phrases(phrases):
    assert set(phrases) == {"zh", "en"}
    assert set(phrases["zh"]) == set(phrases["en"])
    assert all(text for lang in phrases.values() for text in lang.values())
