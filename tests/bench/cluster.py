"""What a cluster survives: two Ray nodes in a network of their own, and everything is killed once.

    unshare -n sh -c 'ip link set lo up && python -m tests.bench.cluster'

(with `unshare -rn` where you are not root). One workspace is collected by `arena collect
--executor ray://…` from a loopback server that answers after 0.2 s. On the way a worker is killed
(kill -9), the driver is killed, a further one is interrupted (Ctrl-C), and a node is killed; in
the end every call must be stored once. Then the limiter's pace over both nodes is taken. Prints a
table, and all of it as JSON in the last line.
"""

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from arena.domain.call import Endpoint
from arena.llm.cluster import Errand, RayExecutor, connect
from tests.e2e.conftest import PATIENCE, Workspace, agent, judge, look_at, wait_for_calls
from tests.llm import far

ROOT = Path(__file__).parents[2]
CALLS, AT_ONCE = 3000, 200
PACE = 500
"""Calls a second in the measurement of the limiter."""
CLIENT, GCS = 10001, 6379
WHERE = f"ray://127.0.0.1:{CLIENT}"
KEY, SECRET = "CLUSTER_BENCH_KEY", "sk-cluster-4f1b7c"
"""A variable that every node has, and what is in it."""


class Nodes:
    """Ray nodes on this machine, each a process with its children."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "ray.log").open("wb")

    def start(self, *args: str) -> psutil.Process:
        """Start a node; returns its raylet."""
        before = {p.pid for p in self.raylets()}
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *args]
        self._started.append(
            subprocess.Popen(
                [*command, "--disable-usage-stats", "--node-ip-address=127.0.0.1"],
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": str(ROOT), KEY: SECRET},
            )
        )
        return wait_for(lambda: next((p for p in self.raylets() if p.pid not in before), None))

    def raylets(self) -> list[psutil.Process]:
        """The nodes' own processes."""
        found = [p for started in self._started for p in family(started.pid)]
        return [p for p in found if name_of(p) == "raylet"]

    def close(self) -> None:
        for started in self._started:
            for process in family(started.pid):
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
            started.wait(PATIENCE)
        self._log.close()


def family(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def name_of(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.name()
    return ""


def workers(node: psutil.Process) -> list[psutil.Process]:
    """The processes of a node that make calls."""
    return [p for p in family(node.pid) if name_of(p).startswith("ray::Worker")]


def kill(*processes: psutil.Process) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def wait_for(condition: Any, patience: float = PATIENCE) -> Any:
    until = time.monotonic() + patience
    while not (found := condition()):
        if time.monotonic() > until:
            raise TimeoutError("what was waited for did not come")
        time.sleep(0.2)
    return found


@contextlib.contextmanager
def serving() -> Iterator[int]:
    """The loopback server; its port."""
    command = [sys.executable, "-m", "tests.support.llm_server", "--latency", "0.2"]
    with subprocess.Popen(
        [*command, "--watch-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as server:
        yield json.loads(server.stdout.readline())["ready"]  # type: ignore[union-attr]


def at_rest(port: int) -> dict[str, Any]:
    """What was begun, once nobody waits for an answer any more."""
    return wait_for(lambda: (s := look_at(port, "/stats")[1])["in_flight"] == 0 and s)


def repeated(stats: dict[str, Any]) -> int:
    """Requests that were begun more than once, beyond the first time."""
    return sum(count["begun"] - 1 for count in stats["digests"].values())


def committed(workspace: Workspace) -> int:
    return workspace.rows("select count(*) from call")[0][0]


def write_workspace(folder: Path, port: int, calls: int) -> Workspace:
    workspace = Workspace(folder / "workspace")
    url = f"http://127.0.0.1:{port}/v1"
    more = {"limits": {"concurrency": AT_ONCE}, "api_key_env": KEY}
    workspace.write_suite(scenarios=calls // 2, turns=1)
    agents = [agent(name, url, **more) for name in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", url)])
    return workspace


def break_everything(folder: Path, nodes: Nodes, port: int, calls: int, at_once: int) -> Any:
    """Three commands over one plan; what was begun, stored and repeated at each blow."""
    workspace = write_workspace(folder, port, calls)
    words = ("collect", "--yes", "-j", str(at_once), "--executor", WHERE)
    os.environ[KEY] = SECRET
    figures: dict[str, Any] = {}
    first, second = nodes.raylets()
    with workspace.started(*words) as run:
        wait_for_calls(port, calls // 6, run)
        figures["workers"] = [len(workers(first)), len(workers(second))]
        kill(workers(second)[0])
        wait_for_calls(port, calls // 3, run)
        run.kill()
    stats = at_rest(port)
    kept = committed(workspace)
    figures["worker_repeats"] = repeated(stats)
    figures["driver_lost"] = stats["begun"] - kept - figures["worker_repeats"]
    with workspace.started(*words) as run:
        wait_for_calls(port, stats["begun"] + calls // 6, run)
        run.signal(signal.SIGINT)
        ended = run.wait()
    figures["interrupted_code"], figures["interrupted_said"] = ended.code, ended.err[-400:]
    stats = at_rest(port)
    figures["interrupt_lost"] = (
        stats["begun"] - committed(workspace) - figures["driver_lost"] - figures["worker_repeats"]
    )
    before = repeated(stats)
    began = time.monotonic()
    with workspace.started(*words) as run:
        wait_for_calls(port, stats["begun"] + calls // 6, run)
        killed = len(workers(second))
        kill(second, *family(second.pid))
        ended = run.wait()
    figures["killed_with_node"] = killed
    figures["last_seconds"] = time.monotonic() - began
    figures["last_code"], figures["last_said"] = ended.code, ended.err[-800:]
    stats = at_rest(port)
    # Of what the killed driver had under way, some had not been asked again by the Ctrl-C.
    again = figures["worker_repeats"] + figures["driver_lost"] - before
    figures["node_repeats"] = repeated(stats) - before - max(0, again)
    served = workspace.rows("select serves, round, status from call")
    figures |= {
        "calls": calls,
        "begun": stats["begun"],
        "stored": len(served),
        "distinct": len({row[:2] for row in served}),
        "statuses": sorted({row[2] for row in served}),
    }
    return figures


def say_what_is_missing(folder: Path, port: int) -> Any:
    """A key that only the driver has."""
    workspace = write_workspace(folder / "keyless", port, 2)
    config = json.dumps(workspace.config).replace(KEY, "ONLY_HERE_KEY")
    workspace.write("data/arena.yaml", config)
    os.environ["ONLY_HERE_KEY"] = "sk-only-here-9d2a"
    with workspace.started("collect", "--yes", "--executor", WHERE) as run:
        ended = run.wait()
    return {"code": ended.code, "said": ended.err.splitlines()[-3:]}


async def take_pace(count: int) -> Any:
    """Calls that the limiter lets begin over both nodes, and what executors cost a call."""
    endpoints = {"agent:x": Endpoint(id="agent:x", model="m", concurrency=10_000, rpm=PACE)}
    executor = RayExecutor(
        Errand(
            opens="tests.llm.far:open_tools",
            parcel=None,
            endpoints=endpoints,
            cap=None,
            window=400,
            minute=1.0,
        )
    )

    async def items(number: int) -> Any:
        for n in range(number):
            yield {"n": n}

    async def mapped(fn: Any, number: int) -> list[Any]:
        return [o async for o in executor.map_unordered(fn, items(number), window=400)]

    try:
        await mapped(far.nothing, 50)
        began = time.perf_counter()
        await mapped(far.nothing, 3000)
        cost = (time.perf_counter() - began) / 3000
        begun = sorted(o.result["at"] for o in await mapped(far.begin, count))
        errors = {o.error for o in await mapped(far.fail, 3)}
    finally:
        await executor.aclose()
    most = max(sum(at <= t < at + 1 for t in begun[n:]) for n, at in enumerate(begun))
    return {
        "paced": len(begun),
        "most_in_a_second": most,
        "pace_seconds": begun[-1] - begun[0],
        "ms_an_item": cost * 1000,
        "errors": sorted(errors),
    }


def secrets_found(*folders: Path) -> list[str]:
    """Files of Ray and of the workspaces that hold a key."""
    keys = (SECRET.encode(), b"sk-only-here")
    return [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and any(key in path.read_bytes() for key in keys)
    ]


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--calls", type=int, default=CALLS)
    given.add_argument("--at-once", type=int, default=AT_ONCE)
    given.add_argument("--paced", type=int, default=2 * PACE)
    asked = given.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as name,
        serving() as port,
    ):
        folder = Path(name)
        # One token opens the whole cluster, as it should.
        token = folder / "token"
        token.write_text(secrets.token_hex(32))
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
        nodes = Nodes(folder)
        try:
            began = time.monotonic()
            head = ("--head", f"--port={GCS}", f"--ray-client-server-port={CLIENT}")
            nodes.start(*head, "--num-cpus=2", "--include-dashboard=false", f"--temp-dir={name}/r")
            nodes.start(f"--address=127.0.0.1:{GCS}", "--num-cpus=2")
            wait_for(lambda: any(c.laddr.port == CLIENT for c in psutil.net_connections("tcp")))
            figures = {"start_seconds": time.monotonic() - began}
            memory = sum(p.memory_info().rss for n in nodes.raylets() for p in family(n.pid))
            figures["nodes_mb"] = memory / 2**20
            figures["keyless"] = say_what_is_missing(folder, port)
            print(figures, file=sys.stderr, flush=True)
            connect(WHERE)
            figures |= asyncio.run(take_pace(asked.paced))
            figures |= break_everything(folder, nodes, port, asked.calls, asked.at_once)
            figures["secrets"] = secrets_found(folder)
        finally:
            nodes.close()
    for key, value in figures.items():
        print(f"{key:<20} {value}", file=sys.stderr)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
