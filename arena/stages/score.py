"""score: transcripts × judges without a readable sheet → rubric scores.

Reads the plan, `transcript`, `sheet` and `call`; writes `call`, `sheet` and `score`. What a
content policy blocked is put to the next stand-in of the panel.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from arena.domain.call import Status
from arena.domain.choice import Choice
from arena.domain.forecast import Forecast, name_kin
from arena.domain.job import Job
from arena.domain.score import Sheet, SheetSpec
from arena.domain.tally import Tally
from arena.domain.transcript import Transcript
from arena.judging.backing import check_evidence, unfound_flag
from arena.judging.key import mark_sheet
from arena.judging.plans import selected_sheets
from arena.judging.prompt import rubric_prompt
from arena.judging.rounds import Given, Rounds
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
from arena.store.rows import Rows, Tables, call_row, sheet_rows
from arena.store.store import Store
from arena.store.tables import Tried
from arena.store.writer import Writer

STAGE = "score"
AT_ONCE = 500
"""Sheets of the answer key that are committed together."""
SAMPLE = 200
"""Prompts of a judge that a forecast counts; more are scaled up from these."""


async def score(job: Job, *, store: Store, writer: Writer, desk: Desk) -> Tally:
    """Put every finished transcript to every rubric judge that has not scored it yet."""
    planned = selected_sheets(job)
    specs = planned.seated(store.sheets.blocked(planned.contested))
    tally = await _score(job, specs, store, writer, desk)
    while planned.reserve and not (tally.stopped or tally.capped):
        seated = planned.seated(store.sheets.blocked(planned.contested))
        known = {s.key for s in specs}
        called = [s for s in seated if s.key not in known]
        if not called:
            break
        specs = (*specs, *called)
        tally.add(await _score(job, called, store, writer, desk))
    return tally


async def _score(
    job: Job, specs: Sequence[SheetSpec], store: Store, writer: Writer, desk: Desk
) -> Tally:
    todo = store.sheets.todo(specs)
    there = {t.key: t for t in store.transcripts.all(job.transcripts())}
    tally = Tally(stage=STAGE, planned=len(specs), present=len(specs) - len(todo))
    open_specs = [s for s in specs if s.key in todo and s.transcript in there]
    if job.suite.choice is not None:
        await _mark(job.suite.choice, open_specs, todo, there, tally, writer, job.run)
        return tally
    asked = [s for s in open_specs if not todo[s.key].settled(job.retry_errors)]
    begun = {s.key for s in asked}
    rounds = _rounds(job, specs, begun, store)
    tally.skipped = Counter(todo[s.key].outcome for s in open_specs if s.key not in begun)

    async def keep(heard: Heard) -> None:
        tables: Tables = (("call", tuple(call_row(c) for c in heard.calls)),)
        if heard.final:
            sheet = _sheet(heard, there[heard.hearing.subject.transcript])
            tables += sheet_rows(sheet, job.run)
        await writer.add(Rows(tables))

    def follow(heard: Heard) -> Iterable[Hearing]:
        # After a transport error the round is asked again by the next run, and those behind it.
        if not heard.final:
            return ()
        following = rounds.after(heard.hearing.subject, _given(heard))
        return _hearings(job, following, todo, there, rounds.earlier)

    hearings = _hearings(job, rounds.first(), todo, there, rounds.earlier)
    await hold(hearings, desk=desk, keep=keep, tally=tally, begun=len(asked), follow=follow)
    return tally


def forecast(job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool) -> Forecast:
    """What score would ask; with `collecting` the transcripts of the job will be there by then.

    `endpoints`: calls at once by id.
    """
    planned = selected_sheets(job)
    specs = planned.seated(store.sheets.blocked(planned.contested))
    todo = store.sheets.todo(specs)
    if job.suite.choice is not None:
        return Forecast(present=len(specs) - len(todo))
    observed = store.summaries.observed()
    there = {t.key: t for t in store.transcripts.all(job.transcripts())}
    if collecting:
        seen = {w: o.tokens_out for (w, kind), o in observed.items() if kind == "transcript"}
        there = stand_ins(job, there, seen)
    open_specs = [s for s in specs if s.key in todo and s.transcript in there]
    asked = [s for s in open_specs if not todo[s.key].settled(job.retry_errors)]
    sample = list(_hearings(job, sample_of(asked, SAMPLE), todo, there, lambda s: _usual(job, s)))
    usual = {
        h.who: 120.0 + 14 * len(job.suite.rubric_of(job.scenario(h.subject.scenario)).criteria)
        for h in sample
    }
    seen_here = {f"judge:{who}": seen for (who, k), seen in observed.items() if k == "sheet"}
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
            seen=seen_here,
        ),
        present=len(specs) - len(todo),
        cuts=forecast_cuts(STAGE, sample, pending=pending),
        guarded=name_kin(planned.guarded) if job.guard == "exclude" else (),
        marked=name_kin(planned.guarded) if job.guard == "warn" else (),
    )


async def _mark(
    choice: Choice,
    specs: Sequence[SheetSpec],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
    tally: Tally,
    writer: Writer,
    run: str,
) -> None:
    """Write the answer key's sheets. What it cannot read it would not read a second time."""
    fresh = [s for s in specs if not todo[s.key].settled(False)]
    tally.present += len(specs) - len(fresh)
    for start in range(0, len(fresh), AT_ONCE):
        batch = fresh[start : start + AT_ONCE]
        sheets = [mark_sheet(spec, transcripts[spec.transcript], choice) for spec in batch]
        await writer.add(Rows(tuple(t for sheet in sheets for t in sheet_rows(sheet, run))))
        tally.made += len(batch)


def _rounds(job: Job, specs: Sequence[SheetSpec], asked: Collection[str], store: Store) -> Rounds:
    """The order of the sheets, with the scores that are there of rounds that others wait for."""
    waiting = [
        s
        for s in specs
        if s.scope == "turn" and job.suite.rubric_of(job.scenario(s.scenario)).earlier_scores
    ]
    given = {
        sheet.spec.key: {s.criterion: s.value for s in sheet.scores}
        for sheet in store.sheets.all(waiting)
        if sheet.status is Status.OK
    }
    return Rounds(specs, asked, [s.key for s in waiting], given)


def _given(heard: Heard) -> Given:
    if heard.status is not Status.OK:
        return None
    return {s.criterion: s.value for s in heard.reading.scores}


def _usual(job: Job, spec: SheetSpec) -> tuple[Given, ...]:
    """Scores in the place of those to come, so that a forecast counts prompts of the right size."""
    criteria = job.suite.rubric_of(job.scenario(spec.scenario)).criteria
    return tuple({c.criterion: 2.5 for c in criteria} for _ in range(1, spec.round))


def _hearings(
    job: Job,
    specs: Sequence[SheetSpec],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
    earlier: Callable[[SheetSpec], tuple[Given, ...]],
) -> Iterable[Hearing]:
    judges = {j.judge: j for j in job.judges}
    for spec in specs:
        prompt, contract = rubric_prompt(
            suite=job.suite,
            scenario=job.scenario(spec.scenario),
            mode=job.mode,
            transcript=transcripts[spec.transcript],
            judge=judges[spec.judge],
            key=spec.key,
            seed=job.seed,
            round=spec.round,
            earlier=earlier(spec),
        )
        yield Hearing(
            kind="sheet",
            key=spec.key,
            judge=judges[spec.judge],
            prompt=prompt,
            contract=contract,
            subject=spec,
            lang=job.suite.language,
            attempt=todo[spec.key].attempts.get(0, 0) + 1,
        )


def _sheet(heard: Heard, transcript: Transcript) -> Sheet:
    read, last = heard.reading, heard.calls[-1]
    readable = heard.status is Status.OK
    backing = check_evidence(read.backing, transcript, upto=heard.hearing.subject.round)
    flags = (*heard.hearing.prompt.flags, *read.flags, *unfound_flag(backing))
    if heard.hearing.prompt.cut:
        flags = (*flags, CUT)
    return Sheet(
        spec=heard.hearing.subject,
        attempt=last.attempt,
        status=heard.status,
        scores=read.scores if readable else (),
        summary=read.summary,
        strengths=read.strengths,
        issues=read.issues,
        flags=tuple(dict.fromkeys(flags)),
        call=last.key,
        at=last.at,
        backing=backing,
    )
