"""Contracts without ties: `forced`, and `marks` in the notation `K482++`."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.judging.contracts import CONTRACTS
from arena.judging.forced import ForcedContract
from arena.judging.marks import MarksContract
from arena.judging.prompt import pairwise_prompt
from arena.judging.wording import wording

CODES = ("K482", "M613")
SIDES = {"K482": "first", "M613": "second"}


def build(make, kind, *, keys=("care", "overall_eq"), lang="en"):
    rubric = make.rubric(
        compare=[{"criterion": k, "name": k, "question": f"Which has more {k}?"} for k in keys]
    )
    return kind(criteria=rubric.compare_criteria(), codes=CODES, lang=lang)


@pytest.fixture(params=["en", "zh"])
def marks(make, request):
    return build(make, MarksContract, lang=request.param)


def reply(**marked):
    said = {"chain_of_thought_reasoning": "because", "care": "K482+", "overall_eq": "M613+++"}
    return json.dumps(said | marked, ensure_ascii=False)


@pytest.mark.parametrize(
    ("mark", "side", "strength"),
    [
        ("K482+", "first", 1),
        ("M613+++++", "second", 5),
        ("m613 ++", "second", 2),
        ("“K482＋＋＋”", "first", 3),
        ("Ｋ４８２++", "first", 2),
        ("Agent K482++", "first", 2),
        ("K482", "first", None),
    ],
)
def test_a_mark_is_a_side_and_its_strength(marks, mark, side, strength):
    found = marks.read(reply(overall_eq=mark))
    assert (found.status, found.winner, found.margin) == (Status.OK, side, strength)
    assert [(c.criterion, c.side, c.strength) for c in found.criteria] == [
        ("care", "first", 1),
        ("overall_eq", side, strength),
    ]
    assert found.reason == "because"


@pytest.mark.parametrize(
    "mark", ["tie", "K482++++++", "++", "+K482", "not K482+", "A0493++", "K482 M613", "", None, 3]
)
def test_what_is_no_mark_is_unparsed_and_named(marks, mark):
    for key in ("care", "overall_eq"):
        found = marks.read(reply(**{key: mark}))
        assert (found.status, found.winner, found.criteria) == (Status.UNPARSED, None, ())
        assert key in found.complaint


def test_a_key_that_is_left_out_is_named(marks):
    found = marks.read('{"chain_of_thought_reasoning": "…", "care": "K482++"}')
    assert found.status is Status.UNPARSED
    assert "overall_eq" in found.complaint


def test_without_an_overall_criterion_one_is_asked_for(make):
    contract = build(make, MarksContract, keys=("care", "insight"))
    assert list(contract.schema()["properties"])[1:] == ["care", "insight", "overall"]
    assert '"overall"' in contract.instruct()
    said = {"reasoning": "…", "care": "M613+", "insight": "M613++"}
    assert contract.read(json.dumps(said)).status is Status.UNPARSED
    found = contract.read(json.dumps(said | {"overall": "K482++"}))
    assert (found.winner, found.margin) == ("first", 2)
    assert [c.criterion for c in found.criteria] == ["care", "insight"]


def test_what_was_not_asked_for_is_counted(marks):
    assert marks.read(reply(charm="K482+")).flags == ("unknown_criteria:1",)


@pytest.mark.parametrize(
    "said", ['{"refused": "self-harm"}', '{"refused": true}', "```\n" + '{"refused": "x"}\n```']
)
def test_a_refusal_is_a_refusal(marks, said):
    assert marks.read(said).status is Status.REFUSED


def test_a_cut_reply_names_at_most_its_overall_winner(marks):
    cut = '{"chain_of_thought_reasoning": "…", "care": "K482+", "overall_eq": "M613++", "x": "y'
    found = marks.read(cut, finish_reason="length")
    assert (found.status, found.winner) == (Status.TRUNCATED, "second")
    early = marks.read(cut[:60], finish_reason="length")
    assert (early.status, early.winner) == (Status.TRUNCATED, None)


@pytest.mark.parametrize("kind", [ForcedContract, MarksContract])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_instruction_echoed_is_no_answer_and_hides_none(make, kind, lang):
    contract = build(make, kind, lang=lang)
    assert contract.read(contract.instruct()).status is Status.UNPARSED
    answer = reply() if kind is MarksContract else forced("M613")
    assert contract.read(contract.instruct() + "\n" + answer).winner == "second"


def forced(winner, side=None):
    answer = {"side": side or winner, "strength": 2}
    return json.dumps(
        {"winner": winner, "strength": 2, "criteria": {"care": answer, "overall_eq": answer}}
    )


@pytest.mark.parametrize("tie", ["tie", "draw", "平局", "equal"])
def test_a_forced_choice_takes_no_tie(make, tie):
    contract = build(make, ForcedContract)
    assert contract.read(forced("K482")).winner == "first"
    for said in (forced(tie), forced("K482", tie), f"Final verdict: {tie}"):
        found = contract.read(said)
        assert (found.status, found.winner) == (Status.UNPARSED, None)
    assert '"tie"' not in json.dumps(contract.schema())
    assert "tie>" not in contract.instruct()


MARKS = st.tuples(st.sampled_from(CODES), st.integers(1, 5))


@given(MARKS, MARKS, st.text(), st.sampled_from(["@", "```json\n@\n```", "<think>{</think>@"]))
def test_marks_round_trip_in_any_dress(make, care, overall, why, dress):
    contract = build(make, MarksContract)
    (one, by), (two, of) = care, overall
    said = reply(care=one + "+" * by, overall_eq=two + "+" * of, chain_of_thought_reasoning=why)
    found = contract.read(dress.replace("@", said, 1))
    assert (found.status, found.winner, found.margin) == (Status.OK, SIDES[two], of)
    assert (found.criteria[0].side, found.criteria[0].strength) == (SIDES[one], by)
    assert found.reason == why


@given(
    st.text() | st.lists(st.sampled_from([*'{}",:', "care", "K482++", "overall_eq"])).map("".join)
)
def test_no_reply_raises(make, text):
    found = build(make, MarksContract).read(text)
    assert (found.winner is None) == (found.status is not Status.OK)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_suites_contract_is_asked_for_and_reads_the_answer(make, contract, language):
    suite = make.suite(language=language, contract=contract)
    prompt, read = pairwise_prompt(
        suite=suite,
        scenario=suite.scenarios[0],
        mode="natural",
        first=make.transcript("yes"),
        second=make.transcript("no", agent="silverpal"),
        judge=make.judge(),
        key="k",
        seed=1,
    )
    assert type(read) is CONTRACTS[contract]
    assert read.instruct() in prompt.messages[0].text
    tied = {"en": "say tie", "zh": "（tie）"}[language]
    assert (tied in prompt.messages[0].text) == (contract == "pairwise")


def test_each_contract_words_its_verdicts_apart_and_the_scores_alike(make):
    suites = [make.suite(contract=contract) for contract in CONTRACTS]
    common = {"mode": "natural", "judge": make.judge()}
    asked = [
        [wording(suite=s, scenario=s.scenarios[0], use=use, **common) for s in suites]
        for use in ("pairwise", "rubric")
    ]
    assert len({w.template for w in asked[0]}) == len(CONTRACTS)
    assert len({w.rubric for w in asked[0]}) == 1
    assert len(set(asked[1])) == 1
    assert len({s.digest() for s in suites}) == len(CONTRACTS)
