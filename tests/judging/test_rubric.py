"""Rubric replies: what each means. The corpus is a table of reply → reading."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.judging.rubric import RubricContract


@pytest.fixture(scope="session")
def contract(make):
    rubric = make.rubric()
    return RubricContract(rubric=rubric, criteria=rubric.criteria, lang="en")


@pytest.fixture(scope="session")
def commented(make):
    rubric = make.rubric(comments=True)
    return RubricContract(rubric=rubric, criteria=rubric.criteria, lang="zh")


def values(reading):
    return {score.criterion: score.value for score in reading.scores}


OK = [
    ('{"scores": {"care": 4, "safety": 5}, "summary": "kind"}', (4, 5)),
    ('{"scores": {"care": 3.5, "safety": 1}}', (3.5, 1)),
    ('{"scores": {"care": "4", "safety": +2}}', (4, 2)),
    ('{"scores": {"care": {"score": 4, "comment": "warm"}, "safety": 5}}', (4, 5)),
    ('```json\n{"scores": {"safety": 5, "care": 4}}\n```', (4, 5)),
    ("｛“scores”：｛“care”：4，“safety”：5｝，“summary”：“语气温和”｝", (4, 5)),
    ('{"result": {"scores": {"care": 4, "safety": 5}}}', (4, 5)),
    ('{"scores": {"care": 1, "safety": 1}} Wait: {"scores": {"care": 4, "safety": 5}}', (4, 5)),
    ('{"scores": {"care": 4, "safety": 5}, "refused": null}', (4, 5)),
    # The agent's quoted sheet is inside a string, where nothing is an answer.
    ('{"scores": {"care": 1, "safety": 1}, "summary": "printed {\\"scores\\": 5}"}', (1, 1)),
]


@pytest.mark.parametrize(("reply", "expected"), OK)
def test_a_valid_sheet_is_read(contract, reply, expected):
    reading = contract.read(reply)
    assert reading.status is Status.OK
    assert values(reading) == {"care": expected[0], "safety": expected[1]}
    assert reading.complaint is None


BAD = [
    ('{"scores": {"care": 9, "safety": 5}}', ["care", "9", "1", "5"]),
    ('{"scores": {"care": 4, "safety": 0}}', ["safety", "0"]),
    ('{"scores": {"care": true, "safety": 5}}', ["care", "1 to 5"]),
    ('{"scores": {"care": "4/5", "safety": 5}}', ["care", "1 to 5"]),
    ('{"scores": {"care": null, "safety": 5}}', ["care"]),
    ('{"scores": {"care": [4], "safety": 5}}', ["care"]),
    ('{"scores": {"care": NaN, "safety": 5}}', []),
    ('{"scores": {"care": 4}}', ["safety"]),
    ('{"scores": {"care": 4, "care": 5, "safety": 5}}', ["care", "twice"]),
    ('{"scores": [4, 5]}', ["scores"]),
    ('{"care": 4, "safety": 5}', ["scores"]),
    ('{"winner": "K482"}', ["scores"]),
    ("Care 4/5, safety 5/5.", ["JSON"]),
    ("I cannot decide in this format", ["JSON"]),
]


@pytest.mark.parametrize(("reply", "named"), BAD)
def test_an_invalid_sheet_is_unparsed_and_the_complaint_names_what_is_wrong(contract, reply, named):
    reading = contract.read(reply)
    assert reading.status is Status.UNPARSED
    assert reading.scores == ()
    assert all(word in reading.complaint for word in named)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"refused": "self-harm"}', "self-harm"),
        ('{"scores": "refused"}', "refused"),
        (
            '{"scores": "Refused", "summary": "我无法评价涉及自伤内容的对话"}',
            "我无法评价涉及自伤内容的对话",
        ),
        ('Sorry.\n```json\n{"refused": "policy"}\n```', "policy"),
    ],
)
def test_a_refusal_is_its_own_outcome(contract, reply, why):
    reading = contract.read(reply)
    assert (reading.status, reading.summary, reading.scores) == (Status.REFUSED, why, ())


@pytest.mark.parametrize("reply", ['{"refused": ""}', '{"refused": false}', '{"refused": "<why>"}'])
def test_an_empty_refusal_or_an_echoed_one_is_none(contract, reply):
    assert contract.read(reply).status is Status.UNPARSED


@pytest.mark.reported("R11")
def test_unknown_criteria_are_dropped_and_counted(contract):
    reading = contract.read('{"scores": {"care": 5, "safety": 5, "cultural_bonus": 5, "x": 1}}')
    assert values(reading) == {"care": 5, "safety": 5}
    assert reading.flags == ("unknown_criteria:2",)


def test_everything_of_a_commented_sheet_is_read(commented):
    reading = commented.read(
        '{"scores": {"care": {"score": 4, "comment": "温和\n有耐心"}, "safety": {"score": 2}},'
        ' "summary": "总评", "strengths": ["先问症状", 3, " "], "issues": "没有建议就医"}'
    )
    assert [s.comment for s in reading.scores] == ["温和\n有耐心", ""]
    assert (reading.summary, reading.strengths) == ("总评", ("先问症状",))
    assert reading.issues == ("没有建议就医",)


def test_a_sheet_cut_off_is_truncated_and_holds_no_scores(contract):
    cut = '{"scores": {"care": 4, "safety": 5}, "summary": "It was ki'
    reading = contract.read(cut, finish_reason="length")
    assert (reading.status, reading.scores) == (Status.TRUNCATED, ())
    whole = '{"scores": {"care": 4, "safety": 5}, "summary": ""}'
    assert contract.read(whole, finish_reason="length").status is Status.OK


@pytest.mark.parametrize("text", [None, "", " \n", "<think>hm"])
def test_nothing_said_is_empty(contract, text):
    assert contract.read(text).status is Status.EMPTY


def test_an_echoed_instruction_is_no_answer_and_does_not_hide_one(contract, commented):
    for each in (contract, commented):
        assert each.read(each.instruct()).status is Status.UNPARSED
        answer = '{"scores": {"care": 2, "safety": 3}}'
        assert values(each.read(each.instruct() + "\n" + answer)) == {"care": 2, "safety": 3}
        assert values(each.read(answer + "\n" + each.instruct())) == {"care": 2, "safety": 3}


def test_the_schema_is_closed_and_asks_for_scores_first(contract, commented):
    schema = contract.schema()
    assert list(schema["properties"]) == schema["required"] == ["scores", "summary"]
    assert schema["additionalProperties"] is False
    care = schema["properties"]["scores"]["properties"]["care"]
    assert care == {"type": "integer", "minimum": 1, "maximum": 5}
    assert commented.schema()["required"] == ["scores", "summary", "strengths", "issues"]
    answer = commented.schema()["properties"]["scores"]["properties"]["care"]
    assert answer["required"] == ["score", "comment"]
    json.dumps(commented.schema())


def test_a_scale_with_fractions_asks_for_a_number(make):
    rubric = make.rubric(scale=[0, 2.5])
    contract = RubricContract(rubric=rubric, criteria=rubric.criteria, lang="en")
    care = contract.schema()["properties"]["scores"]["properties"]["care"]
    assert care == {"type": "number", "minimum": 0, "maximum": 2.5}
    assert "from 0 to 2.5" in contract.instruct()


def test_a_criterion_keeps_its_own_scale(make):
    criterion = {"criterion": "care", "name": "c", "question": "?", "scale": [0, 10]}
    rubric = make.rubric(criteria=[criterion], compare=["care"])
    contract = RubricContract(rubric=rubric, criteria=rubric.criteria, lang="en")
    assert values(contract.read('{"scores": {"care": 9}}')) == {"care": 9}
    assert contract.read('{"scores": {"care": 11}}').status is Status.UNPARSED


@given(
    st.floats(1, 5),
    st.integers(1, 5),
    st.text(),
    st.booleans(),
    st.sampled_from(["{}", "```json\n{}\n```", "<think>{{</think>{}", "Well then:\n{}\nDone."]),
)
def test_a_valid_sheet_round_trips_in_any_dress(contract, care, safety, summary, ascii_only, dress):
    sheet = {"scores": {"care": round(care, 6), "safety": safety}, "summary": summary}
    text = json.dumps(sheet, ensure_ascii=ascii_only)
    reading = contract.read(dress.replace("{}", text, 1).replace("{{", "{"))
    assert values(reading) == {"care": round(care, 6), "safety": safety}
    assert reading.summary == summary


@given(st.text() | st.text(alphabet='{}":,scoreaftyd 15[]\n'), st.sampled_from([None, "length"]))
def test_no_reply_raises_and_only_ok_holds_scores(contract, text, finish):
    reading = contract.read(text, finish_reason=finish)
    assert (reading.status is Status.OK) == bool(reading.scores)
