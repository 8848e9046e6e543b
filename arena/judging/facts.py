"""What a judge is told beside the transcripts, as plain data.

The templates show these facts and the wording is a digest of them, so the two cannot drift apart.
"""

from typing import Any

from arena.domain.suite import Criterion, Rubric, Scenario, Suite

Facts = dict[str, Any]


def scenario_facts(suite: Suite, scenario: Scenario, mode: str) -> Facts:
    """What is told of a scenario, in the suite's language.

    title, domain, user, context, notes (of the mode), failure_mode, red_flags [{flag, sign}]: those
    whose sign is shown in the mode.
    """
    lang = suite.language
    domains = {d.domain: d.name[lang] for d in suite.domains}
    flags = {f.flag: f.name[lang] for f in suite.red_flags}
    return {
        "title": scenario.title[lang],
        "domain": domains.get(scenario.domain, scenario.domain),
        "user": scenario.persona.user,
        "context": scenario.persona.context,
        "notes": scenario.notes.get(mode, ""),
        "failure_mode": scenario.failure_mode,
        "red_flags": [
            {"flag": flags.get(r.flag, r.flag), "sign": r.sign}
            for r in suite.red_flags_in(scenario, mode)
        ],
    }


def rubric_facts(suite: Suite, scenario: Scenario, mode: str) -> Facts:
    """The scoring sheet: low, high, anchors [{at, text}], independence, comments, criteria.

    Each criterion: key, name, question, high_text, low_text, low, high, own_scale, anchors, note.
    """
    rubric = suite.rubric_of(scenario)
    return {
        "low": _number(rubric.scale[0]),
        "high": _number(rubric.scale[1]),
        "anchors": _anchors(rubric.anchors),
        "independence": rubric.independence,
        "comments": rubric.comments,
        "criteria": [
            _criterion(suite, rubric, criterion, mode)
            for criterion in rubric.criteria_for(scenario)
        ],
    }


def compare_facts(suite: Suite, scenario: Scenario) -> Facts:
    """The criteria of comparison: criteria [{key, name, question}]."""
    return {
        "criteria": [
            {"key": c.criterion, "name": c.name[suite.language], "question": c.question}
            for c in suite.rubric_of(scenario).compare_criteria()
        ]
    }


def _criterion(suite: Suite, rubric: Rubric, criterion: Criterion, mode: str) -> Facts:
    low, high = rubric.scale_of(criterion)
    return {
        "key": criterion.criterion,
        "name": criterion.name[suite.language],
        "question": criterion.question,
        "high_text": criterion.high,
        "low_text": criterion.low,
        "low": _number(low),
        "high": _number(high),
        "own_scale": criterion.scale is not None,
        "anchors": _anchors(criterion.anchors),
        "note": criterion.notes.get(mode, ""),
    }


def _anchors(anchors: Any) -> list[Facts]:
    return [{"at": at, "text": text} for at, text in sorted(anchors.items())]


def _number(value: float) -> float:
    """5 rather than 5.0, so that a prompt reads well and 5 and 5.0 have one digest."""
    return int(value) if float(value).is_integer() else value
