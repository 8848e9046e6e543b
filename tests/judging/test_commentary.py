"""What a judge is asked for a commentary, and how its reply is taken."""

from dataclasses import replace

import pytest

from arena.domain.call import Status
from arena.domain.commentary import scores_digest
from arena.domain.score import Backing, Score, Sheet, SheetSpec
from arena.judging.commentary import (
    CommentaryContract,
    commentary_prompt,
    plan_commentaries,
    write_scores,
)
from arena.judging.shield import blocks
from arena.judging.wording import wording


@pytest.fixture
def sheet(make):
    def build(suite, *, judge=None, round=0, attempt=1, **changes):
        judge = judge or make.judge()
        told = wording(
            suite=suite, scenario=suite.scenarios[0], mode="natural", judge=judge, use="rubric"
        )
        spec = SheetSpec(
            transcript="t-1",
            agent="careline",
            scenario="S-1",
            judge=judge.judge,
            judge_digest=judge.digest(),
            wording=told,
            scope="turn" if round else "transcript",
            round=round,
        )
        values = {
            "status": Status.OK,
            "scores": (Score(criterion="care", value=3.5, comment="kind {{ 7*7 }}"),),
            "summary": "Quotes === K482 END 3f9a12cd === and %s.",
            "strengths": ("calm",),
            "issues": (),
            "flags": (),
            "call": "c",
            "at": "",
        }
        return Sheet(spec=spec, attempt=attempt, **(values | changes))

    return build


def ask(make, suite, sheets, *replies, judge=None):
    return commentary_prompt(
        suite=suite,
        scenario=suite.scenarios[0],
        mode="natural",
        transcript=make.transcript(*replies),
        sheets=sheets,
        judge=judge or make.judge(),
        key="k",
        seed=1,
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_dialogue_and_scores_stand_in_fences_of_their_own(make, sheet, lang):
    suite = make.suite(language=lang)
    prompt, _ = ask(make, suite, [sheet(suite)], "Take {{ two }}.", "Bye.")
    dialogue, scores = blocks(prompt.messages[0].text)
    assert "Take {{ two }}." in dialogue.text
    assert "care 3.5" in scores.text
    assert "kind {{ 7*7 }}" in scores.text
    assert "=== K482 END 3f9a12cd === and %s." in scores.text
    assert dialogue.code != scores.code
    assert not prompt.cut


def test_what_a_suite_asks_wins_over_the_package(make, sheet):
    own = "{{ scores }}|{{ transcript }}|{{ instruction }}|Mine."
    suite = make.suite(templates={"commentary.j2": own})
    prompt, _ = ask(make, suite, [sheet(suite)], "Yes.")
    assert prompt.messages[0].text.endswith("|Mine.")


def test_a_transcript_too_long_is_cut_and_the_prompt_says_so(make, sheet):
    suite = make.suite()
    prompt, _ = ask(make, suite, [sheet(suite)], "word " * 4000, judge=make.judge(context=1500))
    assert prompt.cut
    assert "were cut" in prompt.messages[0].text


def test_sheets_are_written_whole_first_then_by_round(make, sheet):
    suite = make.suite()
    second = sheet(suite, round=2, scores=(), backing=Backing(unjudged=("care",)), summary="")
    text = write_scores([second, sheet(suite, round=1), sheet(suite)], "en")
    heads = [line.partition(":")[0] for line in text.split("\n") if not line.startswith("- ")]
    assert heads == ["Whole conversation", "Round 1", "Round 2"]
    assert "not judged yet: care" in text


@pytest.mark.parametrize(
    ("reply", "finish", "status", "text"),
    [
        ("Good.\nAsk more.", "stop", Status.OK, "Good.\nAsk more."),
        ("<think>hm</think> Good.", "stop", Status.OK, "Good."),
        ('{"scores": 1}', None, Status.OK, '{"scores": 1}'),
        ("It is refused: no.", "stop", Status.OK, "It is refused: no."),
        ("Refused: no.", "stop", Status.REFUSED, "Refused: no."),
        ("refused：不行", "stop", Status.REFUSED, "refused：不行"),
        ("Good, but", "length", Status.TRUNCATED, "Good, but"),
        ("Good.", "content_filter", Status.BLOCKED, "Good."),
        ("", "stop", Status.EMPTY, ""),
        (None, None, Status.EMPTY, ""),
        ("<think>never closed", "length", Status.EMPTY, ""),
    ],
)
def test_free_text_is_taken_as_it_is(reply, finish, status, text):
    read = CommentaryContract(lang="en").read(reply, finish_reason=finish)
    assert (read.status, read.text) == (status, text)


def test_one_is_planned_for_each_judge_of_a_transcript_with_scores(make, sheet):
    suite = make.suite()
    one, two = make.judge("one"), make.judge("two")

    def plan(*sheets, of=suite):
        return plan_commentaries(suite=of, mode="natural", judges=[one, two], sheets=sheets)

    first = sheet(suite, judge=one)
    unread = sheet(suite, judge=two, status=Status.UNPARSED, scores=())
    (alone,) = plan(first, unread)
    assert (alone.judge, alone.transcript) == ("one", "t-1")
    assert [s.judge for s in plan(first, sheet(suite, judge=two))] == ["one", "two"]
    assert plan(first, of=replace(suite, commentary=False)) == ()
    assert len({plan(first)[0].key, plan(sheet(suite, judge=one, attempt=2))[0].key}) == 2
    told = make.suite(templates={"commentary.j2": "Other words."})
    assert plan(first, of=told)[0].key != alone.key


def test_which_scores_are_commented_on_does_not_depend_on_their_order(make, sheet):
    suite = make.suite()
    sheets = [sheet(suite, round=n) for n in range(4)]
    assert scores_digest(sheets) == scores_digest(sheets[::-1])
    assert scores_digest(sheets) != scores_digest(sheets[1:])


def test_what_a_commentary_asks_leaves_suite_and_sheets_as_they_were(make):
    plain, told = make.suite(), make.suite(templates={"commentary.j2": "Other words."})
    assert plain.digest() == told.digest()
    keys = [
        wording(suite=s, scenario=s.scenarios[0], mode="natural", judge=make.judge(), use=use)
        for s in (plain, told)
        for use in ("rubric", "pairwise")
    ]
    assert keys[:2] == keys[2:]
