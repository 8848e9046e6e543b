"""One measurement in a process of its own: CPU seconds and peak memory.

    python -m tests.bench.measured NAME DATABASE RESAMPLES BUDGET

Prints JSON. Imports and the opening of the table are over before the clock starts, and the
contestant has done a board of four agents: what libraries set up once is no cost of a board.
"""

import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """CPU seconds, peak memory of the process in MB, resamples that ran, CPU seconds by part."""

    seconds: float
    peak: float
    ran: int
    parts: dict[str, float]


def measure(name: str, database: Path, resamples: int, budget: float) -> Measured:
    """Run a contestant on a database in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.measured", name, str(database)]
    done = subprocess.run(
        [*command, str(resamples), str(budget)],
        env=os.environ | ONE_THREAD,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def peak_memory() -> float:
    """Largest memory that this process ever held, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # The figure of `getrusage` begins at the parent's size.
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


def main(name: str, database: str, resamples: str, budget: str) -> None:
    import duckdb

    from tests.bench.rivals import RIVALS
    from tests.bench.workloads import SMALL, write_workload

    contestant = RIVALS.get(name)
    if contestant is None:
        # The memory of a rival's process must not hold our imports.
        from tests.bench.ours import OURS

        contestant = OURS[name]
    for module in contestant.imports:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.duckdb"
        write_workload(SMALL, small)
        with duckdb.connect(str(small), read_only=True, config={"threads": 1}) as connection:
            contestant.run(connection, 100, 1.0)
    with duckdb.connect(database, read_only=True, config={"threads": 1}) as connection:
        connection.execute("select 1 as one").fetchnumpy()
        done = contestant.run(connection, int(resamples), float(budget))
    told: dict[str, Any] = {"seconds": done.seconds, "peak": peak_memory(), "ran": done.ran}
    print(json.dumps(told | {"parts": done.parts}))


if __name__ == "__main__":
    main(*sys.argv[1:])
