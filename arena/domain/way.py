"""How somebody was asked: by which model string, where, and with which parameters."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Calls that were made alike. `sent` and `dropped` are JSON; None of the rest is unknown."""

    speaker: Literal["agent", "user", "judge"]
    entrant: str
    asked: str
    returned: str | None
    host: str | None
    sent: str
    dropped: str
    calls: int
