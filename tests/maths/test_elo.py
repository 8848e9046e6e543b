import csv
import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.maths.elo import online_elo, order_range
from tests.support.shared import shared_data

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)
AGENTS = 4
seasons = st.lists(
    st.tuples(
        st.sampled_from([(a, b) for a in range(AGENTS) for b in range(AGENTS) if a != b]),
        st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    ),
    min_size=1,
    max_size=30,
).map(lambda rows: (*np.array([pair for pair, _ in rows]).T, np.array([s for _, s in rows])))


def arrays(*rows):
    first, second, share = zip(*rows, strict=True)
    return np.array(first), np.array(second), np.array(share, dtype=float)


def test_equals_move_by_half_of_k():
    assert online_elo(*arrays((0, 1, 1)), 2).tolist() == [1002, 998]
    assert online_elo(*arrays((0, 1, 0.5)), 2).tolist() == [1000, 1000]
    assert online_elo(*arrays((0, 1, 0)), 2, k_factor=32, start=1500).tolist() == [1484, 1516]


def test_two_comparisons_by_hand():
    # After 1002 : 998 the first is expected to earn 1 / (1 + 10^(−4/400)) = .505756
    found = online_elo(*arrays((0, 1, 1), (0, 1, 1)), 2)
    assert found[0] == pytest.approx(1002 + 4 * (1 - 1 / (1 + 10 ** (-0.01))), abs=1e-12)


def test_the_scale_is_the_distance_of_odds_of_ten():
    # At 1200 : 1000 on scale 200 the weaker earns 1/11 on average: K · (1 − 1/11)
    rows = arrays((0, 1, 1), (1, 0, 1))
    high = online_elo(*rows, 2, k_factor=200, scale=200)
    assert high[1] == pytest.approx(900 + 200 * (1 - 1 / 11), abs=1e-9)


@steady
@given(seasons)
def test_points_are_passed_on_and_never_made(rows):
    found = online_elo(*rows, AGENTS)
    assert np.nanmean(found) == pytest.approx(1000, abs=1e-9)


@steady
@given(seasons)
def test_who_is_called_first_does_not_matter(rows):
    first, second, share = rows
    assert online_elo(second, first, 1 - share, AGENTS) == pytest.approx(
        online_elo(first, second, share, AGENTS), abs=1e-9, nan_ok=True
    )


@steady
@given(seasons, st.permutations(range(AGENTS)))
def test_numbers_of_agents_are_only_names(rows, names):
    first, second, share = rows
    renamed = np.array(names)
    found = online_elo(renamed[first], renamed[second], share, AGENTS)
    assert found[renamed] == pytest.approx(online_elo(*rows, AGENTS), abs=1e-9, nan_ok=True)


def test_agents_that_were_never_compared_have_no_rating():
    found = online_elo(*arrays((0, 2, 1)), 4)
    assert np.isnan(found).tolist() == [False, True, False, True]
    said = order_range(*arrays((0, 2, 1)), 4, shuffles=2, seed=0)
    assert np.isnan(said.low).tolist() == np.isnan(said.high).tolist() == [False, True, False, True]


def test_no_comparisons_no_ratings():
    nothing = np.empty(0, dtype=np.int64)
    assert np.isnan(online_elo(nothing, nothing, np.empty(0), 3)).all()


def test_absurd_factors_overflow_nothing():
    rows = arrays(*[(0, 1, 1), (0, 1, 0)] * 20)
    assert np.isfinite(online_elo(*rows, 2, k_factor=1e12)).all()


def test_the_same_comparisons_in_another_order_give_other_ratings():
    rows = arrays(*[(0, 1, 1)] * 30, *[(1, 2, 1)] * 30, *[(2, 0, 1)] * 30)
    said = order_range(*rows, 3, shuffles=40, seed=3, k_factor=32)
    assert (said.high - said.low > 50).all()
    # Everybody won half: the spread is the order's alone, and in file order it is larger still.
    assert (said.low < 1000).all()
    assert (said.high > 1000).all()
    assert online_elo(*rows, 3, k_factor=32)[2] > said.high[2]


def test_where_order_cannot_matter_the_range_is_a_point():
    said = order_range(*arrays((0, 1, 1), (2, 3, 0.5)), 4, shuffles=5, seed=0)
    assert said.low.tolist() == said.high.tolist() == [1002, 998, 1000, 1000]


def test_the_seed_decides_the_shuffles_and_more_of_them_only_widen():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 4, 200)
    rows = (first, (first + rng.integers(1, 4, 200)) % 4, rng.integers(0, 2, 200).astype(float))
    few, again, many = (order_range(*rows, 4, shuffles=n, seed=1) for n in (5, 5, 20))
    assert few.low.tolist() == again.low.tolist()
    assert (many.low <= few.low).all()
    assert (many.high >= few.high).all()
    other = order_range(*rows, 4, shuffles=5, seed=2)
    assert other.low.tolist() != few.low.tolist()


def rows_of(path, first, second, shares):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = sorted({row[side] for row in rows for side in (first, second)})
    number = {name: i for i, name in enumerate(names)}
    found = [(number[row[first]], number[row[second]], shares[row["winner"]]) for row in rows]
    return names, arrays(*found)


@pytest.mark.parametrize(
    ("folder", "name"),
    [("evalica-golden", "simple"), ("evalica-golden", "food"), ("llmfao", "llmfao")],
)
def test_evalicas_published_ratings(folder, name):
    data = shared_data(folder)
    shares = {"left": 1, "right": 0, "tie": 0.5}
    names, rows = rows_of(data / f"{name}.csv", "left", "right", shares)
    found = dict(zip(names, online_elo(*rows, len(names)), strict=True))
    with (data / f"{name}-golden.csv").open(encoding="utf-8", newline="") as file:
        golden = {
            r["item"]: float(r["score"]) for r in csv.DictReader(file) if r["algorithm"] == "elo"
        }
    assert found == pytest.approx(golden, abs=1e-9)


def test_the_arenas_published_ratings():
    data = shared_data("lmsys-votes")
    names, rows = rows_of(data / "battles.csv", "agent_a", "agent_b", {"a": 1, "b": 0, "tie": 0.5})
    found = dict(zip(names, online_elo(*rows, len(names)), strict=True))
    expected = json.loads((data / "expected.json").read_text(encoding="utf-8"))
    assert found == pytest.approx(expected["elo_k4_file_order"], abs=1e-9)
    assert {name: math.floor(rating + 0.5) for name, rating in found.items()} == {
        "gpt-4-1106-preview": 1025,
        "gpt-4-0314": 1014,
        "vicuna-33b": 990,
        "gpt-3.5-turbo-0613": 987,
        "vicuna-13b": 984,
    }
