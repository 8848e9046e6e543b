"""Differences and widths as people read them."""

import pytest

from arena.site import formats


@pytest.mark.parametrize(
    ("value", "low", "high", "turned", "said"),
    [
        (82.0, 4.0, 161.0, False, "+82 (+4 … +161)"),
        (82.0, 4.0, 161.0, True, "−82 (−161 … −4)"),
        (-3.0, None, None, False, "−3"),
        (None, None, None, True, "—"),
    ],
)
def test_a_difference_turns_with_its_interval(value, low, high, turned, said):
    assert formats.gap(value, low, high, turned=turned) == said


def test_half_an_interval_is_never_rounded_to_nothing():
    assert formats.half(1.0, 5.5) == "±2.25"
    assert formats.half(0.0100, 0.0102) == "±0.0001"
    assert formats.half(100.0, 3100.0) == "±1,500.00"


def test_an_interval_about_a_score_has_one_width_only_where_both_are_alike():
    assert formats.give(50.0, 40.0, 60.0) == "±10.0"
    assert formats.give(95.0, 80.0, 100.0) == "+5.0/−15.0"
