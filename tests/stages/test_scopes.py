"""Agreement of scores of rounds and of wholes."""

import pytest

from arena.domain.scored import ScoredTranscript
from arena.stages.rank.scopes import make_scopes


def scored(turn, whole):
    return ScoredTranscript(
        agent="x",
        scenario="S-1",
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
    (found,) = make_scopes(rows)
    assert (found.criterion, found.transcripts) == ("care", 3)
    assert (found.turn, found.transcript, found.difference) == (2.0, 5.0, -3.0)
    assert found.spearman == pytest.approx(1.0)


def test_one_scope_alone_is_no_agreement():
    assert make_scopes([scored({}, {"care": 2.0})]) == ()


def test_too_few_transcripts_have_no_correlation():
    (found,) = make_scopes([scored({"care": 1.0}, {"care": 2.0})] * 2)
    assert found.spearman is None
