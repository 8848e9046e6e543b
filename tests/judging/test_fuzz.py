"""Mangled replies: none raises, and none yields what no reading of its text supports.

The oracle is no parser: it looks whether what was read stands in the text at all, a number beside
its criterion's key, a tie as a label of a tie.
"""

import itertools
import json
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.judging.choice import read_choice
from arena.judging.forced import ForcedContract
from arena.judging.marks import MarksContract
from arena.judging.pairwise import PairwiseContract, PairwiseReading
from arena.judging.rubric import RubricContract

CODES = ("K482", "M613")
NAMES = (("careline", "康伴"), ("silverpal",))
TIES = ("tie", "draw", "平局", "平手")
KEYS = ("care", "safety")
BESIDE = 120
"""Characters after a key in which its number must stand."""


def pairwise_reply(winner="K482", side="M613"):
    answer = {"side": side, "strength": 2}
    said = {"winner": winner, "strength": 4, "criteria": dict.fromkeys(KEYS, answer)}
    return json.dumps(said | {"reason": f"{winner} 先问了 2 种药"}, ensure_ascii=False)


def sheet_reply(care=4, safety=2, *, comments=False):
    scores = {"care": care, "safety": safety}
    if comments:
        scores = {key: {"score": n, "comment": "fine"} for key, n in scores.items()}
    return json.dumps({"scores": scores, "summary": "9 of 10 would agree"})


def marks_reply(care="K482+", overall="M613+++"):
    return json.dumps({"reasoning": "K482 asks", "care": care, "overall": overall})


BASES = [
    pairwise_reply(),
    pairwise_reply("tie", "tie"),
    pairwise_reply("康伴", "K482"),
    sheet_reply(),
    sheet_reply(5, 1, comments=True),
    sheet_reply("3", 2.5),
    marks_reply(),
    marks_reply("M613+++++", "K482"),
    "K482 names 2 drugs; M613 names none.\nFinal verdict: K482",
    "最终结论：平局",
    "[[M613]]",
    "先排除 C。\n答案：B",
]

WIDE = {ord(c): ord(c) + 0xFEE0 for c in "!\"'(),.:;?[]{}+-"}
CONTROLS = "\x00\x01\x07\x0b\x1b\x7f\x85\u200b\u202e\u2028\ufeff\ud800"
OTHERS = (
    "tie", "refused", "A", "not K482", "K4821", "M613", "K482 or M613", "both", "1", "", "K482++"
)  # fmt: skip
FRAGMENTS = (
    "<think>", "</think>", "```", "{", "}", '"', "[[", "]]", "\\", "not ", "：", "+",
    "Final verdict: ",
)  # fmt: skip
NUMBERS = ("0", "9", "-3", "+1", "1e1", "true", "NaN", "2/5", "５")


def truncate(text, n):
    return text[: n % (len(text) + 1)]


def behead(text, n):
    return text[n % (len(text) + 1) :]


def duplicate(text, n):
    return f"{text}\n{text}" if n % 2 else text[: n % (len(text) + 1)] + text


def widen(text, n):
    return text.translate(WIDE) if n % 3 else text.translate({k: WIDE[k] for k in map(ord, ":,{}")})


def fence(text, n):
    return ["```json\n{}\n```", "So:\n```\n{}\n```\nDone.", "```\n{}"][n % 3].replace("{}", text)


def nest(text, n):
    wrapped = [
        f'{{"answer": {text}}}',
        f'{{"a": {{"b": {text}}}}}',
        f"[{text}]",
        json.dumps({"reply": text}),
        f'{{"scores": {text}}}',
    ]
    return wrapped[n % len(wrapped)]


def spoil(text, n):
    at = n % (len(text) + 1)
    return text[:at] + CONTROLS[n % len(CONTROLS)] + text[at:]


def think(text, n):
    at = n % (len(text) + 1)
    return [
        f"<think>{text}</think>",
        f"<think>{text}</think>{text}",
        f"{text[:at]}</think>{text[at:]}",
        f"{text[:at]}<think>{text[at:]}",
    ][n % 4]


def relabel(text, n):
    old = ["K482", "M613", "tie"][n % 3]
    return text.replace(old, OTHERS[n % len(OTHERS)], 1 + n % 2)


def renumber(text, n):
    digits = [m.start() for m in re.finditer(r"\d", text)]
    if not digits:
        return text
    at = digits[n % len(digits)]
    return (
        text[:at]
        + ["0", "9", "-3", "+1", "1e1", "true", "NaN", "2/5", "５"][n % 9]
        + text[at + 1 :]
    )


def splice(text, n):
    at = n % (len(text) + 1)
    return text[:at] + FRAGMENTS[n % len(FRAGMENTS)] + text[at + n % 4 :]


def drop(text, n):
    at = n % (len(text) + 1)
    return text[:at] + text[at + 1 + n % 7 :]


MUTATIONS = (
    truncate, behead, duplicate, widen, fence, nest, spoil, think, relabel, renumber, splice, drop
)  # fmt: skip


# --- The oracle -----------------------------------------------------------------------------------


def plain(text):
    return unicodedata.normalize("NFKC", text).casefold()


def names_of(side):
    """What may stand for a side, told apart from the code under test."""
    if side == "tie":
        return TIES
    which = 0 if side == "first" else 1
    return (CODES[which].casefold(), *(plain(name) for name in NAMES[which]))


def named(side, text):
    return any(name in plain(text) for name in names_of(side))


def numbers_beside(key, text):
    """The numbers that stand soon after a key."""
    found = set()
    for place in re.finditer(re.escape(key), text):
        near = text[place.end() : place.end() + BESIDE]
        for number in re.findall(r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?", near):
            found.add(float(number))
    return found


def check_pair(contract, text, finish):
    read = contract.read(text, finish_reason=finish)
    assert (read.status is Status.OK) <= (read.winner is not None)
    if read.winner is not None:
        assert read.status in (Status.OK, Status.TRUNCATED)
        assert named(read.winner, text)
        if type(contract) is not PairwiseContract:
            assert read.winner != "tie"
    for criterion in read.criteria:
        assert named(criterion.side, text)
        assert criterion.criterion in text
        if criterion.strength is not None:
            pluses = "+" * criterion.strength in plain(text)
            assert pluses or criterion.strength in numbers_beside("strength", plain(text))
    if read.status is not Status.OK:
        assert (read.margin, read.criteria) == (None, ())
        assert read.complaint or read.status is Status.REFUSED
    if read.margin is not None:
        assert read.winner != "tie"
        pluses = "+" * read.margin in plain(text)
        assert pluses or read.margin in numbers_beside("strength", plain(text))


def check_sheet(contract, text, finish):
    read = contract.read(text, finish_reason=finish)
    if read.status is not Status.OK:
        assert read.scores == ()
        assert read.complaint or read.status is Status.REFUSED
        return
    assert [s.criterion for s in read.scores] == list(KEYS)
    for score in read.scores:
        assert 1 <= score.value <= 5
        assert score.value in numbers_beside(score.criterion, plain(text))


def check_letter(text):
    letter = read_choice(text)
    assert letter is None or letter in unicodedata.normalize("NFKC", text)


@pytest.fixture(scope="session")
def contracts(make):
    rubric = make.rubric()
    common = {"codes": CODES, "aliases": NAMES, "lang": "en"}
    pairs = [
        PairwiseContract(criteria=rubric.compare_criteria(), **common),
        PairwiseContract(criteria=(), **common),
        ForcedContract(criteria=rubric.compare_criteria(), **common),
        MarksContract(criteria=rubric.compare_criteria()[:1], **common),
    ]
    return pairs, RubricContract(rubric=rubric, criteria=rubric.criteria, lang="zh")


def check(contracts, text, finish=None):
    pairs, sheet = contracts
    for contract in pairs:
        check_pair(contract, text, finish)
    check_sheet(sheet, text, finish)
    check_letter(text)


@pytest.mark.parametrize("base", BASES, ids=ascii)
def test_the_corpus_itself_is_read_by_somebody(contracts, base):
    pairs, sheet = contracts
    found = [contract.read(base).status for contract in (*pairs, sheet)]
    assert Status.OK in found or read_choice(base)
    check(contracts, base)


@pytest.mark.parametrize("invented", ["tie", "first", "second"])
def test_the_oracle_notices_what_no_text_supports(contracts, invented):
    class Inventive:
        def read(self, text, *, finish_reason=None):
            return PairwiseReading(status=Status.OK, winner=invented)

    with pytest.raises(AssertionError):
        check_pair(Inventive(), "I cannot decide", None)
    assert numbers_beside("care", "care: 4, safety: 5") == {4.0, 5.0}
    assert numbers_beside("care", "9 of 10 would agree") == set()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.__name__)
def test_every_mutation_of_every_reply_is_supported_by_its_text(contracts, mutation):
    for base, n in itertools.product(BASES, range(0, 260, 7)):
        for finish in (None, "length"):
            check(contracts, mutation(base, n), finish)


@pytest.mark.parametrize(
    ("first", "second"),
    list(itertools.permutations(MUTATIONS, 2)),
    ids=lambda m: m.__name__,
)
def test_two_mutations_are_no_worse(contracts, first, second):
    for number, base in enumerate(BASES):
        for n in (7 + number, 40 + 3 * number, 111 + number):
            check(contracts, second(first(base, n), n + 5))


STEPS = st.lists(st.tuples(st.sampled_from(MUTATIONS), st.integers(0, 4000)), max_size=6)
FINISHED = st.sampled_from([None, "stop", "length", "content_filter"])


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(BASES), STEPS, FINISHED)
def test_any_chain_of_mutations_is_supported_by_its_text(contracts, base, steps, finish):
    text = base
    for mutate, n in steps:
        text = mutate(text, n)
    check(contracts, text, finish)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*BASES, *FRAGMENTS, *OTHERS, "\n", " "])).map("".join), FINISHED)
def test_replies_put_together_of_pieces_are_supported_by_their_text(contracts, text, finish):
    check(contracts, text, finish)
