"""One limiter for the calls of many processes: where it lives, and how a process reaches it.

`SharedLimiter` stands in a process of its own and notes who holds what: what a process held that
has died is given back by `forsake`. `FarLimiter` is the Limiter of the others. Between them go
JSON-able data, so that any kind of message will do.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import Any, Protocol

from arena.domain.call import Endpoint
from arena.errors import CapReached, ProviderFault
from arena.llm.budget import Budget
from arena.llm.executor import Item
from arena.llm.limiter import LocalLimiter
from arena.llm.pace import WINDOW


class LimiterLost(Exception):
    """The process that keeps the limits cannot be reached any more."""


class Line(Protocol):
    """How a process talks to the limiter: the name of a method, and its arguments."""

    def __call__(self, method: str, *args: Any) -> Awaitable[Any]:
        """What the method returned; raises LimiterLost."""
        ...


class SharedLimiter:
    """The limiter and the cap of all processes. `endpoints`: their fields by id.

    `cap` is in the workspace's currency, None: no cap; `minute`: seconds that count as a minute.
    """

    def __init__(
        self,
        endpoints: Mapping[str, Mapping[str, Any]],
        cap: str | None,
        *,
        clock: Callable[[], float],
        minute: float = WINDOW,
    ) -> None:
        self._limiter = LocalLimiter(
            {name: Endpoint(**fields) for name, fields in endpoints.items()},
            Budget(None if cap is None else Decimal(cap)),
            clock=clock,
            window=minute,
            afar=True,
        )
        self._held: dict[str, dict[int, tuple[str, Decimal | None]]] = {}
        self._waiting: dict[str, set[asyncio.Task[int]]] = {}
        self._gone: set[str] = set()

    async def start(self, worker: str, endpoint: str, reserve: str | None, tokens: int) -> Item:
        """A place for a call of a process: its `number`, or that the `cap` or a `fault` forbids it.

        A process that has been forsaken gets neither.
        """
        if worker in self._gone:
            return {"gone": True}
        held = _amount(reserve)
        waiting = asyncio.ensure_future(self._limiter.start(endpoint, held, tokens))
        self._waiting.setdefault(worker, set()).add(waiting)
        try:
            number = await waiting
        except CapReached as error:
            return {"cap": error.what}
        except ProviderFault as error:
            return {"fault": error.fault, "message": error.message}
        except asyncio.CancelledError:
            if worker in self._gone:
                return {"gone": True}
            waiting.cancel()
            raise
        finally:
            self._waiting[worker].discard(waiting)
        self._held.setdefault(worker, {})[number] = (endpoint, held)
        if worker in self._gone:  # it died while its place was handed out
            await self._give_back(worker)
            return {"gone": True}
        return {"number": number}

    async def begun(self, worker: str, number: int) -> None:
        """A call of a process has begun; its minute counts from now, and not from its place."""
        endpoint, _ = self._held.get(worker, {}).get(number, (None, None))
        if endpoint is not None:
            self._limiter.begun(endpoint, number)

    async def finish(self, worker: str, number: int, cost: str | None, tokens: int | None) -> None:
        """A call has ended: its place, money and tokens are settled; once."""
        endpoint, reserve = self._held.get(worker, {}).pop(number, (None, None))
        if endpoint is not None:
            await self._limiter.finish(
                endpoint, reserve, _amount(cost), number=number, tokens=tokens
            )

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for `seconds`, whoever asks."""
        await self._limiter.pause(endpoint, seconds)

    async def forsake(self, worker: str) -> int:
        """A process has died: give back what it held, and say how many calls that were.

        They may have been made and billed, so each costs its whole reserve under the cap.
        """
        self._gone.add(worker)
        for waiting in tuple(self._waiting.get(worker, ())):
            waiting.cancel()
        return await self._give_back(worker)

    async def _give_back(self, worker: str) -> int:
        held = self._held.pop(worker, {})
        for number, (endpoint, reserve) in held.items():
            await self._limiter.finish(endpoint, reserve, None, number=number)
        return len(held)


class FarLimiter:
    """The limiter as the calls of one process see it. `worker`: the name of the process."""

    def __init__(self, worker: str, line: Line) -> None:
        self._worker = worker
        self._line = line
        self._telling: set[asyncio.Future[Any]] = set()

    async def start(self, endpoint: str, reserve: Decimal | None, tokens: int = 0) -> int:
        """Wait for a place; raises CapReached, ProviderFault, LimiterLost."""
        said = await self._line("start", self._worker, endpoint, _text(reserve), tokens)
        if "cap" in said:
            raise CapReached("the cap was reached: the next call could have crossed it")
        if "fault" in said:
            raise ProviderFault(said["fault"], said["message"])
        if "gone" in said:
            raise LimiterLost("this process was given up")
        number = int(said["number"])
        # The call begins before the loop comes to this, and does not wait for it.
        telling = asyncio.ensure_future(self._line("begun", self._worker, number))
        self._telling.add(telling)
        telling.add_done_callback(self._told)
        return number

    def _told(self, telling: "asyncio.Future[Any]") -> None:
        self._telling.discard(telling)
        if not telling.cancelled():
            telling.exception()  # a limiter that is lost is met by the next message, too

    async def finish(
        self,
        endpoint: str,
        reserve: Decimal | None,
        cost: Decimal | None,
        *,
        number: int | None = None,
        tokens: int | None = None,
    ) -> None:
        """Give the place back; what was set aside is noted with its number. Raises LimiterLost."""
        await self._line("finish", self._worker, number, _text(cost), tokens)

    async def pause(self, endpoint: str, seconds: float) -> None:
        """Start nothing at this endpoint for a while; raises LimiterLost."""
        await self._line("pause", endpoint, seconds)


def _amount(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else str(amount)
