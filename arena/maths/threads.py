"""One thread for linear algebra: results do not depend on the machine's load or cores."""

from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS to one thread inside the block.

    Two OpenBLAS threads on a busy machine make small batched solves hundreds of times slower,
    and their sums may differ in the last bit.
    """
    with threadpool_limits(limits=1, user_api="blas"):
        yield
