"""The benchmark of ratings runs, and all that is measured estimates the same thing."""

import duckdb
import numpy as np
import pytest

from tests.bench import ratings
from tests.bench.measured import Measured
from tests.bench.ours import PARTS, ours
from tests.bench.rivals import RIVALS
from tests.bench.workloads import TABLE, WORKLOADS, Workload, write_workload

TINY = Workload(agents=5, scenarios=12)


@pytest.fixture
def table(tmp_path):
    write_workload(TINY, tmp_path / "tiny.duckdb")
    with duckdb.connect(str(tmp_path / "tiny.duckdb"), read_only=True) as connection:
        yield connection


def test_a_workload_has_every_pair_in_both_orders_and_ties(table):
    found = table.execute(
        "select count(*), count(distinct (a, b, scenario)), avg((outcome = 'tie')::integer) "
        f"from {TABLE}"
    ).fetchall()
    rows = TINY.agents * (TINY.agents - 1) * TINY.scenarios
    assert found[0][:2] == (rows, rows)
    assert 0.05 < found[0][2] < 0.3


def test_a_drawn_workload_has_no_pair_of_an_agent_with_itself_and_repeats(tmp_path):
    work = Workload(agents=3, scenarios=2, comparisons=500)
    found = []
    for name in ("one", "two"):
        write_workload(work, tmp_path / name)
        with duckdb.connect(str(tmp_path / name)) as connection:
            found.append(connection.execute(f"select * from {TABLE}").fetchall())
    assert found[0] == found[1]
    assert len(found[0]) == 500
    assert all(a != b for _, a, b, *_ in found[0])


def test_ours_and_choix_agree_on_the_ratings_of_the_workload(table):
    mine = ours(table, 50, 1.0)
    other = RIVALS["choix"].run(table, 50, 60.0)
    assert mine.ran == other.ran == 50
    # Intervals of scenarios and of rows differ, their middles hardly.
    apart = mine.bounds.mean(axis=0) - other.bounds.mean(axis=0)
    assert np.abs(apart).max() < 0.15
    assert np.corrcoef(mine.bounds.mean(axis=0), other.bounds.mean(axis=0))[0, 1] > 0.98


def test_the_parts_of_our_time_add_up_to_it(table):
    done = ours(table, 50, 1.0)
    assert set(done.parts) == set(PARTS)
    assert sum(done.parts.values()) == pytest.approx(done.seconds, rel=0.05)
    assert min(seconds for part, seconds in done.parts.items() if part != "rest") > 0


def test_a_rival_that_stops_early_is_scaled(table):
    done = RIVALS["choix"].run(table, 1000, 0.0)
    assert done.ran == 10


@pytest.mark.slow
def test_the_command_prints_both_tables(monkeypatch, capsys):
    monkeypatch.setitem(WORKLOADS, "S", TINY)
    ratings.main(["--workloads", "S", "--rounds", "1", "--rivals", "choix", "--resamples", "20"])
    said = capsys.readouterr().out
    assert "choix" in said
    assert "floor" in said
    assert "[]" in said


def test_goals_are_judged_with_a_fifth_of_tolerance():
    assert ratings.verdict(30, 30, at_least=True) == "≥ 30: met"
    assert ratings.verdict(26, 30, at_least=True) == "≥ 30: within 20 %"
    assert ratings.verdict(24, 30, at_least=True) == "≥ 30: not met"
    assert ratings.verdict(3.5, 3, at_least=False) == "≤ 3: within 20 %"


def test_a_ratio_is_of_the_same_round():
    def one(seconds):
        return Measured(seconds=seconds, peak=100, ran=1000, parts={})

    found = [{"ours": one(1.0), "choix": one(30.0)}, {"ours": one(10.0), "choix": one(400.0)}]
    line = ratings.compared("L", found)[1]
    assert line[5] == "35.00"
    assert line[7] == "≥ 30: met"
