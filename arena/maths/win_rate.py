"""Win rates: shares of points without a model of strength.

What a board of one baseline can say, and what AlpacaEval and evalica publish. A win rate depends
on whom an agent met; strengths (`bradley_terry`) do not.
"""

import math
from dataclasses import dataclass

import numpy as np

from arena.errors import ArenaError
from arena.maths.intervals import LEVEL, SMALLEST_ERROR, t_margin
from arena.maths.tally import Floats, Ints

FEWEST_SCENARIOS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceRate:
    """One agent against one baseline, as AlpacaEval publishes it; rates in per cent.

    `standard_error` takes rows as independent (NaN for a single row); `wins`, `losses`, `draws`
    count rows in which more than, less than and exactly half the preference was the agent's;
    `discrete` is the win rate with preferences rounded to these three.
    """

    win_rate: float
    standard_error: float
    wins: int
    losses: int
    draws: int
    discrete: float

    @property
    def rows(self) -> int:
        """Rows with a preference."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True, kw_only=True)
class PairShares:
    """Share of the points that i earned from j, all shape (K, K), NaN where never compared.

    `share[i, j]` + `share[j, i]` = 1. `se` is clustered by scenario, NaN where nothing varied
    over at least two; `low` and `high` are the t interval cut at 0 and 1, NaN without an error or
    with fewer than 5 scenarios. `comparisons` and `scenarios` count what the share rests on.
    """

    share: Floats
    se: Floats
    low: Floats
    high: Floats
    comparisons: Ints
    scenarios: Ints


def preference_rate(preferences: Floats) -> PreferenceRate | None:
    """AlpacaEval's figures from its preferences, shape (M,); None without any.

    1 is the baseline's answer, 2 the agent's, between them a probability, 1.5 or 0 a draw, NaN no
    verdict (left out). With p = preference − 1: win rate = 100 · mean p, standard error =
    100 · sd(p) / √n with divisor n − 1. Raises ArenaError for any other number. Source:
    Y. Dubois et al., Length-controlled AlpacaEval (2024), and its released leaderboards.
    """
    known = preferences[~np.isnan(preferences)]
    odd = known[(known != 0) & ((known < 1) | (known > 2))]
    if len(odd):
        raise ArenaError("a preference must be 0 or from 1 to 2, not {value}", value=float(odd[0]))
    if not len(known):
        return None
    p = np.where(known == 0, 1.5, known) - 1
    n, wins, losses = len(p), int((p > 0.5).sum()), int((p < 0.5).sum())
    draws = n - wins - losses
    return PreferenceRate(
        win_rate=100 * float(p.mean()),
        standard_error=100 * float(p.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan,
        wins=wins,
        losses=losses,
        draws=draws,
        discrete=100 * (wins + draws / 2) / n,
    )


def points_earned(first: Ints, second: Ints, share: Floats, agents: int) -> Floats:
    """Points of each agent, wins and half the ties, shape (K,); NaN for agents never compared.

    `first`, `second`: agents in 0 … K−1; `share`: what `first` earned, in [0, 1]; all shape (M,).
    evalica calls it counting.
    """
    wins = _matrix(first, second, share, agents)
    played = (wins + wins.T > 0).any(axis=1)
    return np.where(played, wins.sum(axis=1), np.nan)


def average_win_rate(first: Ints, second: Ints, share: Floats, agents: int) -> Floats:
    """Mean over the opponents met of the share earned from each, in 0 … 1, shape (K,).

    Every opponent counts alike, however often it was met. NaN for agents never compared.
    Arguments as in `points_earned`. As in evalica (D. Ustalov, 2025).
    """
    wins = _matrix(first, second, share, agents)
    games = wins + wins.T
    rates = np.where(games > 0, wins, 0.0) / np.where(games > 0, games, 1.0)
    met = (games > 0).sum(axis=1)
    return np.where(met > 0, rates.sum(axis=1) / np.maximum(met, 1), np.nan)


def pair_shares(
    first: Ints,
    second: Ints,
    scenario: Ints,
    share: Floats,
    agents: int,
    *,
    level: float = LEVEL,
) -> PairShares:
    """What i earned from j on average, with an error that knows of scenarios.

    `scenario`: shape (M,), in 0 … S−1, others as in `points_earned`. The share is
    Σ share / n over the pair's n comparisons; with u_s the points above it in scenario s,
    SE² = S/(S−1) · Σ_s u_s² / n² over the S scenarios in which the pair met; the interval is
    share ± t_ν · SE, ν = (Σ_s n_s)² / Σ_s n_s² − 1. Source: W. Cochran, Sampling Techniques
    (1977), §6.
    """
    k = agents
    low, high = np.minimum(first, second), np.maximum(first, second)
    pair, place = np.unique(low * k + high, return_inverse=True)
    earned = np.where(first == low, share, 1 - share)
    games = np.bincount(place, minlength=len(pair)).astype(np.float64)
    mean = np.bincount(place, earned, len(pair)) / games
    width = int(scenario.max()) + 1 if len(scenario) else 1
    cell, where = np.unique(place * width + scenario, return_inverse=True)
    # One column a pair would be mostly empty, so cells are grouped by their pair instead.
    load = np.bincount(where, minlength=len(cell)).astype(np.float64)
    above = np.bincount(where, earned - mean[place], len(cell))
    of = cell // width
    spans = np.bincount(of, minlength=len(pair))
    error = np.sqrt(
        spans / np.maximum(spans - 1, 1) * np.bincount(of, above**2, len(pair)) / games**2
    )
    # One scenario, or none that differs from another: unknown, not certain.
    error[(spans < 2) | (error <= SMALLEST_ERROR)] = np.nan
    df = games**2 / np.bincount(of, load**2, len(pair)) - 1
    margin = t_margin(np.where(spans >= FEWEST_SCENARIOS, error, np.nan), df, level=level)
    i, j = pair // k, pair % k
    return PairShares(
        share=_both(k, i, j, mean, 1 - mean),
        se=_both(k, i, j, error, error),
        low=_both(k, i, j, np.maximum(mean - margin, 0), np.maximum(1 - mean - margin, 0)),
        high=_both(k, i, j, np.minimum(mean + margin, 1), np.minimum(1 - mean + margin, 1)),
        comparisons=_counts(k, i, j, games.astype(np.int64)),
        scenarios=_counts(k, i, j, spans),
    )


def _matrix(first: Ints, second: Ints, share: Floats, agents: int) -> Floats:
    size = agents * agents
    flat = np.bincount(first * agents + second, share, size)
    back = np.bincount(second * agents + first, 1 - share, size)
    return (flat + back).astype(np.float64, copy=False).reshape(agents, agents)


def _both(k: int, i: Ints, j: Ints, of_i: Floats, of_j: Floats) -> Floats:
    whole = np.full((k, k), np.nan)
    whole[i, j], whole[j, i] = of_i, of_j
    return whole


def _counts(k: int, i: Ints, j: Ints, values: Ints) -> Ints:
    whole = np.zeros((k, k), dtype=np.int64)
    whole[i, j] = whole[j, i] = values
    return whole
