"""Quotas: whether enough cases are met, and how many cases it takes to show it."""

import math

from arena.maths.intervals import LEVEL
from arena.maths.means import wilson


def meets(hits: int, cases: int, quota: float, *, lower: bool, level: float = LEVEL) -> bool:
    """Whether a share (or with `lower` the lower end of its Wilson interval) reaches a quota.

    Without cases nothing is met.
    """
    if not cases:
        return False
    return (wilson(hits, cases, level=level)[0] if lower else hits / cases) >= quota


def cases_needed(quota: float, *, level: float = LEVEL) -> int | None:
    """The fewest cases of which all can show a quota by the lower end; None: no number can.

    n of n has the lower end n / (n + z²), so n ≥ z² · quota / (1 − quota).
    """
    # scipy takes a while to import; commands that need no quota must not wait for it.
    from scipy.special import ndtri

    if quota >= 1:
        return None
    z = float(ndtri((1 + level) / 2))
    n = max(1, math.ceil(z * z * quota / (1 - quota)) - 1)
    while not meets(n, n, quota, lower=True, level=level):
        n += 1
    return n
