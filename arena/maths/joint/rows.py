"""Outcomes with covariates as arrays: what strengths and effects are fitted to."""

from dataclasses import dataclass

import numpy as np

from arena.maths.arrays import Codes
from arena.maths.tally import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRows:
    """M rows among K agents in S scenarios: who met whom, what came of it, under what covariates.

    `first`, `second`: agents, shape (M,), in 0 … K−1 and different in every row. `scenario`: shape
    (M,), in 0 … S−1; every scenario should occur, for it counts as a cluster. `win`, `tie`, `loss`:
    how much of the row's weight was a win of `first`, a tie, a loss, shape (M,), each at least 0;
    a folded comparison whose two orders disagree is half a win and half a loss. `x`: covariates,
    shape (M, d), d ≥ 0, that favour `first` where positive.
    """

    first: Ints
    second: Ints
    scenario: Ints
    win: Floats
    tie: Floats
    loss: Floats
    x: Floats
    agents: int
    scenarios: int

    def __len__(self) -> int:
        return len(self.first)

    def weight(self) -> Floats:
        """Win, tie and loss together, shape (M,)."""
        return self.win + self.tie + self.loss

    def points(self) -> Floats:
        """Points that i earned from j, a tie being half a point to each, shape (K, K)."""
        k = self.agents
        flat = _counted(self.first * k + self.second, self.win + self.tie / 2, k * k)
        flat += _counted(self.second * k + self.first, self.loss + self.tie / 2, k * k)
        return flat.reshape(k, k)

    def load(self) -> Floats:
        """Weight of the rows of agent i in scenario s, shape (S, K): the load of `effective_df`.

        Effects bear on all rows: their load is this one's sum over agents, shape (S, 1).
        """
        k, weight, size = self.agents, self.weight(), self.scenarios * self.agents
        flat = _counted(self.scenario * k + self.first, weight, size)
        flat += _counted(self.scenario * k + self.second, weight, size)
        return flat.reshape(self.scenarios, k)


def merge(rows: OutcomeRows) -> OutcomeRows:
    """The same rows sorted, the lower agent first, with one row a scenario, pair and covariates.

    Fits of the result are the same to the last bit whatever the order and the sides of the rows.
    A row seen from its other side has its win and loss exchanged and its covariates negated.
    """
    turned = rows.first > rows.second
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    # Adding 0 makes −0 into 0, so that both sides of a row without a lead are one key.
    x = np.where(turned[:, None], -rows.x, rows.x) + 0.0
    win = np.where(turned, rows.loss, rows.win)
    loss = np.where(turned, rows.win, rows.loss)
    place = (rows.scenario * rows.agents + low) * rows.agents + high
    # Outcomes are keys too, only to fix the order in which they are added up.
    order = np.lexsort([loss, rows.tie, win, *x.T, place])
    place, x = place[order], x[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (place[1:] != place[:-1]) | (x[1:] != x[:-1]).any(axis=1)
    start = np.flatnonzero(new)
    kept = order[start]
    return OutcomeRows(
        first=low[kept],
        second=high[kept],
        scenario=rows.scenario[kept],
        win=_sums(win[order], start),
        tie=_sums(rows.tie[order], start),
        loss=_sums(loss[order], start),
        x=x[start],
        agents=rows.agents,
        scenarios=rows.scenarios,
    )


def position_columns(shown_first: Floats | Ints, judge: Codes, judges: int) -> Floats:
    """Covariates of position, one column a judge, shape (M, judges).

    `shown_first`, shape (M,): +1 where `first` of the row was shown first, −1 where second, 0
    where the row has no order. `judge`: shape (M,), in 0 … judges−1, negative where none is named:
    such a row has 0 everywhere. Each judge needs an effect of its own: one effect over judges of
    unequal bias undoes little of what folding lost.
    """
    columns = np.zeros((len(judge), judges))
    named = np.flatnonzero(judge >= 0)
    columns[named, judge[named]] = shown_first[named]
    return columns


def _counted(place: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(place, values, size).astype(np.float64, copy=False)


def _sums(values: Floats, start: Ints) -> Floats:
    return np.add.reduceat(values, start) if len(start) else np.zeros(0)
