"""One thread for linear algebra: results do not depend on the machine's load or cores."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]


class _Inside:
    """How many blocks are open, and what undoes the limit that the first of them set."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.blocks = 0
        self.limits: threadpool_limits | None = None

    def enter(self) -> None:
        with self.lock:
            if self.blocks == 0:
                self.limits = threadpool_limits(limits=1, user_api="blas")
            self.blocks += 1

    def leave(self) -> None:
        with self.lock:
            self.blocks -= 1
            if self.blocks == 0 and self.limits is not None:
                self.limits.restore_original_limits()
                self.limits = None


_INSIDE = _Inside()


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to one thread inside the block; the limit is the whole process's.

    Two OpenBLAS threads on a busy machine make small batched solves hundreds of times slower,
    and their sums may differ in the last bit. Setting the limit takes a millisecond, so a block
    inside another does not set it again.
    """
    _INSIDE.enter()
    try:
        yield
    finally:
        _INSIDE.leave()
