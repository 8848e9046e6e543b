"""What decides how pages look and read, as a digest: templates, styles, script and words."""

import hashlib
from functools import cache
from pathlib import Path

PARTS = ("static", "templates", "words")


@cache
def look_digest() -> str:
    """The digest of these files, 32 hex digits; a site keeps that of the look it was made with."""
    found = hashlib.sha256()
    here = Path(__file__).parent
    for part in PARTS:
        for path in sorted(p for p in (here / part).iterdir() if p.is_file()):
            found.update(f"{part}/{path.name}\0".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:32]
