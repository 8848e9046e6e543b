"""What publishing costs: CPU seconds, peak memory and bytes, by the size of the board.

    python -m tests.bench.site [AGENTSxSCENARIOS …]

Every size is a process of its own. Agents and texts are made up, as long as real ones; a third of
all comparisons was made before one judge, as the default plan of many agents has it. Gathering
from a store is not part of it. The floor is to escape and encode, once, all the bytes that came
out: no way of writing these pages can be quicker, and its ratio means something on a busy machine.
"""

import html
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measured import ROOT, peak_memory
from tests.site.crowds import crowd
from tests.site.publishing import publish_editions

SIZES = ("8x40", "20x60", "40x100")
ONE_IN = 3
"""Of how many possible comparisons one is made, as in the default plan."""
HEADS = ("size", "verdicts", "files", "MB", "seconds", "floor", "ratio", "peak MB")


def measure(size: str) -> dict[str, float]:
    """Publish a board of a size in this process."""
    agents, scenarios = map(int, size.split("x"))
    edition = crowd(agents, scenarios, one_in=1 if agents <= 10 else ONE_IN)
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        made = publish_editions(Path(folder) / "site", edition)
        seconds = time.process_time() - start
        peak, floor = peak_memory(), _floor(made.out)
    return {
        "verdicts": sum(len(c.verdicts) for of in edition.comparisons.values() for c in of),
        "files": made.published.files,
        "MB": made.published.bytes / 1e6,
        "seconds": seconds,
        "floor": floor,
        "ratio": seconds / floor,
        "peak MB": peak,
    }


def _floor(out: Path) -> float:
    spent = 0.0
    for path in out.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        start = time.process_time()
        html.escape(text).encode()
        spent += time.process_time() - start
    return spent


def apart(size: str) -> dict[str, float]:
    """The same in a fresh process."""
    command = [sys.executable, "-m", "tests.bench.site", "--here", size]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main(words: list[str]) -> None:
    """Print a row for every size."""
    if words[:1] == ["--here"]:
        print(json.dumps(measure(words[1])))
        return
    print("".join(f"{head:>10}" for head in HEADS))
    for size in words or SIZES:
        found = apart(size)
        places = {"seconds": 1, "floor": 1}
        cells = [size, *(f"{found[head]:.{places.get(head, 0)}f}" for head in HEADS[1:])]
        print("".join(f"{cell:>10}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
