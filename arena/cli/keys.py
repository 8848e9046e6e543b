"""Single keys from a terminal, without Enter where it can do that; else the first of a line."""

import os
import sys

CTRL_C, CTRL_D = "\x03", "\x04"
END = "q"


def read_key() -> str:
    """One key in lower case; `q` at the end of what there is to read. Raises KeyboardInterrupt."""
    key = _unbuffered()
    if key is None:
        line = sys.stdin.readline()
        return (line.strip()[:1].lower() or " ") if line else END
    if key == CTRL_C:
        raise KeyboardInterrupt
    return END if key in ("", CTRL_D) else key.lower()


def _unbuffered() -> str | None:
    """One key where the terminal gives it at once; None where it does not."""
    if not sys.stdin.isatty():
        return None
    if os.name == "nt":
        import msvcrt

        found: str = msvcrt.getwch()  # type: ignore[attr-defined]
        return found
    try:
        import termios
        import tty
    except ImportError:
        return None
    number = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(number)
    except termios.error:
        return None
    try:
        # Keys that were pressed while nobody read are answers, too: nothing is thrown away.
        tty.setcbreak(number, termios.TCSADRAIN)
        return os.read(number, 8).decode("utf-8", "replace")[:1]
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
