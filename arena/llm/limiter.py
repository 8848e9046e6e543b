"""Limits of endpoints and the cap on money, behind one protocol.

Calls at once, calls and tokens per minute belong to an endpoint; the cap, a `Budget`, to the
command.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import Protocol

from arena.domain.call import Endpoint
from arena.errors import ProviderFault
from arena.llm.budget import Budget
from arena.llm.pace import WINDOW, Pace, Started

GLANCE = 1 / 100
"""The part of a window after which a call that waits looks again: refunds come in between."""


class Limiter(Protocol):
    """What a call asks before it starts and tells when it has ended."""

    async def start(self, endpoint: str, reserve: Decimal | None, tokens: int = 0) -> int:
        """Wait for a place and the rate; gives the number to end the call by.

        The call is to begin as soon as this returns.

        `tokens`: an estimate. Raises CapReached when `reserve` could cross the cap, ProviderFault
        when the call alone is larger than the endpoint's tokens per minute.
        """
        ...

    async def finish(
        self,
        endpoint: str,
        reserve: Decimal | None,
        cost: Decimal | None,
        *,
        number: int | None = None,
        tokens: int | None = None,
    ) -> None:
        """Give the place back, settle the money (in the workspace's currency) and the tokens."""
        ...

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for a while: the provider said so."""
        ...


class LocalLimiter:
    """The limiter of one process. `window`: seconds that count as a minute.

    `afar`: calls begin in other processes, which say so by `begun`.
    """

    def __init__(
        self,
        endpoints: Mapping[str, Endpoint],
        budget: Budget,
        *,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] | None = None,
        window: float = WINDOW,
        afar: bool = False,
    ) -> None:
        self.budget = budget
        self._afar = afar
        self._clock = clock
        self._sleep = sleep or asyncio.sleep
        self._glance = window * GLANCE
        self._places = {k: asyncio.Semaphore(e.concurrency) for k, e in endpoints.items()}
        self._paces = {k: Pace(e.rpm, e.tpm, window) for k, e in endpoints.items()}
        self._queues = {k: asyncio.Lock() for k in endpoints}
        self._until: dict[str, float] = {}
        self._taken: dict[int, Started] = {}
        self._number = 0

    async def start(self, endpoint: str, reserve: Decimal | None, tokens: int = 0) -> int:
        """Wait for a place and set the money aside; then wait for the pause and the rate."""
        pace = self._paces[endpoint]
        if not pace.fits(tokens):
            raise ProviderFault(
                "rejected",
                f"about {tokens} tokens in one call: more than `tpm` allows in a whole minute",
            )
        await self._places[endpoint].acquire()
        try:
            await self.budget.reserve(reserve)
            try:
                # Money first: a call that may go must go at once, or its window would be another.
                started = await self._go(endpoint, pace, tokens)
            except BaseException:
                await self.budget.settle(reserve, Decimal(0))
                raise
        except BaseException:
            self._places[endpoint].release()
            raise
        self._number += 1
        self._taken[self._number] = started
        if not self._afar:
            self.begun(endpoint, self._number)
        return self._number

    def begun(self, endpoint: str, number: int) -> None:
        """A call has begun by now; one that has ended is passed over."""
        if started := self._taken.get(number):
            self._paces[endpoint].begin(self._clock(), started)

    async def finish(
        self,
        endpoint: str,
        reserve: Decimal | None,
        cost: Decimal | None,
        *,
        number: int | None = None,
        tokens: int | None = None,
    ) -> None:
        """Give the place back and settle money and tokens."""
        self._places[endpoint].release()
        started = self._taken.pop(number, None) if number is not None else None
        if started is not None:
            self._paces[endpoint].settle(self._clock(), started, tokens)
        await self.budget.settle(reserve, cost)

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for `seconds`."""
        self._until[endpoint] = max(self._until.get(endpoint, 0.0), self._clock() + seconds)

    async def _go(self, endpoint: str, pace: Pace, tokens: int) -> Started:
        """Wait in line for the end of a pause and for the rate."""
        async with self._queues[endpoint]:
            while True:
                now = self._clock()
                held = self._until.get(endpoint, 0.0) - now
                if held > 0:
                    await self._sleep(held)
                elif (wait := pace.wait(now, tokens)) > 0:
                    await self._sleep(min(wait, self._glance))
                else:
                    return pace.take(now, tokens)
