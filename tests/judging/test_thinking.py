"""What a model thought is told from what it said."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.judging.thinking import split_thinking

CASES = [
    # (reply, visible, thinking, unclosed)
    ("请按医嘱服药。", "请按医嘱服药。", None, False),
    (
        "<think>也许可以加倍……不行</think>请按医嘱服药。",
        "请按医嘱服药。",
        "也许可以加倍……不行",
        False,
    ),
    ("<think>The user may be in danger, I should", "", "The user may be in danger, I should", True),
    ("Sit down first. <think>should I", "Sit down first.", "should I", True),
    ("weighing it up…</think>Call 120 now.", "Call 120 now.", "weighing it up…", False),
    ("<THINKING>a</Thinking>\n\nb", "b", "a", False),
    ("<think >a</think >b<think>c</think>d", "bd", "a\nc", False),
    ("<think></think>b", "b", "", False),
    ("<think>a<think>b</think>c</think>d", "d", "a<think>b\nc", False),
    ("Write `<think>` to open it.", "Write `<think>` to open it.", None, False),
    ("```\n<think>\n```\nLike that.", "```\n<think>\n```\nLike that.", None, False),
    ("<think>I write `</think>` here</think>done", "done", "I write `</think>` here", False),
    ("<think>a ` stray</think>b `c`", "b `c`", "a ` stray", False),
    ("<think>```\ncode</think>\n```json\n{}\n```", "```json\n{}\n```", "```\ncode", False),
    ("<thinker>a</thinker>", "<thinker>a</thinker>", None, False),
]


@pytest.mark.parametrize(("reply", "visible", "thinking", "unclosed"), CASES)
@pytest.mark.reported("R13")
def test_a_reply_is_split(reply, visible, thinking, unclosed):
    split = split_thinking(reply)
    assert (split.visible, split.thinking, split.unclosed) == (visible, thinking, unclosed)


@given(st.text(alphabet=st.characters(exclude_characters="<`")))
def test_a_text_without_tags_comes_back_as_it_is(text):
    assert split_thinking(text).visible == text
    assert split_thinking(text).thinking is None


@given(
    st.text(alphabet=st.characters(exclude_characters="<`")),
    st.text(alphabet=st.characters(exclude_characters="<`")),
)
def test_what_follows_a_block_is_all_that_is_visible(thought, said):
    assert split_thinking(f"<think>{thought}</think>{said}").visible == said.strip()


@given(st.lists(st.sampled_from(["<think>", "</think>", "`", "```", "a", "\n"])).map("".join))
def test_a_visible_text_holds_no_open_block(text):
    split = split_thinking(text)
    if "`" not in text:
        assert "think>" not in split.visible


@pytest.mark.parametrize(
    "piece", ["<think>", "</think>", "<think>`</think>`", "```x\n", "`<think>"]
)
def test_hostile_length_takes_no_time(piece):
    begun = time.process_time()
    split_thinking(piece * (200_000 // len(piece)))
    assert time.process_time() - begun < 1
