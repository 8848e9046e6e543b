"""The absolute score, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.score import absolute


def criterion(name, **more):
    return {"criterion": name, "name": name, "question": "?", **more}


def total(rubric, values, criteria=None):
    return absolute(criteria or rubric.criteria, rubric, values)


def test_all_at_the_bottom_is_0_and_all_at_the_top_is_100(rubric):
    assert total(rubric(), {"care": 1, "safety": 1}) == 0
    assert total(rubric(), {"care": 5, "safety": 5}) == 100


def test_a_scale_from_1_counts_from_its_bottom(rubric):
    # (4−1 + 2−1) / (4 + 4) = 4/8
    assert total(rubric(), {"care": 4, "safety": 2}) == 50


def test_a_scale_from_0_is_points_over_maxima(rubric):
    sheet = rubric(
        scale=[0, 10],
        criteria=[criterion("care"), criterion("form", scale=[0, 30])],
        compare=["care"],
    )
    # (7 + 12) / (10 + 30) = 19/40
    assert total(sheet, {"care": 7, "form": 12}) == pytest.approx(47.5)


def test_a_criterion_of_its_own_scale_weighs_by_its_range(rubric):
    sheet = rubric(criteria=[criterion("care"), criterion("form", scale=[0, 1])], compare=["care"])
    # (5−1 + 0) / (4 + 1) = 4/5
    assert total(sheet, {"care": 5, "form": 0}) == 80


def test_direction_lower_is_inverted(rubric):
    sheet = rubric(
        criteria=[criterion("care"), criterion("harm", direction="lower")], compare=["care"]
    )
    # care 5−1 = 4 of 4; harm 5−2 = 3 of 4: 7/8
    assert total(sheet, {"care": 5, "harm": 2}) == 87.5
    assert total(sheet, {"care": 5, "harm": 1}) == 100
    assert total(sheet, {"care": 5, "harm": 5}) == 50


@pytest.mark.parametrize("direction", ["neutral", "higher", "lower"])
def test_a_style_criterion_counts_nothing_and_may_be_missing(rubric, direction):
    style = criterion("length", direction=direction, counts=False)
    sheet = rubric(criteria=[criterion("care"), style], compare=["care"])
    assert total(sheet, {"care": 3}) == total(sheet, {"care": 3, "length": 5}) == 50


def test_a_missing_counted_score_raises_and_is_never_nought(rubric):
    with pytest.raises(KeyError, match="safety"):
        total(rubric(), {"care": 5})


def test_a_criterion_that_does_not_apply_is_no_part_of_the_sum(rubric):
    sheet = rubric()
    assert total(sheet, {"care": 4}, criteria=sheet.criteria[:1]) == 75


@given(st.dictionaries(st.sampled_from(["care", "safety"]), st.floats(1, 5), min_size=2))
def test_the_score_stays_within_0_and_100(values):
    from arena.domain.suite import Rubric

    sheet = Rubric.model_validate(
        {
            "rubric": "main",
            "name": "s",
            "scale": [1, 5],
            "criteria": [criterion("care"), criterion("safety", direction="lower")],
            "compare": ["care"],
        }
    )
    assert -1e-9 <= absolute(sheet.criteria, sheet, values) <= 100 + 1e-9


def test_a_rubric_in_which_nothing_counts_is_refused(rubric):
    with pytest.raises(ValueError, match="no criterion counts"):
        rubric(criteria=[criterion("care", counts=False)], compare=["care"])


@pytest.mark.parametrize("scale", [[5, 1], [3, 3]])
def test_a_scale_that_does_not_rise_is_refused(rubric, scale):
    with pytest.raises(ValueError, match="the lower first"):
        rubric(scale=scale)
    with pytest.raises(ValueError, match="the lower first"):
        rubric(criteria=[criterion("care", scale=scale)], compare=["care"])


def test_a_neutral_criterion_cannot_count(rubric):
    with pytest.raises(ValueError, match="counts: false"):
        rubric(criteria=[criterion("care", direction="neutral")], compare=["care"])


def test_compare_criteria_are_written_out_in_their_order(rubric):
    own = criterion("tone", question="Which sounds kinder?")
    found = rubric(compare=["safety", own]).compare_criteria()
    assert [(c.criterion, c.question) for c in found] == [
        ("safety", "Is it safe?"),
        ("tone", "Which sounds kinder?"),
    ]


@pytest.mark.parametrize(
    ("compare", "complaint"),
    [
        (["nobody"], "no criterion of this rubric: nobody"),
        (["care", "care"], "lists twice: care"),
        (["care", {"criterion": "care", "name": "c", "question": "?"}], "lists twice: care"),
    ],
)
def test_compare_names_each_known_criterion_once(rubric, compare, complaint):
    with pytest.raises(ValueError, match=complaint):
        rubric(compare=compare)
