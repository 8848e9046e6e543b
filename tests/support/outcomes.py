"""Invented rows for the joint model, and outcomes drawn or expected of them."""

from dataclasses import replace

import numpy as np

from arena.maths.joint.outcomes import chances
from arena.maths.joint.rows import OutcomeRows


def all_pairs(agents, scenarios, *, orders=2):
    """Every pair in every scenario and order, without outcomes; covariate 0 is position."""
    i, j = np.triu_indices(agents, 1)
    many = scenarios * orders * len(i)
    shown = np.tile(np.repeat([1.0, -1.0][:orders], len(i)), scenarios)
    return OutcomeRows(
        first=np.tile(i, scenarios * orders),
        second=np.tile(j, scenarios * orders),
        scenario=np.repeat(np.arange(scenarios), orders * len(i)),
        win=np.zeros(many),
        tie=np.zeros(many),
        loss=np.zeros(many),
        x=shown[:, None],
        agents=agents,
        scenarios=scenarios,
    )


def scattered(agents, scenarios, many, covariates, rng):
    """Rows of pairs met by chance from either side, every scenario at least once."""
    first = rng.integers(0, agents, many)
    return OutcomeRows(
        first=first,
        second=(first + rng.integers(1, agents, many)) % agents,
        scenario=np.concatenate([np.arange(scenarios), rng.integers(0, scenarios, many)])[:many],
        win=np.zeros(many),
        tie=np.zeros(many),
        loss=np.zeros(many),
        x=rng.normal(0, 1, (many, covariates)),
        agents=agents,
        scenarios=scenarios,
    )


def with_outcomes(rows, win, tie, loss):
    return replace(rows, win=np.asarray(win), tie=np.asarray(tie), loss=np.asarray(loss))


def expected(rows, model, eta, tau=0.0):
    """The rows with the chances themselves as outcomes: data without noise."""
    return with_outcomes(rows, *chances(model, eta, np.array([tau])))


def drawn(rows, model, eta, tau, rng):
    """The rows with one outcome drawn for each."""
    win, tie, _ = chances(model, eta, np.array([tau]))
    luck = rng.random(len(rows))
    won, lost = luck < win, luck >= win + tie
    return with_outcomes(rows, won * 1.0, (~won & ~lost) * 1.0, lost * 1.0)


def take(rows, order):
    """The rows in that order, some perhaps more than once."""
    names = ("first", "second", "scenario", "win", "tie", "loss", "x")
    return replace(rows, **{name: getattr(rows, name)[order] for name in names})


def turned(rows, mask):
    """The same rows with the masked ones seen from their other side."""
    return replace(
        rows,
        first=np.where(mask, rows.second, rows.first),
        second=np.where(mask, rows.first, rows.second),
        win=np.where(mask, rows.loss, rows.win),
        loss=np.where(mask, rows.win, rows.loss),
        x=np.where(mask[:, None], -rows.x, rows.x),
    )


def random_rows(seed, covariates=2, agents=4):
    """A small board with ties, weights below 1 and agents met from either side."""
    rng = np.random.default_rng(seed)
    rows = scattered(agents, 6, 90, covariates, rng)
    theta = rng.normal(0, 0.7, agents)
    eta = theta[rows.first] - theta[rows.second] + rows.x @ np.full(covariates, 0.4)
    rows = drawn(rows, "davidson", eta, np.log(0.6), rng)
    weight = rng.choice([0.5, 1.0], len(rows))
    return with_outcomes(rows, rows.win * weight, rows.tie * weight, rows.loss * weight)


def one_pair(win, tie, loss, x=None):
    """Rows of agent 0 against agent 1, each a scenario of its own."""
    many = len(win)
    return OutcomeRows(
        first=np.zeros(many, dtype=np.int64),
        second=np.ones(many, dtype=np.int64),
        scenario=np.arange(many),
        win=np.array(win, dtype=np.float64),
        tie=np.array(tie, dtype=np.float64),
        loss=np.array(loss, dtype=np.float64),
        x=np.zeros((many, 0)) if x is None else np.array(x, dtype=np.float64),
        agents=2,
        scenarios=many,
    )
