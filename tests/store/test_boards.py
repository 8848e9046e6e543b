"""Boards: kept whole, once, and found again by what they are boards of."""

from dataclasses import replace

import pytest

from arena.domain.board import (
    SCHEMA,
    Agreement,
    Board,
    Calibration,
    Diagnostics,
    Effect,
    JudgeCount,
    RowCount,
    Slice,
    SliceStanding,
)
from arena.domain.method import Method
from arena.domain.standing import AbsoluteScore, PairStanding, Points, Standing, State, Why

STANDING = Standing(
    agent="康伴 \u2028 '2.1'",
    state=State.PROVISIONAL,
    why=Why(key="few_scenarios", facts={"scenarios": 3, "also": ["unvaried"]}),
    rating=1012.345678901234,
    low=None,
    high=None,
    open=None,
    se=None,
    se_clustered=1.5,
    rank_low=None,
    rank_high=None,
    resample_rank_low=None,
    resample_rank_high=None,
    p_best=0.1,
    wins=2,
    ties=1,
    losses=0,
    share=5 / 6,
    comparisons=3,
    scenarios=3,
    planned=None,
    excluded={"missing": 1},
    worst=900.5,
    best=None,
    controlled=Points(rating=1001.5, low=None, high=1100.0, se=None),
    calibrated=None,
    figure=0.25,
    absolute=AbsoluteScore(mean=50.0, low=None, high=None, scenarios=3, planned=4),
    criteria={"care": AbsoluteScore(mean=3.0, low=2.0, high=4.0, scenarios=5, planned=5)},
    domains={},
)
PAIR = PairStanding(
    a="x", b="y", n=0, scenarios=0, planned=None, missing=None, share=None, wins=0, ties=0,
    losses=0,
    flips=0, p_a_above_b=None, difference=None, se=None, low=None, high=None, p=None,
    p_holm=None, decision=None,
    expected=None, residual=None, z=None,
)  # fmt: skip
BOARD = Board(
    schema=SCHEMA,
    suite="tiny",
    suite_version="1.0.0",
    suite_digest="d",
    mode="natural",
    panel=("j",),
    method=Method(
        resamples=100,
        seed=1,
        controls=("position",),
        by=("domain",),
        source={"columns": {"a": "left"}},
        versions={"arena": "0"},
    ),
    scenarios=3,
    scenarios_planned=4,
    comparisons=3,
    notes=(Why(key="nobody_ranked"),),
    agents=(STANDING,),
    pairs=(PAIR,),
    slices=(
        Slice(
            by="domain",
            value="sleep",
            comparisons=3,
            scenarios=3,
            agents=(
                SliceStanding(
                    agent="x",
                    state=State.PROVISIONAL,
                    rating=1000.0,
                    low=None,
                    high=None,
                    rank_low=None,
                    rank_high=None,
                    share=0.5,
                    comparisons=3,
                    scenarios=3,
                ),
            ),
        ),
    ),
    effects=(
        Effect(
            control="position", judge="j", effect=0.1, se=0.2, low=-0.3, high=0.5, p=0.6, rows=6
        ),
    ),
    calibration=Calibration(
        labelled=2,
        scenarios=2,
        probability=0.2,
        power=None,
        agreement=(Agreement(measure="kappa", value=0.5, low=None, high=None, n=2),),
    ),
    diagnostics=Diagnostics(
        flips=0,
        flip_rate=None,
        ties=1,
        tie_share=1 / 3,
        cycles=0,
        triads=0,
        cycle_examples=(),
        residuals=(),
        spearman=None,
        misfit=None,
        tie_parameter=None,
        second_opinion=1e-9,
        orders={"x": (990.0, 1010.0)},
        rows=RowCount(read=6, used=5, excluded={"self_pair": 1}, first={"self_pair": 4}),
        judges=(JudgeCount(judge="j", comparisons=3, flips=0, ties=1, rows={"ok": 6}),),
    ),
    software="arena 0",
    data_digest="e",
    at="2026-11-30T04:00:00.000Z",
)


def later(board, minute, **changes):
    return replace(board, at=f"2026-11-30T04:{minute:02}:00.000Z", **changes)


def count(store):
    return store.summaries.counts()["boards"]


def test_a_board_comes_back_as_it_was(store):
    store.boards.add(BOARD, run="r")
    assert store.boards.latest("tiny", "natural") == BOARD


def test_the_same_board_is_kept_once(store):
    for minute in (1, 2):
        store.boards.add(later(BOARD, minute), run=f"r-{minute}")
    assert count(store) == 1


def test_the_board_computed_last_is_found(store):
    for minute, seed in ((2, 12), (1, 11), (3, 13)):
        store.boards.add(later(BOARD, minute, method=Method(seed=seed)), run="r")
    assert count(store) == 3
    assert store.boards.latest("tiny", "natural").method.seed == 13


def test_a_board_computed_again_after_another_is_the_last(store):
    # With one seed, with another, and with the first again: the page shows the first.
    for minute, seed in ((1, 1), (2, 2), (3, 1)):
        store.boards.add(later(BOARD, minute, method=Method(seed=seed)), run=f"r-{minute}")
    assert store.boards.latest("tiny", "natural").method.seed == 1


@pytest.mark.parametrize(
    ("suite", "mode", "domains"),
    [("other", "natural", ()), ("tiny", "lite", ()), ("tiny", "natural", ("health",))],
)
def test_a_board_of_something_else_is_not_found(store, suite, mode, domains):
    store.boards.add(BOARD, run="r")
    assert store.boards.latest(suite, mode, domains=domains) is None


def test_a_board_of_some_domains_stands_beside_that_of_all(store):
    part = later(BOARD, 5, comparisons=2)
    store.boards.add(BOARD, run="r")
    store.boards.add(part, run="r", domains=("b", "a"))
    assert store.boards.latest("tiny", "natural") == BOARD
    assert store.boards.latest("tiny", "natural", domains=("a", "b")) == part


def test_the_order_of_domains_makes_no_other_board(store):
    for domains in (("a", "b"), ("b", "a")):
        store.boards.add(BOARD, run="r", domains=domains)
    assert count(store) == 1


def test_a_board_survives_closing(make, database):
    from arena.store.store import Store

    with Store(database) as store:
        store.boards.add(BOARD, run="r")
    with Store(database) as store:
        assert store.boards.latest("tiny", "natural") == BOARD
