"""An import that is killed leaves the store as it was; the same command brings all of it."""

import json
import signal
import subprocess
import sys

import pytest

from arena.store.store import Store
from tests.support.original_results import played
from tests.support.originals import CASES, write_eldercare

pytestmark = pytest.mark.slow

KILLED = """
import os, signal, sys
from arena.cli.main import app
from arena.stages.take_in import take_in
from arena.store.imports import Imports
take_in.AT_ONCE = 1
whole, done = Imports.append, 0
def append(self, rows):
    global done
    done += 1
    if done > LIMIT:
        os.kill(os.getpid(), signal.SIGKILL)
    whole(self, rows)
LIMIT = int(sys.argv.pop(1))
Imports.append = append
app()
"""
LINES = [
    *(played(case) for case in CASES[:2]),
    played(CASES[2], archetype="drafting", back=None),
]
KPI = {"judge": "someone", "mode": "multi-turn probe + rubric"}


def rows(workspace):
    with Store(workspace / "results" / "arena.duckdb") as store:
        names = ("transcript", "sheet", "score", "imported", "origin")
        # Who wrote a row and when is not what it says.
        timeless = "exclude (run)", "exclude (run)", "", "exclude (run)"
        query = store._connection.execute
        found = {
            name: query(f"select * {left} from {name} order by all").fetchall()
            for name, left in zip(names, (*timeless, "exclude (run, imported_at)"), strict=True)
        }
        return found, store.imports.all()


def command(workspace, folder):
    return ["import", "eldercare", str(folder), "-C", str(workspace), "--as", "mine", "--json"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 on this system")
@pytest.mark.parametrize("batches", [0, 4])
def test_a_killed_import_leaves_nothing_and_comes_in_by_the_same_command(arena, tmp_path, batches):
    folder = write_eldercare(tmp_path / "theirs", runs={"baselines/model-x/one": (LINES, KPI)})
    broken, whole = tmp_path / "broken", tmp_path / "whole"
    for workspace in (broken, whole):
        assert arena("init", workspace, "--lang", "en").exit_code == 0
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(batches), *command(broken, folder)],
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    found, imports = rows(broken)
    assert [name for name, some in found.items() if some] == []
    assert imports == []
    for workspace in (broken, whole):
        done = arena(*command(workspace, folder))
        assert done.exit_code == 0, done.stderr
        assert sum(json.loads(done.stdout)["results"]["there_already"].values()) == 0
    assert rows(broken)[0] == rows(whole)[0]
    with Store(broken / "results" / "arena.duckdb") as store:
        (runs,) = store._connection.execute("select count(*) from run").fetchone()
    assert runs == 1
