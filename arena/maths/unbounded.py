"""One-sided bounds for agents that never lost, or never earned, a point."""

import math

import numpy as np

from arena.maths.arrays import Floats
from arena.maths.components import Identification
from arena.maths.tally import Tally
from arena.maths.verdicts import Comparisons


def share_limit(scenarios: int, *, tail: float = 0.025) -> float:
    """μ_U = 1 − tail^(1/S): upper limit of an expected share of which nothing was seen.

    Were the expected share of a scenario at least μ, S scenarios without any would have
    probability at most (1 − μ)^S; the comparisons inside a scenario may depend on each other in
    any way. The rule of three is its first order.
    """
    return float(1 - tail ** (1 / scenarios))


def lower_bound(opponents: Floats, games: Floats, scenarios: int, *, tail: float = 0.025) -> float:
    """Strength that an undefeated agent exceeds with confidence 1 − tail.

    Solves Σ_j n_j σ(θ_j − L) / Σ_j n_j = μ_U for L. `opponents`: strengths θ, shape (J,);
    `games`: comparisons n with each, shape (J,), at least one; `scenarios`: how many they span.
    """
    # scipy takes a second to import; most boards have no such agent.
    from scipy.optimize import brentq

    met = games > 0
    theta, weight = opponents[met], games[met] / games[met].sum()
    limit = share_limit(scenarios, tail=tail)
    shift = math.log((1 - limit) / limit)
    low, high = float(theta.min()) + shift, float(theta.max()) + shift

    def excess(bound: float) -> float:
        return float(weight @ (1 / (1 + np.exp(bound - theta)))) - limit

    # Equal opponents have the closed form, and rounding may leave no change of sign.
    if high - low < 1e-12:
        return low
    return float(brentq(excess, low - 1e-9, high + 1e-9, xtol=1e-13, rtol=1e-14))


def upper_bound(opponents: Floats, games: Floats, scenarios: int, *, tail: float = 0.025) -> float:
    """Strength that a pointless agent stays below with confidence 1 − tail; the mirror image."""
    return -lower_bound(-opponents, games, scenarios, tail=tail)


def add_bounds(
    arrays: dict[str, Floats],
    rows: Comparisons,
    counts: Tally,
    found: Identification,
    component: Floats,
    *,
    level: float,
) -> None:
    """Bounds of the unbounded agents into `low`, `high` and `bound_scenarios`, each shape (K,).

    `component`: strengths of the component's members. Agents that never met it get none.
    """
    members, tail = found.component, (1 - level) / 2
    if members is None:
        return
    for i in np.flatnonzero(found.unbounded).tolist():
        scenarios = rows.meetings(i, members)
        if not scenarios:
            continue
        arrays["bound_scenarios"][i] = scenarios
        games = counts.met[i, members]
        if counts.wins[i, members].sum() > 0:
            arrays["low"][i] = lower_bound(component, games, scenarios, tail=tail)
        else:
            arrays["high"][i] = upper_bound(component, games, scenarios, tail=tail)
