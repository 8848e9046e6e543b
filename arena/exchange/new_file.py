"""A new file with its folder; nothing is ever overwritten."""

from pathlib import Path

from arena.errors import UsageError


def save_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet; raises UsageError where it is, or cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as stream:
            stream.write(content)
    except FileExistsError:
        raise UsageError(
            "{path} is there already",
            fix="Name another file; nothing is overwritten.",
            path=path,
        ) from None
    except OSError as error:
        raise UsageError(
            "{path}: cannot be written: {reason}", path=path, reason=error.strerror
        ) from None
