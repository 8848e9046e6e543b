"""JSON schemas as judges' endpoints take them."""

from typing import Any

MAX_TEXT = 400
"""The longest string that a judge is asked for, in characters."""


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """An object with exactly these properties, all required, in this order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def bounded_text() -> dict[str, Any]:
    """A string of bounded length."""
    return {"type": "string", "maxLength": MAX_TEXT}
