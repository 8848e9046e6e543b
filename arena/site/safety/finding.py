"""What a search found: told without giving it away."""

import hashlib
import hmac
from dataclasses import dataclass

from arena.site.safety.kinds import Hit

SHOWN = 2
"""Characters that are shown at each end of a value, and of the key of a provider at its start."""
DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a value stands: a file, and in it a line or the part of a page.

    `scenario`, `round`: of a scenario's page, where that is known; 0 for none.
    """

    path: str
    at: str
    scenario: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One value that was found in one or more places.

    `hash` names it on a command line. Digits of a telephone are soon tried out, so it is not a
    plain digest: it is keyed with a secret of the workspace, without which nothing can be tried.
    """

    kind: str
    shown: str
    hash: str
    spots: tuple[Spot, ...]


def hash_of(hit: Hit, salt: bytes) -> str:
    """The name of a value in this workspace: HMAC-SHA-256, keyed with `salt`, cut short."""
    said = f"{hit.kind}\0{hit.value}".encode("utf-8", "surrogatepass")
    return hmac.new(salt, said, hashlib.sha256).hexdigest()[:DIGITS]


def masked(value: str) -> str:
    """A value of which only the ends can be seen; of a short one even less."""
    ends = min(SHOWN, len(value) // 5)
    if ends == 0:
        return "…"
    return f"{value[:ends]}…{value[-ends:]}"
