"""What judges answered: sheets by transcript, verdicts folded into comparisons."""

from collections import defaultdict
from collections.abc import Sequence

from arena.domain.call import Status
from arena.domain.score import Sheet, SheetSpec, absolute
from arena.domain.suite import Scenario, Suite
from arena.domain.verdict import Outcome, Presentation, Verdict, fold
from arena.site.calls import CallBook
from arena.site.facts import ComparisonFact, SheetFact, VerdictFact

_ORDERS = {"ab": 0, "ba": 1, None: 2}


def gather_sheets(
    suite: Suite, sheets: Sequence[Sheet], plan: Sequence[SheetSpec], book: CallBook
) -> dict[str, list[SheetFact]]:
    """Sheets by transcript key, in the plan's order; a sheet that is missing says so."""
    scenarios = {s.scenario: s for s in suite.scenarios}
    answered = {s.spec.key: s for s in sheets}
    found: dict[str, list[SheetFact]] = defaultdict(list)
    for spec in plan:
        sheet = answered.get(spec.key)
        if sheet is None:
            status, raw, complaint = _unanswered(spec.key, book)
            fact = SheetFact(
                judge=spec.judge, status=status, absolute=None, raw=raw, complaint=complaint
            )
        else:
            fact = _sheet(suite, scenarios[spec.scenario], sheet, book)
        found[spec.transcript].append(fact)
    return found


def gather_comparisons(
    verdicts: Sequence[Verdict], plan: Sequence[Presentation], book: CallBook
) -> tuple[ComparisonFact, ...]:
    """The planned comparisons, each with its verdicts or with why they are missing."""
    answered = {v.presentation.key: v for v in verdicts}
    groups: dict[tuple[str, str, str, int, str, int], list[Presentation]] = defaultdict(list)
    for item in plan:
        place = (item.scenario, item.agent_a, item.agent_b, item.replicate, item.judge)
        groups[(*place, item.judge_replicate)].append(item)
    return tuple(_comparison(items, answered, book) for items in groups.values())


def _sheet(suite: Suite, scenario: Scenario, sheet: Sheet, book: CallBook) -> SheetFact:
    rubric = suite.rubric_of(scenario)
    value = None
    if sheet.status is Status.OK:
        given = {s.criterion: s.value for s in sheet.scores}
        try:
            value = absolute(rubric.criteria_for(scenario), rubric, given)
        except KeyError:
            value = None
    readable = sheet.status is Status.OK
    return SheetFact(
        judge=sheet.spec.judge,
        status=sheet.status,
        absolute=value,
        scores=sheet.scores,
        summary=sheet.summary,
        strengths=sheet.strengths,
        issues=sheet.issues,
        flags=sheet.flags,
        raw="" if readable else book.reply(sheet.call),
        complaint="" if readable else book.complaint(sheet.call),
    )


def _comparison(
    items: Sequence[Presentation], answered: dict[str, Verdict], book: CallBook
) -> ComparisonFact:
    first = items[0]
    ordered = sorted(items, key=lambda i: _ORDERS[i.order])
    verdicts = tuple(_verdict(item, answered.get(item.key), book) for item in ordered)
    outcomes = [v.outcome if v.status is Status.OK else None for v in verdicts]
    share = fold(outcomes[0], outcomes[-1])
    return ComparisonFact(
        a=first.agent_a,
        b=first.agent_b,
        scenario=first.scenario,
        replicate=first.replicate,
        judge=first.judge,
        verdicts=verdicts,
        share=share,
        flipped={Outcome.A, Outcome.B} <= set(outcomes),
    )


def _verdict(item: Presentation, verdict: Verdict | None, book: CallBook) -> VerdictFact:
    if verdict is None:
        status, raw, complaint = _unanswered(item.key, book)
        return VerdictFact(order=item.order, status=status, raw=raw, complaint=complaint)
    readable = verdict.status is Status.OK
    return VerdictFact(
        order=item.order,
        status=verdict.status,
        outcome=verdict.outcome,
        margin=verdict.margin,
        reason=verdict.reason,
        criteria=verdict.criteria,
        flags=verdict.flags,
        codes=verdict.codes,
        raw="" if readable else book.reply(verdict.call),
        complaint="" if readable else book.complaint(verdict.call),
    )


def _unanswered(key: str, book: CallBook) -> tuple[Status | None, str, str]:
    """Why there is no row: how the last call ended, its reply and the complaint about it."""
    call = book.last(key)
    if call is None:
        return None, "", ""
    return call.status, book.reply(call.key), book.complaint(call.key)
