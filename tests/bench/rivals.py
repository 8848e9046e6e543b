"""How others would make ratings and 95 % intervals of the same table.

Each counts in DuckDB first (all but arena-rank, which counts itself) and resamples counts instead
of rows: the quick way for all of them. None of them draws scenarios, so their intervals are of
rows as if these were independent, which is less than what is measured of ours.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from tests.bench.workloads import LABELS, TABLE

Array = NDArray[Any]

_AT_ONCE = 10
"""Resamples drawn together; their weights fit into the cache, or nearly."""


@dataclass(kw_only=True)
class Done:
    """CPU seconds of the whole job, what was left out estimated, and how many resamples ran.

    `parts`: CPU seconds by part, where they are known; `bounds`: the ends of the intervals of each
    agent, shape (2, K), on the contestant's own scale.
    """

    seconds: float
    ran: int
    bounds: Array
    parts: dict[str, float] = field(default_factory=dict)


Job = Callable[[duckdb.DuckDBPyConnection, int, float], Done]
"""A connection, the number of resamples, and CPU seconds after which no more are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A job, and the modules that are imported before the clock starts."""

    run: Job
    imports: tuple[str, ...] = ()
    resamples: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """Distinct (a, b, outcome) with what `a` earned and how often it came, all of shape (C,)."""

    a: Array
    b: Array
    share: Array
    count: Array
    agents: int


def _count(connection: duckdb.DuckDBPyConnection) -> _Counts:
    found = connection.execute(
        "select enum_code(least(a, b))::integer as a, enum_code(greatest(a, b))::integer as b, "
        f"case when outcome = '{LABELS[2]}' then 0.5 when (outcome = '{LABELS[0]}') = (a < b) "
        "then 1 else 0 end::double as share, count(*) as count "
        f"from {TABLE} group by all order by all"
    ).fetchnumpy()
    return _Counts(**found, agents=int(max(found["a"].max(), found["b"].max())) + 1)


def _resampled(
    started: float, counts: _Counts, fit: Callable[[Array], Array], resamples: int, budget: float
) -> Done:
    """Fit resamples of the counts until the budget is spent; the time of the others is scaled."""
    prepared = time.process_time()
    total = int(counts.count.sum())
    found: list[Array] = []
    for weights in _drawn(counts, total, resamples):
        found.extend(fit(weight) for weight in weights)
        if time.process_time() - prepared > budget:
            break
    bounds = np.quantile(np.array(found), [0.025, 0.975], axis=0)
    spent = time.process_time() - prepared
    return Done(
        seconds=prepared - started + spent * resamples / len(found), ran=len(found), bounds=bounds
    )


def _drawn(counts: _Counts, total: int, resamples: int) -> Iterator[Array]:
    rng = np.random.default_rng(1729)
    for begin in range(0, resamples, _AT_ONCE):
        size = min(_AT_ONCE, resamples - begin)
        yield rng.multinomial(total, counts.count / total, size=size).astype(np.float64)


def choix_dense(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """`choix.ilsr_pairwise_dense` on the matrix of points, a tie being half a point to each."""
    import choix

    started = time.process_time()
    counts = _count(connection)
    k = counts.agents
    cell, back = counts.a * k + counts.b, counts.b * k + counts.a

    def fit(weight: Array) -> Array:
        points = np.bincount(cell, weight * counts.share, k * k)
        points += np.bincount(back, weight * (1 - counts.share), k * k)
        return np.asarray(choix.ilsr_pairwise_dense(points.reshape(k, k)))

    fit(counts.count.astype(np.float64))
    return _resampled(started, counts, fit, resamples, budget)


def fastchat(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """FastChat's method: L-BFGS-B from 0 over the distinct outcomes by weight, base 10.

    The released package does not hold it. Its settings are kept (at most 100 iterations, tolerance
    of the gradient 1e-6, likelihood per comparison); both orders of a pair are counted as one and
    the gradient is summed by `bincount`, each of which is quicker than what FastChat does.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    started = time.process_time()
    counts = _count(connection)
    k, scale, total = counts.agents, np.log(10), counts.count.sum()

    def loss(ratings: Array, weight: Array) -> tuple[float, Array]:
        expected = expit(scale * (ratings[counts.a] - ratings[counts.b]))
        likely = counts.share * np.log(expected) + (1 - counts.share) * np.log(1 - expected)
        above = scale * weight * (counts.share - expected)
        slope = np.bincount(counts.b, above, k) - np.bincount(counts.a, above, k)
        return -float(weight @ likely), slope

    def fit(weight: Array) -> Array:
        options = {"maxiter": 100, "gtol": 1e-6}
        found = minimize(
            loss, np.zeros(k), (weight / total,), method="L-BFGS-B", jac=True, options=options
        )
        return np.asarray(found.x - found.x.mean())

    fit(counts.count.astype(np.float64))
    return _resampled(started, counts, fit, resamples, budget)


def sklearn_weighted(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """Logistic regression of arena-hard's kind, a row for each distinct outcome with its weight.

    A tie is two rows of half the weight. Rows are sparse, which is quicker for many agents.
    """
    from scipy.sparse import csr_array
    from sklearn.linear_model import LogisticRegression

    started = time.process_time()
    counts = _count(connection)
    tie = counts.share == 0.5
    source = np.concatenate([np.arange(len(tie)), np.flatnonzero(tie)])
    won = np.concatenate([counts.share > 0, np.zeros(tie.sum(), dtype=bool)])
    part, row = np.where(tie, 0.5, 1.0)[source], np.arange(len(source))
    signs = np.concatenate([np.ones(len(row)), -np.ones(len(row))])
    agent = np.concatenate([counts.a[source], counts.b[source]])
    table = csr_array((signs, (np.concatenate([row, row]), agent)))
    if counts.agents <= 50:
        table = table.toarray()

    def fit(weight: Array) -> Array:
        model = LogisticRegression(fit_intercept=False, C=np.inf, tol=1e-6, max_iter=1000)
        model.fit(table, won, sample_weight=weight[source] * part)
        return np.asarray(model.coef_[0] - model.coef_[0].mean())

    fit(counts.count.astype(np.float64))
    return _resampled(started, counts, fit, resamples, budget)


def arena_rank(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """arena-rank's data set, fit and sandwich; it draws no resamples here."""
    from arena_rank.models.bradley_terry import BradleyTerry
    from arena_rank.utils.data_utils import PairDataset

    started = time.process_time()
    shares = {LABELS[0]: 1.0, LABELS[1]: 0.0, LABELS[2]: 0.5}
    frame = connection.execute(
        f"select a as model_a, b as model_b, outcome as winner from {TABLE}"
    ).df()
    data = PairDataset.from_pandas(frame, outcome_map=shares.__getitem__)
    found = BradleyTerry(n_competitors=data.n_competitors).compute_ratings_and_cis(data)
    bounds = np.array([found["rating_lower"], found["rating_upper"]])
    return Done(seconds=time.process_time() - started, ran=0, bounds=bounds)


RIVALS = {
    "choix": Contestant(run=choix_dense, imports=("choix",)),
    "fastchat": Contestant(run=fastchat, imports=("scipy.optimize", "scipy.special")),
    "sklearn": Contestant(run=sklearn_weighted, imports=("sklearn.linear_model", "scipy.sparse")),
    "arena-rank": Contestant(
        run=arena_rank,
        imports=("arena_rank.models.bradley_terry", "arena_rank.utils.data_utils", "pandas"),
        resamples=False,
    ),
}
