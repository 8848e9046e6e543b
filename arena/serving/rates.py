"""How often somebody may come: a bucket of a few requests that fills again with time."""

from collections import OrderedDict
from collections.abc import Callable

MOST = 10_000
"""Buckets that are kept; the oldest go first."""


class Rates:
    """At most `burst` requests at once by one caller, and `per_second` after that."""

    def __init__(self, *, per_second: float, burst: int, clock: Callable[[], float]) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """0 if a request may pass, which then counts; else the seconds until one may."""
        at = self._clock()
        left, since = self._left.pop(who, (float(self._burst), at))
        left = min(float(self._burst), left + (at - since) * self._per_second)
        passes = left >= 1
        self._left[who] = (left - 1 if passes else left, at)
        if len(self._left) > MOST:
            self._left.popitem(last=False)
        return 0.0 if passes else (1 - left) / self._per_second
