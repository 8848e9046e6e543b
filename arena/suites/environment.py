"""Environment variables and the workspace's .env, read by us.

A variable that is set wins over .env; one that is set but empty counts as unset.
"""

import io
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from arena.suites.reading import read_text


def read_environment(root: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """What is set, empty ones left out, on top of what the workspace's .env says."""
    values = {k: v for k, v in read_dotenv(root).items() if v}
    return values | {k: v for k, v in environ.items() if v}


def read_dotenv(root: Path) -> dict[str, str]:
    """What the workspace's .env says, empty ones too; nothing where there is none."""
    from dotenv import dotenv_values  # imported here: --help needs no .env

    file = root / ".env"
    if not file.is_file():
        return {}
    found = dotenv_values(stream=io.StringIO(read_text(file)), interpolate=False)
    return {name: value or "" for name, value in found.items()}


def apply_environment(root: Path, environ: MutableMapping[str, str] = os.environ) -> None:
    """Put the workspace's .env into the process, where nothing is set already.

    Done only by commands that call models: a provider's own variables (OPENAI_API_KEY …) are
    found there by the libraries that need them.
    """
    for name, value in read_environment(root, environ).items():
        if not environ.get(name):
            environ[name] = value
