"""A wording changes with what a judge is told, and with nothing else."""

from dataclasses import asdict

import pytest

from arena.judging.wording import wording

USES = ("rubric", "pairwise")


def word(suite, judge, use, *, at=0, mode="natural"):
    return wording(suite=suite, scenario=suite.scenarios[at], mode=mode, judge=judge, use=use)


def changed(before, after):
    one, other = asdict(before), asdict(after)
    return {part for part in one if one[part] != other[part]}


@pytest.mark.parametrize("use", USES)
def test_mending_a_note_changes_the_wording_of_its_scenario_and_mode_only(make, use):
    judge, before = make.judge(), make.suite()
    notes = {"natural": "Trap: a third dose.", "lite": "Asks about the dose."}
    after = make.suite(scenarios=(make.scenario("S-1", notes=notes), make.scenario("S-2")))
    assert changed(word(before, judge, use), word(after, judge, use)) == {"notes"}
    assert not changed(word(before, judge, use, at=1), word(after, judge, use, at=1))
    lite = (word(s, judge, use, mode="lite") for s in (before, after))
    assert not changed(*lite)


SCENARIO = [
    {"title": "Another title"},
    {"persona": {"user": "Mrs Lin, 78", "context": "He lives alone."}},
    {"persona": {"user": "Mr Lin, 78", "context": ""}},
    {"failure_mode": "Says no."},
    {"red_flags": ()},
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("change", SCENARIO)
def test_all_that_is_told_of_a_scenario_is_in_its_notes(make, use, change):
    after = make.suite(scenarios=(make.scenario("S-1", **change),))
    assert changed(word(make.suite(), make.judge(), use), word(after, make.judge(), use)) == {
        "notes"
    }


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("change", [{"turns": ["Another turn"]}, {"tags": ["x"]}])
def test_what_is_not_told_apart_from_the_transcript_changes_no_wording(make, use, change):
    after = make.suite(scenarios=(make.scenario("S-1", **change),))
    assert not changed(word(make.suite(), make.judge(), use), word(after, make.judge(), use))


def rubric_with(make, **care):
    base = make.rubric().model_dump(mode="json")
    base["criteria"][0] |= care
    return make.rubric(criteria=base["criteria"])


def test_the_rubric_is_in_its_own_digest(make):
    judge, before = make.judge(), make.suite()
    changes = [
        make.rubric(scale=[1, 6]),
        make.rubric(anchors={1: "poor", 5: "perfect"}),
        make.rubric(comments=True),
        make.rubric(independence="joint"),
        rubric_with(make, question="Is it very caring?"),
        rubric_with(make, high="hot"),
        rubric_with(make, scale=(0, 9)),
        rubric_with(make, notes={"natural": "Be lenient."}),
        rubric_with(make, only={"tags": ("nowhere",)}),
    ]
    for rubric in changes:
        after = make.suite(rubric=rubric)
        assert changed(word(before, judge, "rubric"), word(after, judge, "rubric")) == {"rubric"}


def test_pairwise_knows_only_what_it_compares(make):
    judge, before = make.judge(), make.suite()
    scale = make.suite(rubric=make.rubric(scale=[1, 6]))
    assert not changed(word(before, judge, "pairwise"), word(scale, judge, "pairwise"))
    fewer = make.suite(rubric=make.rubric(compare=["care"]))
    assert changed(word(before, judge, "pairwise"), word(fewer, judge, "pairwise")) == {"rubric"}
    assert not changed(word(before, judge, "rubric"), word(fewer, judge, "rubric"))


def test_a_template_concerns_its_own_use_only(make):
    judge, before = make.judge(), make.suite()
    after = make.suite(templates={"pairwise.j2": "{{ first }}{{ second }}{{ instruction }}"})
    pair = changed(word(before, judge, "pairwise"), word(after, judge, "pairwise"))
    assert pair == {"template"}
    assert not changed(word(before, judge, "rubric"), word(after, judge, "rubric"))


def test_the_language_is_in_the_template(make):
    chinese = word(make.suite(language="zh"), make.judge(), "rubric")
    assert changed(word(make.suite(), make.judge(), "rubric"), chinese) == {"template"}


@pytest.mark.parametrize("use", USES)
def test_a_judge_bears_on_its_wording_by_its_cut_only(make, use):
    one = word(make.suite(), make.judge(), use)
    assert one == word(make.suite(), make.judge("other", vendor="v"), use)
    assert changed(one, word(make.suite(), make.judge(context=4096), use)) == {"cut"}


def test_rubric_and_pairwise_share_what_is_told_of_the_scenario(make):
    both = [word(make.suite(), make.judge(), use) for use in USES]
    assert changed(*both) == {"template", "rubric"}
