"""Limits of endpoints and the cap on money, behind one protocol.

Calls at once and calls per minute belong to an endpoint; the cap belongs to the command. A call
that could cross the cap is not started.
"""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Protocol

from aiolimiter import AsyncLimiter

from arena.domain.call import Endpoint
from arena.errors import CapReached

ZERO = Decimal(0)


class Limiter(Protocol):
    """What a call asks before it starts and tells when it has ended."""

    async def start(self, endpoint: str, reserve: Decimal | None) -> None:
        """Wait for a place; raises CapReached when `reserve` could cross the cap."""
        ...

    async def finish(self, endpoint: str, reserve: Decimal | None, cost: Decimal | None) -> None:
        """Give the place back and settle the money (both in the workspace's currency)."""
        ...

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for a while: the provider said so."""
        ...


class Budget:
    """Money spent and reserved under a cap, in one currency. `cap` None: no cap."""

    def __init__(self, cap: Decimal | None) -> None:
        self.cap = cap
        self.spent = ZERO
        self.reserved = ZERO
        self._changed = asyncio.Condition()

    async def reserve(self, amount: Decimal | None) -> None:
        """Set money aside; raises CapReached when it could cross the cap.

        While other calls are running their reserves may still come back, so it waits for them.
        """
        if self.cap is None:
            return
        needed = ZERO if amount is None else amount
        async with self._changed:
            while self.spent + self.reserved + needed > self.cap:
                if self.reserved == 0:
                    raise CapReached("the cap was reached: the next call could have crossed it")
                await self._changed.wait()
            self.reserved += needed

    async def settle(self, reserve: Decimal | None, cost: Decimal | None) -> None:
        """Replace a reserve by what the call cost; unknown counts as the whole reserve."""
        if self.cap is None:
            self.spent += cost or ZERO
            return
        held = ZERO if reserve is None else reserve
        async with self._changed:
            self.reserved -= held
            self.spent += held if cost is None else cost
            self._changed.notify_all()


class LocalLimiter:
    """The limiter of one process."""

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        budget: Budget,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], "asyncio.Future[None]"] | None = None,
    ) -> None:
        self.budget = budget
        self._clock = clock
        self._sleep = sleep or asyncio.sleep
        self._places = {k: asyncio.Semaphore(e.concurrency) for k, e in endpoints.items()}
        self._rates = {k: AsyncLimiter(e.rpm, 60) for k, e in endpoints.items() if e.rpm}
        self._until: dict[str, float] = {}

    async def start(self, endpoint: str, reserve: Decimal | None) -> None:
        """Wait for a place, the pause and the rate; then set the money aside."""
        await self._places[endpoint].acquire()
        try:
            while (wait := self._until.get(endpoint, 0.0) - self._clock()) > 0:
                await self._sleep(wait)
            if rate := self._rates.get(endpoint):
                await rate.acquire()
            await self.budget.reserve(reserve)
        except BaseException:
            self._places[endpoint].release()
            raise

    async def finish(self, endpoint: str, reserve: Decimal | None, cost: Decimal | None) -> None:
        """Give the place back and settle the money."""
        self._places[endpoint].release()
        await self.budget.settle(reserve, cost)

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for `seconds`."""
        self._until[endpoint] = max(self._until.get(endpoint, 0.0), self._clock() + seconds)
