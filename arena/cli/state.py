"""The small file beside the database that a run renews, so that `arena status` can look on."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.domain.tally import Tally

SCHEMA = "arena.state/1"
EVERY = 0.5


class State:
    """Renews the file, whole, by replacing it; `renew` does so every half second while it runs."""

    def __init__(self, path: Path, *, command: str, started_at: str) -> None:
        self._path = path
        self._fixed = {
            "schema": SCHEMA,
            "pid": os.getpid(),
            "command": command,
            "started_at": started_at,
        }
        self._stages: dict[tuple[str, str], dict[str, Any]] = {}
        self.job = ""
        self._write("running", started_at)

    def update(self, tally: Tally) -> None:
        """Note where a stage is; the next renewal says so."""
        self._stages[self.job, tally.stage] = {"job": self.job, **describe(tally)}

    async def renew(self, now: Callable[[], str]) -> None:
        """Renew the file until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            self._write("running", now())

    def end(self, how: str, *, at: str) -> None:
        """Note how the command ended."""
        self._write(how, at)

    def _write(self, how: str, at: str) -> None:
        text = json.dumps(
            {**self._fixed, "state": how, "at": at, "stages": list(self._stages.values())},
            ensure_ascii=False,
        )
        aside = self._path.with_suffix(".tmp")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            aside.write_text(text, encoding="utf-8")
            aside.replace(self._path)
        except OSError:
            # On Windows a reader may hold the file for a moment; the next renewal will do.
            return


def read_state(path: Path) -> dict[str, Any] | None:
    """What the last run wrote; None when there is nothing readable."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None


def describe(tally: Tally) -> dict[str, Any]:
    """A tally as JSON-able data."""
    return {
        "stage": tally.stage,
        "planned": tally.planned,
        "present": tally.present,
        "made": tally.made,
        "calls": tally.calls,
        "errors": {status.value: n for status, n in sorted(tally.statuses.items())},
        "skipped": {status.value: n for status, n in sorted(tally.skipped.items())},
        "not_begun": tally.not_begun,
        "capped": tally.capped,
        "stopped": tally.stopped,
        "by_hand": dict(sorted(tally.by_hand.items())),
        "denied": tally.denied,
        "reasons": [
            {"who": who, "status": status.value, "said": said}
            for (who, status), said in tally.reasons.items()
        ],
    }
