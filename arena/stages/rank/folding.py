"""Presentations folded: over both orders and a judge's replicates, one comparison a judge."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from arena.domain.board import RowCount
from arena.domain.call import Status
from arena.domain.served import Split
from arena.domain.verdict import Comparison, Outcome, Presentation, Verdict, fold
from arena.judging.panel import Thin
from arena.stages.rank.served import OTHER_MODEL
from arena.store.tables import Tried

NOT_ASKED = "not_asked"
NO_TRANSCRIPT = "no_transcript"
ONE_ORDER = "one_order"
"""Readable, but the other order is missing: half a pair is no comparison."""
FEW_JUDGES = "few_judges"
"""Compared by fewer judges than `min_judges` of the panel."""
NO_JUDGE = "no_judge"
"""The vendor guard leaves nobody to compare it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What is known of presentations: verdicts and tries by key, finished transcripts, the split.

    `least`: judges below which a comparison does not count.
    """

    verdicts: Mapping[str, Verdict]
    todo: Mapping[str, Tried]
    transcripts: frozenset[str]
    split: Split
    least: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Comparisons, and why the other presentations are none."""

    comparisons: tuple[Comparison, ...]
    planned: Mapping[tuple[str, str], int]
    excluded: Mapping[str, Mapping[str, int]]
    rows: RowCount
    judge_rows: Mapping[str, Mapping[str, int]]


class _Folding:
    """Counts under way."""

    def __init__(self) -> None:
        self.planned: Counter[tuple[str, str]] = Counter()
        self.excluded: dict[str, Counter[str]] = defaultdict(Counter)
        self.judge_rows: dict[str, Counter[str]] = defaultdict(Counter)
        self.reasons: Counter[str] = Counter()
        self.comparisons: dict[tuple[str, str, str, int], list[tuple[Comparison, int]]] = (
            defaultdict(list)
        )

    def leave_out(self, pair: tuple[str, str], reasons: Iterable[str]) -> None:
        listed = list(reasons)
        self.reasons.update(listed)
        for agent in pair:
            self.excluded[agent].update(listed)


def fold_all(
    presentations: Sequence[Presentation], answers: Answers, *, thin: Sequence[Thin] = ()
) -> Folded:
    """Every comparison that counts; what does not is counted by reason, a presentation each.

    Of a judge's replicates those that were read in both orders are averaged. `thin`: pairs that
    the guard leaves without any judge are missing comparisons.
    """
    found = _Folding()
    for asked in _by_judge(presentations):
        _fold_judge(asked, answers, found)
    unjudged = [t for t in thin if not t.judges]
    for t in unjudged:
        found.planned[t.agent_a, t.agent_b] += 1
        found.leave_out((t.agent_a, t.agent_b), [NO_JUDGE] * 2)
    comparisons = []
    for group in found.comparisons.values():
        if len(group) >= answers.least:
            comparisons += [comparison for comparison, _ in group]
            continue
        for comparison, used in group:
            pair = (comparison.agent_a, comparison.agent_b)
            found.leave_out(pair, [FEW_JUDGES] * used)
    read = len(presentations) + 2 * len(unjudged)
    return Folded(
        comparisons=tuple(comparisons),
        planned=found.planned,
        excluded=found.excluded,
        rows=RowCount(
            read=read,
            used=read - sum(found.reasons.values()),
            excluded=dict(sorted(found.reasons.items())),
        ),
        judge_rows=found.judge_rows,
    )


def _fold_judge(
    asked: Sequence[tuple[Presentation, ...]], answers: Answers, found: _Folding
) -> None:
    """Fold what one judge was asked of one pair of transcripts, replicate by replicate."""
    first = asked[0][0]
    pair, judge = (first.agent_a, first.agent_b), first.judge
    found.planned[pair] += 1
    shares, flips, used = [], 0, 0
    for orders in asked:
        reasons = [_reason(p, answers) for p in orders]
        for shown, reason in zip(orders, reasons, strict=True):
            found.judge_rows[_called(shown, judge, answers.split)][reason or Status.OK.value] += 1
        outcomes = [_outcome(shown, answers) for shown in orders]
        share = fold(outcomes[0], outcomes[-1])
        if share is None:
            found.leave_out(pair, [reason or ONE_ORDER for reason in reasons])
            continue
        shares.append(share)
        flips += {outcomes[0], outcomes[-1]} == {Outcome.A, Outcome.B}
        used += len(orders)
    if shares:
        comparison = Comparison(
            scenario=first.scenario,
            agent_a=first.agent_a,
            agent_b=first.agent_b,
            judge=answers.split.names.get(judge, judge),
            replicate=first.replicate,
            share=fmean(shares),
            flipped=2 * flips >= len(shares) and flips > 0,
        )
        place = (first.scenario, first.agent_a, first.agent_b, first.replicate)
        found.comparisons[place].append((comparison, used))


def _called(shown: Presentation, judge: str, split: Split) -> str:
    """The judge's name, with the model string where several served it."""
    return split.others.get(shown.key) or split.names.get(judge, judge)


def _by_judge(
    presentations: Iterable[Presentation],
) -> Iterable[tuple[tuple[Presentation, ...], ...]]:
    """Presentations of one pair and judge: a group of orders for each replicate."""
    met: dict[tuple[str, str, str], dict[int, list[Presentation]]] = {}
    for shown in presentations:
        own = met.setdefault((shown.a, shown.b, shown.judge), {})
        own.setdefault(shown.judge_replicate, []).append(shown)
    for replicates in met.values():
        yield tuple(
            tuple(sorted(orders, key=lambda p: p.order or "")) for orders in replicates.values()
        )


def counted_verdicts(
    presentations: Sequence[Presentation], answers: Answers, folded: Folded
) -> Iterator[tuple[Presentation, Outcome]]:
    """The presentations that the comparisons were folded from, each with its outcome."""
    counted = {(c.scenario, c.agent_a, c.agent_b, c.replicate, c.judge) for c in folded.comparisons}
    for asked in _by_judge(presentations):
        for orders in asked:
            said = [_outcome(shown, answers) for shown in orders]
            first = orders[0]
            name = answers.split.names.get(first.judge, first.judge)
            place = (first.scenario, first.agent_a, first.agent_b, first.replicate, name)
            if place in counted and fold(said[0], said[-1]) is not None:
                for shown, outcome in zip(orders, said, strict=True):
                    if outcome is not None:
                        yield shown, outcome


def _outcome(shown: Presentation, answers: Answers) -> Outcome | None:
    return None if _reason(shown, answers) else answers.verdicts[shown.key].outcome


def _reason(shown: Presentation, answers: Answers) -> str | None:
    """Why a presentation has no outcome that counts; None when it has one."""
    if shown.key in answers.split.others:
        return OTHER_MODEL
    if verdict := answers.verdicts.get(shown.key):
        counts = verdict.status is Status.OK and verdict.outcome is not None
        return None if counts else verdict.status.value
    if shown.a not in answers.transcripts or shown.b not in answers.transcripts:
        return NO_TRANSCRIPT
    tried = answers.todo.get(shown.key)
    return tried.last.value if tried and tried.last else NOT_ASKED
