"""How the check of a workspace is shown: a table, or one JSON document."""

from collections import Counter
from typing import Any

from arena.cli import output
from arena.cli.checks.calls import Pinged
from arena.cli.checks.scene import Scene, names
from arena.cli.words import Lang, say, translate
from arena.domain.finding import STATES, Finding
from arena.domain.money import Money, add_up
from arena.errors import ArenaError, ProvidersRefused

SCHEMA = "arena.doctor.workspace/1"
STYLES = {"fail": "red", "warn": "yellow"}


def show(scene: Scene, findings: tuple[Finding, ...], pinged: Pinged, lang: Lang) -> None:
    """The table on stdout; on stderr what was spent, what went wrong, and the end of it."""
    heads = [say(lang, f"check_column_{c}") for c in ("what", "who", "state", "found", "todo")]
    rows = [
        [
            say(lang, f"check_of_{finding.check}"),
            names(finding.who),
            say(lang, f"check_state_{finding.state}"),
            *sentences(scene, finding, lang),
        ]
        for finding in findings
    ]
    output.print_table(str(scene.bench.workspace.root), heads, rows, right=frozenset())
    if pinged.answers:
        output.tell(_spent(scene, pinged, lang))
    for error in _errors(pinged):
        for line in _lines(error, lang):
            output.tell(scene.clean(line), style="red")
    counts = Counter(finding.state for finding in findings)
    worst = next((s for s in ("fail", "warn") if counts[s]), "ok")
    told = {state: counts[state] for state in STATES}
    output.tell(say(lang, f"check_end_{worst}", **told), style=STYLES.get(worst, "bold"))


def sentences(scene: Scene, finding: Finding, lang: Lang) -> tuple[str, str]:
    """What was found, and what to do about it; no key stands in either."""
    if finding.error is not None:
        said, *rest = _lines(finding.error, lang)
        return scene.clean(said), scene.clean(rest[-1] if rest else "")
    todo = say(lang, finding.todo, **finding.facts) if finding.todo else ""
    return scene.clean(say(lang, finding.said, **finding.facts)), scene.clean(todo)


def describe(
    scene: Scene, findings: tuple[Finding, ...], pinged: Pinged, lang: Lang
) -> dict[str, Any]:
    """The check as JSON-able data; null: unknown."""
    counts = Counter(finding.state for finding in findings)
    return {
        "schema": SCHEMA,
        "workspace": str(scene.bench.workspace.root),
        "offline": scene.offline,
        "sound": not counts["fail"] and pinged.refusal is None,
        "counts": {state: counts[state] for state in STATES},
        "checks": [_row(scene, finding, lang) for finding in findings],
        "calls": [_call(scene, who, pinged) for who in pinged.answers],
        "refusal": [scene.clean(line) for e in _errors(pinged) for line in _lines(e, lang)],
    }


def _row(scene: Scene, finding: Finding, lang: Lang) -> dict[str, Any]:
    said, todo = sentences(scene, finding, lang)
    return {
        "check": finding.check,
        "who": list(finding.who),
        "state": finding.state,
        "message": said,
        "hint": todo,
    }


def _call(scene: Scene, who: str, pinged: Pinged) -> dict[str, Any]:
    answer = pinged.answers[who]
    last = answer.last
    return {
        "who": who,
        "host": scene.host(who),
        "status": last.status.value,
        "code": answer.code,
        "attempts": len(answer.calls),
        "latency_ms": last.latency_ms,
        "model_asked": last.model_asked,
        "model_returned": last.model_returned,
        "tokens_in": last.tokens_in,
        "tokens_out": last.tokens_out,
        "cost": [None if c.cost is None else str(c.cost) for c in answer.calls],
        "currency": last.currency,
        "error": None if last.error is None else scene.clean(last.error),
    }


def _spent(scene: Scene, pinged: Pinged, lang: Lang) -> str:
    calls = [call for answer in pinged.answers.values() for call in answer.calls]
    costs = [
        None if c.cost is None or c.currency is None else Money(c.cost, c.currency) for c in calls
    ]
    spent = add_up(costs, scene.bench.config.money)
    cost = Money(spent.amount, scene.bench.config.currency)
    return say(lang, "check_spent", calls=len(calls), cost=str(cost), unknown=spent.unknown)


def _errors(pinged: Pinged) -> list[ArenaError]:
    if pinged.refusal is not None:
        return [pinged.refusal]
    if not pinged.all_denied:
        return []
    who, answer = next(iter(pinged.answers.items()))
    return [
        ProvidersRefused(
            "every provider refused before any work: {who}",
            why="{said}",
            fix="Check the key's variable, its quota and the host ({host}); then run it again.",
            who=names([who]),
            said=answer.last.error or "",
            host=answer.last.host,
        )
    ]


def _lines(error: ArenaError, lang: Lang) -> list[str]:
    parts = (error.what, error.why, error.fix)
    return [translate(lang, part, error.facts) for part in parts if part]
