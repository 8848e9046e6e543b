"""The cap on money: a call that could cross it is not started."""

import asyncio
from decimal import Decimal

from arena.errors import CapReached

ZERO = Decimal(0)


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
