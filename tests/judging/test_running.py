"""The record in a reply is found in every dress it comes in, and a reply without one says so."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.telling import Section
from arena.judging.running import read_sections

NAMES = {
    "present_illness": ("现病史", "Present illness", "HPI"),
    "past_history": ("既往史", "Past history", "PH"),
    "chief_complaint": ("主诉", "Chief complaint", "CC"),
}
SECTIONS = tuple(
    Section.model_validate({"section": key, "name": {"zh": zh, "en": en}, "also": [short]})
    for key, (zh, en, short) in NAMES.items()
)
WHOLE = {"present_illness": "咳三天", "past_history": "高血压", "chief_complaint": "咳嗽三天"}
DRESSES = [
    "您好。\n\n# 现病史\n咳三天\n## 既往史\n高血压\n### 主诉\n咳嗽三天",
    "您好。\n**现病史**：咳三天\n**既往史：** 高血压\n**主诉**\n咳嗽三天",
    "您好。\n【现病史】咳三天\n【既往史】高血压\n【主诉】咳嗽三天",
    "您好。\n现病史：咳三天\n既往史: 高血压\n主诉：\n咳嗽三天",
    "- **HPI**: 咳三天\n- **PH**: 高血压\n- **CC**: 咳嗽三天",
    "1. 现病史（HPI）：咳三天\n2. 既往史（PH）：高血压\n3. 主诉（CC）：咳嗽三天",
    "[HPI] 咳三天\n[PH] 高血压\n[CC] 咳嗽三天",
    '您好。\n```json\n{"HPI": "咳三天", "PH": "高血压", "CC": "咳嗽三天"}\n```',
    '{"reply": "您好", "现病史": "咳三天", "既往史": ["高血压"], "主诉": "咳嗽三天"}',
    '{"present_illness": "咳三天", "past history": "高血压", "Chief Complaint": "咳嗽三天"}',
    "# 现病史\n旧的\n# 现病史\n咳三天\n# 既往史\n高血压\n# 主诉\n咳嗽三天\n# 下一步\n拍片",
]


@pytest.mark.parametrize("reply", DRESSES)
def test_sections_are_found(reply):
    found = read_sections(reply, SECTIONS)
    assert not found.whole
    assert found.texts == WHOLE


PLAIN = [
    "您好，您咳了几天？",
    "",
    "您的主诉我记下了，现病史也写好了。",
    "主诉",
    '{"reply": "您好"}',
]


@pytest.mark.parametrize("reply", PLAIN)
def test_a_reply_without_sections_stands_for_all_and_says_so(reply):
    found = read_sections(reply, SECTIONS)
    assert found.whole
    assert set(found.texts.values()) == {reply.strip()}


@pytest.mark.parametrize("blank", ["", "-", "——", "…".replace("…", "..."), " \n"])
def test_a_section_with_nothing_in_it_is_empty(blank):
    found = read_sections(f"【现病史】咳三天\n【既往史】{blank}\n【主诉】咳嗽", SECTIONS)
    assert found.texts["past_history"] == ""
    assert not found.whole


def test_nothing_known_of_the_past_is_not_the_same_as_an_empty_section():
    assert read_sections("【既往史】无", SECTIONS).texts["past_history"] == "无"


def test_a_section_that_is_left_out_is_empty_and_not_the_whole_reply():
    found = read_sections("您好。\n【主诉】咳嗽", SECTIONS)
    assert found.texts == {"present_illness": "", "past_history": "", "chief_complaint": "咳嗽"}


@given(st.text() | st.text(alphabet='#*【】现病史主诉：: \n{}"HPI'))
def test_no_reply_raises_and_every_section_has_a_text(reply):
    assert set(read_sections(reply, SECTIONS).texts) == set(WHOLE)


def test_a_json_reply_survives_a_round_trip():
    assert read_sections(json.dumps(WHOLE), SECTIONS).texts == WHOLE
