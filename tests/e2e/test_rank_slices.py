"""Boards of parts of a file, and people who correct the judges."""

import math
from itertools import combinations

import numpy as np
import pytest

import arena
from tests.support.outcome_files import (
    IN_SCENARIOS,
    JUDGED,
    arena_rank,
    board_of,
    centred,
    even,
    judged,
    names_of,
    ratings,
    standing,
    states,
    write,
)

PQR = ["P", "Q", "R"]
QUICK = {"resamples": 200}


# --- Slices --------------------------------------------------------------------------------------


def in_domains():
    """Two judges; the domain `night` has seven scenarios, `day` twenty."""
    rng = np.random.default_rng(21)
    rows = []
    for judge in ("j1", "j2"):
        for row in judged([-0.7, 0.0, 0.7], 27, rng, judge=judge):
            rows.append((*row, "night" if int(row[0][1:]) < 7 else "day"))
    return (*JUDGED, "domain"), rows


def test_a_slice_is_the_board_of_its_rows(tmp_path):
    columns, rows = in_domains()
    board = board_of(tmp_path, columns, rows, by=["domain"], **QUICK)
    assert [(s.by, s.value, s.scenarios) for s in board.slices] == [
        ("domain", "day", 20),
        ("domain", "night", 7),
    ]
    for part in board.slices:
        alone = board_of(tmp_path, columns, [r for r in rows if r[-1] == part.value], **QUICK)
        assert {s.agent: s.rating for s in part.agents} == pytest.approx(ratings(alone), abs=1e-6)
        assert {s.agent: s.comparisons for s in part.agents} == {
            s.agent: s.comparisons for s in alone.agents
        }
        assert {s.agent: s.state for s in part.agents} == {s.agent: s.state for s in alone.agents}
    night = board.slices[1]
    assert {s.state for s in night.agents} == {"provisional"}
    assert {s.rank_low for s in night.agents} == {None}
    assert set(states(board).values()) == {"ranked"}


def test_with_two_judges_there_are_boards_of_each_and_without_each(tmp_path):
    columns, rows = in_domains()
    board = board_of(tmp_path, columns, rows, by=["judge"], **QUICK)
    parts = {(s.by, s.value): s for s in board.slices}
    assert set(parts) == {(by, j) for by in ("judge", "without_judge") for j in ("j1", "j2")}
    for judge, other in (("j1", "j2"), ("j2", "j1")):
        assert parts["judge", judge].agents == parts["without_judge", other].agents
        alone = board_of(tmp_path, columns, rows, judge=[judge], **QUICK)
        found = {s.agent: s.rating for s in parts["judge", judge].agents}
        assert found == pytest.approx(ratings(alone), abs=1e-6)
    assert parts["judge", "j1"].agents != parts["judge", "j2"].agents


def test_people_are_told_how_many_slices_were_looked_at(tmp_path):
    path = write(tmp_path, *in_domains())
    done = arena_rank(path, "--by", "domain,judge", "--resamples", "50")
    assert done.exit_code == 0
    line = [said for said in done.stderr.splitlines() if "slices" in said.lower()]
    assert any("6" in said for said in line)
    assert "night" in done.stdout


def test_tags_of_a_row_are_slices_each(tmp_path):
    rows = [(*row, "calm; brief" if n % 2 else "calm") for n, row in enumerate(even(PQR, 20))]
    board = board_of(tmp_path, (*IN_SCENARIOS, "tag"), rows, by=["tag"], **QUICK)
    assert {s.value: s.comparisons for s in board.slices} == {"brief": 30, "calm": 60}


# --- People --------------------------------------------------------------------------------------


def test_people_on_a_random_part_move_a_favoured_agent_back(tmp_path):
    rng = np.random.default_rng(31)
    truth = [-0.8, -0.4, 0.0, 0.2, 0.4, 0.6]
    names, favoured = names_of(truth), 2
    rows, asked = [], 0
    for s in range(120):
        for i, j in combinations(range(6), 2):
            fair = truth[i] - truth[j]
            seen = fair + 1.0 * ((i == favoured) - (j == favoured))
            for judge, gap in (("robot", seen), ("human:ann", fair)):
                if judge != "robot" and rng.random() >= 0.2:
                    continue
                asked += judge != "robot"
                won = "a" if rng.random() < 1 / (1 + math.exp(-gap)) else "b"
                rows.append((f"s{s}", names[i], names[j], won, judge))
    board = board_of(tmp_path, (*IN_SCENARIOS, "judge"), rows, humans=0.2, **QUICK)
    assert board.calibration.labelled == asked
    assert board.calibration.probability == 0.2
    assert 0 <= board.calibration.power <= 1
    assert {a.measure for a in board.calibration.agreement} == {"raw", "kappa", "alpha"}
    assert board.diagnostics.rows.excluded == {"human": asked}
    found, fair = standing(board, f"m{favoured}"), centred(truth)[f"m{favoured}"]
    assert found.rating - fair > 4 * found.se
    assert found.low > fair
    assert found.calibrated.low < fair < found.calibrated.high
    assert found.calibrated.rating < found.rating - 50
    for s in board.agents:
        assert abs(s.calibrated.rating - centred(truth)[s.agent]) < 4 * s.calibrated.se
        # A fifth of the verdicts of people say less than all of the judge's.
        assert s.calibrated.se > s.se
    without = board_of(tmp_path, (*IN_SCENARIOS, "judge"), rows, **QUICK)
    assert ratings(without) == ratings(board)
    people = board_of(tmp_path, (*IN_SCENARIOS, "judge"), rows, judge=["human:*"], **QUICK)
    assert standing(people, "m2").se > 0.95 * found.calibrated.se


def test_people_who_saw_nothing_that_a_judge_saw_correct_nothing(tmp_path):
    rows = [(*row, "robot") for row in even(PQR, 12)]
    rows += [("elsewhere", "P", "Q", "a", "human:ann")]
    path = write(tmp_path, (*IN_SCENARIOS, "judge"), rows)
    with pytest.raises(arena.errors.UsageError, match="no comparison in common"):
        arena.rank(path, humans=0.2, **QUICK)
