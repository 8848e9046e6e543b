"""Simulated boards: designs keep what intervals promise, and planning gives the power asked for.

Agents of normal strengths, normal scenario × agent effects of standard deviation 0.5, both orders
folded; the rubric sees each effect with noise of 0.8. The truth is the Bradley–Terry fit to the
shares expected over all scenarios. Boards of one test share a seed, so designs meet the same ones.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from arena.maths.bradley_terry import expected_shares, information, resample_strengths
from arena.maths.designs.adaptive import first_round, next_round
from arena.maths.designs.choosing import (
    choose_even,
    choose_informed,
    choose_random,
    default_budget,
    every_cell,
)
from arena.maths.designs.power import scenarios_missing, scenarios_needed, unit_error
from arena.maths.intervals import effective_df, t_margin, two_sided_p
from arena.maths.sandwich import clustered_covariance, difference_errors
from arena.maths.tally import Bools, Floats
from tests.support.sizes import boards

pytestmark = pytest.mark.slow

K, EFFECT, NOISE = 12, 0.5, 0.8
FIRST, SECOND = np.triu_indices(K, 1)
OF_FIRST, OF_SECOND = np.eye(K)[FIRST], np.eye(K)[SECOND]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """B boards. `order`, `truth`: (B, K); `scores`: (B, S, K); `shares`: (B, S, P)."""

    order: Floats
    truth: Floats
    scores: Floats
    shares: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a design gave, each a figure a board, shape (B,)."""

    cover: Floats
    slope: Floats
    rank_error: Floats
    least_seen: Floats


def fold(ability: Floats, rng: np.random.Generator) -> Floats:
    chance = 1 / (1 + np.exp(ability[..., SECOND] - ability[..., FIRST]))
    return (rng.random(chance.shape) < chance) / 2 + (rng.random(chance.shape) < chance) / 2


def population(order: Floats) -> Floats:
    """Strengths that fit the shares expected over all scenarios, shape (B, K)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    apart = order[:, FIRST] - order[:, SECOND]
    noisy = apart[..., None] + np.sqrt(2) * EFFECT * nodes
    share = (1 / (1 + np.exp(-noisy))) @ (weights / weights.sum())
    every = np.full(share.shape, 1000.0)
    return solve(every, 1000 * share, ridge=1e-4)


def solve(games: Floats, points: Floats, *, ridge: float = 0.01) -> Floats:
    """Strengths of all boards from comparisons and first agents' points, shape (B, P) each."""
    earned = points @ OF_FIRST + (games - points) @ OF_SECOND
    return resample_strengths(square(games), earned, np.zeros(K), ridge=ridge)


def square(games: Floats) -> Floats:
    matrix = np.zeros((len(games), K, K))
    matrix[:, FIRST, SECOND] = matrix[:, SECOND, FIRST] = games
    return matrix


@cache
def world(scenarios: int, spread: float, seed: int, count: int) -> World:
    rng = np.random.default_rng(seed)
    order = rng.normal(0, spread, (count, K))
    ability = order[:, None, :] + rng.normal(0, EFFECT, (count, scenarios, K))
    return World(
        order=order,
        truth=population(order),
        scores=ability + rng.normal(0, NOISE, ability.shape),
        shares=fold(ability, rng),
    )


def covariances(cells: Bools, shares: Floats, fitted: Floats) -> list[Floats]:
    games = square(cells.sum(axis=1).astype(float))
    found = []
    for used, share, theta, played in zip(cells, shares, fitted, games, strict=True):
        above = used * (share - expected_shares(theta)[FIRST, SECOND])
        scores = above @ (OF_FIRST - OF_SECOND)
        found.append(clustered_covariance(scores, information(theta, played)))
    return found


def ranks(strengths: Floats) -> Floats:
    return np.argsort(np.argsort(strengths, axis=1), axis=1).astype(float)


def outcome(made: World, cells: Bools) -> Outcome:
    fitted = solve(cells.sum(axis=1).astype(float), (cells * made.shares).sum(axis=1))
    loads = cells @ (OF_FIRST + OF_SECOND)
    covariance = covariances(cells, made.shares, fitted)
    cover = [
        np.mean(np.abs(theta - truth) <= t_margin(np.sqrt(np.diag(v)), effective_df(load)))
        for theta, truth, v, load in zip(fitted, made.truth, covariance, loads, strict=True)
    ]
    truth = made.truth
    return Outcome(
        cover=np.array(cover),
        slope=((fitted - truth) * truth).sum(axis=1) / (truth**2).sum(axis=1),
        rank_error=np.abs(ranks(fitted) - ranks(made.order)).mean(axis=1),
        least_seen=(loads > 0).mean(axis=1).min(axis=1),
    )


def static(name: str, scores: Floats, rng: np.random.Generator) -> Bools:
    """A third of the cells of one board by the design of that name."""
    open_cells = every_cell(K, len(scores))
    budget = default_budget(open_cells.size)
    if name == "even":
        return choose_even(open_cells, budget=budget, rng=rng)
    if name == "random":
        return choose_random(open_cells, budget=budget, rng=rng)
    if name == "misled":
        scores = scores[:, rng.permutation(K)]
    return choose_informed(open_cells, scores, budget=budget, rng=rng)


@cache
def designed(name: str, scenarios: int, spread: float, seed: int, count: int) -> Outcome:
    made = world(scenarios, spread, seed, count)
    cells = [
        static(name, scores, np.random.default_rng([seed, board]))
        for board, scores in enumerate(made.scores)
    ]
    return outcome(made, np.array(cells))


# Measured with 4000 boards: coverage .947–.954; slopes of informed less even −.003 to .000; rank
# errors informed less even −.049 at 1.5 and −.028 at .6, misled +.016 and +.005. With 500 boards
# standard errors are .003 in coverage, .006 in slope, .012 and .018 in rank error.
WORLDS = [(20, 0.6), (20, 1.5), (47, 0.6), (47, 1.5)]
SIZE = boards(500, 4000)


@pytest.mark.parametrize(("scenarios", "spread"), WORLDS)
@pytest.mark.parametrize("name", ["even", "random", "informed"])
def test_designs_fixed_before_the_verdicts_keep_their_intervals(name, scenarios, spread):
    found = designed(name, scenarios, spread, 11, SIZE)
    assert 0.928 < found.cover.mean() < 0.980
    assert name == "random" or found.least_seen.mean() >= 0.95


@pytest.mark.parametrize(("scenarios", "spread"), WORLDS)
def test_informed_spreads_strengths_no_more_than_even(scenarios, spread):
    informed, even = (designed(n, scenarios, spread, 11, SIZE) for n in ("informed", "even"))
    assert abs(informed.slope.mean() - even.slope.mean()) < 0.04


@pytest.mark.parametrize(
    ("name", "spread", "below"),
    [("informed", 1.5, 0), ("informed", 0.6, 0.08), ("misled", 1.5, 0.11), ("misled", 0.6, 0.11)],
)
def test_informed_ranks_better_and_a_misleading_rubric_does_little_harm(name, spread, below):
    found, even = (designed(n, 20, spread, 11, SIZE) for n in (name, "even"))
    assert (found.rank_error - even.rank_error).mean() < below


# Measured with 2000 boards: coverage .9135 ± .0022, slope +.194 ± .005.
def test_adaptive_rounds_break_the_promise_of_intervals():
    count = boards(400, 2000)
    made = world(20, 0.6, 12, count)
    found = outcome(made, adaptive_cells(made, 12))
    assert found.cover.mean() < 0.928
    assert found.slope.mean() > 0.10


def adaptive_cells(made: World, seed: int) -> Bools:
    """A third of all cells, chosen in rounds of about two comparisons an agent."""
    open_cells = every_cell(K, made.shares.shape[1])
    budget = default_budget(open_cells.size)
    rngs = [np.random.default_rng([seed, board]) for board in range(len(made.shares))]
    cells = np.array([first_round(open_cells, rng) for rng in rngs])
    while (left := budget - int(cells[0].sum())) > 0:
        games = cells.sum(axis=1).astype(float)
        fitted = solve(games, (cells * made.shares).sum(axis=1))
        matrix = information(fitted, square(games)) + 0.05 * np.eye(K)
        for used, theta, inverse, rng in zip(
            cells, fitted, np.linalg.inv(matrix), rngs, strict=True
        ):
            used |= next_round(
                open_cells,
                theta,
                difference_errors(inverse),
                batch=min(left, 2 * K),
                rng=rng,
                taken=used,
            )
    return cells


# 62.5 points, the difference that is planned for.
DIFFERENCE = 0.36


# Measured with 2000 boards: .814 ± .009.
def test_a_planned_number_of_scenarios_gives_the_power_asked_for():
    order = np.linspace(1, -1, K)
    order[[5, 6]] = _apart(order)
    rng = np.random.default_rng(13)
    found = [_decides(order, rng) for _ in range(boards(1000, 2000))]
    assert 0.75 <= np.mean(found) <= 0.85


def _apart(order: Floats) -> Floats:
    """Strengths of the middle two whose population ratings differ by `DIFFERENCE`."""
    tried = np.linspace(0.3, 0.5, 201)
    every = np.repeat(order[None, :], len(tried), axis=0)
    every[:, 5], every[:, 6] = tried / 2, -tried / 2
    truth = population(every)
    best = tried[np.abs(truth[:, 5] - truth[:, 6] - DIFFERENCE).argmin()]
    return np.array([best / 2, -best / 2])


def _decides(order: Floats, rng: np.random.Generator) -> bool:
    """Whether a board planned from its first 20 scenarios tells the middle two apart."""
    pilot = fold(order + rng.normal(0, EFFECT, (20, K)), rng)
    _, error = _difference(pilot)
    needed = scenarios_needed(unit_error(error, 20), DIFFERENCE)
    extra = scenarios_missing(needed, 20)
    whole = np.concatenate([pilot, fold(order + rng.normal(0, EFFECT, (extra, K)), rng)])
    apart, error = _difference(whole)
    p = two_sided_p(np.array([apart]), np.array([error]), np.array([len(whole) - 1.0]))
    return bool(p[0] <= 0.05)


def _difference(shares: Floats) -> tuple[float, float]:
    """Difference of the middle two on a full board, shape (S, P), and its standard error."""
    every = np.ones((1, *shares.shape), dtype=bool)
    fitted = solve(every.sum(axis=1).astype(float), shares.sum(axis=0)[None, :])
    errors = difference_errors(covariances(every, shares[None], fitted)[0])
    return float(fitted[0, 5] - fitted[0, 6]), float(errors[5, 6])
