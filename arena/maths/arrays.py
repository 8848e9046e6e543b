"""The kinds of arrays that go round here, and products that do not mind sparse ones."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Codes = NDArray[np.integer[Any]]
"""Indices of whatever width is enough."""
Shares = NDArray[np.floating[Any]]
Table = Any
"""A dense array or a scipy.sparse CSR array, one row a cluster."""


def gram(table: Table, copies: Ints | None) -> Floats:
    """Σ_s c_s · x_s x_sᵀ over the rows x_s of a table, shape (K, K); `copies`: c, shape (S,)."""
    if copies is None:
        counted = table
    elif isinstance(table, np.ndarray):
        counted = table * copies[:, None]
    else:
        counted = table.multiply(copies[:, None]).tocsr()
    return _dense(counted.T @ table)


def column_sums(table: Table, copies: Ints | None) -> Floats:
    """Σ_s c_s · x_s over the rows of a table, shape (K,)."""
    ones = np.ones(table.shape[0]) if copies is None else copies.astype(np.float64)
    return np.asarray(ones @ table, dtype=np.float64)


def largest_sizes(table: Table) -> Floats:
    """Largest magnitude in each column, shape (K,)."""
    return _dense(abs(table).max(axis=0)).ravel()


def _dense(values: Any) -> Floats:
    return np.asarray(values if isinstance(values, np.ndarray) else values.todense())
