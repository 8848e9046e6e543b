"""Figures that others published, and those of an independent fit, out of `arena rank`."""

import csv
import json
import math
from itertools import combinations
from pathlib import Path

import choix
import numpy as np
import pytest

import arena
from tests.support.outcome_files import (
    IN_SCENARIOS,
    PLAIN,
    POINTS,
    board_of,
    ratings,
    standing,
    states,
    write,
)
from tests.support.shared import shared_data
from tests.support.sizes import boards

OWN = Path(__file__).parents[1] / "data" / "ranking"
QUICK = {"resamples": 20}
"""Point ratings do not depend on the resamples."""


def golden(path, algorithm):
    with path.open(encoding="utf-8", newline="") as file:
        return {
            r["item"]: float(r["score"])
            for r in csv.DictReader(file)
            if r["algorithm"] == algorithm
        }


def shares_of_strength(board):
    """exp θ, scaled to a sum of 1."""
    found = {name: math.exp((rating - 1000) / POINTS) for name, rating in ratings(board).items()}
    return {name: value / sum(found.values()) for name, value in found.items()}


def read_rows(path, keep=lambda row: True):
    with path.open(encoding="utf-8", newline="") as file:
        return [(r["agent_a"], r["agent_b"], r["winner"]) for r in csv.DictReader(file) if keep(r)]


def expected(folder):
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("folder", "name"),
    [("llmfao", "llmfao"), ("evalica-golden", "food"), ("evalica-golden", "simple")],
)
def test_evalicas_scores_are_found_in_the_ratings_and_in_its_figures(folder, name):
    path = shared_data(folder)
    published = golden(path / f"{name}-golden.csv", "bradley_terry")
    # Every row is a vote of its own there.
    board = arena.rank(
        path / f"{name}.csv", prior_sd=math.inf, like="evalica", key=_own_key(name), **QUICK
    )
    figures = {s.agent: s.figure for s in board.agents}
    assert shares_of_strength(board) == pytest.approx(published, abs=1e-6)
    assert figures == pytest.approx(published, abs=1e-6)
    assert board.diagnostics.rows.used == board.diagnostics.rows.read


def _own_key(name):
    return ("id", "worker") if name == "llmfao" else ()


def test_online_elo_of_the_arenas_votes_in_the_order_of_the_file():
    path = shared_data("lmsys-votes")
    published = {
        "gpt-4-1106-preview": 1025,
        "gpt-4-0314": 1014,
        "vicuna-33b": 990,
        "gpt-3.5-turbo-0613": 987,
        "vicuna-13b": 984,
    }
    for name in ("battles.csv", "votes_original_columns.csv"):
        board = arena.rank(path / name, method="elo", k=4)
        assert {a: int(r + 0.5) for a, r in ratings(board).items()} == published
        assert list(ratings(board)) == list(published)
        assert ratings(board) == pytest.approx(expected(path)["elo_k4_file_order"], abs=1e-9)


@pytest.mark.parametrize("name", ["llmfao", "qlora-vicuna", "ja-vicuna", "lmsys-votes"])
def test_every_row_a_comparison_gives_the_expected_ratings(tmp_path, name):
    folder = shared_data(name)
    board = board_of(tmp_path, PLAIN, read_rows(folder / "battles.csv"), min_comparisons=1, **QUICK)
    wanted = expected(folder)
    assert ratings(board) == pytest.approx(wanted["bt_elo"], abs=2e-6)
    assert board.diagnostics.rows.used == wanted["valid"]
    assert board.diagnostics.rows.excluded.get("no_outcome", 0) == wanted["invalid"]


def test_qlora_folded_and_its_sided_rows():
    board = arena.rank(shared_data("qlora-vicuna") / "battles.csv", **QUICK)
    found = ratings(board)
    assert found["gpt-4"] == pytest.approx(1366.1568, abs=1e-4)
    assert found["guanaco-65b"] == pytest.approx(1020.4115, abs=1e-4)
    # 2,227 pairs of orders are complete; both of their rows are used.
    assert board.comparisons == 2227
    assert board.diagnostics.rows.used == 2 * 2227


def test_agents_of_qlora_without_a_point_get_no_rating():
    board = arena.rank(shared_data("qlora-vicuna") / "battles_scored.csv", **QUICK)
    pointless = {s.agent for s in board.agents if s.share == 0}
    unrated = [s for s in board.agents if s.rating is None]
    assert pointless
    assert pointless <= {s.agent for s in unrated}
    for s in unrated:
        assert s.state.value == "unbounded"
        assert s.open == "below"
        assert s.low is None
        assert s.se is None
        assert s.rank_low is None
    # Against one opponent the bound is the strength that loses all but μ of the points.
    chip = standing(board, "13b-chip2")
    lost = 1 - 0.025 ** (1 / chip.scenarios)
    assert chip.high == pytest.approx(
        ratings(board)["gpt-3.5"] + POINTS * math.log(lost / (1 - lost)), abs=1e-6
    )


def test_every_row_of_qloras_scored_answers_leaves_nineteen_without_a_rating(tmp_path):
    rows = read_rows(shared_data("qlora-vicuna") / "battles_scored.csv")
    board = board_of(tmp_path, PLAIN, rows, min_comparisons=1, **QUICK)
    assert sum(s.share == 0 for s in board.agents) == 19
    assert sum(s.state.value == "unbounded" for s in board.agents) == 19
    assert all((s.rating is None) == (s.share == 0) for s in board.agents)


def test_pandalms_human_votes():
    folder = shared_data("pandalm")
    wanted = expected(folder)
    board = arena.rank(folder / "battles.csv", judge=["human*"], **QUICK)
    assert ratings(board) == pytest.approx(wanted["bt all humans"]["bt_elo"], abs=2e-6)
    for judge in ("human-1", "gpt-3.5-turbo"):
        one = arena.rank(folder / "battles.csv", judge=[judge], **QUICK)
        assert ratings(one) == pytest.approx(wanted[f"bt {judge}"]["bt_elo"], abs=2e-6)


def test_errors_of_rows_drawn_one_by_one_are_those_of_an_independent_bootstrap(tmp_path):
    folder = shared_data("lmsys-votes")
    rows = read_rows(folder / "battles.csv")
    board = board_of(tmp_path, PLAIN, rows, min_comparisons=1, interval="percentile")
    drawn = expected(folder)["bt_uncertainty"]["values"]
    for s in board.agents:
        # The same resampling of rows there, with another stream: quantiles of the sparse tails
        # differ by up to half an SE.
        assert s.se == pytest.approx(drawn[s.agent]["boot_sd"], rel=0.2)
        assert s.se_clustered == pytest.approx(drawn[s.agent]["robust_se"], rel=0.05)
        assert s.low == pytest.approx(drawn[s.agent]["boot_lo"], abs=35)
        assert s.high == pytest.approx(drawn[s.agent]["boot_hi"], abs=35)


# --- Own fixtures, solved by hand --------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "layout"),
    [
        ("own.csv", "arena"),
        ("evalica.tsv", "evalica"),
        ("arena.jsonl", "lmarena"),
        ("kaggle.csv", "kaggle"),
    ],
)
def test_four_layouts_of_twelve_comparisons_solved_by_hand(file, layout):
    """ada : bo 3 : 1 and bo : cy 3 : 1 is a chain, so strengths differ by log 3 each; in the
    last four comparisons nobody could be told apart, or nothing was said."""
    board = arena.rank(OWN / file, **QUICK)
    assert board.method.source["layout"] == layout
    step = POINTS * math.log(3)
    assert ratings(board) == pytest.approx({"ada": 1000 + step, "bo": 1000, "cy": 1000 - step})
    assert board.comparisons == 8


def test_the_hand_solved_chain_as_figures_of_others():
    step = POINTS * math.log(3)
    wanted = {
        "evalica": {"ada": 9 / 13, "bo": 3 / 13, "cy": 1 / 13},
        "arena-rank": {"ada": 1000 + step, "bo": 1000, "cy": 1000 - step},
        "fastchat": {"ada": 1000 + step, "bo": 1000, "cy": 1000 - step},
    }
    for like, figures in wanted.items():
        board = arena.rank(OWN / "own.csv", like=like, **QUICK)
        assert {s.agent: s.figure for s in board.agents} == pytest.approx(figures)


def test_fastchats_figures_stand_on_its_anchor(tmp_path):
    path = OWN / "own.csv"
    text = path.read_text(encoding="utf-8").replace("bo", "mixtral-8x7b-instruct-v0.1")
    (tmp_path / "named.csv").write_text(text, encoding="utf-8")
    board = arena.rank(tmp_path / "named.csv", like="fastchat", **QUICK)
    step = POINTS * math.log(3)
    assert {s.agent: s.figure for s in board.agents} == pytest.approx(
        {"ada": 1114 + step, "mixtral-8x7b-instruct-v0.1": 1114, "cy": 1114 - step}
    )
    # Only the figures are anchored so.
    assert ratings(board)["mixtral-8x7b-instruct-v0.1"] == pytest.approx(1000)


def test_figures_of_others_count_every_row_though_ratings_do_not(tmp_path):
    columns = (*IN_SCENARIOS, "judge")
    rows = [("s1", "ada", "bo", "a", "j")] * 3 + [("s2", "ada", "bo", "b", "j")]
    board = board_of(tmp_path, columns, rows, like="arena-rank", **QUICK)
    assert board.diagnostics.rows.excluded == {"duplicate": 2}
    assert ratings(board) == pytest.approx({"ada": 1000, "bo": 1000})
    half = POINTS * math.log(3) / 2
    figures = {s.agent: s.figure for s in board.agents}
    assert figures == pytest.approx({"ada": 1000 + half, "bo": 1000 - half})


# --- An independent fit ------------------------------------------------------------------------


def strongly_connected(rng):
    """Counts of wins in which everybody can be reached from everybody."""
    while True:
        agents = int(rng.integers(3, 9))
        spread = rng.normal(0, rng.uniform(0.2, 2), agents)
        wins = np.zeros((agents, agents), dtype=int)
        for i, j in combinations(range(agents), 2):
            met = rng.integers(0, 12)
            wins[i, j] = rng.binomial(met, 1 / (1 + np.exp(spread[j] - spread[i])))
            wins[j, i] = met - wins[i, j]
        reach = np.linalg.matrix_power((wins > 0) + np.eye(agents), agents)
        if (reach > 0).all():
            return wins


@pytest.mark.slow
def test_many_boards_agree_with_choix(tmp_path):
    rng = np.random.default_rng(71)
    for _ in range(boards(25, 200)):
        wins = strongly_connected(rng)
        agents = len(wins)
        rows = [
            (f"m{i}", f"m{j}", f"m{i}")
            for i in range(agents)
            for j in range(agents)
            for _ in range(wins[i, j])
        ]
        board = board_of(tmp_path, PLAIN, rows, prior_sd=math.inf, resamples=2, min_comparisons=1)
        theta = choix.ilsr_pairwise_dense(wins.astype(float), alpha=0.0, tol=1e-12)
        found = np.array([ratings(board)[f"m{i}"] for i in range(agents)])
        strengths = (found - found.mean()) / POINTS
        assert np.abs(strengths - (theta - theta.mean())).max() < 1e-6


def test_the_second_opinion_is_that_of_choix(tmp_path):
    rng = np.random.default_rng(5)
    wins = strongly_connected(rng)
    rows = [
        (f"m{i}", f"m{j}", f"m{i}") for i, j in np.argwhere(wins > 0) for _ in range(wins[i, j])
    ]
    board = board_of(tmp_path, PLAIN, rows, check=True, **QUICK)
    assert board.diagnostics.second_opinion < 1e-6
    penalised = board_of(tmp_path, PLAIN, rows, check=True, prior_sd=1.0, **QUICK)
    assert penalised.diagnostics.second_opinion > 1e-3


# --- What must not matter ----------------------------------------------------------------------


def uneven(seed=3):
    """Comparisons of five agents in 14 scenarios, ties among them, some pairs missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for s in range(14):
        for i, j in combinations(range(5), 2):
            if rng.random() < 0.8:
                outcome = rng.choice(["a", "b", "tie"], p=[0.35, 0.45, 0.2])
                rows.append((f"s{s}", f"m{i}", f"m{j}", str(outcome)))
    return rows


def told(board):
    """All that the board says of agents, without their names' order."""
    return {
        s.agent: (s.rating, s.low, s.high, s.se, s.se_clustered, s.rank_low, s.rank_high, s.share)
        for s in board.agents
    }


def nearly(found, wanted, drawn):
    """Equal; what is resampled (low, high, se) within `drawn` points."""
    assert found.keys() == wanted.keys()
    for name, values in found.items():
        assert values[1:4] == pytest.approx(wanted[name][1:4], abs=drawn), name
        rest, same = (v[:1] + v[4:] for v in (values, wanted[name]))
        assert rest == pytest.approx(same, abs=1e-6), name


def test_renaming_agents_only_renames(tmp_path):
    rows = uneven()
    new = {"m0": "zoe", "m1": "m3", "m2": "阿明", "m3": "m0", "m4": "B"}
    renamed = [(s, new[a], new[b], o) for s, a, b, o in rows]
    before = told(board_of(tmp_path, IN_SCENARIOS, rows))
    after = told(board_of(tmp_path, IN_SCENARIOS, renamed))
    # Resamples are solved to 1e-5 log-odds.
    nearly(after, {new[name]: values for name, values in before.items()}, drawn=0.005)


def test_the_side_an_agent_is_written_on_does_not_matter(tmp_path):
    rows = uneven()
    other = {"a": "b", "b": "a", "tie": "tie"}
    turned = [(s, b, a, other[o]) if n % 3 else (s, a, b, o) for n, (s, a, b, o) in enumerate(rows)]
    before = told(board_of(tmp_path, IN_SCENARIOS, rows))
    assert told(board_of(tmp_path, IN_SCENARIOS, turned)) == before


def test_repeating_every_row_scales_nothing_without_a_prior_and_something_with_one(tmp_path):
    rows = uneven()
    once = told(board_of(tmp_path, IN_SCENARIOS, rows, min_comparisons=1))
    # The ridge that keeps resamples finite weighs less where there are more comparisons.
    nearly(told(board_of(tmp_path, IN_SCENARIOS, rows * 3, min_comparisons=1)), once, drawn=1)
    pulled = ratings(board_of(tmp_path, IN_SCENARIOS, rows, prior_sd=0.5))
    less = ratings(board_of(tmp_path, IN_SCENARIOS, rows * 3, prior_sd=0.5))
    assert max(pulled.values()) + 1 < max(less.values()) < max(v[0] for v in once.values())


def test_two_halves_of_a_file_put_together_again_are_the_file(tmp_path):
    rows = uneven()
    halves = rows[len(rows) // 2 :] + rows[: len(rows) // 2]
    first = board_of(tmp_path, IN_SCENARIOS, rows)
    assert board_of(tmp_path, IN_SCENARIOS, halves) == first


def test_an_undefeated_agent_shifts_nobody(tmp_path):
    rows = uneven()
    more = [(f"s{s}", "top", f"m{i}", "a") for s in range(14) for i in range(5)]
    before = ratings(board_of(tmp_path, IN_SCENARIOS, rows))
    board = board_of(tmp_path, IN_SCENARIOS, rows + more)
    after = ratings(board)
    assert after.pop("top") is None
    assert after == pytest.approx(before, abs=1e-6)
    assert states(board)["top"] == "unbounded"


def test_the_seed_moves_intervals_only(tmp_path):
    path = write(tmp_path, IN_SCENARIOS, uneven())
    one, again, other = (arena.rank(path, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert ratings(one) == ratings(other)
    assert [s.low for s in one.agents] != [s.low for s in other.agents]
    assert [s.se_clustered for s in one.agents] == [s.se_clustered for s in other.agents]
