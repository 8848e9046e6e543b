"""compare: designed pairs × both orders without a verdict → verdicts.

Reads the plan, `transcript`, `verdict` and `call`; writes `call`, `verdict` and
`verdict_criterion`. What a content policy blocked is put to the next stand-in of the panel.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from arena.domain.choice import Choice
from arena.domain.forecast import Forecast, name_kin
from arena.domain.job import Job
from arena.domain.tally import Tally
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Presentation, Verdict
from arena.judging.key import decide
from arena.judging.pairwise import PairwiseContract, PairwiseReading, to_outcome
from arena.judging.planning import Planned, plan_presentations
from arena.judging.prompt import pairwise_prompt
from arena.judging.standin import stand_ins
from arena.llm.desk import Desk
from arena.llm.hearing import (
    CUT,
    Heard,
    Hearing,
    forecast_cuts,
    forecast_hearings,
    hold,
    sample_of,
)
from arena.store.rows import Rows, Tables, call_row, verdict_rows
from arena.store.store import Store
from arena.store.tables import Tried
from arena.store.writer import Writer

STAGE = "compare"
AT_ONCE = 500
"""Verdicts of the answer key that are committed together."""
SAMPLE = 200
"""Prompts of a judge that a forecast counts; more are scaled up from these."""


async def compare(job: Job, *, store: Store, writer: Writer, desk: Desk) -> Tally:
    """Put every planned presentation to its judge, unless it has a readable verdict."""
    planned = _plan(job)
    specs = planned.seated(store.verdicts.blocked(planned.contested))
    tally = await _compare(job, specs, store, writer, desk)
    while planned.reserve and not (tally.stopped or tally.capped):
        seated = planned.seated(store.verdicts.blocked(planned.contested))
        known = {s.key for s in specs}
        called = [s for s in seated if s.key not in known]
        if not called:
            break
        specs = (*specs, *called)
        tally.add(await _compare(job, called, store, writer, desk))
    return tally


async def _compare(
    job: Job, specs: Sequence[Presentation], store: Store, writer: Writer, desk: Desk
) -> Tally:
    todo = store.verdicts.todo(specs)
    there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    tally = Tally(stage=STAGE, planned=len(specs), present=len(specs) - len(todo))
    open_specs = [s for s in specs if s.key in todo and s.a in there and s.b in there]
    if job.suite.choice is not None:
        await _decide(job.suite.choice, open_specs, todo, there, tally, writer, job.run)
        return tally
    asked = [s for s in open_specs if not todo[s.key].settled(job.retry_errors)]
    begun = {s.key for s in asked}
    tally.skipped = Counter(todo[s.key].outcome for s in open_specs if s.key not in begun)

    async def keep(heard: Heard) -> None:
        tables: Tables = (("call", tuple(call_row(c) for c in heard.calls)),)
        if heard.final:
            tables += verdict_rows(_verdict(heard), job.run)
        await writer.add(Rows(tables))

    hearings = _hearings(job, asked, todo, there)
    await hold(hearings, desk=desk, keep=keep, tally=tally, begun=len(asked))
    return tally


def forecast(job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool) -> Forecast:
    """What compare would ask; with `collecting` the transcripts of the job will be there by then.

    `endpoints`: calls at once by id.
    """
    planned = _plan(job)
    specs = planned.seated(store.verdicts.blocked(planned.contested))
    todo = store.verdicts.todo(specs)
    if job.suite.choice is not None:
        return Forecast(present=len(specs) - len(todo))
    observed = store.summaries.observed()
    there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    if collecting:
        seen = {w: o.tokens_out for (w, kind), o in observed.items() if kind == "transcript"}
        there = stand_ins(job, there, seen)
    open_specs = [s for s in specs if s.key in todo and s.a in there and s.b in there]
    asked = [s for s in open_specs if not todo[s.key].settled(job.retry_errors)]
    sample = list(_hearings(job, sample_of(asked, SAMPLE), todo, there))
    usual = {
        h.who: 150.0 + 22 * len(job.suite.rubric_of(job.scenario(h.subject.scenario)).compare)
        for h in sample
    }
    seen_here = {f"judge:{who}": seen for (who, k), seen in observed.items() if k == "verdict"}
    pending = Counter(f"judge:{s.judge}" for s in asked)
    return Forecast(
        lines=forecast_hearings(
            STAGE,
            sample,
            pending=pending,
            usual_reply=usual | {who: seen.tokens_out for who, seen in seen_here.items()},
            seconds_per_call={w: s.latency_ms / 1000 for w, s in seen_here.items() if s.latency_ms},
            prices=job.prices,
            rates=job.rates,
            concurrency=endpoints,
        ),
        present=len(specs) - len(todo),
        cuts=forecast_cuts(STAGE, sample, pending=pending),
        guarded=name_kin(planned.guarded) if job.guard == "exclude" else (),
        marked=name_kin(planned.guarded) if job.guard == "warn" else (),
    )


async def _decide(
    choice: Choice,
    specs: Sequence[Presentation],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
    tally: Tally,
    writer: Writer,
    run: str,
) -> None:
    """Write the answer key's verdicts. What it cannot read it would not read a second time."""
    fresh = [s for s in specs if not todo[s.key].settled(False)]
    tally.present += len(specs) - len(fresh)
    for start in range(0, len(fresh), AT_ONCE):
        batch = fresh[start : start + AT_ONCE]
        verdicts = [decide(s, transcripts[s.a], transcripts[s.b], choice) for s in batch]
        await writer.add(Rows(tuple(t for v in verdicts for t in verdict_rows(v, run))))
        tally.made += len(batch)


def _plan(job: Job) -> Planned[Presentation]:
    """Presentations of the selection: with one agent its pairs, with several those among them."""
    planned = plan_presentations(
        suite=job.suite,
        mode=job.mode,
        transcripts=job.all_transcripts(),
        judges=job.selected_judges(),
        agents=job.agents,
        guard=job.guard,
    )
    chosen = set(job.selection.agents)
    if not chosen:
        return planned
    needed = 1 if len(chosen) == 1 else 2
    kept = tuple(p for p in planned.items if len(chosen & {p.agent_a, p.agent_b}) >= needed)
    reserve = tuple(p for p in planned.reserve if len(chosen & {p.agent_a, p.agent_b}) >= needed)
    return replace(planned, items=kept, reserve=reserve)


def _hearings(
    job: Job,
    specs: Sequence[Presentation],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
) -> Iterable[Hearing]:
    judges = {j.judge: j for j in job.judges}
    names = {
        a.agent: tuple(dict.fromkeys((a.agent, a.display.zh, a.display.en))) for a in job.agents
    }
    for spec in specs:
        shown = (spec.a, spec.b) if spec.order == "ab" else (spec.b, spec.a)
        who = (spec.agent_a, spec.agent_b) if spec.order == "ab" else (spec.agent_b, spec.agent_a)
        prompt, contract = pairwise_prompt(
            suite=job.suite,
            scenario=job.scenario(spec.scenario),
            mode=job.mode,
            first=transcripts[shown[0]],
            second=transcripts[shown[1]],
            judge=judges[spec.judge],
            key=spec.key,
            seed=job.seed,
            aliases=(names[who[0]], names[who[1]]),
        )
        yield Hearing(
            kind="verdict",
            key=spec.key,
            judge=judges[spec.judge],
            prompt=prompt,
            contract=contract,
            subject=spec,
            lang=job.suite.language,
            attempt=todo[spec.key].attempts.get(0, 0) + 1,
        )


def _verdict(heard: Heard) -> Verdict:
    read: PairwiseReading = heard.reading
    spec: Presentation = heard.hearing.subject
    contract = heard.hearing.contract
    last, order = heard.calls[-1], spec.order or "ab"
    if not isinstance(contract, PairwiseContract):
        raise TypeError("a presentation is read by a pairwise contract")
    codes = contract.codes if order == "ab" else contract.codes[::-1]
    return Verdict(
        presentation=spec,
        attempt=last.attempt,
        status=heard.status,
        outcome=to_outcome(read.winner, order) if read.winner else None,
        margin=read.margin,
        reason=read.reason,
        criteria=tuple(
            CriterionVerdict(
                criterion=c.criterion, side=to_outcome(c.side, order), strength=c.strength
            )
            for c in read.criteria
        ),
        flags=_flags(heard),
        codes=(codes[0], codes[1]),
        call=last.key,
        at=last.at,
    )


def _flags(heard: Heard) -> tuple[str, ...]:
    """What was noticed of the prompt and of the answer; `cut`: not all was shown."""
    prompt = heard.hearing.prompt
    cut = (CUT,) if prompt.cut else ()
    return tuple(dict.fromkeys((*prompt.flags, *cut, *heard.reading.flags)))
