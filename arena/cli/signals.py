"""Ctrl-C and SIGTERM, portable: `signal.signal` works where loop handlers do not exist."""

import asyncio
import signal
import threading
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


class Terminated(KeyboardInterrupt):
    """SIGTERM where no event loop sees to it: like Ctrl-C, with an exit code of its own."""


@contextmanager
def terminable() -> Iterator[None]:
    """Within the block, SIGTERM raises Terminated, at the latest at the end of the block.

    A library that is being imported may swallow whatever is raised meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    struck = False

    def handler(*_: object) -> None:
        nonlocal struck
        struck = True
        raise Terminated

    before = signal.signal(signal.SIGTERM, handler)
    try:
        yield
        if struck:
            raise Terminated
    finally:
        signal.signal(signal.SIGTERM, before)
