"""Where verdicts and scores disagree."""

from dataclasses import replace

import pytest

from arena.domain.call import Status
from arena.site.contradictions import (
    CLEARLY,
    MOST_SCENARIOS,
    build_contradictions,
    compare_scores,
    find_upsets,
    gather_scores,
)
from arena.site.facts import ComparisonFact, TranscriptFact
from arena.site.names import make_names
from arena.site.words import say_in
from tests.site.boards import edition_of, make_board, pair, standing
from tests.site.hostile import make_job, make_suite

SCENARIOS = 12
JOB = make_job(suite=make_suite(SCENARIOS))
IDS = [s.scenario for s in JOB.suite.scenarios]
PAGES = {name: f"s/{n}.html" for n, name in enumerate(IDS)}


def built(scores, shares=(), decision="a"):
    """Absolute scores by agent, one a scenario; what "a" earned of "b" before each judge."""
    board = make_board([standing("a"), standing("b")], [pair("a", "b", decision)])
    edition = edition_of(board, JOB)
    transcripts = {
        name: tuple(
            TranscriptFact(
                agent=agent,
                scenario=name,
                replicate=1,
                rounds=(),
                status=Status.OK,
                broken=0,
                error="",
                sheets=(),
                absolute=own[n],
                cost=None,
                latencies=(),
            )
            for agent, own in scores.items()
        )
        for n, name in enumerate(IDS)
    }
    comparisons = {
        name: tuple(
            ComparisonFact(
                a="a",
                b="b",
                scenario=name,
                replicate=1,
                judge=f"j{j}",
                verdicts=(),
                share=share,
                flipped=False,
            )
            for j, share in enumerate(told)
        )
        for name, told in zip(IDS, shares, strict=False)
    }
    return replace(
        edition, scenarios=JOB.suite.scenarios, transcripts=transcripts, comparisons=comparisons
    )


def found(edition, lang="en"):
    return build_contradictions(edition, make_names(edition, say_in(lang)), PAGES)


LOW = [40.0 + n % 3 for n in range(SCENARIOS)]
HIGH = [60.0 + n % 5 for n in range(SCENARIOS)]


def test_a_pair_contradicts_itself_only_where_both_sides_are_decided_and_differ():
    against = found(built({"a": LOW, "b": HIGH}))
    (row,) = against.pairs
    assert (row.preferred, row.scored) == ("a", "b")
    assert row.by_verdicts.startswith("+80")
    assert row.by_scores.startswith("−")
    assert found(built({"a": HIGH, "b": LOW})).pairs == ()
    assert found(built({"a": LOW, "b": HIGH}, decision=None)).pairs == ()
    noisy = [50.0 + 30 * (-1) ** n for n in range(SCENARIOS)]
    assert found(built({"a": noisy, "b": [55.0] * SCENARIOS})).pairs == ()


def test_a_difference_is_seen_from_whom_verdicts_prefer():
    (row,) = found(built({"a": HIGH, "b": LOW}, decision="b")).pairs
    assert (row.preferred, row.scored) == ("b", "a")
    assert row.by_verdicts.startswith("−80")


def test_scores_are_compared_on_what_both_have_and_not_on_too_little():
    few = [None] * (SCENARIOS - 4) + [90.0] * 4
    edition = built({"a": LOW, "b": few})
    assert compare_scores(edition.board, gather_scores(edition)) == ()
    assert found(edition) is None


@pytest.mark.parametrize(
    ("shares", "listed"),
    [
        ((1.0, 1.0), True),
        ((1.0, 0.5), False),
        ((1.0, None), False),
        ((0.0, 0.0), False),
        ((), False),
    ],
)
def test_an_upset_is_a_winner_before_every_judge_that_scored_clearly_lower(shares, listed):
    edition = built({"a": LOW, "b": HIGH}, [shares])
    assert bool(find_upsets(edition, gather_scores(edition))) == listed


def test_a_gap_counts_from_the_stated_number_of_points_on():
    for gap, listed in ((CLEARLY, 1), (CLEARLY - 0.1, 0)):
        scores = {"a": [50.0] * SCENARIOS, "b": [50.0 + gap] * SCENARIOS}
        edition = built(scores, [(1.0,)])
        assert len(find_upsets(edition, gather_scores(edition))) == listed


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_largest_gaps_come_first_with_a_link_and_the_rest_is_counted(lang):
    wide = [60.0 + n for n in range(SCENARIOS)]
    told = found(built({"a": [40.0] * SCENARIOS, "b": wide}, [(1.0,)] * SCENARIOS), lang)
    assert len(told.scenarios) == MOST_SCENARIOS
    assert told.scenarios[0].href == f"{PAGES[IDS[-1]]}#c-a:b"
    assert str(SCENARIOS - MOST_SCENARIOS) in told.more
    assert not [s for s in told.said if "{" in s]
