"""comment: transcripts with a judge's scores, without its commentary → commentary, on request.

Reads the plan, `transcript`, `sheet`, `score`, `commentary` and `call`; writes `call` and
`commentary`. Nothing of it is ever scored.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from arena.domain.call import Status
from arena.domain.commentary import Commentary, CommentarySpec
from arena.domain.forecast import Forecast
from arena.domain.job import Job
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.tally import Tally
from arena.domain.transcript import Transcript
from arena.judging.commentary import commentary_prompt, plan_commentaries
from arena.judging.plans import selected_sheets
from arena.judging.standin import stand_ins
from arena.llm.desk import Desk
from arena.llm.hearing import Heard, Hearing, forecast_cuts, forecast_hearings, hold, sample_of
from arena.store.commentaries import commentary_rows
from arena.store.rows import Rows, Tables, call_row
from arena.store.store import Store
from arena.store.tables import Tried
from arena.store.writer import Writer

STAGE = "comment"
USUAL_REPLY = 450.0
"""Tokens of a commentary before there are any."""
SAMPLE = 200
"""Prompts of a judge that a forecast counts; more are scaled up from these."""


async def comment(job: Job, *, store: Store, writer: Writer, desk: Desk) -> Tally:
    """Ask every judge for a commentary on each transcript whose sheets it has all answered.

    A transcript whose scores are not complete waits: on other scores it is another commentary.
    """
    sheets, waiting = _sheets(job, store)
    done = [s for place, own in sheets.items() if place not in waiting for s in own]
    specs = _plan(job, done)
    todo = store.commentaries.todo(specs)
    there = {t.key: t for t in store.transcripts.all(job.transcripts())}
    open_specs = [s for s in specs if s.key in todo]
    asked = [s for s in open_specs if not todo[s.key].settled(job.retry_errors)]
    begun = {s.key for s in asked}
    planned = len(specs) + len(waiting)
    tally = Tally(stage=STAGE, planned=planned, present=len(specs) - len(todo))
    tally.skipped = Counter(todo[s.key].outcome for s in open_specs if s.key not in begun)

    async def keep(heard: Heard) -> None:
        tables: Tables = (("call", tuple(call_row(c) for c in heard.calls)),)
        if heard.final:
            tables += commentary_rows(_commentary(heard), job.run)
        await writer.add(Rows(tables))

    hearings = _hearings(job, asked, sheets, todo, there)
    await hold(hearings, desk=desk, keep=keep, tally=tally, begun=len(asked))
    return tally


def forecast(job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool) -> Forecast:
    """What comment would ask once the scores of the job are there; `collecting`: transcripts too.

    `endpoints`: calls at once by id.
    """
    if not job.suite.commentary:
        return Forecast()
    observed = store.summaries.observed()
    there = {t.key: t for t in store.transcripts.all(job.transcripts())}
    if collecting:
        seen = {w: o.tokens_out for (w, kind), o in observed.items() if kind == "transcript"}
        there = stand_ins(job, there, seen)
    sheets = _with_stand_ins(job, store, there)
    specs = _plan(job, [sheet for own in sheets.values() for sheet in own])
    todo = store.commentaries.todo(specs)
    asked = [s for s in specs if s.key in todo and not todo[s.key].settled(job.retry_errors)]
    sample = list(_hearings(job, sample_of(asked, SAMPLE), sheets, todo, there))
    seen_here = {f"judge:{who}": seen for (who, k), seen in observed.items() if k == "commentary"}
    usual = {h.who: USUAL_REPLY for h in sample}
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
    )


def commentaries(job: Job, *, store: Store) -> tuple[Commentary, ...]:
    """What judges have said of the job's transcripts and the scores that are there now."""
    found, _ = _sheets(job, store)
    return tuple(store.commentaries.all(_plan(job, [s for own in found.values() for s in own])))


_Place = tuple[str, str]
"""A transcript and a judge."""


def _planned_sheets(job: Job, store: Store) -> tuple[SheetSpec, ...]:
    """The sheets to comment on, those of stand-ins that were called among them."""
    planned = selected_sheets(job)
    return planned.seated(store.sheets.blocked(planned.contested))


def _sheets(job: Job, store: Store) -> tuple[dict[_Place, list[Sheet]], set[_Place]]:
    """The sheets that were answered, and the places where some are still to be asked."""
    specs = _planned_sheets(job, store) if job.suite.commentary else ()
    finished = {t.key for t in store.transcripts.all(job.transcripts())}
    found: dict[_Place, list[Sheet]] = defaultdict(list)
    for sheet in store.sheets.all(specs):
        found[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    todo = store.sheets.todo(specs)
    waiting = {
        (s.transcript, s.judge)
        for s in specs
        if s.transcript in finished and s.key in todo and not todo[s.key].settled(False)
    }
    return dict(found), waiting


def _with_stand_ins(
    job: Job, store: Store, transcripts: Mapping[str, Transcript]
) -> dict[_Place, list[Sheet]]:
    """The sheets as they will be once all are scored, those to come with usual content."""
    specs = _planned_sheets(job, store)
    todo = store.sheets.todo(specs)
    found: dict[_Place, list[Sheet]] = defaultdict(list)
    for sheet in store.sheets.all(specs):
        if not _will_be_asked(todo.get(sheet.spec.key), job.retry_errors):
            found[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    for spec in specs:
        if spec.transcript in transcripts and _will_be_asked(todo.get(spec.key), job.retry_errors):
            found[spec.transcript, spec.judge].append(_usual(job, spec))
    return dict(found)


def _will_be_asked(tried: Tried | None, retry_errors: bool) -> bool:
    return tried is not None and not tried.settled(retry_errors)


def _usual(job: Job, spec: SheetSpec) -> Sheet:
    """A sheet in the place of one to come; attempt 0, which no sheet that was made has."""
    rubric, scenario = job.suite.rubric_of(job.scenario(spec.scenario)), job.scenario(spec.scenario)
    filler = "字" * 30 if job.suite.language == "zh" else "word " * 15
    said = filler if rubric.comments else ""
    return Sheet(
        spec=spec,
        attempt=0,
        status=Status.OK,
        scores=tuple(
            Score(criterion=c.criterion, value=2.5, comment=said)
            for c in rubric.criteria_for(scenario)
        ),
        summary=filler,
        strengths=(),
        issues=(),
        flags=(),
        call="",
        at="",
    )


def _plan(job: Job, sheets: Iterable[Sheet]) -> tuple[CommentarySpec, ...]:
    return plan_commentaries(suite=job.suite, mode=job.mode, judges=job.judges, sheets=sheets)


def _hearings(
    job: Job,
    specs: Sequence[CommentarySpec],
    sheets: Mapping[_Place, Sequence[Sheet]],
    todo: Mapping[str, Tried],
    transcripts: Mapping[str, Transcript],
) -> Iterable[Hearing]:
    judges = {j.judge: j for j in job.judges}
    for spec in specs:
        own = [s for s in sheets[spec.transcript, spec.judge] if s.status is Status.OK]
        prompt, contract = commentary_prompt(
            suite=job.suite,
            scenario=job.scenario(spec.scenario),
            mode=job.mode,
            transcript=transcripts[spec.transcript],
            sheets=own,
            judge=judges[spec.judge],
            key=spec.key,
            seed=job.seed,
        )
        yield Hearing(
            kind="commentary",
            key=spec.key,
            judge=judges[spec.judge],
            prompt=prompt,
            contract=contract,
            subject=spec,
            lang=job.suite.language,
            attempt=todo[spec.key].attempts.get(0, 0) + 1,
        )


def _commentary(heard: Heard) -> Commentary:
    last = heard.calls[-1]
    return Commentary(
        spec=heard.hearing.subject,
        attempt=last.attempt,
        status=heard.status,
        text=heard.reading.text,
        flags=heard.hearing.prompt.flags,
        call=last.key,
        at=last.at,
    )
