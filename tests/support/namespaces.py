"""Processes in namespaces of their own: a network without anybody else, a disk that is small."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def why_not(*flags: str, within: str = "true") -> str | None:
    """Why a process cannot have such namespaces and run a command within; None where it can."""
    if shutil.which("unshare") is None:
        return "unshare is not installed"
    done = subprocess.run(
        ["unshare", *flags, "sh", "-c", within],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return f"unshare {' '.join(flags)}: {done.stderr.strip()}" if done.returncode else None


def run_apart(flags: tuple[str, ...], module: str, *args: str, first: str = "true") -> Any:
    """What a module prints, in namespaces of its own, after a command; its last line is JSON."""
    words = [sys.executable, "-m", module, *args]
    done = subprocess.run(
        ["unshare", *flags, "sh", "-c", f'{first} && exec "$@"', "sh", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if done.returncode:
        raise AssertionError(f"{module} ended with {done.returncode}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])
