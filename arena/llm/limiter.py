"""Limits of endpoints and the cap on money, behind one protocol.

Calls at once and calls per minute belong to an endpoint; the cap, a `Budget`, to the command.
"""

import asyncio
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Protocol

from aiolimiter import AsyncLimiter

from arena.domain.call import Endpoint
from arena.llm.budget import Budget


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
