"""Digests of values: the same value gives the same digest, on any machine, in any version.

A digest is the first 32 hex digits (128 bits) of the SHA-256 of canonical JSON: keys sorted,
no spaces, UTF-8, numbers as Python writes them. Natural keys are digests of their columns.
"""

import hashlib
import json
from typing import Any

_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)
"""Made once: a plan of a large board has a hundred thousand keys."""


def canonical(value: Any) -> str:
    """The one JSON text of a value made of dicts, lists, strings, numbers, booleans and None."""
    return _ENCODER.encode(value)


def digest(value: Any) -> str:
    """The digest of a JSON-able value, 32 hex digits."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:32]
