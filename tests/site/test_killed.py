"""A publish that is killed outright, at many moments: the next one leaves a whole site alone."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.site.write import MARKER, marker, write_site

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX"),
]
ROOT = Path(__file__).parents[2]
STEPS = 16
"""Every file is written and moved, so a site of three files and a marker has so many moments."""

PROGRAM = """
import json, os, signal, sys
from pathlib import Path
from arena.site.write import write_site
from tests.site.test_killed import site_of

def die_after(steps):
    def dying(done):
        def step(self, *args):
            nonlocal steps
            steps -= 1
            if steps < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return done(self, *args)
        return step
    Path.write_bytes, Path.replace = dying(Path.write_bytes), dying(Path.replace)

ends = []
for steps in range(int(sys.argv[2])):
    out = Path(sys.argv[1]) / str(steps) / "site"
    write_site(out, site_of("old", "s/gone.html"))
    child = os.fork()
    if child == 0:
        die_after(steps)
        write_site(out, site_of("new", "s/b.html"))
        os._exit(0)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(json.dumps(ends))
"""


def site_of(text, extra):
    pages = {"index.html": text.encode(), "s/a.html": text.encode(), extra: text.encode()}
    return {**pages, MARKER: marker([*pages, MARKER])}


def test_whenever_it_is_killed_the_next_one_mends_it(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path, str(STEPS)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    killed = json.loads(done.stdout).count(-signal.SIGKILL)
    assert 8 <= killed < STEPS
    left_behind = 0
    for step in range(STEPS):
        home = tmp_path / str(step)
        out = home / "site"
        left_behind += len(list(home.iterdir())) - 1
        (out / "README.md").write_text("mine")
        # Until the next one every page is whole: the old one or the new one.
        for name in ("index.html", "s/a.html"):
            assert (out / name).read_text() in ("old", "new"), step
        write_site(out, site_of("last", "s/c.html"))
        assert [p.name for p in home.iterdir()] == ["site"], step
        files = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
        assert files == {"index.html", "s/a.html", "s/c.html", MARKER, "README.md"}, step
    assert left_behind >= 8
