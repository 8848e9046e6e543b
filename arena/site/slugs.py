"""Names that become file names and anchors: ASCII, lower case, never two alike, safe on Windows."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
"""Names that Windows keeps for devices, whatever the extension."""
LONGEST = 40
_SIMPLE = re.compile(rf"[a-z0-9](?:[a-z0-9_-]{{0,{LONGEST - 2}}}[a-z0-9])?")


def slugs(names: Iterable[str]) -> dict[str, str]:
    """A slug for each name: its own lower case where that is safe and single, else with a hash.

    The order of the names does not matter, and no two slugs are alike, whatever the names.
    """
    known = sorted(set(names))
    lowered = Counter(name.lower() for name in known)
    made: dict[str, str] = {}
    taken: set[str] = set()
    hashed = []
    for name in known:
        low = name.lower()
        simple = name.isascii() and _SIMPLE.fullmatch(low) and low not in RESERVED
        if simple and lowered[low] == 1:
            made[name] = low
            taken.add(low)
        else:
            hashed.append(name)
    for name in hashed:
        made[name] = _hashed(name, taken)
        taken.add(made[name])
    return made


def _hashed(name: str, taken: set[str]) -> str:
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower())[: LONGEST - 10].strip("-") or "x"
    digits = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(8, len(digits) + 1):
        candidate = f"{stem}-{digits[:length]}"
        if candidate not in taken:
            return candidate
    raise AssertionError("two names share a SHA-256 digest")
