"""rank: verdicts and scores of a job → its board.

Reads the plan, `verdict`, `sheet`, `score` and `call`; writes `board`. What is not planned any
more (an older note, another judge) does not enter; what is missing is counted by reason.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.board import Board, BoardIdentity, RowCount
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.method import Method
from arena.domain.rounds import measure
from arena.domain.score import Sheet, SheetSpec
from arena.domain.scored import ScoredTranscript
from arena.domain.verdict import Comparison, Outcome, Presentation, Verdict, fold
from arena.judging.planning import plan_sheets
from arena.stages.rank.accuracy import measure_accuracy
from arena.stages.rank.board import build_board
from arena.stages.rank.choosing import choose_method
from arena.stages.rank.material import Material, from_comparisons
from arena.stages.rank.planned import level_by, mark
from arena.stages.rank.presented import present
from arena.stages.rank.table import tabulate
from arena.store.store import Store
from arena.store.tables import Tried

NOT_ASKED = "not_asked"
NO_TRANSCRIPT = "no_transcript"
ONE_ORDER = "one_order"
"""Readable, but the other order is missing: half a pair is no comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folded:
    """Comparisons, and why the other presentations are none."""

    comparisons: tuple[Comparison, ...]
    planned: Mapping[tuple[str, str], int]
    excluded: Mapping[str, Mapping[str, int]]
    rows: RowCount
    judge_rows: Mapping[str, Mapping[str, int]]


def rank(
    job: Job,
    *,
    store: Store,
    software: str,
    at: str,
    method: Method | None = None,
    check: bool = False,
) -> Board:
    """Fit the board of a job and keep it; free, offline, and safe to repeat.

    `method`: options of the fit, by default those of `choose_method`; its level is that of all
    looks together. `check`: ask choix too.
    """
    plan = plan_in_force(job, store)
    method = level_by(plan, method or choose_method(job))
    presentations = planned_presentations(job, plan).items
    material = compared_material(job, store, presentations)
    if method.controls:
        material = replace(material, presented=present(job, material, presentations, store))
    sheet_plan, sheets = _sheets(job, store)
    board = build_board(
        tabulate(material, method),
        BoardIdentity(
            suite=job.suite.suite,
            suite_version=job.suite.version,
            suite_digest=job.suite.digest(),
            mode=job.mode,
            panel=tuple(j.judge for j in job.judges if "pairwise" in j.uses),
            software=software,
            at=at,
        ),
        scores=_scores(job, sheet_plan, sheets),
        check=check,
    )
    accuracy = measure_accuracy(job, sheet_plan, sheets, level=method.level)
    board = mark(replace(board, accuracy=accuracy), plan)
    store.boards.add(board, run=job.run, domains=job.selection.domains)
    return board


def compared_material(job: Job, store: Store, presentations: Sequence[Presentation]) -> Material:
    """Material of the comparisons that some presentations have come to."""
    specs = job.all_transcripts()
    there = {s.key for s in specs} - set(store.transcripts.todo(specs))
    folded = _fold_all(
        presentations,
        {v.presentation.key: v for v in store.verdicts.all(presentations)},
        store.verdicts.todo(presentations),
        there,
    )
    return from_comparisons(
        folded.comparisons,
        agents=[a.agent for a in job.agents],
        scenarios=[s.scenario for s in job.selection.scenarios_of(job.suite)],
        planned=folded.planned,
        excluded=folded.excluded,
        rows=folded.rows,
        judge_rows=folded.judge_rows,
        facts=_facts(job),
    )


def _fold_all(
    presentations: Sequence[Presentation],
    verdicts: Mapping[str, Verdict],
    todo: Mapping[str, Tried],
    transcripts: set[str],
) -> _Folded:
    planned: Counter[tuple[str, str]] = Counter()
    excluded: dict[str, Counter[str]] = defaultdict(Counter)
    judge_rows: dict[str, Counter[str]] = defaultdict(Counter)
    reasons: Counter[str] = Counter()
    comparisons = []
    for orders in _pairs_of_orders(presentations):
        first = orders[0]
        planned[first.agent_a, first.agent_b] += 1
        found = [_reason(p, verdicts.get(p.key), todo.get(p.key), transcripts) for p in orders]
        outcomes = [
            None if reason else verdicts[p.key].outcome
            for p, reason in zip(orders, found, strict=True)
        ]
        judge_rows[first.judge].update(reason or Status.OK.value for reason in found)
        share = fold(outcomes[0], outcomes[-1])
        if share is None:
            left_out = [reason or ONE_ORDER for reason in found]
            reasons.update(left_out)
            for agent in (first.agent_a, first.agent_b):
                excluded[agent].update(left_out)
            continue
        comparisons.append(_comparison(first, share, outcomes))
    return _Folded(
        comparisons=tuple(comparisons),
        planned=planned,
        excluded=excluded,
        rows=RowCount(
            read=len(presentations),
            used=len(presentations) - sum(reasons.values()),
            excluded=dict(sorted(reasons.items())),
        ),
        judge_rows=judge_rows,
    )


def _comparison(
    shown: Presentation, share: float, outcomes: Sequence[Outcome | None]
) -> Comparison:
    return Comparison(
        scenario=shown.scenario,
        agent_a=shown.agent_a,
        agent_b=shown.agent_b,
        judge=shown.judge,
        replicate=shown.replicate,
        share=share,
        flipped={outcomes[0], outcomes[-1]} == {Outcome.A, Outcome.B},
    )


def _pairs_of_orders(presentations: Iterable[Presentation]) -> Iterable[tuple[Presentation, ...]]:
    """Presentations of one pair, judge and replicate: `ab` and `ba`, or one without an order."""
    met: dict[tuple[str, str, str, int], list[Presentation]] = {}
    for shown in presentations:
        key = (shown.a, shown.b, shown.judge, shown.judge_replicate)
        met.setdefault(key, []).append(shown)
    for orders in met.values():
        yield tuple(sorted(orders, key=lambda p: p.order or ""))


def _reason(
    shown: Presentation, verdict: Verdict | None, tried: Tried | None, transcripts: set[str]
) -> str | None:
    """Why a presentation has no outcome that counts; None when it has one."""
    if verdict is not None:
        counts = verdict.status is Status.OK and verdict.outcome is not None
        return None if counts else verdict.status.value
    if shown.a not in transcripts or shown.b not in transcripts:
        return NO_TRANSCRIPT
    return tried.last.value if tried and tried.last else NOT_ASKED


def _facts(job: Job) -> dict[str, dict[str, tuple[str, ...]]]:
    """What is known of scenarios that boards are cut by: column → scenario → names."""
    scenarios = job.selection.scenarios_of(job.suite)
    return {
        "domain": {s.scenario: (s.domain,) for s in scenarios},
        "tag": {s.scenario: tuple(s.tags) for s in scenarios},
    }


def _sheets(job: Job, store: Store) -> tuple[tuple[SheetSpec, ...], dict[str, Sheet]]:
    """The sheets that are planned, and those that were answered, by key."""
    specs = plan_sheets(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.all_transcripts(),
        judges=job.judges,
        agents=job.agents,
        guard=job.guard,
    ).items
    return specs, {s.spec.key: s for s in store.sheets.all(specs)}


def _scores(
    job: Job, specs: Sequence[SheetSpec], answered: Mapping[str, Sheet]
) -> list[ScoredTranscript]:
    """Every transcript planned for a judge as scored; what could not be read has no number.

    Absolute scores of one board come from the main rubric; other rubrics are not mixed in.
    """
    planned: dict[tuple[str, str], SheetSpec] = {}
    for spec in specs:
        planned.setdefault((spec.transcript, spec.judge), spec)
    sheets: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    for sheet in answered.values():
        sheets[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    transcripts = {t.key: t for t in job.all_transcripts()}
    rows = []
    for place, spec in planned.items():
        scenario, transcript = job.scenario(spec.scenario), transcripts[spec.transcript]
        if not job.suite.is_main(scenario):
            continue
        rubric = job.suite.rubric_of(scenario)
        found = measure(sheets[place], rubric, scenario, rounds=transcript.rounds)
        rows.append(
            ScoredTranscript(
                agent=spec.agent,
                scenario=spec.scenario,
                domain=scenario.domain,
                replicate=transcript.replicate,
                judge=spec.judge,
                absolute=found.absolute,
                criteria=found.criteria,
                rounds=found.rounds,
                turn_criteria=found.turn_criteria if "transcript" in rubric.scopes else {},
            )
        )
    return rows
