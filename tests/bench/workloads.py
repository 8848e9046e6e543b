"""Comparisons to measure with: a table of outcomes in a DuckDB file, made from a seed.

Outcomes follow Davidson's model with about 15 % ties. Every scenario favours some agents, so that
its comparisons hang together, and agents are unevenly popular.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]

TABLE = "outcome"
ROW = "#row"
"""The column that numbers the rows; workloads are made without our imports."""
LABELS = ("a", "b", "tie")
SPREAD, EFFECT, NU = 0.8, 0.35, 0.4
"""Standard deviations of strengths and of scenario × agent effects, log-odds; ν of the ties."""
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """`comparisons` of None: every pair on every scenario, in both orders."""

    agents: int
    scenarios: int
    comparisons: int | None = None


WORKLOADS = {
    "S": Workload(agents=12, scenarios=47),
    "M": Workload(agents=40, scenarios=200, comparisons=200_000),
    "L": Workload(agents=200, scenarios=500, comparisons=2_000_000),
    "XL": Workload(agents=200, scenarios=500, comparisons=20_000_000),
}

SMALL = Workload(agents=4, scenarios=12)
"""What a contestant does before its clock starts."""


def write_workload(work: Workload, path: Path, *, seed: int = 1729) -> None:
    """A table of the columns a, b, outcome, scenario (all ENUM) and the number of the row."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, SPREAD, work.agents)
    effects = rng.normal(0, EFFECT, (work.scenarios, work.agents))
    types = {
        "agent": [f"agent-{n:03d}" for n in range(work.agents)],
        "outcome": list(LABELS),
        "scenario": [f"scenario-{n:04d}" for n in range(work.scenarios)],
    }
    kinds = {"a": "agent", "b": "agent", "outcome": "outcome", "scenario": "scenario"}
    with duckdb.connect(str(path)) as connection:
        for name, values in types.items():
            listed = ", ".join(f"'{value}'" for value in values)
            connection.execute(f"create type {name} as enum ({listed})")
        columns = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
        connection.execute(f'create table {TABLE} ("{ROW}" uinteger, {columns})')
        # A code becomes its name, and the name DuckDB's own code of it.
        named = ", ".join(f"enum_range(null::{k})[{name} + 1]::{k}" for name, k in kinds.items())
        begin = 0
        for a, b, scenario in _shown(work, rng):
            apart = strengths[a] + effects[scenario, a] - strengths[b] - effects[scenario, b]
            connection.register(
                "part",
                {
                    "row": np.arange(begin + 1, begin + len(a) + 1),
                    "a": a,
                    "b": b,
                    "outcome": _outcomes(apart, rng),
                    "scenario": scenario,
                },
            )
            connection.execute(f"insert into {TABLE} select row, {named} from part")
            connection.unregister("part")
            begin += len(a)


def _shown(work: Workload, rng: np.random.Generator) -> Iterator[tuple[Array, Array, Array]]:
    """Agent a, agent b and scenario of the comparisons, in blocks."""
    if work.comparisons is None:
        first, second = np.triu_indices(work.agents, 1)
        a, b = np.concatenate([first, second]), np.concatenate([second, first])
        scenario = np.tile(np.arange(work.scenarios), len(a))
        yield np.repeat(a, work.scenarios), np.repeat(b, work.scenarios), scenario
        return
    popularity = rng.gamma(4, 1, work.agents)
    popularity /= popularity.sum()
    for begin in range(0, work.comparisons, _BLOCK):
        size = min(_BLOCK, work.comparisons - begin)
        a, b = rng.choice(work.agents, size=(2, size), p=popularity)
        while len(same := np.flatnonzero(a == b)):
            b[same] = rng.choice(work.agents, size=len(same), p=popularity)
        yield a, b, rng.integers(0, work.scenarios, size)


def _outcomes(apart: NDArray[np.float64], rng: np.random.Generator) -> Array:
    """Index of the label of each outcome, from the log-odds of a over b."""
    odds = np.exp(apart / 2)
    total = odds + 1 / odds + NU
    drawn = rng.random(len(apart)) * total
    return np.where(drawn < odds, 0, np.where(drawn < odds + 1 / odds, 1, 2))
