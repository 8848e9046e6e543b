"""Messages without keys: what may be stored, logged and shown of an error."""

import re
from collections.abc import Iterable, Sequence

SECRET_SHAPES = re.compile(r"(sk-|Bearer\s+|key[=:]\s*)[A-Za-z0-9_\-.*]{6,}", re.IGNORECASE)
SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
SHORTEST = 4
"""Characters of a value from which on it is looked for; shorter ones are in every text."""
SHORTEST_IN_REPLY = 12
"""The same in what an agent said, which must not lose a word that somebody took for a key."""


def redact(text: str, secrets: Sequence[str]) -> str:
    """A message of one line without keys, at most 500 characters."""
    text = hide(text, secrets)
    text = SECRET_SHAPES.sub(r"\1[key]", " ".join(text.split()))
    return text if len(text) <= 500 else text[:499] + "…"


def hide_in_reply(text: str, secrets: Iterable[str]) -> str:
    """A reply as it may be kept: a product that repeats a key does not get it stored."""
    return hide(text, secrets, shortest=SHORTEST_IN_REPLY)


def hide(text: str, secrets: Iterable[str], *, shortest: int = SHORTEST) -> str:
    """A text in which every secret is replaced, the longest first."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= shortest:
            text = text.replace(secret, "[key]")
    return text
