"""What a board costs beside what others take for the same table.

    python -m tests.bench.ratings [--workloads S,M,L,XL] [--rounds 5] [--rivals choix,arena-rank]

The first table: from a DuckDB table to ratings and 95 % intervals with 1000 resamples. Every
measurement is a process of its own with one thread; in a round all take turns, and ratios are of
the same round, because a busy machine moves all figures. The second: `arena rank FILE` as a whole.
The rivals come with `pip install -e '.[bench]'`; those that are missing are named and left out.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import duckdb

from tests.bench.measured import ONE_THREAD, ROOT, Measured, measure
from tests.bench.ours import PARTS, READING
from tests.bench.rivals import RIVALS
from tests.bench.workloads import TABLE, WORKLOADS, write_workload

RESAMPLES = 1000
GOALS = {
    ("S", "choix"): 35.0,
    ("M", "choix"): 25.0,
    ("L", "choix"): 30.0,
    ("XL", "choix"): 15.0,
    ("S", "arena-rank"): 50.0,
    ("M", "arena-rank"): 30.0,
    ("L", "arena-rank"): 17.0,
}
"""How many times our CPU seconds a rival takes."""
FLOORS = {"L": 3.0, "XL": 4.0}
"""How many times the floor we may take."""
LARGEST_MB = {"XL": 1000.0}
WHOLE_SECONDS, FIT_SECONDS = 1.5, 0.075
UNWANTED = ("choix", "litellm")
TOLERANCE = 1.2

Rounds = list[dict[str, Measured]]


def verdict(value: float, goal: float, *, at_least: bool) -> str:
    """A goal with what became of it; ratios move with the machine's neighbours."""
    short = goal / value if at_least else value / goal
    said = "met" if short <= 1 else "within 20 %" if short <= TOLERANCE else "not met"
    return f"{'≥' if at_least else '≤'} {goal:g}: {said}"


def take_turns(
    database: Path, names: Sequence[str], *, rounds: int, resamples: int, budget: float
) -> Rounds:
    """Measure all contestants in turn, every other round backwards."""
    return [
        {
            name: measure(name, database, resamples, budget)
            for name in (names if turn % 2 == 0 else reversed(names))
        }
        for turn in range(rounds)
    ]


def compared(work: str, found: Rounds) -> list[list[str]]:
    """A line for each contestant: what ran, seconds, memory, ratios, and the goal."""
    lines = []
    for name in found[0]:
        mine = [turn[name] for turn in found]
        ratios = [turn[name].seconds / turn["ours"].seconds for turn in found]
        goal = "–"
        if (work, name) in GOALS:
            goal = verdict(statistics.median(ratios), GOALS[work, name], at_least=True)
        if name == "floor" and work in FLOORS:
            times = 1 / statistics.median(ratios)
            goal = f"ours {times:.1f} × this, {verdict(times, FLOORS[work], at_least=False)}"
        if name == "ours" and work in LARGEST_MB:
            largest = max(one.peak for one in mine)
            goal = f"MB {verdict(largest, LARGEST_MB[work], at_least=False)}"
        lines.append(
            [
                work,
                name,
                "/".join(sorted({str(one.ran) if one.ran else "–" for one in mine})),
                f"{statistics.median(one.seconds for one in mine):.3f}",
                f"{max(one.peak for one in mine):.0f}",
                f"{statistics.median(ratios):.2f}",
                " ".join(f"{ratio:.2f}" for ratio in ratios),
                goal,
            ]
        )
    return lines


def parted(work: str, found: Rounds) -> list[str]:
    """The median share of our time that each part takes."""
    shares = [
        statistics.median(turn["ours"].parts[part] / turn["ours"].seconds for turn in found)
        for part in PARTS
    ]
    return [work, *(f"{share:.0%}" for share in shares)]


def show(title: str, header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    """Print a table, columns as wide as their widest entry."""
    table = [list(header), *map(list, lines)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    print(f"\n{title}\n")
    for line in table:
        words = [word.ljust(width) for word, width in zip(line, widths, strict=True)]
        print("  ".join(words).rstrip())


def whole_command(database: Path, folder: Path, rounds: int) -> list[list[str]]:
    """CPU and wall of `arena rank FILE`, and which of the unwanted modules it imports."""
    file = folder / "outcomes.csv"
    with duckdb.connect(str(database), read_only=True) as connection:
        columns = "a as agent_a, b as agent_b, outcome, scenario"
        connection.execute(f"copy (select {columns} from {TABLE}) to '{file}'")
    inside = (
        "import sys; from arena.cli.main import main\n"
        "sys.argv = ['arena', 'rank', sys.argv[1]]\n"
        "try: main()\n"
        f"finally: print([m for m in {UNWANTED!r} if m in sys.modules], file=sys.stderr)"
    )
    options = {"cwd": ROOT, "env": os.environ | ONE_THREAD, "check": True, "text": True}
    asked = subprocess.run(
        [sys.executable, "-c", inside, str(file)], capture_output=True, **options
    )
    imported = asked.stderr.splitlines()[-1]
    cpu, wall = [], []
    for _ in range(rounds):
        begin, before = time.perf_counter(), os.times()
        subprocess.run(
            [sys.executable, "-m", "arena", "rank", str(file)], capture_output=True, **options
        )
        after = os.times()
        wall.append(time.perf_counter() - begin)
        # Entries 2 and 3: CPU of the children, user and system.
        cpu.append(sum(after[2:4]) - sum(before[2:4]))
    # On an idle core the two are nearly the same; on a busy one only CPU says anything.
    goal = verdict(min(cpu), WHOLE_SECONDS, at_least=False)
    return [
        ["CPU seconds", f"{statistics.median(cpu):.2f}", f"{min(cpu):.2f}", goal],
        ["wall seconds", f"{statistics.median(wall):.2f}", f"{min(wall):.2f}", "–"],
        ["imports", imported, "", f"neither of {', '.join(UNWANTED)}"],
    ]


def fit_line(found: Rounds) -> list[str]:
    """CPU seconds of all but the reading of the table."""
    fits = [turn["ours"].seconds - turn["ours"].parts[READING] for turn in found]
    goal = verdict(min(fits), FIT_SECONDS, at_least=False)
    return ["of which fit, CPU s", f"{statistics.median(fits):.3f}", f"{min(fits):.3f}", goal]


def installed(rivals: Sequence[str]) -> list[str]:
    """The rivals whose modules are there; the others are named."""
    found = []
    for name in rivals:
        missing = [m for m in RIVALS[name].imports if find_spec(m.split(".")[0]) is None]
        if missing:
            print(f"{name} is left out: {', '.join(missing)} not installed")
        else:
            found.append(name)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--workloads", default=",".join(WORKLOADS))
    given.add_argument("--rounds", type=int, default=5)
    given.add_argument("--rivals", default=",".join(RIVALS))
    given.add_argument("--resamples", type=int, default=RESAMPLES)
    given.add_argument(
        "--budget", type=float, default=5.0, help="CPU seconds after which a rival stops resampling"
    )
    asked = given.parse_args(arguments)
    names = ["floor", "ours", *installed(asked.rivals.split(","))]
    with tempfile.TemporaryDirectory() as folder:
        for work in asked.workloads.split(","):
            database = Path(folder) / f"{work}.duckdb"
            write_workload(WORKLOADS[work], database)
            found = take_turns(
                database,
                names,
                rounds=asked.rounds,
                resamples=asked.resamples,
                budget=asked.budget,
            )
            show_workload(work, found)
            if work == "S":
                show(
                    "arena rank FILE, the whole process, on S",
                    ["", "median", "least", "goal"],
                    [*whole_command(database, Path(folder), asked.rounds), fit_line(found)],
                )


def show_workload(work: str, found: Rounds) -> None:
    """Both tables of a workload."""
    header = ["", "", "resamples", "CPU s", "peak MB", "× ours", "in each round", "goal"]
    show(
        f"{work}: table to ratings and intervals (seconds scaled where fewer resamples ran)",
        header,
        compared(work, found),
    )
    show("shares of our time", ["", *PARTS], [parted(work, found)])


if __name__ == "__main__":
    main()
