"""The rows of the joint model as a linear map: parameters to leads, slopes to gradients.

Parameters φ, shape (P,): the K strengths θ, then the tie parameter τ where one is estimated (q = 0
or 1), then the d effects β; P = K + q + d. A row's lead is η = θ_first − θ_second + x·β. Sums over
rows may be over all of them, over each scenario's or over many resamples' at once; they differ
only in `Summing`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.maths.joint.rows import OutcomeRows
from arena.maths.tally import Floats, Ints

Summing = Callable[[Floats, Any], Any]
"""From values of the rows, shape (…, M), and a matrix, shape (M, c): sums, shape (…, c).

The matrix may be sparse, and so may the result.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Rows with their matrices, for n pairs that occur.

    Sparse: `incidence`, shape (M, K), +1 at `first` and −1 at `second`; `pairs`, shape (M, n), 1
    at the row's pair. `low`, `high`: the agents of each pair, shape (n,).
    """

    rows: OutcomeRows
    incidence: Any
    pairs: Any
    low: Ints
    high: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """An information matrix in parts, E = q + d: all that is not implied by θ's free constant.

    `pairs`: curvature between the agents of each pair, shape (…, n), perhaps sparse; `cross`:
    strengths against the rest, shape (…, E, K); `rest`: the rest, shape (…, E, E).
    """

    pairs: Any
    cross: Floats
    rest: Floats


def arrange(rows: OutcomeRows) -> Design:
    """Matrices of the rows."""
    # scipy takes a second to import; commands that fit no covariates must not wait for it.
    from scipy.sparse import csr_array

    m, k = len(rows), rows.agents
    low, high = np.minimum(rows.first, rows.second), np.maximum(rows.first, rows.second)
    seen, pair = np.unique(low * k + high, return_inverse=True)
    every = np.arange(m)
    sides = np.stack([rows.first, rows.second], axis=1).ravel()
    signs = np.tile([1.0, -1.0], m)
    return Design(
        rows=rows,
        incidence=csr_array((signs, sides, np.arange(0, 2 * m + 1, 2)), shape=(m, k)),
        pairs=csr_array((np.ones(m), (every, pair)), shape=(m, len(seen))),
        low=seen // k,
        high=seen % k,
    )


def leads(design: Design, parameters: Floats) -> Floats:
    """η of every row, shape (…, M), from parameters, shape (…, P)."""
    rows = design.rows
    effects = parameters[..., parameters.shape[-1] - rows.x.shape[1] :]
    apart = parameters[..., rows.first] - parameters[..., rows.second]
    return np.asarray(apart + effects @ rows.x.T)


def together(values: Floats, matrix: Any) -> Any:
    """Sums over all rows; a `Summing`."""
    return values @ matrix


def by_scenario(rows: OutcomeRows) -> Summing:
    """Sums over the rows of each scenario: values of shape (M,) give sums of shape (S, c)."""
    # scipy takes a second to import; commands that fit no covariates must not wait for it.
    from scipy.sparse import csr_array

    every, shape = np.arange(len(rows)), (rows.scenarios, len(rows))

    def summing(values: Floats, matrix: Any) -> Any:
        return csr_array((values, (rows.scenario, every)), shape=shape) @ matrix

    return summing


def gradient(design: Design, slope: Floats, summing: Summing = together) -> Floats:
    """Gradient in the parameters, shape (…, P), from slopes, shape (1+q, …, M)."""
    one = np.ones((len(design.rows), 1))
    parts = [dense(summing(slope[0], design.incidence))]
    parts += [dense(summing(of_tie, one)) for of_tie in slope[1:]]
    parts.append(dense(summing(slope[0], design.rows.x)))
    return np.concatenate(parts, axis=-1)


def blocks(design: Design, curvature: Floats, summing: Summing = together) -> Blocks:
    """The information in parts, from curvatures, shape (1+q, 1+q, …, M)."""
    x, one = design.rows.x, np.ones((len(design.rows), 1))
    (along, *mixed), ties = curvature[0], curvature[1:, 1:]
    d, q = x.shape[1], len(mixed)
    pairs = summing(along, design.pairs)
    outer = [*mixed, *(along * column for column in x.T)]
    cross = [dense(summing(values, design.incidence)) for values in outer]
    shape = pairs.shape[:-1]
    rest = np.zeros((*shape, q + d, q + d))
    for effect, column in enumerate(x.T):
        # All products of covariates at once would be d times the rows' own memory.
        rest[..., q + effect, q:] = dense(summing(along, x * column[:, None]))
    if q:
        rest[..., 0, 0] = dense(summing(ties[0, 0], one))[..., 0]
        rest[..., 0, q:] = dense(summing(mixed[0], x))
        rest[..., q:, 0] = rest[..., 0, q:]
    stacked = np.stack(cross, axis=-2) if cross else np.zeros((*shape, 0, design.rows.agents))
    return Blocks(pairs=pairs, cross=stacked, rest=rest)


def assemble(design: Design, parts: Blocks) -> Floats:
    """Information matrices, shape (…, P, P), from their parts."""
    k, e = design.rows.agents, parts.rest.shape[-1]
    matrix = np.zeros((*parts.rest.shape[:-2], k + e, k + e))
    matrix[..., design.low, design.high] = -parts.pairs
    matrix[..., design.high, design.low] = -parts.pairs
    # A constant added to all strengths changes nothing, so the rows of their block sum to 0.
    every = np.arange(k)
    matrix[..., every, every] = -matrix[..., :k, :k].sum(axis=-1)
    matrix[..., k:, :k] = parts.cross
    matrix[..., :k, k:] = np.swapaxes(parts.cross, -1, -2)
    matrix[..., k:, k:] = parts.rest
    return matrix


def reach(design: Design, step: Floats) -> Floats:
    """The most by which a step, shape (…, P), can move any lead or τ, shape (…)."""
    k, x = design.rows.agents, design.rows.x
    furthest = np.abs(x).max(axis=0, initial=0.0)
    ties = step.shape[-1] - k - x.shape[1]
    rest = np.abs(step[..., k:]) @ np.concatenate([np.ones(ties), furthest])
    return np.asarray(np.ptp(step[..., :k], axis=-1) + rest)


def dense(values: Any) -> Floats:
    """The same values as an ordinary array."""
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values)
