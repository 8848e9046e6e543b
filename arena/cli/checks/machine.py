"""The machine: disk, store, clock, fonts, versions, a browser; and keys in what is published."""

import os
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from arena.cli.checks.scene import Scene
from arena.domain.finding import Finding, State
from arena.errors import StoreError, StoreHeld

GIGABYTE = 1_000_000_000
LITTLE, TOO_LITTLE = GIGABYTE, GIGABYTE // 10
AHEAD = timedelta(minutes=5)
"""By how much the newest row may be ahead of the clock: clocks of two machines differ."""
MOST = 5_000_000
"""Bytes of a published file that is looked into."""


def check_disk(scene: Scene) -> Iterator[Finding]:
    """Room where results are kept, and leave to write there."""
    place = scene.bench.workspace.database.parent
    standing = next(p for p in (place, *place.parents) if p.exists())
    free = shutil.disk_usage(standing).free
    facts = {"free": f"{free / GIGABYTE:.1f}", "place": str(place)}
    if not os.access(standing, os.W_OK):
        yield Finding(
            check="disk",
            state="fail",
            said="check_disk_closed",
            todo="check_do_closed",
            facts=facts,
        )
        return
    state: State = "ok" if free >= LITTLE else "warn" if free >= TOO_LITTLE else "fail"
    yield Finding(
        check="disk",
        state=state,
        said="check_disk",
        todo="" if state == "ok" else "check_do_disk",
        facts=facts,
    )


def check_store(scene: Scene) -> Iterator[Finding]:
    """The database can be opened, and the clock is not behind what it holds."""
    from arena.store.condition import look_at

    path = scene.bench.workspace.database
    try:
        found = look_at(path)
    except StoreError as error:
        held = isinstance(error, StoreHeld)
        yield Finding(check="store", state="warn" if held else "fail", error=error)
        return
    if found is None:
        yield Finding(check="store", state="ok", said="check_store_none", facts={"file": str(path)})
        return
    facts = {"schema": found.schema, "known": found.known, "file": str(path)}
    said = "check_store" if found.schema == found.known else "check_store_older"
    yield Finding(check="store", state="ok", said=said, facts=facts)
    yield from _check_clock(scene.now, found.newest)


def check_versions(scene: Scene) -> Iterator[Finding]:
    """Of what the results depend on most."""
    yield Finding(
        check="versions",
        state="ok",
        said="check_versions",
        facts={"duckdb": version("duckdb"), "litellm": version("litellm")},
    )


def check_fonts(scene: Scene) -> Iterator[Finding]:
    """A font that shows Chinese, for figures in files; pages use the reader's own."""
    from arena.site.figures.fonts import chinese_font

    font = chinese_font()
    yield Finding(
        check="font",
        state="ok" if font else "warn",
        said="check_font" if font else "check_font_none",
        todo="" if font else "check_do_font",
        facts={"font": font or ""},
    )


def check_browser(scene: Scene) -> Iterator[Finding]:
    """A browser that prints pages as PDF; nothing else needs one."""
    from arena.site.paper import find_browser  # imported here: it brings the whole site

    found = find_browser(scene.environ)
    yield Finding(
        check="browser",
        state="ok" if found else "skipped",
        said="check_browser" if found else "check_browser_none",
        facts={"browser": Path(found).name if found else ""},
    )


def check_leaks(scene: Scene) -> Iterator[Finding]:
    """No key of this workspace stands in what is published, nor beside the results."""
    root = scene.bench.workspace
    keys = [key.encode() for key in scene.keys]
    files = [p for p in sorted(root.leaderboard.rglob("*")) if p.is_file()] + [root.state]
    leaking = [p for p in files if any(key in _read(p) for key in keys)]
    for path in leaking:
        yield Finding(
            check="leak",
            state="fail",
            said="check_leak",
            todo="check_do_leak",
            facts={"file": str(path)},
        )
    if not leaking:
        yield Finding(
            check="leak",
            state="ok",
            said="check_leak_none",
            facts={"folder": str(root.leaderboard)},
        )


def _check_clock(now: str, newest: str | None) -> Iterator[Finding]:
    if newest is None:
        return
    try:
        behind = datetime.fromisoformat(newest) - datetime.fromisoformat(now)
    except (ValueError, TypeError):
        return  # not a time of ours: the clock cannot be told from it
    late = behind > AHEAD
    yield Finding(
        check="clock",
        state="warn" if late else "ok",
        said="check_clock_behind" if late else "check_clock",
        todo="check_do_clock" if late else "",
        facts={"now": now, "newest": newest},
    )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MOST)
    except OSError:
        return b""
