"""Every comparison with its verdicts for machines: one JSON object a line."""

from collections.abc import Iterable
from typing import Any

from arena.site.data_text import json_line
from arena.site.facts import ComparisonFact, Edition, VerdictFact
from arena.site.text import unblind_text


def comparisons_jsonl(edition: Edition) -> bytes:
    """The comparisons of an edition by scenario; null is unknown or not there, never a tie.

    `share` is what `a` earned over both orders; `order` who was shown first. In a reason the
    agents' ids stand in place of the names under which the judge saw them. `status` null: not
    asked yet.
    """
    lines = [json_line(_comparison(fact)) for fact in _in_order(edition)]
    return "".join(line + "\n" for line in lines).encode("utf-8")


def _in_order(edition: Edition) -> Iterable[ComparisonFact]:
    for scenario in edition.scenarios:
        facts = edition.comparisons.get(scenario.scenario, ())
        yield from sorted(facts, key=lambda f: (f.a, f.b, f.replicate, f.judge, f.repeat))


def _comparison(fact: ComparisonFact) -> dict[str, Any]:
    return {
        "scenario": fact.scenario,
        "a": fact.a,
        "b": fact.b,
        "replicate": fact.replicate,
        "judge": fact.judge,
        "judge_replicate": fact.repeat,
        "share": fact.share,
        "flipped": fact.flipped,
        "verdicts": [_verdict(verdict, fact) for verdict in fact.verdicts],
    }


def _verdict(verdict: VerdictFact, fact: ComparisonFact) -> dict[str, Any]:
    ids = dict(zip(verdict.codes, (fact.a, fact.b), strict=True))
    return {
        "order": verdict.order,
        "status": verdict.status.value if verdict.status else None,
        "outcome": verdict.outcome.value if verdict.outcome else None,
        "margin": verdict.margin,
        "reason": unblind_text(verdict.reason, ids),
        "criteria": [
            {"criterion": c.criterion, "side": c.side.value, "strength": c.strength}
            for c in verdict.criteria
        ],
        "flags": list(verdict.flags),
    }
