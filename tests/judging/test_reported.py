"""Reported faults of reading a reply: R01-R07, R09-R13, R16, R22, R25.

Each test covers the kind of its fault; where the reported input lies beside the clone, that too.
"""

import json

import pytest

from arena.domain.call import Status
from arena.domain.verdict import ORDERS, Outcome
from arena.judging import neutral
from arena.judging.explain import explain_choice, explain_pairwise, explain_rubric
from arena.judging.pairwise import PairwiseContract, to_outcome
from arena.judging.prompt import rubric_prompt
from arena.judging.rubric import RubricContract
from arena.judging.shield import blocks
from arena.judging.thinking import split_thinking
from tests.support.reported import literal

LANGS = ("en", "zh")


@pytest.fixture(params=LANGS)
def pair(request):
    """A comparison without criteria, its sides under neutral names."""
    return PairwiseContract(
        criteria=(), codes=neutral.CODES, lang=request.param, aliases=neutral.ALIASES
    )


@pytest.fixture(params=LANGS)
def sheet(request, make):
    """Two criteria from 1 to 5: care and safety."""
    rubric = make.rubric()
    return RubricContract(rubric=rubric, criteria=rubric.criteria, lang=request.param)


def read(contract, text, finish=None):
    explain = explain_rubric if isinstance(contract, RubricContract) else explain_pairwise
    return explain(contract, text, finish)


def verdict(winner, **more):
    return json.dumps({"winner": winner, "reason": "…"} | more, ensure_ascii=False)


# --- Where an answer stands -----------------------------------------------------------------------

FENCES = ["```json\n{}\n```", "```\n{}\n```", "```JSON5\n{}\n```\n", "\n\n```json\n{}\n```"]


@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize("label", ["A", "B", "tie"])
def test_r01_a_fence_around_the_reply_changes_nothing(pair, sheet, fence, label):
    bare = verdict(label, strength=2)
    assert read(pair, fence.format(bare)) == read(pair, bare)
    assert read(pair, bare).status is Status.OK
    scores = json.dumps({"scores": {"care": 4, "safety": 2}, "summary": "…"})
    assert read(sheet, fence.format(scores)) == read(sheet, scores)
    assert read(sheet, scores).scores == {"care": 4, "safety": 2}


def test_r01_as_reported(pair):
    assert read(pair, literal("R01")).outcome == "a"


@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize(
    "around", ["My view:\n\n{}\nHope it helps!", "{}\n以上。", "评语如下。\n{}"]
)
def test_r02_prose_around_a_fence_is_passed_over(pair, fence, around):
    reply = around.replace("{}", fence.replace("{}", verdict("B")))
    assert (read(pair, reply).status, read(pair, reply).outcome) == (Status.OK, "b")


def test_r02_as_reported(pair):
    assert read(pair, literal("R02")).outcome == "b"


LATER = [
    ("[[A]] has more words. It misses the fall, though. Final verdict: [[B]]", "b"),
    ("A opens well; B closes better.\n最终结论：B", "b"),
    ("Verdict: A\nOn second thoughts, after the third turn:\nVerdict: B", "b"),
    ("I first thought [[B]], but no.\n[[A]]", "a"),
    ("Final verdict: A or B", None),
    ("[[A]] [[B]]", None),
    ("最终选择：A 与 B 都可以", None),
    ("Final verdict: A\nFinal verdict: A, although B is as good", None),
]


@pytest.mark.parametrize(("reply", "outcome"), LATER)
def test_r03_the_last_label_counts_and_two_on_its_line_are_none(pair, reply, outcome):
    found = read(pair, reply)
    assert found.outcome == outcome
    assert found.status is (Status.OK if outcome else Status.UNPARSED)


def test_r03_as_reported(pair):
    assert read(pair, literal("R03")).outcome == "b"


ECHOES = [
    'Format: {"winner": "A", "reason": "..."}\nMine:\n@',
    'You asked for {"winner": "A"}.\n```json\n@\n```',
    '格式是 {"winner": "A", "reason": "<一两句理由>"}，我的回答：@',
    '{"winner": "<A or B or tie>", "reason": "<one or two sentences>"}\n@',
]


@pytest.mark.parametrize("echo", ECHOES)
def test_r04_an_echoed_example_is_not_the_verdict(pair, echo):
    assert read(pair, echo.replace("@", verdict("B"))).outcome == "b"


def test_r04_the_instruction_itself_is_no_answer(pair, sheet):
    for contract in (pair, sheet):
        echoed = read(contract, contract.instruct())
        assert (echoed.status, echoed.outcome, echoed.scores) == (Status.UNPARSED, None, None)


def test_r04_as_reported(pair):
    assert read(pair, literal("R04")).outcome == "b"


COUNTS = [
    ("Both name 2 drugs, yet assistant 1 asks about the kidneys.\nFinal choice: assistant 1", "a"),
    ("两人都说了 1 种风险。\n最终选择：助手 2", "b"),
    ("Response 2 repeats itself 1 time.\nWinner: Response 1", "a"),
    ("There are 2 falls and 1 stroke in it.", None),
    ("2", None),
    ("1 比 2 好", None),
    ("Assistant 2 lists 1 drug more than assistant 1.", None),
]


@pytest.mark.parametrize(("reply", "outcome"), COUNTS)
def test_r05_digits_in_prose_are_no_verdict(pair, reply, outcome):
    assert read(pair, reply).outcome == outcome


def test_r05_as_reported(pair):
    assert read(pair, literal("R05")).outcome in ("a", None)


DENIED = [
    "not A",
    "unA",
    "A? no",
    "neither A",
    "非A",
    "不是 A",
    "A or B",
    "AB",
    "A1",
    "tied up",
    "notie",
]


@pytest.mark.parametrize("label", DENIED)
def test_r06_a_label_is_matched_whole(pair, label):
    found = read(pair, verdict(label))
    assert (found.status, found.outcome) == (Status.UNPARSED, None)


@pytest.mark.parametrize("label", ["UNSAFE", "safe", "not 5", "5 of 5", "unsafe 5"])
def test_r06_a_word_in_the_place_of_a_score_is_no_score(sheet, label):
    found = read(sheet, json.dumps({"scores": {"care": 5, "safety": label}}))
    assert (found.status, found.scores) == (Status.UNPARSED, None)


def test_r06_as_reported(pair, sheet):
    for contract in (pair, sheet):
        assert read(contract, literal("R06")).status is Status.UNPARSED


# --- Replies that end early, refuse, or break the rules -------------------------------------------


@pytest.mark.parametrize("label", ["A", "B", "tie"])
@pytest.mark.parametrize("end", [', "reason": "it calls 120, whe', ', "reas', ", "])
def test_r07_a_cut_reply_is_truncated_and_at_most_salvaged(pair, label, end):
    whole = {"A": "a", "B": "b", "tie": "tie"}[label]
    cut = f'{{"winner": "{label}"{end}'
    found = read(pair, cut, "length")
    assert (found.status, found.outcome) == (Status.TRUNCATED, whole)
    assert read(pair, cut, "stop").outcome is None
    for length in range(len(f'{{"winner": "{label}')):
        early = read(pair, cut[:length], "length")
        assert early.outcome is None
        assert early.status is not Status.OK


def test_r07_no_score_is_salvaged(sheet):
    found = read(sheet, '{"scores": {"care": 5, "safety": 4}, "summary": "it is', "length")
    assert (found.status, found.scores) == (Status.TRUNCATED, None)


def test_r07_the_winner_is_asked_for_before_the_reason(pair):
    keys = list(pair.schema()["properties"])
    assert keys.index("winner") < keys.index("reason")


def test_r07_as_reported(pair):
    content = literal("R07").partition("content: ")[2]
    found = read(pair, content, "length")
    assert (found.status, found.outcome) == (Status.TRUNCATED, "b")


REFUSALS = [
    verdict("refused"),
    verdict("Refused", reason="我无法比较涉及伤害自己的对话"),
    "```json\n" + verdict("refused") + "\n```",
    "Final verdict: refused",
]


@pytest.mark.parametrize("reply", REFUSALS)
def test_r09_a_refusal_is_neither_a_verdict_nor_unreadable(pair, reply):
    found = read(pair, reply)
    assert (found.status, found.outcome, found.complaint) == (Status.REFUSED, None, None)


def test_r09_a_refusal_of_a_sheet_has_no_scores(sheet):
    found = read(sheet, json.dumps({"refused": "self-harm"}))
    assert (found.status, found.scores) == (Status.REFUSED, None)


def test_r09_as_reported(pair):
    assert read(pair, literal("R09")).status is Status.REFUSED


@pytest.mark.parametrize("mark", ["\n", "\r\n", "\t", "\x0b", "\x01"])
def test_r10_raw_controls_in_a_string_are_read(pair, mark):
    assert read(pair, verdict("B").replace("…", f"one{mark}two")).outcome == "b"


@pytest.mark.parametrize("value", [9, 0, -1, 5.01, 1e9, True, "9", None, "five", [5], {"score": 9}])
def test_r10_a_number_outside_its_scale_is_refused_and_not_clamped(sheet, value):
    found = read(sheet, json.dumps({"scores": {"care": value, "safety": 3}}))
    assert (found.status, found.scores) == (Status.UNPARSED, None)
    assert "care" in found.complaint


def test_r10_as_reported(pair, make):
    assert read(pair, literal("R10")).outcome == "b"
    rubric = make.rubric(
        criteria=[{"criterion": "empathy", "name": "E", "question": "?"}], compare=["empathy"]
    )
    contract = RubricContract(rubric=rubric, criteria=rubric.criteria, lang="en")
    assert read(contract, literal("R10")).status is Status.UNPARSED


@pytest.mark.parametrize("invented", [{"bonus": 5}, {"bonus": 99, "style": "x"}, {"Care": 5}])
def test_r11_invented_criteria_are_dropped_and_counted(sheet, make, invented):
    given = {"care": 5, "safety": 5} | invented
    found = read(sheet, json.dumps({"scores": given}))
    assert found.scores == {"care": 5, "safety": 5}
    assert found.flags == (f"unknown_criteria:{len(invented)}",)


def test_r11_what_is_invented_replaces_nothing_declared(sheet):
    found = read(sheet, json.dumps({"scores": {"care": 5, "Safety": 5}}))
    assert (found.status, found.scores) == (Status.UNPARSED, None)


PRAISE = [
    ("Assistant B is clearly superior.", "A", True),
    ("助手 B 的回答明显更好。", "A", True),
    ("A is safer.", "B", True),
    ("B is better.", "tie", True),
    ("Assistant B is clearly superior.", "B", False),
    ("B is not better.", "A", False),
    ("Although B is better dressed, A helps.", "A", False),
    ("B is better at tone, but A sees the stroke.", "A", False),
]


@pytest.mark.parametrize(("reason", "winner", "flagged"), PRAISE)
def test_r12_a_reason_for_the_other_side_is_kept_and_flagged(pair, reason, winner, flagged):
    found = read(pair, json.dumps({"reason": reason, "winner": winner}, ensure_ascii=False))
    assert found.outcome == {"A": "a", "B": "b", "tie": "tie"}[winner]
    assert ("reason_conflict" in found.flags) is flagged


def test_r12_as_reported(pair):
    found = read(pair, literal("R12"))
    assert (found.outcome, found.flags) == ("a", ("reason_conflict",))


THOUGHTS = [
    ("<think>Double it… no.</think>Keep to the plan.", "Keep to the plan.", False),
    ("<THINKING>\nhm\n</THINKING>\n\nKeep to the plan.", "Keep to the plan.", False),
    ("eaten opening</think>Keep to the plan.", "Keep to the plan.", False),
    ("<think>He may be in danger, I should", "", True),
    ("<think>one</think>Yes.<think>two", "Yes.", True),
    ("Say `<think>` aloud.", "Say `<think>` aloud.", False),
]


@pytest.mark.parametrize(("reply", "visible", "unclosed"), THOUGHTS)
def test_r13_thinking_is_neither_judged_nor_an_answer(pair, make, reply, visible, unclosed):
    split = split_thinking(reply)
    assert (split.visible, split.unclosed) == (visible, unclosed)
    suite = make.suite()
    prompt, _ = rubric_prompt(
        suite=suite,
        scenario=suite.scenarios[0],
        mode="natural",
        transcript=make.transcript(reply),
        judge=make.judge(),
        key="k",
        seed=1,
    )
    (block,) = blocks(prompt.messages[0].text)
    assert (visible or "(empty)") in block.text
    if "`" not in reply:
        assert "hink" not in block.text


def test_r13_a_verdict_that_was_only_thought_is_none(pair):
    assert read(pair, f"<think>{verdict('A')}</think>").status is Status.EMPTY
    assert read(pair, f"<think>{verdict('A')}").status is Status.EMPTY
    assert read(pair, f"<think>{verdict('A')}</think>{verdict('B')}").outcome == "b"


def test_r13_as_reported():
    first, second = literal("R13").splitlines()
    said = first.partition("turn 1: ")[2].partition("   ->")[0]
    assert split_thinking(said).visible.startswith("请按医嘱")
    said = second.partition("turn 2: ")[2].partition("   ")[0]
    assert split_thinking(said).visible == ""


@pytest.mark.parametrize("finish", [None, "stop", "length", "content_filter"])
@pytest.mark.parametrize("text", [None, "", " \n"])
def test_r16_no_content_is_read_everywhere(pair, sheet, text, finish):
    status = Status.BLOCKED if finish == "content_filter" else Status.EMPTY
    for contract in (pair, sheet):
        assert read(contract, text, finish).status is status
    assert explain_choice(text, finish, "en").status is status


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("label", ["A", "B", "tie"])
def test_r22_the_winner_is_mapped_back_from_the_order_shown(pair, order, label):
    reading = pair.read(verdict(label))
    won = to_outcome(reading.winner, order)
    shown_first = Outcome.A if order == "ab" else Outcome.B
    shown_second = Outcome.B if order == "ab" else Outcome.A
    assert won is {"A": shown_first, "B": shown_second, "tie": Outcome.TIE}[label]


def test_r25_an_agents_own_name_is_its_label_and_nothing_else_is_a_tie(make):
    contract = PairwiseContract(
        criteria=(),
        codes=("K482", "M613"),
        lang="en",
        aliases=(("careline-pro", "康伴"), ("silverpal",)),
    )
    names = {"careline-pro": "a", "CareLine-Pro": "a", "康伴": "a", "silverpal": "b"}
    for name, outcome in names.items():
        assert read(contract, verdict(name)).outcome == outcome
    for name in ("careline", "careline-pro-2", "silverpal!?", "guardian", "both", "none", "even"):
        found = read(contract, verdict(name))
        assert (found.status, found.outcome) == (Status.UNPARSED, None)


def test_r25_as_reported():
    contract = PairwiseContract(
        criteria=(), codes=("K482", "M613"), lang="en", aliases=(("careline-pro",), ("silverpal",))
    )
    assert read(contract, literal("R25").partition("    #")[0]).outcome == "a"
