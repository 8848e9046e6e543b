"""Fields of foreign rows: read strictly, written back as they stood."""

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from arena.domain.digest import digest
from arena.domain.suite import ScenarioId
from arena.suites.complaints import pattern_of

UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def text_of(row: Mapping[str, Any], *keys: str) -> str:
    """The first of some fields that is a text; empty where there is none."""
    return next((row[k] for k in keys if isinstance(row.get(k), str)), "")


def number_of(value: Any) -> float | None:
    """A finite number; None for anything else, a number written as text and true included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def time_of(value: Any) -> str:
    """A time: seconds since 1970 as UTC, a text as it stands, else empty."""
    seconds = number_of(value)
    if seconds is not None and 0 < seconds < 1e11:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")[:19] + "Z"
    return value[:40] if isinstance(value, str) else ""


def seconds_of(at: str) -> float | None:
    """The seconds since 1970 that a time of ours stands for; None where there is none."""
    try:
        return datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() if at else None
    except ValueError:
        return None


def scenario_of(name: Any) -> str:
    """What a foreign id is called here: itself where a scenario can be called so, or a digest."""
    text = str(name)
    if re.fullmatch(pattern_of(ScenarioId), text):
        return text
    return f"x-{digest(text)[:12]}"


def kept(row: Mapping[str, Any], *but: str) -> str:
    """What stood in a row beside the texts that are kept elsewhere, as JSON."""
    return json.dumps({k: v for k, v in row.items() if k not in but}, ensure_ascii=False)


def kept_of(raw: str | None) -> dict[str, Any]:
    """What `kept` kept; nothing for the row of another format."""
    try:
        value = json.loads(raw) if raw else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def file_name(name: str) -> str:
    """A name as one that a file or folder may have anywhere."""
    safe = UNSAFE.sub("_", name).strip(".")[:100]
    return safe if safe == name else f"{safe or 'x'}-{digest(name)[:6]}"
