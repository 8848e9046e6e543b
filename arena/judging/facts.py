"""What a judge is told beside the transcripts, as plain data.

The templates show these facts and the wording is a digest of them, so the two cannot drift apart.
"""

from typing import Any

from arena.domain.sheet_parts import Scope
from arena.domain.suite import Criterion, Rubric, Scenario, Suite
from arena.judging.sheet_phrases import SHEET

Facts = dict[str, Any]
ASKED = ("earlier_scores", "total", "evidence", "confidence", "suggestions", "red_flags")
"""What a rubric may ask for by yes or no."""


def scenario_facts(suite: Suite, scenario: Scenario, mode: str, *, upto: int = 0) -> Facts:
    """What is told of a scenario, in the suite's language.

    title, domain, user, context, notes (of the mode, and the true record where there is one),
    failure_mode, red_flags [{flag, sign}]: those whose sign is shown in the mode. `upto`: the last
    round that is shown, 0 for all.
    """
    lang = suite.language
    domains = {d.domain: d.name[lang] for d in suite.domains}
    flags = {f.flag: f.name[lang] for f in suite.red_flags}
    return {
        "title": scenario.title[lang],
        "domain": domains.get(scenario.domain, scenario.domain),
        "user": scenario.persona.user,
        "context": scenario.persona.context,
        "notes": scenario.notes.get(mode, "") + _reference(suite, scenario),
        "failure_mode": scenario.failure_mode,
        "red_flags": [
            {"flag": flags.get(r.flag, r.flag), "sign": r.sign}
            for r in suite.red_flags_in(scenario, mode)
            if not upto or r.turn <= upto
        ],
    }


def rubric_facts(suite: Suite, scenario: Scenario, mode: str, scope: Scope = "transcript") -> Facts:
    """The scoring sheet: low, high, anchors [{at, text}], independence, comments, criteria.

    Each criterion: key, name, question, high_text, low_text, low, high, own_scale, anchors, note.
    A rubric that is not plain adds scope, guide, scope_note, groups [{key, name, criteria}], asks,
    and to each criterion scope_note and open_rounds.
    """
    rubric = suite.rubric_of(scenario)
    facts = _plain_facts(suite, scenario, mode)
    if rubric.plain:
        return facts
    for criterion, told in zip(rubric.criteria_for(scenario), facts["criteria"], strict=True):
        told["scope_note"] = criterion.scope_notes.get(scope, "")
        told["open_rounds"] = criterion.cannot_judge.rounds if criterion.cannot_judge else 0
    return facts | {
        "scope": scope,
        "guide": rubric.guide,
        "scope_note": rubric.scope_notes.get(scope, ""),
        "groups": [
            {"key": g.group, "name": g.name[suite.language], "criteria": list(g.criteria)}
            for g in rubric.groups
        ],
        "asks": [name for name in ASKED if getattr(rubric, name)],
    }


def _plain_facts(suite: Suite, scenario: Scenario, mode: str) -> Facts:
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


def _reference(suite: Suite, scenario: Scenario) -> str:
    """The true record as a text that follows the notes; empty where there is none."""
    if not scenario.reference:
        return ""
    say = SHEET[suite.language]
    names = {s.section: s.name[suite.language] for s in suite.sections}
    lines = [f"\n{say['reference']}:"]
    for section, known in scenario.reference.items():
        lines.append(f"- {names.get(section, section)}: {'; '.join(known) or say['none']}")
    return "\n".join(lines)


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
