"""Intervals and tests with Student's t, and Holm's correction for many of them."""

import numpy as np

from arena.maths.arrays import Floats, Ints, Table, column_sums, gram

LEVEL = 0.95
SMALLEST_ERROR = 1e-9
"""Below this a standard error says that nothing varied, not that all is known."""


def effective_df(load: Table, copies: Ints | None = None) -> Floats:
    """ν_i = (Σ_s m_si)² / Σ_s m_si² − 1, shape (K,), from comparisons m, shape (S, K).

    S − 1 when the scenarios are equally full; less when few of them hold most comparisons.
    `copies`: how many clusters look like each row, shape (S,).
    """
    total = column_sums(load, copies)
    squares = np.diag(gram(load, copies))
    return np.asarray(total**2 / np.maximum(squares, 1e-300) - 1)


def difference_df(load: Table, copies: Ints | None = None) -> Floats:
    """ν_ij with m_si + m_sj in place of m_si, shape (K, K)."""
    total, cross = column_sums(load, copies), gram(load, copies)
    squares = np.diag(cross)[:, None] + np.diag(cross)[None, :] + 2 * cross
    return np.asarray((total[:, None] + total[None, :]) ** 2 / np.maximum(squares, 1e-300) - 1)


def t_margin(errors: Floats, df: Floats, *, level: float = LEVEL) -> Floats:
    """Half the width of the interval, t_{(1+level)/2, ν} · SE, of the errors' shape.

    NaN where there is no interval: ν ≤ 0, or an error of nothing (`SMALLEST_ERROR`).
    """
    # scipy takes a while to import; commands that rate nobody must not wait for it.
    from scipy.special import stdtrit

    usable = (errors > SMALLEST_ERROR) & (df > 0)
    quantile = stdtrit(np.where(usable, df, 1.0), (1 + level) / 2)
    return np.asarray(np.where(usable, quantile * errors, np.nan))


def two_sided_p(differences: Floats, errors: Floats, df: Floats) -> Floats:
    """P-value 2 P(t_ν > |difference| / SE), of the differences' shape; NaN as in `t_margin`."""
    # scipy takes a while to import; commands that rate nobody must not wait for it.
    from scipy.special import stdtr

    usable = (errors > SMALLEST_ERROR) & (df > 0)
    ratio = np.abs(differences) / np.where(usable, errors, 1.0)
    return np.asarray(np.where(usable, 2 * stdtr(np.where(usable, df, 1.0), -ratio), np.nan))


def holm(p: Floats) -> Floats:
    """Adjusted p-values, shape (m,): reject those at most α for a familywise error of α.

    NaN (no test could be made) counts as 1 and comes back as 1. S. Holm, Scandinavian Journal of
    Statistics 6 (1979).
    """
    m = len(p)
    filled = np.where(np.isnan(p), 1.0, p)
    order = np.argsort(filled, kind="stable")
    stepped = np.maximum.accumulate(filled[order] * np.arange(m, 0, -1))
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
