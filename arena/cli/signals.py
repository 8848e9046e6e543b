"""Ctrl-C and SIGTERM, portable: `signal.signal` works where loop handlers do not exist."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def caught(loop: asyncio.AbstractEventLoop, request: Callable[[int], None]) -> Iterator[None]:
    """Within the block, SIGINT and SIGTERM call `request` in the event loop."""

    def handler(number: int, _: FrameType | None) -> None:
        loop.call_soon_threadsafe(request, number)

    before = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
