"""Calls on many machines: Ray starts the processes and carries the messages. Ray is named here.

The driver, which is the command that was typed, feeds workers and takes what they finish; one
process keeps limits and cap for all of them. Nothing that is sent holds a secret: each process
reads the variables that it needs from its own environment.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import socket
import time
import uuid
import warnings
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from arena.domain.call import Endpoint
from arena.errors import ClusterLost, UsageError
from arena.llm.crew import Crew, WorkerLost
from arena.llm.executor import Item, Outcome, Task
from arena.llm.pace import WINDOW
from arena.llm.sharing import LimiterLost, SharedLimiter
from arena.llm.worker import Worker

ANSWERS = 10.0
"""Seconds in which the address of a cluster must answer."""
TRIES = 3
"""How often a cluster is asked for a place before it counts as out of order."""
STARTS = 180.0
"""Seconds in which a worker must be able to work."""
AT_ONCE = 32
"""Calls under way for which one worker is hired, as far as there are CPUs."""
HARDLY = 0.01
"""CPUs that a process reserves: it waits for the network, and whole ones would fill a machine."""
HEAD = "node:__internal_head__"
"""The machine whose loss ends the cluster anyway: there the limits are kept."""
STORE = 80 * 2**20
"""Bytes of Ray's object store on this machine: nothing large goes through it."""
SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0"}
AT_HOME = {
    # Ray then listens on loopback alone. Otherwise it would on every address, and whoever reaches
    # its ports can run programs here; it would also look for its address at a name server abroad.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # Others of this machine could still reach it: Ray makes a token and asks for it.
    "RAY_AUTH_MODE": "token",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What workers need to know: `opens` names the function that makes their tools of `parcel`.

    `cap`: in the workspace's currency, None without one; `window`: calls under way at once;
    `minute`: seconds that count as a minute.
    """

    opens: str
    parcel: Any
    endpoints: Mapping[str, Endpoint]
    cap: str | None
    window: int
    check: Callable[[Item], None] = lambda _: None
    minute: float = WINDOW


def check_ray() -> None:
    """Raise UsageError where Ray is not installed."""
    if find_spec("ray") is None:
        raise UsageError(
            "--executor ray needs Ray, which is not installed",
            fix="Install the extra `cluster`: pip install 'arena-leaderboard[cluster]'",
        )


def connect(address: str | None) -> None:
    """Start Ray on this machine (None), or join the cluster at `ray://HOST:PORT`.

    Raises UsageError where Ray is not installed, ClusterLost when the cluster does not answer in
    time. Call it in the main thread; it takes seconds.
    """
    check_ray()
    for name, value in {**SETTINGS, **({} if address else AT_HOME)}.items():
        os.environ.setdefault(name, value)
    if address:
        _check_answers(address)
    import ray

    quietly: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        quietly |= {"include_dashboard": False, "object_store_memory": STORE}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they say, the error below says
            _try_to_join(lambda: ray.init(address=address or "local", **quietly))
    except Exception as error:  # Ray raises what it likes here
        raise ClusterLost(
            "Ray at {address} cannot be used: {reason}",
            why="Every machine must have the same Python, Ray, arena, and RAY_AUTH_TOKEN.",
            fix="Look there with `ray status`, or run it without --executor.",
            address=address or "this machine",
            reason=_gist(error),
        ) from None


def _try_to_join(join: Callable[[], Any]) -> None:
    """A busy cluster may not have a place ready for us in the time that it gives itself.

    Where nobody answers who knows Ray, that is told after some 30 s and not tried again.
    """
    for attempt in range(1, TRIES + 1):
        try:
            join()
            return
        except ConnectionAbortedError:
            if attempt == TRIES:
                raise


def _check_answers(address: str) -> None:
    found = urlsplit(address)
    try:
        with socket.create_connection((found.hostname, found.port), timeout=ANSWERS):
            return
    except OSError as error:
        raise ClusterLost(
            "nothing answers at {address} within {seconds} s: {reason}",
            why="There must be a Ray cluster whose client port (10001 unless it was set) is open.",
            fix="Look at it (`ray status` there), or run without --executor.",
            address=address,
            seconds=f"{ANSWERS:g}",
            reason=_gist(error),
        ) from None


def disconnect() -> None:
    """Leave the cluster; what was started on this machine is ended. Safe to repeat."""
    import ray

    ray.shutdown()


class RayExecutor:
    """An executor over the processes of a Ray cluster; `connect` comes first.

    Each machine has a worker at least. Use inside one event loop.
    """

    def __init__(self, errand: Errand) -> None:
        import ray

        self._errand = errand
        self._limiter = (
            ray.remote(SharedLimiter)
            .options(
                name=f"arena-limiter-{uuid.uuid4().hex[:12]}",
                num_cpus=HARDLY,
                resources={HEAD: HARDLY},
                max_concurrency=100_000,
                max_restarts=0,
            )
            .remote(
                {name: asdict(endpoint) for name, endpoint in errand.endpoints.items()},
                errand.cap,
                clock=time.monotonic,
                minute=errand.minute,
            )
        )
        self._actor = ray.remote(Worker)
        self._hired = 0
        self._line = _RayLine(self._limiter)
        self._crew = Crew(
            self._hire,
            self._line,
            size=_size(errand.window),
            patience=STARTS,
            check=errand.check,
        )

    def map_unordered(
        self, fn: Task, items: AsyncIterable[Item], *, window: int
    ) -> AsyncIterator[Outcome]:
        """Outcomes in the order they finish; raises ClusterLost when the workers cannot go on."""
        return self._crew.map_unordered(fn, items, window=window)

    async def aclose(self) -> None:
        """End the workers and leave the cluster."""
        await self._crew.aclose()
        await asyncio.to_thread(disconnect)

    def _hire(self, name: str) -> "_RayHand":
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        errand, nodes = self._errand, _nodes()
        node = nodes[self._hired % len(nodes)]
        self._hired += 1
        # Soft: where that machine has gone meanwhile, another takes the worker.
        actor = self._actor.options(
            num_cpus=HARDLY,
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True),
        )
        return _RayHand(name, actor.remote(name, errand.opens, errand.parcel, self._line))


def _size(window: int) -> int:
    """How many workers: one for so many calls at once, on each machine one at least."""
    import ray

    cpus = int(ray.cluster_resources().get("CPU", 1))
    return max(len(_nodes()), min(-(-window // AT_ONCE), cpus))


def _nodes() -> list[str]:
    """The machines that are there, as far as Ray knows by now."""
    import ray

    return [node["NodeID"] for node in ray.nodes() if node["Alive"]]


class _RayLine:
    """The line to the limiter, from the driver and from workers."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    async def __call__(self, method: str, *args: Any) -> Any:
        from ray.exceptions import RayError, RayTaskError

        try:
            return await _reply(getattr(self._actor, method).remote(*args))
        except RayTaskError:
            raise  # a mistake of ours
        except (RayError, ConnectionError) as error:
            raise LimiterLost(_gist(error)) from None


class _RayHand:
    """A worker as the driver reaches it."""

    def __init__(self, name: str, actor: Any) -> None:
        self.name = name
        self._actor = actor

    async def hello(self) -> Item:
        """What it is, once it can work."""
        said: Item = await self._ask("hello")
        return said

    async def give(self, fn: str, items: list[Item]) -> None:
        """Let it begin numbered items."""
        await self._ask("give", fn, items)

    async def take(self) -> list[Item]:
        """What it has finished."""
        finished: list[Item] = await self._ask("take")
        return finished

    def end(self) -> None:
        """End its process."""
        import ray

        try:
            ray.kill(self._actor)
        except Exception:  # it is gone, or the cluster is
            return

    async def _ask(self, method: str, *args: Any) -> Any:
        from ray.exceptions import RayError, RayTaskError

        try:
            return await _reply(getattr(self._actor, method).remote(*args))
        except RayTaskError as error:
            raise ClusterLost(
                "a worker failed in our own code: {reason}",
                why="Another version of arena on that machine would explain it.",
                reason=_gist(error.cause),
            ) from None
        except RayError as error:
            raise WorkerLost(_gist(error)) from None
        except ConnectionError as error:
            raise ClusterLost(
                "the cluster does not answer any more: {reason}",
                fix="What is finished is saved: run the same command again.",
                reason=_gist(error),
            ) from None


async def _reply(reference: Any) -> Any:
    """What a message brings. Ray writes a traceback where an await of its own is cancelled."""
    loop = asyncio.get_running_loop()
    reply: asyncio.Future[Any] = loop.create_future()

    def settle(found: "concurrent.futures.Future[Any]") -> None:
        if reply.done():
            return
        if error := found.exception():
            reply.set_exception(error)
        else:
            reply.set_result(found.result())

    def told(found: "concurrent.futures.Future[Any]") -> None:
        # In a thread of Ray's: the loop may be closed by now.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, found)

    reference.future().add_done_callback(told)
    return await reply


def _gist(error: BaseException) -> str:
    """What an error of Ray says, without the stack that it quotes between its ends."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return lines[0][:200] if len(lines) == 1 else f"{lines[0][:200]} {lines[-1][:200]}"
