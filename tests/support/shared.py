"""Real data beside the clone, where there is any; a user's clone has none."""

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"


def shared_data(name: str) -> Path:
    """The folder of that name; skips the test, saying why, where it is absent."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"real data not beside the clone: {name}")
    return folder
