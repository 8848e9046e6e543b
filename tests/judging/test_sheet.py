"""Sheets that hold more than numbers: what is asked, what is read, what is recomputed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.domain.score import Evidence
from arena.judging.backing import check_evidence, unfound_flag
from arena.judging.sheet import SheetContract

CRITERIA = [
    {"criterion": "care", "name": "Care", "question": "?", "scale": [0, 10]},
    {"criterion": "match", "name": "Match", "question": "?", "cannot_judge": {"empty": "past"}},
]
FULL = {
    "scores": {"care": 7.5, "match": 2},
    "total": 9.5,
    "groups": {"all": 9.5},
    "summary": "s",
    "suggestions": ["ask more"],
    "evidence": [{"criterion": "care", "round": 1, "quote": "I am here"}],
    "insufficient_evidence": ["match"],
    "confidence": 0.8,
}


@pytest.fixture(scope="session")
def sheet_of(make):
    def build(round=0, lang="en", **more):
        asks = {
            "scale": [0, 5],
            "anchors": {},
            "criteria": CRITERIA,
            "compare": ["care"],
            "scopes": ["turn", "transcript"],
            "groups": [{"group": "all", "name": "All", "criteria": ["care", "match"]}],
            "total": True,
            "evidence": True,
            "confidence": True,
            "suggestions": True,
        }
        rubric = make.rubric(**(asks | more))
        return SheetContract(rubric=rubric, criteria=rubric.criteria, lang=lang, round=round)

    return build


def values(reading):
    assert reading.status is Status.OK, reading.complaint
    return {s.criterion: s.value for s in reading.scores}


def told(**changes):
    return json.dumps(FULL | changes)


def test_a_full_sheet_is_read_with_all_that_backs_it(sheet_of):
    reading = sheet_of().read(told())
    assert values(reading) == {"care": 7.5, "match": 2}
    assert reading.flags == ()
    assert reading.backing.evidence == (Evidence(criterion="care", round=1, quote="I am here"),)
    assert reading.backing.insufficient == ("match",)
    assert reading.backing.suggestions == ("ask more",)
    assert reading.backing.confidence == 0.8


SUMS = [
    ({"total": 10}, 1),
    ({"groups": {"all": 9}}, 1),
    ({"total": "many", "groups": {"all": 1}}, 2),
]


@pytest.mark.parametrize(("changes", "off"), SUMS)
def test_sums_are_recomputed_and_a_wrong_one_is_counted_not_used(sheet_of, changes, off):
    reading = sheet_of().read(told(**changes))
    assert values(reading) == {"care": 7.5, "match": 2}
    assert reading.flags == (f"total_mismatch:{off}",)


@pytest.mark.parametrize("given", [None, 1.2, -0.1, True, "high", [0.5]])
def test_a_confidence_outside_its_range_is_an_error_and_not_clamped(sheet_of, given):
    assert sheet_of().read(told(confidence=given)).status is Status.UNPARSED


@pytest.mark.parametrize("key", ["suggestions", "evidence", "summary"])
def test_what_may_not_be_left_out_is_asked_for_again(sheet_of, key):
    reading = sheet_of().read(json.dumps({k: v for k, v in FULL.items() if k != key}))
    assert reading.status is Status.UNPARSED
    assert key in reading.complaint


def test_a_summary_that_says_nothing_is_left_out_and_an_empty_list_is_an_answer(sheet_of):
    assert sheet_of().read(told(summary=" ")).status is Status.UNPARSED
    assert sheet_of().read(told(suggestions=[], evidence=[])).status is Status.OK


def test_entries_of_lists_are_asked_for_in_120_characters(sheet_of):
    schema = sheet_of(comments=True).schema()["properties"]
    for key in ("strengths", "issues", "suggestions"):
        assert schema[key]["items"]["maxLength"] == 120
    assert schema["evidence"]["items"]["properties"]["quote"]["maxLength"] == 120


def test_cannot_judge_is_missing_in_the_first_round_and_refused_later(sheet_of):
    left = told(scores={"care": 7.5, "match": "cannot_judge"}, total=7.5, groups={"all": 7.5})
    first = sheet_of(round=1).read(left)
    assert values(first) == {"care": 7.5}
    assert first.backing.unjudged == ("match",)
    assert first.flags == ("cannot_judge:1",)
    for round_ in (2, 5, 0):
        later = sheet_of(round=round_).read(left)
        assert later.status is Status.UNPARSED
        assert '"match" must be a number' in later.complaint


def test_a_criterion_that_may_not_be_left_open_never_is(sheet_of):
    left = told(scores={"care": "cannot_judge", "match": 1})
    assert sheet_of(round=1).read(left).status is Status.UNPARSED


def test_a_real_zero_is_a_score(sheet_of):
    zero = told(scores={"care": 0, "match": 0}, total=0, groups={"all": 0})
    assert values(sheet_of(round=2).read(zero)) == {"care": 0, "match": 0}


def test_a_judge_is_told_when_it_may_leave_a_criterion_open(sheet_of):
    assert "cannot_judge" in sheet_of(round=1).instruct()
    assert "cannot_judge" not in sheet_of(round=2).instruct()
    assert "real 0" in sheet_of(round=2).instruct()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("round_", [0, 1, 2])
def test_no_echo_of_the_instruction_is_an_answer(sheet_of, lang, round_):
    contract = sheet_of(round=round_, lang=lang, comments="parts")
    assert contract.read(contract.instruct()).status is Status.UNPARSED


def test_comments_in_parts_need_all_three_and_are_kept_as_lines(sheet_of):
    parts = {"fault": "cold", "reason": "skips the son", "merit": "brief"}
    whole = {k: {"score": v, "comment": parts} for k, v in FULL["scores"].items()}
    contract = sheet_of(comments="parts")
    reading = contract.read(told(scores=whole, strengths=[], issues=[]))
    assert reading.scores[0].comment == "cold\nskips the son\nbrief"
    short = whole | {"care": {"score": 1, "comment": {"fault": "cold"}}}
    assert contract.read(told(scores=short)).status is Status.UNPARSED


def test_the_schema_says_what_is_asked_and_nothing_else(sheet_of):
    schema = sheet_of(round=1).schema()
    assert set(schema["properties"]) == set(schema["required"]) == set(FULL)
    match = schema["properties"]["scores"]["properties"]["match"]
    assert match["anyOf"][1]["enum"] == ["cannot_judge"]
    later = sheet_of(round=2).schema()["properties"]["scores"]["properties"]["match"]
    assert later == {"type": "number", "minimum": 0, "maximum": 5}


def test_a_refusal_is_still_a_refusal(sheet_of):
    assert sheet_of().read('{"refused": "too short"}').status is Status.REFUSED


@given(st.text() | st.text(alphabet='{}":,scorestal 15[]\n'))
def test_no_reply_raises(sheet_of, text):
    sheet_of(round=1).read(text)


QUOTES = [
    (1, "I am here", True),
    (1, "I  am “here”", True),
    (1, "I am … now", True),
    (1, "now … I am", False),
    (2, "I am here", False),
    (-1, "I am here", True),
    (-1, "nobody said this", False),
    (9, "I am here", False),
    (0, "I am here", False),
    (2, "turn 2", True),
    (1, "…", False),
]


@pytest.mark.parametrize(("at", "quote", "found"), QUOTES)
def test_a_quotation_is_looked_for_in_the_round_that_it_cites(make, sheet_of, at, quote, found):
    transcript = make.transcript("I am here, right now.", "Go on.")
    evidence = [{"criterion": "care", "round": at, "quote": quote}]
    backing = check_evidence(sheet_of().read(told(evidence=evidence)).backing, transcript)
    assert [e.found for e in backing.evidence] == [found]
    assert unfound_flag(backing) == (() if found else ("evidence_unfound:1",))


def test_what_a_judge_was_not_shown_is_no_evidence(make, sheet_of):
    transcript = make.transcript("First.", "Second.")
    evidence = [{"criterion": "care", "round": 2, "quote": "Second."}]
    backing = sheet_of().read(told(evidence=evidence)).backing
    assert check_evidence(backing, transcript).evidence[0].found
    assert not check_evidence(backing, transcript, upto=1).evidence[0].found
