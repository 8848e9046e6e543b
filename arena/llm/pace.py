"""Calls and tokens a minute at one endpoint: no window of time holds more than is allowed.

What is allowed flows evenly rather than in bursts: a burst that is spread on its way to the
provider would meet the next one in the same window there.
"""

from collections import deque
from dataclasses import dataclass

WINDOW = 60.0
"""Seconds in which a limit holds."""
FLOWS = 0.97
"""The part of a limit that flows evenly; the rest is what may start at once."""
MEMORY = 0.98
"""How much of what was learned of estimates stays with each further call."""
CAUTION = 2.0
"""By how much estimates are taken for too low until a first call has shown what it used."""
TICK = 1e-6
"""Added to each wait, so that a clock that rounds does not end it a moment too early."""


@dataclass(slots=True)
class Taken:
    """What a call takes of a limit: how much it counts as, and when it began, None: not yet."""

    at: float | None
    amount: float
    estimate: float


class Meter:
    """One limit over a sliding window. `most` is the amount that a window may hold.

    A call that may begin elsewhere counts until a whole window after it is known to have begun:
    however long the way there is, no window holds more than is allowed where the calls begin.
    """

    def __init__(self, most: float, window: float, *, caution: float = CAUTION) -> None:
        self.most = most
        self._caution = caution
        self._window = window
        self._flow = most * FLOWS / window
        self._room = most * (1 - FLOWS)
        self._level = self._room
        self._at: float | None = None
        self._log: deque[tuple[float, Taken]] = deque()
        self._coming = 0
        self._held = 0.0
        self._expected = self._used = 0.0

    def sized(self, estimate: float) -> float:
        """What a call is reckoned to take: its estimate, as estimates have proved so far."""
        learned = self._used / self._expected if self._expected else self._caution
        return min(estimate * learned, self.most)

    def wait(self, now: float, estimate: float) -> float:
        """Seconds until a call of this estimate may begin; 0 when it may now."""
        self._pass(now)
        amount = self.sized(estimate)
        wait = (min(amount, self._room) - self._level) / self._flow
        over = self._held + amount - self.most
        for at, taken in self._log:
            if over <= self.most * 1e-9:
                break
            over -= taken.amount
            wait = max(wait, at + self._window - now)
        if over > self.most * 1e-9:
            wait = max(wait, self._window)  # for calls of which nobody knows yet
        return wait + TICK if wait > 0 else 0.0

    def take(self, now: float, estimate: float) -> Taken:
        """Let a call begin."""
        self._pass(now)
        taken = Taken(None, self.sized(estimate), estimate)
        self._level -= taken.amount
        self._held += taken.amount
        self._coming += 1
        return taken

    def begin(self, now: float, taken: Taken) -> None:
        """Note that a call has begun by now; once."""
        self._pass(now)
        if taken.at is None:
            taken.at = now
            self._log.append((now, taken))
            self._coming -= 1

    def settle(self, now: float, taken: Taken, used: float) -> None:
        """Replace a reckoned amount by what was used: a refund, or a debt to wait for."""
        self._pass(now)
        self._expected = self._expected * MEMORY + taken.estimate
        self._used = self._used * MEMORY + used
        more = used - taken.amount
        self._level -= more
        if taken.at is None or taken.at > now - self._window:
            self._held += more
        taken.amount = used

    def _pass(self, now: float) -> None:
        if self._at is not None:
            flowed = self._level + self._flow * (now - self._at)
            # Refunds may fill it above its room: the window still holds.
            self._level = max(self._level, min(self._room, flowed))
        self._at = now
        while self._log and self._log[0][0] <= now - self._window:
            self._held -= self._log.popleft()[1].amount
        if not self._log and not self._coming:
            self._held = 0.0  # sums of fractions drift


@dataclass(frozen=True, slots=True)
class Started:
    """What a call takes of the limits of its endpoint."""

    calls: Taken | None
    tokens: Taken | None


class Pace:
    """The limits of one endpoint; a limit that is not stated does not hold."""

    def __init__(self, rpm: int | None, tpm: int | None, window: float = WINDOW) -> None:
        self._calls = Meter(rpm, window, caution=1.0) if rpm else None
        self._tokens = Meter(tpm, window) if tpm else None

    def fits(self, tokens: int) -> bool:
        """Whether a call of so many tokens is not larger than what a whole window may hold."""
        return self._tokens is None or tokens <= self._tokens.most

    def wait(self, now: float, tokens: int) -> float:
        """Seconds until a call of so many tokens may begin; 0 when it may now."""
        calls = self._calls.wait(now, 1) if self._calls else 0.0
        return max(calls, self._tokens.wait(now, tokens) if self._tokens else 0.0)

    def take(self, now: float, tokens: int) -> Started:
        """Let a call begin; gives what is to be noted once it has begun, and ended."""
        calls = self._calls.take(now, 1) if self._calls else None
        return Started(calls, self._tokens.take(now, tokens) if self._tokens else None)

    def begin(self, now: float, started: Started) -> None:
        """Note that a call has begun by now; saying it again changes nothing."""
        if self._calls and started.calls:
            self._calls.begin(now, started.calls)
        if self._tokens and started.tokens:
            self._tokens.begin(now, started.tokens)

    def settle(self, now: float, started: Started, used: int | None) -> None:
        """A call has ended; when nobody knows what it used, it keeps what it was reckoned."""
        self.begin(now, started)
        if self._tokens and started.tokens and used is not None:
            self._tokens.settle(now, started.tokens, used)
