"""Our way from the table to a board's numbers, by parts, and the least that any such way costs."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

import duckdb
import numpy as np

from arena.domain.layout import Layout, Reading
from arena.domain.method import Method
from arena.stages.rank.from_outcomes import from_counts
from arena.stages.rank.table import tabulate
from arena.store.outcomes.counted import OutcomeCounts, count_outcomes
from arena.store.outcomes.source import adopt_table
from arena.store.outcomes.stream import stream
from tests.bench.rivals import Contestant, Done
from tests.bench.workloads import TABLE

LAYOUT = Layout(name="custom", a="a", b="b", outcome="outcome", scenario="scenario")
READING, TALLY, POINT, DRAWING, SOLVING, ERRORS, RANKS, REST = (
    "reading",
    "tally",
    "point fit",
    "drawing + GEMM",
    "solving",
    "sandwich, intervals",
    "ranks, pairs",
    "rest",
)
PARTS = (READING, TALLY, POINT, DRAWING, SOLVING, ERRORS, RANKS, REST)
_WATCHED = {
    "arena.maths.rating.tally": TALLY,
    "arena.maths.fitted.strengths": POINT,
    # Solving is watched inside, and its time is taken off.
    "arena.maths.fitted.bootstrap_strengths": DRAWING,
    "arena.maths.bootstrap.solve_resamples": SOLVING,
    "arena.maths.fitted.clustered_covariance": ERRORS,
    "arena.maths.fitted.scores": ERRORS,
    "arena.maths.fitted.effective_df": ERRORS,
    "arena.maths.fitted.difference_df": ERRORS,
    "arena.maths.rating.estimate": ERRORS,
    "arena.maths.rating.rank_ranges": RANKS,
    "arena.maths.rating.holm": RANKS,
    "arena.maths.rating.orderings": RANKS,
    "arena.maths.rating.resample_ranks": RANKS,
    "arena.maths.rating.first_shares": RANKS,
}
"""Functions whose time is taken, by the name under which they are called."""


class Clock:
    """CPU seconds by part; a part inside another is not counted in the outer one."""

    def __init__(self) -> None:
        self.parts = dict.fromkeys(PARTS, 0.0)
        self._inside = [REST]
        self._since = time.process_time()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what happens inside under a name."""
        self._turn()
        self._inside.append(name)
        try:
            yield
        finally:
            self._turn()
            self._inside.pop()

    def stop(self) -> dict[str, float]:
        """The seconds of all parts until now."""
        self._turn()
        return self.parts

    def _turn(self) -> None:
        now = time.process_time()
        self.parts[self._inside[-1]] += now - self._since
        self._since = now

    def watched(self, path: str, name: str) -> Any:
        """A patch that counts the calls of a function under a name."""
        module, _, function = path.rpartition(".")
        told = getattr(import_module(module), function)

        def timed(*args: Any, **options: Any) -> Any:
            with self.part(name):
                return told(*args, **options)

        return patch(path, timed)


def ours(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """Reading, fit, scenario resamples, intervals, ranks and tests of all pairs; one thread."""
    started = time.process_time()
    clock = Clock()
    with ExitStack() as stack:
        for path, name in _WATCHED.items():
            stack.enter_context(clock.watched(path, name))
        with clock.part(READING):
            source = adopt_table(connection, TABLE)
            found = count_outcomes(source, LAYOUT, Reading(), "scenario")
            assert isinstance(found, OutcomeCounts)
            material = from_counts(found)
        rating = tabulate(material, Method(resamples=resamples), threads=1).rating
    return Done(
        parts=clock.stop(),
        seconds=time.process_time() - started,
        ran=resamples,
        bounds=np.stack([rating.low, rating.high]),
    )


def floor(connection: duckdb.DuckDBPyConnection, resamples: int, budget: float) -> Done:
    """A bare scan of the four columns, one product of the resamples' shape, four passes.

    A pass reads each of the P × B counts once and divides by it, in float32. The columns that
    are scanned bring their own numbers: nothing is tallied.
    """
    names = ("a", "b", "outcome", "scenario")
    codes = ", ".join(f"enum_code({name}) as {name}" for name in names)
    agents, scenarios = connection.execute(
        f"select max(enum_code(greatest(a, b))) + 1, max(enum_code(scenario)) + 1 from {TABLE}"
    ).fetchall()[0]
    size = agents * (agents - 1) // 2
    rng = np.random.default_rng(1729)
    games = rng.random((size, scenarios), dtype=np.float32)
    weights = rng.random((scenarios, resamples), dtype=np.float32)
    room = np.empty((agents, resamples), dtype=np.float32)
    parts: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        begin = time.process_time()
        result = work()
        parts[name] = time.process_time() - begin
        return result

    def passes() -> None:
        for _ in range(4):
            for begin in range(0, size, agents):
                part = drawn[begin : begin + agents]
                np.divide(part, np.float32(2), out=room[: len(part)])

    timed("scan", lambda: deque(stream(connection, f"select {codes} from {TABLE}"), maxlen=0))
    drawn = timed("GEMM", lambda: games @ weights)
    timed("passes", passes)
    return Done(seconds=sum(parts.values()), ran=resamples, bounds=np.empty((2, 0)), parts=parts)


_MATHS = ("scipy.sparse.csgraph", "scipy.special", "threadpoolctl")
OURS = {
    "ours": Contestant(run=ours, imports=_MATHS),
    "floor": Contestant(run=floor, resamples=False),
}
