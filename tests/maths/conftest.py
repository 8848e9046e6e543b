"""Simulated boards: scenario × agent effects, both orders folded."""

from collections.abc import Callable

import numpy as np
import pytest

from arena.maths.tally import Floats, Rows

Simulate = Callable[..., Rows]


def simulate_rows(
    strengths: Floats, scenarios: int, *, rng: np.random.Generator, effect: float = 0.5
) -> Rows:
    k = len(strengths)
    ability = strengths + rng.normal(0, effect, (scenarios, k))
    i, j = np.triu_indices(k, 1)
    chance = 1 / (1 + np.exp(ability[:, j] - ability[:, i]))
    orders = [rng.random(chance.shape) < chance for _ in range(2)]
    return Rows(
        first=np.tile(i, scenarios),
        second=np.tile(j, scenarios),
        scenario=np.repeat(np.arange(scenarios), len(i)),
        share=np.mean(orders, axis=0).ravel(),
        agents=k,
        scenarios=scenarios,
    )


@pytest.fixture(scope="session")
def simulate() -> Simulate:
    return simulate_rows
