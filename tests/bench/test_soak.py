"""The soak bench at a small size: what it measures can fail."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.soak import GROWTH, Soaked

CALLS = 1200
GOOD = Soaked(
    calls=10,
    transcripts=5,
    lost=0,
    doubled=0,
    first_half=1.0,
    second_half=1.1,
    first_clock=2.0,
    second_clock=9.0,
    memory_early=100.0,
    memory_end=120.0,
    wait_p50=0.01,
    wait_p99=9.0,
    wait_max=9.0,
    stall_p50=0.01,
    stall_p99=0.1,
    stall_max=9.0,
)


@pytest.mark.parametrize(
    "change",
    [
        {"lost": 1},
        {"doubled": 1},
        {"second_half": 1.3},
        {"memory_end": 100.0 + GROWTH},
        {"stall_p99": 0.5},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_bound_can_be_broken(change):
    assert GOOD.faults == []
    assert len(replace(GOOD, **change).faults) == 1


@pytest.mark.slow
def test_a_small_soak_loses_and_doubles_nothing_and_does_not_grow():
    # Its seconds say nothing here, so its exit code does not either.
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.soak", "--calls", str(CALLS)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["calls"], found["transcripts"]) == (CALLS, CALLS // 2)
    assert (found["lost"], found["doubled"]) == (0, 0)
    # From 120 calls to 1200; a transcript that stays in memory with its prompts would be more.
    assert found["growth"] < GROWTH / 5
