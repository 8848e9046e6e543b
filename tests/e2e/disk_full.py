"""A run on a disk that fills up: python -m tests.e2e.disk_full FOLDER, in namespaces of its own.

FOLDER becomes a small file system in memory. Prints what happened as JSON: a run that meets the
end of the disk, the same command at once, what is there after reopening, and the same command once
there is room.
"""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

from arena.store.rows import Rows
from arena.store.store import Store
from arena.store.writer import Writer
from tests.e2e.conftest import Workspace

SMALL, LARGE = "5m", "200m"
SCENARIOS, TURNS, AGENTS = 60, 3, ("steady", "hasty")


class Noting(Writer):
    """The writer, with the keys of calls that it said were committed."""

    said: ClassVar[set[str]] = set()

    async def add(self, rows: Rows) -> None:
        await super().add(rows)
        Noting.said |= {row[0] for table, more in rows.tables if table == "call" for row in more}


def mount(folder: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", str(folder)], check=True)


def write_workspace(root: Path) -> Workspace:
    from tests.bench.soak import SCRIPT

    workspace = Workspace(root)
    workspace.write_suite(scenarios=SCENARIOS, turns=TURNS)
    lines = {"*": {level: [f"{level}. " * 700] for level in ("careful", "plain", "careless")}}
    script = json.dumps({**SCRIPT, "lines": lines})
    workspace.write("data/suites/small-en/scripted.yaml", script)
    common = {"vendor": "makers", "family": "unknown"}
    agents = [{"agent": n, "model": f"scripted/small-en/{n}", **common} for n in AGENTS]
    judges = [
        {"judge": "scorer", "vendor": "r", "family": "x", "model": "scripted/small-en/scorer"}
    ]
    workspace.configure(agents, judges, replicates=2)
    return workspace


def look(workspace: Workspace) -> dict[str, int]:
    """What is there when the store is opened again; `lost`: was committed, and is not there."""
    with Store(workspace.results / "arena.duckdb") as store:
        keys = [k for (k,) in store._connection.execute("select key from call").fetchall()]
        made = store._connection.execute("select count(*) from transcript").fetchall()[0][0]
    lost = len(Noting.said - set(keys))
    return {"calls": len(keys), "distinct": len(set(keys)), "transcripts": made, "lost": lost}


def main(folder: Path) -> None:
    mount(folder, "-o", f"size={SMALL}")
    workspace = write_workspace(folder / "workspace")
    told = {}
    Store.writer = lambda self: Noting(self._connection, self.path)  # type: ignore[method-assign]
    full = workspace.run("collect", "--yes", "-j", "16")
    told["full"] = asdict(full)
    state = json.loads((workspace.results / "status.json").read_text(encoding="utf-8"))
    told["state"] = state["state"]
    again = workspace.run("collect", "--yes", "-j", "16")
    told["again"] = asdict(again)
    mount(folder, "-o", f"remount,size={LARGE}")
    told["committed"] = len(Noting.said)
    told["kept"] = look(workspace)
    told["after"] = asdict(workspace.run("collect", "--yes", "-j", "16"))
    told["whole"] = look(workspace)
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
