"""Store, job and board become an edition: what is there, what is missing, and why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from statistics import fmean, median
from typing import TypeVar

from arena.designing.current import plan_in_force, planned_presentations
from arena.domain.agent import Agent, kin
from arena.domain.board import Board
from arena.domain.call import Status
from arena.domain.diagnosis import Diagnosis
from arena.domain.job import Job
from arena.domain.money import Money
from arena.domain.score import SheetSpec
from arena.domain.suite import MAIN_RUBRIC, Scenario
from arena.domain.transcript import Transcript
from arena.domain.verdict import Presentation, Verdict
from arena.judging.commentary import plan_commentaries
from arena.judging.planning import Planned
from arena.judging.plans import sheets_of
from arena.site.calls import CallBook
from arena.site.facts import (
    AgentFact,
    ComparisonFact,
    Design,
    Edition,
    JudgeFact,
    SheetFact,
    SpendFact,
    TranscriptFact,
)
from arena.site.gather_judged import gather_commentaries, gather_comparisons, gather_sheets
from arena.site.gather_transcripts import Judged, gather_transcripts
from arena.site.gather_votes import gather_votes
from arena.store.store import Store

Fact = TypeVar("Fact", TranscriptFact, ComparisonFact)


def gather(job: Job, store: Store) -> Edition:
    """The edition of a job. Reads the store and writes nothing."""
    if job.held is not None and job.held.votes:
        return gather_votes(job, store)
    board = store.boards.latest(
        job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
    )
    specs = job.all_transcripts()
    finished = store.transcripts.all(specs)
    sheet_plan, pair_plan = _plan_judging(job, store)
    there = {t.key for t in finished}
    met = [p for p in pair_plan.items if p.a in there and p.b in there]
    keys = [s.key for s in specs]
    keys += [s.key for s in sheet_plan.items]
    keys += [p.key for p in met]
    scored = store.sheets.all(sheet_plan.items)
    comment_plan = plan_commentaries(
        suite=job.suite, mode=job.mode, judges=job.judges, sheets=scored
    )
    keys += [c.key for c in comment_plan]
    book = CallBook(store.calls.all(keys))

    sheets = gather_sheets(job.suite, scored, sheet_plan.items, book)
    said = gather_commentaries(store.commentaries.all(comment_plan))
    transcripts = gather_transcripts(job, store, specs, finished, Judged(sheets, said), book)
    verdicts = store.verdicts.all(met)
    panel = sum("pairwise" in j.uses and not j.stand_in for j in job.judges)
    comparisons = gather_comparisons(verdicts, met, book, panel=panel, ours=job.held is None)
    decoys = {a.agent for a in job.decoys}
    facts = tuple(_agent_facts(job, board, transcripts))
    return Edition(
        job=job,
        board=board,
        at=(board.at or "") if board else _latest(finished, verdicts),
        stale=board is not None and board.suite_digest != job.suite.digest(),
        agents=tuple(f for f in facts if f.id not in decoys),
        decoys=tuple(f for f in facts if f.id in decoys),
        judges=tuple(
            _judge_facts(job, sheet_plan.items, pair_plan.items, sheets, comparisons, book)
        ),
        scenarios=job.selection.scenarios_of(job.suite),
        transcripts=_by_scenario(transcripts),
        comparisons=_by_scenario(comparisons),
        spend=tuple(_spend(book, job)),
        design=_design([p for p in pair_plan.items if not {p.agent_a, p.agent_b} & decoys]),
        guarded=tuple(sorted({*sheet_plan.guarded, *pair_plan.guarded})),
        changed=book.changed("agent"),
        diagnosis=_diagnosis(job, store),
        ways=tuple(store.calls.ways(keys)),
    )


def _diagnosis(job: Job, store: Store) -> Diagnosis | None:
    """The report on the judges, those of an import among them."""
    return store.reports.latest(
        job.suite.suite, job.mode, domains=job.selection.domains, origin=job.origin
    )


def _plan_judging(job: Job, store: Store) -> tuple[Planned[SheetSpec], Planned[Presentation]]:
    """What is planned, with the stand-ins that were called."""
    sheets, pairs = sheets_of(job), planned_presentations(job, plan_in_force(job, store))
    return (
        replace(sheets, items=sheets.seated(store.sheets.blocked(sheets.contested))),
        replace(pairs, items=pairs.seated(store.verdicts.blocked(pairs.contested))),
    )


def _design(plan: Sequence[Presentation]) -> Design:
    places = {(p.scenario, p.agent_a, p.agent_b, p.judge, p.replicate) for p in plan}
    scenarios, pairs = {p.scenario for p in plan}, {(p.agent_a, p.agent_b) for p in plan}
    judges, replicates = {p.judge for p in plan}, {p.replicate for p in plan}
    product = len(scenarios) * len(pairs) * len(judges) * len(replicates)
    return Design(
        comparisons=len(places),
        scenarios=len(scenarios),
        pairs=len(pairs),
        orders=len({p.order for p in plan}),
        judges=len(judges),
        replicates=len(replicates),
        full=bool(places) and len(places) == product,
    )


def _latest(transcripts: Sequence[Transcript], verdicts: Sequence[Verdict]) -> str:
    """When the last of these was finished; empty when there is nothing."""
    return max([*(t.at for t in transcripts), *(v.at for v in verdicts)], default="")


def _by_scenario(facts: Iterable[Fact]) -> dict[str, tuple[Fact, ...]]:
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        found[fact.scenario].append(fact)
    return {scenario: tuple(of) for scenario, of in found.items()}


def _agent_facts(
    job: Job, board: Board | None, transcripts: Sequence[TranscriptFact]
) -> Iterable[AgentFact]:
    known = {a.agent: a for a in job.agents}
    ranked = [s.agent for s in board.agents] if board else []
    for name in dict.fromkeys([*ranked, *known]):
        own = [t for t in transcripts if t.agent == name]
        yield _agent_fact(job, name, known.get(name), own)


def _agent_fact(
    job: Job, name: str, agent: Agent | None, own: Sequence[TranscriptFact]
) -> AgentFact:
    done = [t for t in own if t.status is Status.OK]
    costs = [t.cost for t in done if t.cost is not None]
    latencies = [ms for t in own for ms in t.latencies]
    means = _means(job, done)
    main = means.pop(MAIN_RUBRIC, None)
    return AgentFact(
        id=name,
        agent=agent,
        finished=len(done),
        planned=len(own),
        cost=_mean_cost(costs),
        priced=len(costs),
        latency_ms=median(latencies) if latencies else None,
        absolute=main[0] if main else None,
        scored=main[1] if main else 0,
        apart=means,
        kin=_kin(job, agent),
    )


def _kin(job: Job, agent: Agent | None) -> tuple[str, ...]:
    """The judges of an agent's own vendor or family; of an import's judges nothing is known."""
    if agent is None or job.held is not None:
        return ()
    return tuple(j.judge for j in job.judges if kin(j, agent))


def _means(job: Job, transcripts: Sequence[TranscriptFact]) -> dict[str, tuple[float, int]]:
    """Mean absolute score by rubric, over scenarios, and how many there are."""
    values: dict[str, dict[str, list[float]]] = {}
    for transcript in transcripts:
        if transcript.absolute is not None:
            scenario = job.scenario(transcript.scenario)
            of = values.setdefault(_sheet_of(job, scenario), {})
            of.setdefault(transcript.scenario, []).append(transcript.absolute)
    return {key: (fmean(fmean(v) for v in of.values()), len(of)) for key, of in values.items()}


def _sheet_of(job: Job, scenario: Scenario) -> str:
    return MAIN_RUBRIC if job.suite.is_main(scenario) else job.suite.rubric_of(scenario).rubric


def _mean_cost(costs: Sequence[Money]) -> Money | None:
    currencies = {c.currency for c in costs}
    if len(currencies) != 1:
        return None
    return Money(sum((c.amount for c in costs), Decimal(0)) / len(costs), currencies.pop())


def _judge_facts(
    job: Job,
    sheet_plan: Sequence[SheetSpec],
    pair_plan: Sequence[Presentation],
    sheets: dict[str, list[SheetFact]],
    comparisons: Sequence[ComparisonFact],
    book: CallBook,
) -> Iterable[JudgeFact]:
    for judge in job.judges:
        name = judge.judge
        own = [s for of in sheets.values() for s in of if s.judge == name]
        scored = Counter(_ended(answer.status) for s in own for answer in s.answers)
        compared = Counter(
            _ended(v.status) for c in comparisons if c.judge == name for v in c.verdicts
        )
        yield JudgeFact(
            id=name,
            judge=judge,
            returned=book.models_returned(name),
            score_templates=_templates(name, sheet_plan),
            compare_templates=_templates(name, pair_plan),
            sheets=dict(sorted(scored.items())),
            verdicts=dict(sorted(compared.items())),
        )


def _templates(judge: str, plan: Sequence[SheetSpec] | Sequence[Presentation]) -> tuple[str, ...]:
    return tuple(sorted({item.wording.template for item in plan if item.judge == judge}))


def _ended(status: Status | None) -> str:
    return "missing" if status is None else status.value


def _spend(book: CallBook, job: Job) -> Iterable[SpendFact]:
    """Calls and money by speaker; a fee that is paid once stands on every board it serves."""
    for speaker, calls in book.by_speaker():
        amounts: dict[str, Decimal] = defaultdict(Decimal)
        for call in calls:
            if call.cost is not None:
                amounts[call.currency or ""] += call.cost
        for who in {c.entrant for c in calls}:
            price = job.prices.get(f"{speaker}:{who}")
            if price and price.flat:
                amounts[price.currency] += price.flat
        yield SpendFact(
            speaker=speaker,
            calls=len(calls),
            amounts=dict(sorted(amounts.items())),
            unknown=sum(
                1
                for c in calls
                if c.cost is None and (c.status is not Status.ERROR or c.currency is not None)
            ),
        )
