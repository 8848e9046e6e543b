"""A scripted judge's comparison, in the shape that the schema of the reply asks for."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from arena.judging.labels import Side
from arena.judging.marks import OVERALL

Decide = Callable[[str, bool], tuple[Side, float]]
"""From what is compared, and whether a tie is allowed, to the side and its lead."""
REASON = "Scripted judge: the lines of both transcripts were weighed by their written level."


def compare(schema: Mapping[str, Any], decide: Decide) -> str:
    """A winner, or a tie where the schema has one, and the same of every criterion."""
    labels = schema["properties"]["winner"]["enum"]
    names = {"first": labels[0], "second": labels[1], "tie": "tie"}
    ties = "tie" in labels
    winner, lead = decide(OVERALL, ties)
    criteria = {}
    for name in schema["properties"]["criteria"]["properties"]:
        who, by = decide(name, ties)
        criteria[name] = {"side": names[who], "strength": strength(by)}
    answer = {
        "winner": names[winner],
        "strength": strength(lead),
        "criteria": criteria,
        "reason": REASON,
    }
    return json.dumps(answer, ensure_ascii=False)


def mark(schema: Mapping[str, Any], decide: Decide) -> str:
    """The winner's code and pluses, for every key that lists such marks."""
    answer = {}
    for name, rule in schema["properties"].items():
        if "enum" not in rule:
            answer[name] = REASON
            continue
        marks = rule["enum"]
        who, by = decide(OVERALL if name.startswith(OVERALL) else name, False)
        own = marks[: len(marks) // 2] if who == "first" else marks[len(marks) // 2 :]
        answer[name] = own[strength(by) - 1]
    return json.dumps(answer, ensure_ascii=False)


def strength(lead: float) -> int:
    """A strength of one to five from a lead of up to one half."""
    return 1 + min(4, int(lead * 10))
