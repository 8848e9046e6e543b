"""Why two boards must not be compared, as an error with both values."""

from typing import Literal

from arena.errors import UsageError

Kind = Literal[
    "suite", "mode", "version", "origin", "scenarios", "panel", "judge", "prompt", "method", "model"
]


def refusal(kind: Kind, path: str, then: str, now: str, *, name: str = "") -> UsageError:
    """The error of a kind; `name`: of the judge, or of the option of the method."""
    why = {"why": "then: {then}; now: {now}", "fix": ""}
    facts = {"path": path, "then": _short(then), "now": _short(now)}
    return {
        "suite": UsageError("{path} is a board of another suite", **why, **facts),
        "mode": UsageError("{path} is a board of another mode", **why, **facts),
        "version": UsageError("{path} is a board of other contents of the suite", **why, **facts),
        "origin": UsageError("{path} is a board of results from elsewhere", **why, **facts),
        "scenarios": UsageError("{path} is a board of other scenarios", **why, **facts),
        "panel": UsageError("{path} is a board of other judges", **why, **facts),
        "judge": UsageError(
            "{path}: {name} was configured otherwise, which is another judge",
            **why,
            **facts,
            name=name,
        ),
        "prompt": UsageError("{path}: {name} was asked in other words", **why, **facts, name=name),
        "method": UsageError(
            "{path} is a board by another method: {name}", **why, **facts, name=name
        ),
        "model": UsageError(
            "{path}: another model served {name}, and no bridge shows that they judge alike",
            why="then: {then}; now: {now}",
            fix="See what a bridge would cost: arena plan --bridge OLD; "
            "then arena compare --bridge OLD and arena rank.",
            **facts,
            name=name,
        ),
    }[kind]


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"
