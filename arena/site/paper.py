"""Pages as PDF, printed by a Chromium that is there; it resolves no name and knows no key."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from arena.errors import CheckFailed, UsageError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NAMED_IN = "ARENA_CHROMIUM"
"""The variable that names a browser which is not on the path."""
SECONDS = 90.0
PREFIX = "arena-print-"
"""How homes of browsers begin; the number of our process follows."""
_SWITCHES = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-quic", "--disable-extensions", "--host-resolver-rules=MAP * ~NOTFOUND"),
    "--no-pdf-header-footer",
)
_DATES = re.compile(rb"/(CreationDate|ModDate) \(D:(\d{14})([^)]*)\)")
_NODES = re.compile(rb"\(node(\d{8})\)")
_PAGE = re.compile(rb"/Type\s*/Page(?![A-Za-z])")


def find_browser(environ: Mapping[str, str]) -> str | None:
    """The browser that would print; None where there is none."""
    named = environ.get(NAMED_IN)
    return shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)


@dataclass(frozen=True, slots=True)
class Printer:
    """A browser that prints, each time with a home and a profile of its own."""

    browser: str

    def print_page(self, page: bytes, at: str) -> bytes:
        """A page as PDF that tells the time `at` of itself; raises CheckFailed."""
        clear_homes()
        # In the system's own folder, whose path is short: a browser's socket has no long one.
        with tempfile.TemporaryDirectory(
            prefix=f"{PREFIX}{os.getpid()}-", ignore_cleanup_errors=True
        ) as made:
            home = Path(made)
            (home / "page.html").write_bytes(page)
            self._run(home)
            try:
                printed = (home / "page.pdf").read_bytes()
            except OSError:
                printed = b""
        if not printed.startswith(b"%PDF-"):
            raise CheckFailed(
                "{browser} printed nothing",
                fix="Leave --pdf out, and print brief.html from a browser.",
                browser=self.browser,
            )
        return _settled(printed, at)

    def _run(self, home: Path) -> None:
        """Let the browser print, in a home of its own; raises CheckFailed if it takes too long."""
        command = [
            *(self.browser, *_SWITCHES, *_unboxed()),
            *(f"--user-data-dir={home / 'profile'}", f"--print-to-pdf={home / 'page.pdf'}"),
            (home / "page.html").as_uri(),
        ]
        places = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"), str(home))
        with subprocess.Popen(
            command,
            env={**_environment(), **places},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            try:
                running.wait(SECONDS)
            except subprocess.TimeoutExpired:
                raise CheckFailed(
                    "{browser} printed nothing within {seconds} s",
                    fix="Leave --pdf out, and print brief.html from a browser.",
                    browser=self.browser,
                    seconds=f"{SECONDS:.0f}",
                ) from None
            finally:
                _end(running)


def clear_homes() -> None:
    """Remove homes of browsers whose publish was killed: its process is no longer there."""
    if os.name != "posix":
        return
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        pid = left.name.removeprefix(PREFIX).partition("-")[0]
        if not pid.isdecimal() or left.is_symlink():
            continue
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(left, ignore_errors=True)
        except (OSError, OverflowError):
            continue  # somebody else's


def need_browser(environ: Mapping[str, str]) -> str:
    """The browser that prints; raises UsageError where there is none."""
    found = find_browser(environ)
    if found is None:
        raise UsageError(
            "--pdf: no Chromium was found to print with",
            why="looked for: {names}, and the variable {variable}",
            fix="Install one, or leave --pdf out and print brief.html from any browser.",
            names=", ".join(BROWSERS),
            variable=NAMED_IN,
        )
    return found


def count_pages(pdf: bytes) -> int:
    """How many pages a PDF of ours has."""
    return len(_PAGE.findall(pdf))


def _environment() -> dict[str, str]:
    """What a browser needs to know of this process, and no key."""
    kept = ("PATH", "LANG", "LC_ALL", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "SYSTEMROOT")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _unboxed() -> tuple[str, ...]:
    """Root, as in a container, gets no sandbox: the browser would refuse to start."""
    return ("--no-sandbox",) if getattr(os, "geteuid", lambda: 1)() == 0 else ()


def _end(running: "subprocess.Popen[bytes]") -> None:
    """End the browser with all its processes."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        running.kill()


def _settled(pdf: bytes, at: str) -> bytes:
    """The same PDF whenever and beside whatever it was printed; no length changes.

    Chromium names what tables refer to after numbers of its own, which move with the timing of
    other work: they are counted from 1 instead, in the same order.
    """
    try:
        told = datetime.fromisoformat(at).strftime("%Y%m%d%H%M%S").encode()
    except ValueError:
        told = b"19800101000000"
    pdf = _DATES.sub(lambda m: b"/%s (D:%s%s)" % (m[1], told, m[3]), pdf)
    numbers = {old: n for n, old in enumerate(sorted(set(_NODES.findall(pdf))), start=1)}
    return _NODES.sub(lambda m: b"(node%08d)" % numbers[m[1]], pdf)
