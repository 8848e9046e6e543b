"""A board made of counts alone is the board made of the rows, to the last digit."""

import numpy as np
import pytest

import arena
from arena.domain.board import Board
from arena.store.outcomes.columns import OutcomeColumns
from arena.store.outcomes.counted import OutcomeCounts, count_outcomes
from arena.store.outcomes.reading import read_outcomes
from tests.support.outcome_files import IN_SCENARIOS, write


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Four agents that met in twelve scenarios, one that only lost, one that met nobody else."""
    rng = np.random.default_rng(3)
    rows = []
    for _ in range(900):
        a, b = rng.choice(5, 2, replace=False)
        said = rng.choice(["a", "b", "tie", "", "?"], p=[0.4, 0.4, 0.15, 0.03, 0.02])
        if 4 in (a, b):
            said = "b" if a == 4 else "a"
        rows.append((f"s{rng.integers(12)}", f"agent-{a}", f"agent-{b}", str(said)))
    rows += [("s1", "alone", "alone-2", "tie")] * 3
    return write(tmp_path_factory.mktemp("counted"), IN_SCENARIOS, rows)


@pytest.mark.parametrize(
    "options",
    [{}, {"ties": "davidson"}, {"interval": "clustered", "threads": 2}, {"cluster": ["outcome"]}],
    ids=str,
)
def test_a_board_of_counts_is_the_board_of_the_rows(file, options, monkeypatch):
    kinds: list[type] = []

    def counted(*given):
        found = count_outcomes(*given)
        kinds.append(type(found))
        return found

    def one_by_one(source, layout, reading, cluster):
        kinds.append(OutcomeColumns)
        return read_outcomes(source, layout, reading, (cluster,))

    boards: list[Board] = []
    for reader in (counted, one_by_one):
        monkeypatch.setattr("arena.store.outcomes.counted.count_outcomes", reader)
        boards.append(arena.rank(file, resamples=100, **options))
    assert kinds == [OutcomeCounts, OutcomeColumns]
    assert boards[0] == boards[1]
    assert {s.state.value for s in boards[0].agents} >= {"unbounded", "disconnected"}
