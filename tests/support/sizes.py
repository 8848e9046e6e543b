"""How many boards a simulation draws: few in CI, all of them with ARENA_FULL=1."""

import os
from typing import TypeVar

Size = TypeVar("Size")


def boards(ci: Size, full: Size) -> Size:
    """`ci` boards, or `full` ones when the environment asks for the full sizes."""
    return full if os.environ.get("ARENA_FULL") == "1" else ci
