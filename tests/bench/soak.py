"""A long run: does memory grow, does it slow down, is a row lost or doubled, does the writer stall?

    python -m tests.bench.soak [--calls 100000] [--at-once 64]

Scripted agents play dialogues of two turns through LiteLLM and the local executor, in one run of
`collect`, every call committed. Memory counts from a tenth of the calls to their end; a half is
half of the calls. The halves are compared by the CPU seconds of this process, all threads, because
the clock of a machine that others use too tells of them. A stall is how long one batch takes to be
committed; a wait, from handing rows to the writer to going on, holds the turn of the event loop
too, which 64 calls keep busy that are answered at once. Both are by the clock and need a machine
at rest. Prints a table, and the same as JSON in the last line; exits 1 where a bound is not kept.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from array import array
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.cli.wiring import open_office, open_provider
from arena.cli.workspace import Narrowed, open_bench
from arena.domain.tally import Tally
from arena.stages.collect import collect
from arena.store.rows import Rows
from arena.store.store import Store
from arena.store.writer import Writer
from tests.bench.overhead import SUITE

TURNS, AGENTS, REPLICATES = 2, 2, 100
A_SCENARIO = TURNS * AGENTS * REPLICATES
"""Calls by scenario."""
GROWTH = 250.0
"""MB that memory may grow from a tenth of the calls to their end."""
SLOWER = 1.2
"""How many times as long as the first half the second may take."""
STALL = 0.5
"""Seconds that 99 of 100 batches may take to be committed."""
SCRIPT = {
    "agents": [
        {
            "agent": name,
            "name": {"zh": name, "en": name},
            "short": {"zh": name, "en": name},
            "mix": {"careful": 0.4, "plain": 0.4, "careless": 0.2},
        }
        for name in ("steady", "hasty")
    ],
    "judges": [
        {"judge": "scorer", "name": {"zh": "judge", "en": "judge"}, "uses": ["rubric", "pairwise"]}
    ],
    "lines": {
        "*": {
            "careful": ["Sit down first, and tell me what is worst. We will take it one by one."],
            "plain": ["That is tiring. Have something warm to drink and try to rest a little."],
            "careless": ["It happens to everybody. Try harder."],
        }
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Soaked:
    """What was measured: rows, CPU seconds of the halves and theirs by the clock, MB, waits."""

    calls: int
    transcripts: int
    lost: int
    doubled: int
    first_half: float
    second_half: float
    first_clock: float
    second_clock: float
    memory_early: float
    memory_end: float
    wait_p50: float
    wait_p99: float
    wait_max: float
    stall_p50: float
    stall_p99: float
    stall_max: float

    @property
    def growth(self) -> float:
        """MB from a tenth of the calls to their end."""
        return self.memory_end - self.memory_early

    @property
    def faults(self) -> list[str]:
        """Bounds that are not kept, those of speed included."""
        bounds = {
            "rows were lost or doubled": self.lost == self.doubled == 0,
            "memory grew": self.growth < GROWTH,
            "it became slower": self.second_half <= SLOWER * self.first_half,
            "the writer stalled": self.stall_p99 < STALL,
        }
        return [fault for fault, kept in bounds.items() if not kept]


class Clocked(Writer):
    """The writer, with the time that each addition waits and that each batch takes."""

    waits: array = array("d")
    stalls: array = array("d")

    async def add(self, rows: Rows) -> None:
        began = time.perf_counter()
        await super().add(rows)
        Clocked.waits.append(time.perf_counter() - began)

    def _commit(self, batch: Sequence[Rows]) -> None:
        began = time.perf_counter()
        super()._commit(batch)
        Clocked.stalls.append(time.perf_counter() - began)


def parts_of(times: array) -> tuple[float, float, float]:
    """The median, the 99th of 100, and the longest."""
    ordered = sorted(times)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]


def write_workspace(root: Path, scenarios: int) -> None:
    suite = root / "data" / "suites" / "bench"
    suite.mkdir(parents=True)
    for name, text in SUITE.items():
        (suite / name).write_text(text, encoding="utf-8")
    (suite / "scripted.yaml").write_text(json.dumps(SCRIPT), encoding="utf-8")
    lines = [
        {
            "scenario": f"B-{n:05d}",
            "archetype": "talk",
            "domain": "any",
            "title": "Bench",
            "persona": {"user": "somebody"},
            "turns": [f"Evening {n}: I slept badly and the kettle is broken.", "And tomorrow?"],
            "notes": {"natural": "None."},
        }
        for n in range(scenarios)
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    (suite / "scenarios.jsonl").write_text(text, encoding="utf-8")
    common = {"vendor": "bench", "family": "unknown", "limits": {"concurrency": 1000}}
    agents = [
        {"agent": name, "model": f"scripted/bench/{name}", **common} for name in ("steady", "hasty")
    ]
    judges = [{"judge": "scorer", "vendor": "x", "family": "y", "model": "scripted/bench/scorer"}]
    config = {
        "suites": [{"suite": "bench"}],
        "replicates": REPLICATES,
        "agents": agents,
        "judges": judges,
    }
    (root / "data" / "arena.yaml").write_text(json.dumps(config), encoding="utf-8")


def clocks() -> tuple[float, float]:
    """CPU seconds of this process, and seconds."""
    return time.process_time(), time.perf_counter()


def memory() -> float:
    """What this process holds now, in MB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(x for x in status.splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def soak(root: Path, calls: int, at_once: int) -> Soaked:
    """Collect so many calls in a workspace made for it."""
    write_workspace(root, max(1, calls // A_SCENARIO))
    bench = open_bench(Narrowed(project=root))
    planned = len(bench.jobs[0].suite.scenarios) * A_SCENARIO
    seen: dict[int, tuple[float, float, float]] = {}
    marks = [max(1, planned * n // 10) for n in range(1, 11)]

    def watch(tally: Tally) -> None:
        while marks and tally.calls >= marks[0]:
            seen[10 - len(marks) + 1] = (*clocks(), memory())
            print(f"{marks.pop(0):>9,} calls  {memory():7.0f} MB", file=sys.stderr, flush=True)

    async def work(store: Store) -> tuple[float, float]:
        provider = open_provider(bench, ["agent:steady", "agent:hasty"])
        office = open_office(bench, provider, window=at_once, cap=None, watch=watch)
        began = clocks()
        Clocked.waits, Clocked.stalls = array("d"), array("d")
        async with Clocked(store._connection, store.path) as writer:
            tally = await collect(bench.jobs[0], store=store, writer=writer, desk=office.desk)
        if not tally.complete:
            raise SystemExit(f"not everything was collected: {tally}")
        return began

    with Store(bench.workspace.database) as store:
        began = asyncio.run(work(store))
        rows, served = store._connection.execute(
            "select count(*), count(distinct (serves, round)) from call"
        ).fetchall()[0]
        transcripts = store._connection.execute("select count(*) from transcript").fetchall()[0][0]
    waits, stalls = parts_of(Clocked.waits), parts_of(Clocked.stalls)
    return Soaked(
        calls=planned,
        transcripts=transcripts,
        lost=planned - served + planned // TURNS - transcripts,
        doubled=rows - served,
        first_half=seen[5][0] - began[0],
        second_half=seen[10][0] - seen[5][0],
        first_clock=seen[5][1] - began[1],
        second_clock=seen[10][1] - seen[5][1],
        memory_early=seen[1][2],
        memory_end=seen[10][2],
        wait_p50=waits[0],
        wait_p99=waits[1],
        wait_max=waits[2],
        stall_p50=stalls[0],
        stall_p99=stalls[1],
        stall_max=stalls[2],
    )


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--calls", type=int, default=100_000)
    given.add_argument("--at-once", type=int, default=64)
    asked = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = soak(Path(folder), asked.calls, asked.at_once)
    rows = [
        ("calls · transcripts", f"{done.calls:,} · {done.transcripts:,}", ""),
        ("rows lost · doubled", f"{done.lost} · {done.doubled}", "0 · 0"),
        ("CPU of the first half", f"{done.first_half:.1f} s", ""),
        ("CPU of the second half", f"{done.second_half:.1f} s", f"≤ {SLOWER:g} × the first"),
        ("both by the clock", f"{done.first_clock:.1f} · {done.second_clock:.1f} s", ""),
        ("memory at a tenth", f"{done.memory_early:.0f} MB", ""),
        ("memory at the end", f"{done.memory_end:.0f} MB", f"< {GROWTH:.0f} MB more"),
        ("stall, median", _ms(done.stall_p50), ""),
        ("stall, 99th of 100", _ms(done.stall_p99), f"< {_ms(STALL)}"),
        ("stall, longest", _ms(done.stall_max), ""),
        ("wait, median · 99th of 100", f"{_ms(done.wait_p50)} · {_ms(done.wait_p99)}", ""),
    ]
    for name, value, bound in rows:
        print(f"{name:<28}{value:>20}  {bound}")
    faults = done.faults
    print(json.dumps({**asdict(done), "growth": done.growth, "faults": faults}))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
