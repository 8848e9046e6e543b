"""The second rating of `arena rank FILE`: planted effects are found and taken away."""

import json
import math
from itertools import combinations

import numpy as np
import pytest

import arena
from tests.support.outcome_files import (
    IN_SCENARIOS,
    JUDGED,
    POINTS,
    board_of,
    centred,
    judged,
    names_of,
    ratings,
    standing,
)

QUICK = {"resamples": 200}


def test_an_effect_of_position_is_found_and_folding_is_undone(tmp_path):
    truth, bias = [-1.0, -0.3, 0.4, 0.9], 0.8
    rows = judged(truth, 60, np.random.default_rng(1), bias=bias)
    board = board_of(tmp_path, JUDGED, rows, control=["position"], **QUICK)
    (effect,) = board.effects
    assert (effect.control, effect.judge, effect.rows) == ("position", None, len(rows))
    assert effect.low < bias < effect.high
    assert effect.low > 0
    assert board.diagnostics.flip_rate > 0.2
    plain = board_of(tmp_path, JUDGED, rows, **QUICK)
    assert ratings(board) == ratings(plain)
    spread = {name: points - 1000 for name, points in centred(truth).items()}
    slope = [
        np.dot([values[n] - 1000 for n in spread], list(spread.values()))
        / np.square(list(spread.values())).sum()
        for values in (ratings(board), {s.agent: s.controlled.rating for s in board.agents})
    ]
    assert slope[0] < slope[1]
    for s in board.agents:
        assert abs(s.controlled.rating - centred(truth)[s.agent]) < 4 * s.controlled.se
        assert s.controlled.low < s.controlled.rating < s.controlled.high


def expected_margins(truth, scenarios, biases):
    """Rows whose margins are expected shares: data without noise, a judge for every bias."""
    names = names_of(truth)
    rows = []
    for judge, bias in enumerate(biases):
        for s in range(scenarios):
            for i, j in combinations(range(len(truth)), 2):
                for order, sign in (("ab", 1), ("ba", -1)):
                    margin = math.tanh((truth[i] - truth[j] + sign * bias) / 2)
                    outcome = "a" if margin > 0 else "b"
                    row = (f"s{s}", names[i], names[j], outcome, order, f"j{judge}")
                    rows.append((*row, repr(abs(margin))))
    return rows


def slope_of(found, truth):
    points = np.array([found[name] - 1000 for name in names_of(truth)]) / POINTS
    theta = np.asarray(truth) - np.mean(truth)
    return float(points @ theta / (theta @ theta))


def test_folding_shrinks_by_the_published_factor_and_position_restores_it(tmp_path):
    truth = np.linspace(-1, 1, 12)
    rows = expected_margins(truth, 10, [0.8])
    board = board_of(
        tmp_path, (*JUDGED, "margin"), rows, outcome="margin", control=["position"], resamples=20
    )
    assert slope_of(ratings(board), truth) == pytest.approx(0.872, abs=0.001)
    freed = {s.agent: s.controlled.rating for s in board.agents}
    assert slope_of(freed, truth) == pytest.approx(1, abs=1e-6)
    assert board.effects[0].effect == pytest.approx(0.8, abs=1e-6)


@pytest.mark.reported("R36")
def test_every_judge_has_a_position_effect_of_its_own(tmp_path):
    truth = np.linspace(-1, 1, 6)
    rows = expected_margins(truth, 10, [0.0, 1.6])
    board = board_of(
        tmp_path, (*JUDGED, "margin"), rows, outcome="margin", control=["position"], resamples=20
    )
    effects = {e.judge: e.effect for e in board.effects}
    assert effects == pytest.approx({"j0": 0.0, "j1": 1.6}, abs=1e-6)
    freed = {s.agent: s.controlled.rating for s in board.agents}
    assert slope_of(freed, truth) == pytest.approx(1, abs=1e-6)


def swayed(rng, *, length=0.0, vendor=0.0, scenarios=80):
    """m3 writes at length; judges of vendor x favour agents of vendor x."""
    truth = [-0.5, 0.0, 0.5, 0.0]
    names, vendors = names_of(truth), ["x", "y", "y", "z"]
    rows = []
    for s in range(scenarios):
        for i, j in combinations(range(4), 2):
            size = [round(100 * math.exp(rng.normal(0, 0.4) + 1.0 * (k == 3))) for k in (i, j)]
            judge = ("x", "y")[int(rng.integers(2))]
            gap = truth[i] - truth[j] + length * math.log(size[0] / size[1])
            gap += vendor * ((vendors[i] == judge) - (vendors[j] == judge))
            outcome = "a" if rng.random() < 1 / (1 + math.exp(-gap)) else "b"
            rows.append(
                (f"s{s}", names[i], names[j], outcome, *size, vendors[i], vendors[j], judge)
            )
    columns = (*IN_SCENARIOS, "length_a", "length_b", "vendor_a", "vendor_b", "judge_vendor")
    return truth, columns, rows


@pytest.mark.reported("R36")
def test_an_effect_of_length_is_found_and_the_long_winded_fall(tmp_path):
    truth, columns, rows = swayed(np.random.default_rng(7), length=0.9, scenarios=160)
    board = board_of(tmp_path, columns, rows, control=["length"], **QUICK)
    (effect,) = board.effects
    assert effect.control == "length"
    assert effect.low < 0.9 < effect.high
    assert effect.low > 0.3
    wordy = standing(board, "m3")
    fair = centred(truth)["m3"]
    assert wordy.rating - fair > 60
    assert abs(wordy.controlled.rating - fair) < 4 * wordy.controlled.se
    assert wordy.controlled.rating < wordy.rating - 60


def test_lengths_may_stand_in_the_metadata_of_a_conversation(tmp_path):
    _, columns, rows = swayed(np.random.default_rng(7), length=0.9)
    lines = [
        json.dumps(
            {
                **dict(zip(("question_id", "model_a", "model_b", "winner"), row, strict=False)),
                "conv_metadata": {
                    "sum_assistant_a_tokens": row[4],
                    "sum_assistant_b_tokens": row[5],
                },
            }
        )
        for row in rows
    ]
    path = tmp_path / "votes.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    board = arena.rank(path, control=["length"], **QUICK)
    plain = board_of(tmp_path, columns, rows, control=["length"], **QUICK)
    assert board.effects[0].effect == pytest.approx(plain.effects[0].effect, rel=1e-9)


def test_no_effect_of_length_is_not_invented(tmp_path):
    _, columns, rows = swayed(np.random.default_rng(3))
    board = board_of(tmp_path, columns, rows, control=["length", "vendor"], **QUICK)
    assert [e.control for e in board.effects] == ["length", "vendor"]
    for effect in board.effects:
        assert effect.p > 0.01
        assert effect.low < 0 < effect.high
    for s in board.agents:
        assert abs(s.controlled.rating - s.rating) < 3 * s.controlled.se


@pytest.mark.reported("R36")
def test_judges_that_favour_their_own_vendor_are_found_out(tmp_path):
    _, columns, rows = swayed(np.random.default_rng(4), vendor=0.8)
    board = board_of(tmp_path, columns, rows, control=["vendor"], **QUICK)
    (effect,) = board.effects
    assert effect.low < 0.8 < effect.high
    assert effect.low > 0


def test_any_column_of_both_sides_is_a_control_whatever_its_unit(tmp_path):
    _, columns, rows = swayed(np.random.default_rng(2), length=0.9)
    renamed = [c.replace("length", "emoji") for c in columns]
    boards = [
        board_of(
            tmp_path,
            renamed,
            [(*r[:4], r[4] * unit, r[5] * unit, *r[6:]) for r in rows],
            control=["emoji"],
            **QUICK,
        )
        for unit in (1, 1000)
    ]
    one, other = (b.effects[0] for b in boards)
    assert one.control == "emoji"
    assert one.effect > 0
    assert other.effect == pytest.approx(one.effect, rel=1e-6)
    assert {s.agent: s.controlled.rating for s in boards[0].agents} == pytest.approx(
        {s.agent: s.controlled.rating for s in boards[1].agents}
    )


def test_verdicts_without_a_length_are_left_out_of_the_second_rating_and_counted(tmp_path):
    _, columns, rows = swayed(np.random.default_rng(2), length=0.9)
    holes = [(*r[:4], "", *r[5:]) if n < 7 else r for n, r in enumerate(rows)]
    board = board_of(tmp_path, columns, holes, control=["length"], **QUICK)
    assert {n.key: n.facts for n in board.notes}["uncontrolled"] == {"rows": 7}
    assert board.comparisons == len(rows)
