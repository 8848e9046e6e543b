"""Changes between two looks at the same scenarios, with intervals clustered over scenarios."""

import math
from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Bools, Floats, Ints
from arena.maths.bradley_terry import POINTS_PER_NAT, centre, expected_shares, information
from arena.maths.intervals import LEVEL, t_margin, two_sided_p
from arena.maths.sandwich import centred_inverse
from arena.maths.tally import Rows
from arena.maths.threads import one_thread


@dataclass(frozen=True, slots=True)
class Change:
    """A mean change; `half`: half the width of its interval, which is None where nothing varied.

    Where nothing changed at all, `half` is an exact limit of the part that may have changed. `p`:
    of no change, None where there is no interval.
    """

    mean: float
    low: float | None
    high: float | None
    half: float | None
    clusters: int
    p: float | None = None


def clustered_change(cluster: Ints, change: Floats, *, level: float = LEVEL) -> Change:
    """Mean of `change`, shape (M,), M > 0, with mean ± t_{S−1} · SE over S clusters.

    SE² = S/(S−1) · Σ_s (Σ_{c∈s} (d_c − d̄))² / M². Without any change in S clusters the part of
    clusters with a change is at most 1 − 0.05^(1/S), however they hang together inside.
    """
    _, place = np.unique(cluster, return_inverse=True)
    sums, mean = np.bincount(place, change - change.mean()), float(change.mean())
    s, m = len(sums), len(change)
    if not change.any():
        return Change(0.0, None, None, 1 - math.pow(1 - LEVEL, 1 / s), s)
    if s < 2:
        return Change(mean, None, None, None, s)
    error = math.sqrt(s / (s - 1) * float(sums @ sums)) / m
    errors, df = np.array([error]), np.array([s - 1.0])
    margin = float(t_margin(errors, df, level=level)[0])
    if math.isnan(margin):
        return Change(mean, None, None, None, s)
    p = float(two_sided_p(np.array([mean]), errors, df)[0])
    return Change(mean, mean - margin, mean + margin, margin, s, p)


def influence(rows: Rows, strengths: Floats, *, prior: float = 0.0) -> Floats:
    """What each scenario does to the strengths of a fit, ψ = H⁺ (u_s − ū), shape (S, K).

    `strengths`: shape (K,), NaN for whoever is not rated, whose comparisons are passed over;
    `rows` with scenarios. Rated agents' columns sum to 0; the others' are NaN.
    """
    if rows.scenario is None:
        raise ValueError("rows without scenarios")
    members = np.flatnonzero(~np.isnan(strengths))
    theta = strengths[members]
    place = np.full(rows.agents, -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    first, second = place[rows.first], place[rows.second]
    kept = (first >= 0) & (second >= 0)
    first, second, scenario = first[kept], second[kept], rows.scenario[kept]
    above = rows.share[kept] - expected_shares(theta)[first, second]
    scores, total = np.zeros((rows.scenarios, len(members))), np.zeros((len(members),) * 2)
    np.add.at(scores, (scenario, first), above)
    np.add.at(scores, (scenario, second), -above)
    np.add.at(total, (first, second), 1.0)
    held = information(theta, total + total.T)
    k = len(members)
    inverse = centred_inverse(held + prior * (np.eye(k) - np.full((k, k), 1 / k)))
    used = np.bincount(scenario, minlength=rows.scenarios) > 0
    scores[used] -= scores[used].mean(axis=0)
    found = np.full((rows.scenarios, rows.agents), np.nan)
    with one_thread():
        found[:, members] = scores @ inverse
    return found


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of ratings in points, half their intervals, and p of no change, each shape (K,)."""

    change: Floats
    half: Floats
    p: Floats


@dataclass(frozen=True, slots=True)
class Side:
    """One board: its comparisons and the strengths that were fitted to them, shape (K,)."""

    rows: Rows
    strengths: Floats
    prior: float = 0.0


def paired_changes(old: Side, new: Side, reference: Bools, *, level: float = LEVEL) -> Changes:
    """Change of each rating, new less old, with its interval, unadjusted for their number.

    Both boards count agents and scenarios alike and are set to the same mean over `reference`,
    agents rated on both, shape (K,). The boards share scenarios, so that each scenario's effect on
    the difference counts once: V = S/(S−1) · Σ_s (D_s − D̄)², D_s = ψ_new − ψ_old. NaN for agents
    that are not rated on both; `half` and `p` also where nothing varied or with one scenario.
    """
    common = ~np.isnan(old.strengths) & ~np.isnan(new.strengths)
    shift = centre(new.strengths, reference) - centre(old.strengths, reference)
    apart = centre(influence(new.rows, new.strengths, prior=new.prior), reference) - centre(
        influence(old.rows, old.strengths, prior=old.prior), reference
    )
    used = _used(old.rows) | _used(new.rows)
    held, s = apart[used], int(used.sum())
    nothing = np.full(len(shift), np.nan)
    if s < 2:
        return Changes(np.asarray(POINTS_PER_NAT * shift), nothing, nothing)
    spread = held - held.mean(axis=0)
    error = np.sqrt(s / (s - 1) * np.square(spread).sum(axis=0))
    half, p, df = nothing.copy(), nothing.copy(), np.full(int(common.sum()), s - 1.0)
    half[common] = t_margin(error[common], df, level=level)
    p[common] = two_sided_p(shift[common], error[common], df)
    return Changes(np.asarray(POINTS_PER_NAT * shift), np.asarray(POINTS_PER_NAT * half), p)


def _used(rows: Rows) -> Bools:
    held = np.bincount(np.asarray(rows.scenario), minlength=rows.scenarios) > 0
    return np.asarray(held)
