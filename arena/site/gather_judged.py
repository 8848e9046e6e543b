"""What judges answered: sheets and commentary by transcript, verdicts folded."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from arena.domain.call import Status
from arena.domain.commentary import Commentary
from arena.domain.rounds import measure, sheet_absolute
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.suite import Scenario, Suite
from arena.domain.verdict import Outcome, Presentation, Verdict, fold
from arena.site.calls import CallBook
from arena.site.facts import ONLY_ROUNDS, CommentaryFact, ComparisonFact, SheetFact, VerdictFact

_ORDERS = {"ab": 0, "ba": 1, None: 2}
_Place = tuple[str, str, str, int]


def gather_sheets(
    suite: Suite, sheets: Sequence[Sheet], plan: Sequence[SheetSpec], book: CallBook
) -> dict[str, list[SheetFact]]:
    """Sheets by transcript key, in the plan's order; a sheet that is missing says so."""
    scenarios = {s.scenario: s for s in suite.scenarios}
    answered = {s.spec.key: s for s in sheets}
    groups: dict[tuple[str, str, int], list[SheetSpec]] = defaultdict(list)
    for spec in plan:
        groups[spec.transcript, spec.judge, spec.judge_replicate].append(spec)
    found: dict[str, list[SheetFact]] = defaultdict(list)
    for (transcript, _, repeat), specs in groups.items():
        scenario = scenarios[specs[0].scenario]
        facts = [_fact(suite, scenario, s, answered.get(s.key), book) for s in specs]
        own = [answered[s.key] for s in specs if s.key in answered]
        fact = _together(suite, scenario, facts, own)
        found[transcript].append(replace(fact, repeat=repeat))
    return found


def gather_commentaries(said: Sequence[Commentary]) -> dict[str, list[CommentaryFact]]:
    """Commentary by transcript key."""
    found: dict[str, list[CommentaryFact]] = defaultdict(list)
    for one in said:
        fact = CommentaryFact(
            judge=one.spec.judge, status=one.status, text=one.text, flags=one.flags
        )
        found[one.spec.transcript].append(fact)
    return found


def _fact(
    suite: Suite, scenario: Scenario, spec: SheetSpec, sheet: Sheet | None, book: CallBook
) -> SheetFact:
    if sheet is not None:
        return _sheet(suite, scenario, sheet, book)
    status, raw, complaint = _unanswered(spec.key, book)
    return SheetFact(
        judge=spec.judge,
        status=status,
        absolute=None,
        raw=raw,
        complaint=complaint,
        round=spec.round,
    )


def _together(
    suite: Suite, scenario: Scenario, facts: Sequence[SheetFact], sheets: Sequence[Sheet]
) -> SheetFact:
    """The facts of one judge about one transcript as one: those of rounds below the whole."""
    whole = [fact for fact in facts if not fact.round]
    rounds = tuple(fact for fact in facts if fact.round)
    if whole:
        return replace(whole[0], rounds=rounds)
    mean = measure(sheets, suite.rubric_of(scenario), scenario, rounds=len(rounds))
    readable = any(fact.status is Status.OK for fact in rounds)
    return SheetFact(
        judge=rounds[0].judge,
        status=Status.OK if readable else rounds[0].status,
        absolute=mean.absolute,
        scores=tuple(
            Score(criterion=key, value=round(value, 2)) for key, value in mean.criteria.items()
        ),
        round=ONLY_ROUNDS,
        rounds=rounds,
    )


def gather_comparisons(
    verdicts: Sequence[Verdict],
    plan: Sequence[Presentation],
    book: CallBook,
    *,
    panel: int,
    ours: bool = True,
) -> tuple[ComparisonFact, ...]:
    """The planned comparisons, each with its verdicts or with why they are missing.

    `panel`: how many judges compare everything that they may. `ours`: the judges were asked here,
    so what they were sent can be built again.
    """
    answered = {v.presentation.key: v for v in verdicts}
    groups: dict[tuple[str, str, str, int, str, int], list[Presentation]] = defaultdict(list)
    for item in plan:
        place = (item.scenario, item.agent_a, item.agent_b, item.replicate, item.judge)
        groups[(*place, item.judge_replicate)].append(item)
    found = tuple(_comparison(items, answered, book, ours=ours) for items in groups.values())
    judges: dict[_Place, set[str]] = defaultdict(set)
    for fact in found:
        if fact.share is not None:
            judges[_place(fact)].add(fact.judge)
    return tuple(replace(fact, read=len(judges[_place(fact)]), of=panel) for fact in found)


def _place(fact: ComparisonFact) -> _Place:
    return (fact.scenario, fact.a, fact.b, fact.replicate)


def _sheet(suite: Suite, scenario: Scenario, sheet: Sheet, book: CallBook) -> SheetFact:
    value = sheet_absolute(sheet, suite.rubric_of(scenario), scenario)
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
        backing=sheet.backing,
        round=sheet.spec.round,
    )


def _comparison(
    items: Sequence[Presentation], answered: dict[str, Verdict], book: CallBook, *, ours: bool
) -> ComparisonFact:
    first = items[0]
    ordered = sorted(items, key=lambda i: _ORDERS[i.order])
    verdicts = tuple(_verdict(item, answered.get(item.key), book, ours=ours) for item in ordered)
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
        repeat=first.judge_replicate,
        flipped={Outcome.A, Outcome.B} <= set(outcomes),
    )


def _verdict(
    item: Presentation, verdict: Verdict | None, book: CallBook, *, ours: bool
) -> VerdictFact:
    """With the key, where a model was asked: the answer key is asked nothing, and sees no order."""
    key = item.key if ours and item.order is not None else ""
    if verdict is None:
        status, raw, complaint = _unanswered(item.key, book)
        key = "" if status is None else key
        return VerdictFact(order=item.order, status=status, raw=raw, complaint=complaint, key=key)
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
        key=key,
    )


def _unanswered(key: str, book: CallBook) -> tuple[Status | None, str, str]:
    """Why there is no row: how the last call ended, its reply and the complaint about it."""
    call = book.last(key)
    if call is None:
        return None, "", ""
    return call.status, book.reply(call.key), book.complaint(call.key)
