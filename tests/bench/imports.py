"""What a million votes cost on their way in, beside DuckDB's own reading and inserting.

    python -m tests.bench.imports [--rows 1000000] [--rounds 3]

A CSV file of votes is made from a seed. Ours reads it, checks every row, takes its digest and keeps
it; the floor is `insert into … select … from read_csv(…)` into a table with the same key. Each is a
fresh process with two threads, imports excluded, and both take turns: the ratio is that of the same
round and should be at most 2. Then the votes are ranked, which is told in seconds.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.measured import ROOT, peak_memory

ORIGIN = "0" * 32
COLUMNS = ("question_id", "model_a", "model_b", "winner", "judge", "language", "tstamp")
MAKE = """
copy (
    select
        'q' || i as question_id, 'agent-' || (h % 60) as model_a,
        'agent-' || ((h % 60 + 1 + (h // 60) % 59) % 60) as model_b,
        ['model_a', 'model_b', 'tie', 'tie (bothbad)'][1 + (h // 4096) % 4] as winner,
        'user_' || (h % 50000) as judge, ['English', 'Chinese'][1 + h % 2] as language,
        1690000000.5 + i as tstamp
    from (select i, (hash(i + 7) // 65536)::bigint as h from range($rows) as rows(i)) order by i
) to '{path}' (format csv, header)
"""
FLOOR = """
insert into vote select $origin, row_number() over (), * from read_csv($path, all_varchar = true)
"""


@contextmanager
def clocked(told: dict[str, float]) -> Iterator[None]:
    """CPU seconds of all threads and seconds on the wall."""
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    told |= {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def make(path: Path, rows: int) -> None:
    """The same file for the same number of rows."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(MAKE.format(path=path), {"rows": rows})


def floor(csv: Path, database: Path, told: dict[str, float]) -> int:
    """DuckDB alone."""
    import duckdb

    from arena.store.connection import SETTINGS

    with duckdb.connect(str(database), config=SETTINGS) as connection:
        columns = ", ".join(f"{name} text" for name in COLUMNS)
        connection.execute(
            f"create table vote (origin text, row integer, {columns}, primary key (origin, row))"
        )
        with clocked(told):
            connection.execute(FLOOR, {"origin": ORIGIN, "path": str(csv)})
            connection.execute("checkpoint")
        return int(connection.execute("select count(*) from vote").fetchall()[0][0])


def ours(csv: Path, database: Path, told: dict[str, float]) -> int:
    """What `arena import lmarena` does between the store's opening and its closing."""
    from arena.exchange.formats import FORMATS
    from arena.stages.take_in.votes import VoteWish, keep_votes, loaded_votes
    from arena.store.store import Store

    part = FORMATS["lmarena"].votes
    assert part is not None
    wish = VoteWish(
        format="lmarena",
        path=csv,
        name="bench",
        recognise=lambda source: part.recognise(tuple(source.columns), {}, ()),
        makers={},
    )
    with Store(database) as store, clocked(told):
        with loaded_votes(wish, store, at="2026-01-01T00:00:00Z") as (loaded, intake):
            assert not intake.bad.counts
            new = keep_votes(loaded, intake, store, run="bench")
        store.checkpoint()
    return new


def ranked(csv: Path, database: Path, told: dict[str, float]) -> int:
    """Ratings with intervals of what `ours` kept."""
    from arena.ranking import rank
    from arena.store.store import Store

    given = {"a": "agent_a", "b": "agent_b", "outcome": "outcome"}
    with Store(database) as store, clocked(told):
        (origin,) = (o.origin for o in store.imports.all())
        return rank(store.votes.open(origin), columns=given).comparisons


PARTS: dict[str, Callable[[Path, Path, dict[str, float]], int]] = {
    "floor": floor,
    "ours": ours,
    "ranked": ranked,
}


def measure(name: str, csv: Path, database: Path) -> dict[str, float]:
    """One part in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.imports", "--part", name, str(csv), str(database)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def run_part(name: str, csv: str, database: str) -> None:
    told: dict[str, float] = {}
    rows = PARTS[name](Path(csv), Path(database), told)
    print(json.dumps(told | {"rows": rows, "peak": peak_memory()}))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.part:
        run_part(*asked.part)
        return
    with tempfile.TemporaryDirectory() as folder:
        csv = Path(folder) / "votes.csv"
        make(csv, asked.rows)
        print(f"{asked.rows:,} votes, {csv.stat().st_size / 1e6:.0f} MB of CSV")
        ratios = []
        for number in range(asked.rounds):
            found = {
                name: measure(name, csv, Path(folder) / f"{name}{number}.duckdb")
                for name in ("floor", "ours")
            }
            ratios.append(found["ours"]["cpu"] / found["floor"]["cpu"])
            parts = ", ".join(
                f"{name} {of['cpu']:.2f} s CPU, {of['wall']:.1f} s, {of['peak']:.0f} MB"
                for name, of in found.items()
            )
            print(f"round {number + 1}: {parts}; ratio {ratios[-1]:.2f}")
        last = measure("ranked", csv, Path(folder) / f"ours{asked.rounds - 1}.duckdb")
        print(f"ratio (median; at most 2): {statistics.median(ratios):.2f}")
        print(f"ranked: {last['rows']:,.0f} comparisons, {last['cpu']:.1f} s CPU")


if __name__ == "__main__":
    main()
