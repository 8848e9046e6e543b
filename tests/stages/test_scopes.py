"""Agreement of scores of rounds and of wholes."""

import pytest

from arena.domain.method import Method
from arena.domain.scored import ScoredTranscript
from arena.stages.rank.scopes import make_scopes

METHOD = Method(resamples=200, seed=3)


def scored(turn, whole, scenario="S-1"):
    return ScoredTranscript(
        agent="x",
        scenario=scenario,
        domain="d",
        replicate=1,
        judge="j",
        absolute=None,
        criteria=whole,
        turn_criteria=turn,
    )


def test_a_criterion_is_compared_only_where_both_scopes_have_it():
    rows = [
        scored({"care": 1.0}, {"care": 2.0, "safety": 4.0}),
        scored({"care": 2.0}, {"care": 4.0}),
        scored({"care": 3.0}, {"care": 9.0}),
        scored({"care": 5.0}, {}),
        scored({}, {"care": 0.0}),
    ]
    (found,) = make_scopes(rows, METHOD)
    assert (found.criterion, found.transcripts) == ("care", 3)
    assert (found.turn, found.transcript, found.difference) == (2.0, 5.0, -3.0)
    assert found.spearman == pytest.approx(1.0)


def test_one_scope_alone_is_no_agreement():
    assert make_scopes([scored({}, {"care": 2.0})], METHOD) == ()


def test_too_few_transcripts_have_no_correlation():
    (found,) = make_scopes([scored({"care": 1.0}, {"care": 2.0})] * 2, METHOD)
    assert found.spearman is None


def test_intervals_rest_on_scenarios_and_not_on_the_order_of_the_rows():
    rows = [
        scored({"care": (3 * n + k) % 7}, {"care": (3 * n + 2 * k) % 5 + 0.5}, f"S-{n}")
        for n in range(8)
        for k in range(3)
    ]
    (found,) = make_scopes(rows, METHOD)
    assert (found.transcripts, found.scenarios) == (24, 8)
    assert found.spearman_low < found.spearman < found.spearman_high
    assert found.difference_low < found.difference < found.difference_high
    assert make_scopes(rows[::-1], METHOD) == (found,)


def test_few_scenarios_have_no_interval_however_many_transcripts():
    rows = [scored({"care": k % 7}, {"care": k % 5}, f"S-{k % 4}") for k in range(60)]
    (found,) = make_scopes(rows, METHOD)
    assert found.spearman is not None
    assert (found.spearman_low, found.difference_low) == (None, None)
