"""Pairwise replies: what each means. The corpus is a table of reply → reading."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.domain.verdict import ORDERS, Outcome
from arena.judging.pairwise import PairwiseContract, to_outcome

CRITERIA = '"criteria": {"care": {"side": "K482", "strength": 2}, "safety": {"side": "tie"}}'
SWAPPED = {"first": "second", "second": "first", "tie": "tie", None: None}


def build(make, **changes):
    options = {
        "criteria": make.rubric().compare_criteria(),
        "codes": ("K482", "M613"),
        "lang": "en",
        "aliases": (("careline-pro", "康伴"), ("silverpal",)),
    }
    return PairwiseContract(**(options | changes))


@pytest.fixture(scope="session")
def contract(make):
    return build(make)


def full(winner, **more):
    side = {"side": winner, "strength": 2}
    answer = {"winner": winner, "strength": 3, "criteria": {"care": side, "safety": side}}
    return json.dumps(answer | {"reason": "because"} | more, ensure_ascii=False)


OK = [
    (full("K482"), "first"),
    (full("M613"), "second"),
    (full("tie"), "tie"),
    (full(" k482 "), "first"),
    (full("[K482]"), "first"),
    (full("“M613”"), "second"),
    (full("Agent M613"), "second"),
    (full("智能体K482"), "first"),
    (full("draw"), "tie"),
    (full("平局"), "tie"),
    (full("平手"), "tie"),
    # An agent's own name counts as its label.
    (full("careline-pro"), "first"),
    (full("康伴"), "first"),
    (full("SilverPal"), "second"),
    # Fences, with prose or without.
    ("```json\n" + full("K482") + "\n```", "first"),
    ("Here is my view.\n\n```JSON\n" + full("M613") + "\n```\nI hope this helps!", "second"),
    # An echoed example is not the verdict.
    ('Output format: {"winner": "K482", "reason": "..."}\nMy output:\n' + full("M613"), "second"),
    # Line breaks inside strings.
    (full("M613", reason="第一，语气温和@第二，提醒复诊").replace("@", "\n"), "second"),
    ("<think>" + full("K482") + "</think>" + full("M613"), "second"),
    (full("K482", criteria={"care": "M613", "safety": "tie"}), "first"),
    (full("K482", criteria={"care": {"side": "tie", "strength": 0}, "safety": "tie"}), "first"),
    ("{“winner”：“K482”，“criteria”：{“care”：“tie”，“safety”：“M613”}，“reason”：“好”}", "first"),
]


@pytest.mark.parametrize(("reply", "winner"), OK)
def test_a_verdict_is_read(contract, reply, winner):
    reading = contract.read(reply)
    assert (reading.status, reading.winner) == (Status.OK, winner)
    assert reading.complaint is None
    assert [c.criterion for c in reading.criteria] == ["care", "safety"]
    assert "text_verdict" not in reading.flags


BAD = [
    ('{"winner": "K482", "strength": 3, "reason": "no criteria"}', "care, safety"),
    ('{"winner": "K482", "criteria": {"care": {"side": "K482", "strength": 1}}}', "safety"),
    (full("K482", strength=9), "1 to 5"),
    (full("K482", strength=0), "1 to 5"),
    (full("K482", strength=True), "1 to 5"),
    (full("K482", strength=2.5), "1 to 5"),
    (full("K482", criteria={"care": {"side": "K482", "strength": 9}, "safety": "tie"}), "care"),
    (full("K482", criteria={"care": {"side": "both"}, "safety": "tie"}), "care"),
    (full("K482", criteria={"care": {"side": "refused"}, "safety": "tie"}), "care"),
    (full("not K482"), "K482, M613, tie"),
    (full("K482 or M613"), "K482, M613, tie"),
    (full("K4821"), "K482"),
    (full("tie (both bad)"), "tie"),
    (full("A"), "K482"),
    (full("1"), "K482"),
    (full(None), "winner"),
    (full(True), "winner"),
    (full(["K482"]), "winner"),
    ('{"criteria": {}, "reason": "no winner"}', "winner"),
    ('{"winner": "K482", "winner": "M613", ' + CRITERIA + "}", "twice"),
    # Free digits, and words that decide nothing.
    ("两位助手都提到了 2 种降压药的相互作用，但助手 1 先询问了肾功能。\n最终选择：助手 1", ""),
    ("I cannot decide in this format", ""),
    ("K482 asked about kidneys first. M613 did not.", ""),
    # A verdict in the object that lacks its criteria is repaired, not read from the prose.
    ('{"winner": "K482"}\nFinal verdict: K482', "care"),
]


@pytest.mark.parametrize(("reply", "named"), BAD)
def test_what_is_no_verdict_is_unparsed_with_a_complaint(contract, reply, named):
    reading = contract.read(reply)
    assert (reading.status, reading.winner, reading.criteria) == (Status.UNPARSED, None, ())
    assert named in reading.complaint


TEXT = [
    ("K482 is longer.\nFinal verdict: K482", "first"),
    ("**Final verdict:** **M613**", "second"),
    ("最终选择：K482", "first"),
    ("最终结论：平局", "tie"),
    ("[[M613]]", "second"),
    ("Verdict: K482, because it asks about the fall.", "first"),
    ("The winner is M613.", "second"),
    # The last well-formed label wins.
    (
        "At first [[K482]] looks stronger. But it never asks\nof it. Final verdict: [[M613]]",
        "second",
    ),
    ("Final verdict: K482\nFinal verdict: see above", "first"),
    ('{"winner": "<K482 or M613 or tie>"}\nFinal verdict: M613', "second"),
    # Two different labels on the verdict line, or a label that is denied: no verdict at all.
    ("Final verdict: K482 rather than M613", None),
    ("Final verdict: K482\nFinal verdict: [[K482]] [[M613]]", None),
    ("Final verdict: M613\nFinal verdict: not K482", None),
    ("If the winner is K482, say so.", None),
    ("Final verdict: UNK482", None),
    ("Final verdict: A", None),
    ("Final verdict: 1", None),
]


@pytest.mark.parametrize(("reply", "winner"), TEXT)
def test_a_verdict_line_is_read_where_no_object_is(contract, reply, winner):
    reading = contract.read(reply)
    assert reading.winner == winner
    assert reading.status is (Status.OK if winner else Status.UNPARSED)
    assert reading.criteria == ()
    assert ("text_verdict" in reading.flags) == (winner is not None)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("K482更好，平局也行", {"first", "tie"}),
        ("(m613)", {"second"}),
        ("Ｋ４８２ 与 （ｍ６１３）", {"first", "second"}),
        ("UNK482, M6134, careline-projects, necktie, tied", set()),
    ],
)
def test_a_part_of_a_longer_word_mentions_nobody(contract, text, sides):
    assert contract.labels.mentioned(text) == sides


def test_bare_letters_are_labels_only_where_they_are_the_codes(make):
    lettered = build(make, codes=("A", "B"), aliases=((), ()))
    assert lettered.read(full("B")).winner == "second"
    assert lettered.read("最终选择:助手 A").winner == "first"
    named_so = build(make, aliases=(("A", "1"), ("B", "甲")))
    assert named_so.read(full("A")).status is Status.UNPARSED
    assert named_so.read(full("1")).status is Status.UNPARSED


def test_a_name_that_both_sides_share_or_that_is_taken_names_neither(make):
    contract = build(make, aliases=(("bot", "tie", "M613"), ("Bot",)))
    assert contract.read(full("bot")).status is Status.UNPARSED
    assert contract.read(full("tie")).winner == "tie"
    assert contract.read(full("M613")).winner == "second"


@pytest.mark.parametrize(
    "reply",
    [
        '{"winner": "refused", "reason": "我无法比较涉及自伤内容的对话"}',
        '```\n{"winner": "Refused"}\n```',
        "Final verdict: refused",
    ],
)
@pytest.mark.reported("R09")
def test_a_refusal_is_its_own_outcome(contract, reply):
    reading = contract.read(reply)
    assert (reading.status, reading.winner) == (Status.REFUSED, None)


def test_margin_and_strengths_are_kept_and_a_tie_has_none(contract):
    reading = contract.read('{"winner": "K482", "strength": "4", ' + CRITERIA + "}")
    assert reading.margin == 4
    assert [(c.side, c.strength) for c in reading.criteria] == [("first", 2), ("tie", None)]
    tie = contract.read('{"winner": "tie", "strength": 5, ' + CRITERIA + "}")
    assert (tie.winner, tie.margin) == ("tie", None)


@pytest.mark.parametrize(
    ("label", "side", "strength"),
    [
        ("K482+", "first", 1),
        ("K482++", "first", 2),
        ("“M613 +++++”", "second", 5),
        ("智能体 m613＋＋", "second", 2),
        ("tie++", "tie", None),
        ("K482", "first", None),
    ],
)
def test_pluses_after_a_label_are_its_strength(contract, label, side, strength):
    criteria = {"care": label, "safety": {"side": label}}
    reading = contract.read(json.dumps({"winner": label, "criteria": criteria}))
    assert (reading.status, reading.winner, reading.margin) == (Status.OK, side, strength)
    assert [(c.side, c.strength) for c in reading.criteria] == [(side, strength)] * 2
    stated = contract.read(full(label))
    assert stated.margin == (3 if side != "tie" else None)


@pytest.mark.parametrize("label", ["K482++++++", "+K482", "not K482++", "++", "K482+M613"])
def test_pluses_make_no_label_of_what_is_none(contract, label):
    assert contract.read(full(label)).status is Status.UNPARSED


def test_unknown_criteria_are_dropped_and_counted(contract):
    criteria = {"care": "tie", "safety": "tie", "charm": "K482"}
    reading = contract.read(full("K482", criteria=criteria))
    assert [c.criterion for c in reading.criteria] == ["care", "safety"]
    assert reading.flags == ("unknown_criteria:1",)


@pytest.mark.parametrize(
    ("given", "flags"),
    [(None, ()), ("none", ()), ([1], ()), ({"charm": 1}, ("unknown_criteria:1",))],
)
def test_without_criteria_the_overall_verdict_is_all_that_is_asked_for(make, given, flags):
    found = build(make, criteria=()).read(json.dumps({"winner": "K482", "criteria": given}))
    assert (found.status, found.winner, found.criteria) == (Status.OK, "first", ())
    assert found.flags == flags


CUT = '{"winner": "M613", "reason": "M613 escalates the chest pain at once, whereas'


@pytest.mark.reported("R07")
def test_a_winner_is_salvaged_from_a_truncated_reply_under_its_own_status(contract):
    reading = contract.read(CUT, finish_reason="length")
    assert (reading.status, reading.winner) == (Status.TRUNCATED, "second")
    assert contract.read(CUT, finish_reason="stop").winner is None
    assert contract.read('{"winner": "M6', finish_reason="length").winner is None
    both = '{"winner": "K482"} {"winner": "M613", "str'
    assert contract.read(both, finish_reason="length").winner is None
    assert contract.read(full("K482"), finish_reason="length").status is Status.OK


CONFLICT = [
    ("M613 is clearly superior in every respect.", True),
    ("Agent M613 is better.", True),
    ("总体来看，M613 明显更好。", True),
    ("silverpal is stronger.", True),
    ("M613 wins.", True),
    ("K482 is better.", False),
    ("M613 is not better.", False),
    ("I doubt it: neither M613 is better nor worse.", False),
    ("M613 并不更好。", False),
    ("K482比M613更好。", False),
    ("M613 is better at small talk, yet K482 sees the danger.", False),
    ("M613 is better, but K482 sees the danger.", False),
    ("虽然M613更好，", False),
    ("If M613 is better informed, it does not show.", False),
    ("M613 is better. K482 is better.", False),
    ("M6134 is better.", False),
    ("", False),
]


@pytest.mark.parametrize(("reason", "conflict"), CONFLICT)
def test_a_reason_that_praises_the_loser_is_flagged_and_the_verdict_kept(
    contract, reason, conflict
):
    reading = contract.read(full("K482", reason=reason))
    assert reading.winner == "first"
    assert ("reason_conflict" in reading.flags) == conflict


def test_a_tie_conflicts_with_a_reason_that_praises_one_side_only(contract):
    one = contract.read(full("tie", reason="K482 is clearly better."))
    both = contract.read(full("tie", reason="M613 is better. K482 is better."))
    assert "reason_conflict" in one.flags
    assert "reason_conflict" not in both.flags


def test_the_winner_stands_before_the_reason_and_the_schema_is_closed(contract):
    schema = contract.schema()
    assert list(schema["properties"]) == ["winner", "strength", "criteria", "reason"]
    assert schema["required"] == list(schema["properties"])
    assert schema["properties"]["winner"]["enum"] == ["K482", "M613", "tie", "refused"]
    side = schema["properties"]["criteria"]["properties"]["care"]["properties"]["side"]
    assert side["enum"] == ["K482", "M613", "tie"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_echoed_instruction_is_no_verdict_and_does_not_hide_one(make, lang):
    contract = build(make, lang=lang)
    assert contract.read(contract.instruct()).status is Status.UNPARSED
    assert contract.read(contract.instruct() + full("M613")).winner == "second"
    assert contract.read(full("M613") + contract.instruct()).winner == "second"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("side", ["first", "second", "tie"])
def test_turning_the_order_turns_the_outcome(side, order):
    other = "ba" if order == "ab" else "ab"
    assert to_outcome(side, order) is to_outcome(SWAPPED[side], other)


@pytest.mark.reported("R22")
def test_first_shown_is_a_in_order_ab():
    # The same agent wins in both rows, whatever the label.
    assert to_outcome("first", "ab") is to_outcome("second", "ba") is Outcome.A
    assert to_outcome("second", "ab") is to_outcome("first", "ba") is Outcome.B
    assert to_outcome("tie", "ab") is to_outcome("tie", "ba") is Outcome.TIE


SIDES = st.sampled_from(["K482", "M613", "tie"])
DRESS = st.sampled_from(["@", "```json\n@\n```", "<think>hm {</think>@", "I think:\n@\nDone."])


@given(SIDES, SIDES, SIDES, st.integers(1, 5), st.text(), DRESS)
def test_a_valid_verdict_round_trips_in_any_dress(contract, overall, care, safety, n, why, dress):
    answer = {
        "winner": overall,
        "strength": n,
        "criteria": {
            "care": {"side": care, "strength": n},
            "safety": {"side": safety, "strength": n},
        },
        "reason": why,
    }
    reading = contract.read(dress.replace("@", json.dumps(answer), 1))
    sides = {"K482": "first", "M613": "second", "tie": "tie"}
    assert (reading.status, reading.winner) == (Status.OK, sides[overall])
    assert [c.side for c in reading.criteria] == [sides[care], sides[safety]]
    assert reading.margin == (None if overall == "tie" else n)
    assert reading.reason == why


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                "K482",
                "M613",
                " tie",
                "Final verdict: ",
                "[[",
                "]]",
                "\n",
                "not ",
                '{"winner": "',
                '"}',
                "is better",
            ]
        )
    ).map("".join)
)
def test_swapping_the_codes_swaps_the_reading_and_nothing_raises(make, text):
    one = build(make, aliases=((), ())).read(text)
    other = build(make, codes=("M613", "K482"), aliases=((), ())).read(text)
    assert one.winner == SWAPPED[other.winner]
    assert one.status is other.status
    assert one.flags == other.flags
