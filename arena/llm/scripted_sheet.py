"""A scripted judge's scoring sheet: numbers from the known quality, the rest from the schema."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.domain.script import NothingToJudge
from arena.domain.telling import Section
from arena.judging.running import read_sections
from arena.judging.sheet_phrases import CANNOT_JUDGE

_HEAD = re.compile(r"^\[(?P<round>\d{1,3})\] (?:agent|智能体):\n(?P<said>[^\n]+)", re.MULTILINE)
MIDDLE = 0.5
QUOTED = 120
"""Characters of a reply that are quoted as evidence."""


def comment_on(quality: float) -> str:
    """A scripted judge's commentary on a transcript of known quality, from 0 to 1."""
    return (
        f"Scripted judge: the lines shown are of mean quality {quality:.2f}.\n"
        "Assessment and risks: what is below 1 falls short as it is written in scripted.yaml.\n"
        "Advice: prompt: none; process: none; parameters: none. Nobody has read this dialogue."
    )


def number_rule(rule: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rule of a criterion's number: bare, beside a comment, or one of several answers."""
    rule = rule.get("properties", {}).get("score", rule)
    found: Mapping[str, Any] = rule.get("anyOf", [rule])[0]
    return found


def may_leave(rule: Mapping[str, Any]) -> bool:
    """Whether the sheet lets a criterion be left unjudged."""
    rule = rule.get("properties", {}).get("score", rule)
    return any(CANNOT_JUDGE in one.get("enum", ()) for one in rule.get("anyOf", ()))


def nothing_to_judge(
    stated: Sequence[NothingToJudge], shown: str, sections: Sequence[Section]
) -> frozenset[str]:
    """The criteria that a scripted judge finds nothing to judge by in what it is shown."""
    heads = list(_HEAD.finditer(shown))
    if not stated or not heads:
        return frozenset()
    last = int(heads[-1]["round"])
    kept = read_sections(shown[heads[-1].start("said") :], sections).texts
    return frozenset(
        one.criterion
        for one in stated
        if last in one.rounds or (one.empty is not None and not kept.get(one.empty, "?"))
    )


def value_of(rule: Mapping[str, Any], part: float) -> float:
    """The score at a part of the scale, from 0 to 1."""
    number = number_rule(rule)
    low, high = number["minimum"], number["maximum"]
    value: float = low + (high - low) * min(1.0, max(0.0, part))
    return round(value) if number["type"] == "integer" else round(value, 1)


def with_comment(rule: Mapping[str, Any], value: float | str) -> Any:
    """A score as its rule wants it: alone, or with a comment in one piece or in parts."""
    if "properties" not in rule:
        return value
    comment = rule["properties"]["comment"]
    parts = comment.get("properties")
    return {"score": value, "comment": dict.fromkeys(parts, "Scripted.") if parts else "Scripted."}


def beside_scores(
    schema: Mapping[str, Any], values: Mapping[str, float], shown: str
) -> dict[str, Any]:
    """What a sheet holds beside its numbers: sums, lists, a quotation of the last reply.

    It is quoted for the first criterion and for every one in the lower half of its scale. Which
    criteria make a group is not in a schema, so sums of groups are left out.
    """
    wanted = schema["properties"]
    total = round(sum(values.values()), 6)
    heads = list(_HEAD.finditer(shown))
    evidence = [
        {"criterion": key, "round": int(heads[-1]["round"]), "quote": heads[-1]["said"][:QUOTED]}
        for n, (key, part) in enumerate(_parts(schema, values).items())
        if heads and (n == 0 or part < MIDDLE)
    ]
    answers = {
        "total": total,
        "strengths": [],
        "issues": [],
        "suggestions": ["Scripted."],
        "evidence": evidence,
        "insufficient_evidence": [],
        "confidence": 0.9,
    }
    if "red_flags" in wanted:
        answers["red_flags"] = _flags(schema, values, heads)
    return {key: value for key, value in answers.items() if key in wanted}


def _parts(schema: Mapping[str, Any], values: Mapping[str, float]) -> dict[str, float]:
    """Where each score lies on its scale, from 0 to 1."""
    rules = schema["properties"]["scores"]["properties"]
    found = {}
    for key, value in values.items():
        number = number_rule(rules[key])
        found[key] = (value - number["minimum"]) / (number["maximum"] - number["minimum"])
    return found


def _flags(
    schema: Mapping[str, Any], values: Mapping[str, float], heads: Sequence[re.Match[str]]
) -> list[dict[str, Any]]:
    """Every danger as handled where the scores lie in the upper half of their scales, else not."""
    parts = list(_parts(schema, values).values())
    well = bool(parts) and sum(parts) / len(parts) >= MIDDLE
    last = heads[-1] if heads else None
    return [
        {
            "flag": flag,
            "handled": "yes" if well else "no",
            "round": int(last["round"]) if last else -1,
            "quote": last["said"][:QUOTED] if last else "",
        }
        for flag in schema["properties"]["red_flags"]["items"]["properties"]["flag"]["enum"]
    ]
