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
        seconds = self.closed(who)
        if not seconds:
            self._left[who] = (self._now(who) - 1, self._clock())
            self._left.move_to_end(who)
            if len(self._left) > MOST:
                self._left.popitem(last=False)
        return seconds

    def closed(self, who: str) -> float:
        """The same without counting a request."""
        left = self._now(who)
        return 0.0 if left >= 1 else (1 - left) / self._per_second

    def _now(self, who: str) -> float:
        at = self._clock()
        left, since = self._left.get(who, (float(self._burst), at))
        return min(float(self._burst), left + (at - since) * self._per_second)
