"""bridge: presentations that an old model of a judge answered → verdicts of who serves it now.

Reads the plan, `transcript`, `verdict` and `call`; writes `call`, `verdict` and
`verdict_criterion`, under keys of their own: no board is made of them.
"""

from collections.abc import Mapping

from arena.designing.bridge import draw_bridge
from arena.designing.presenting import forecast_presentations, hearings_of, verdict_of
from arena.domain.forecast import Forecast
from arena.domain.job import Job
from arena.domain.tally import Tally
from arena.llm.desk import Desk
from arena.llm.hearing import Heard, hold
from arena.store.rows import Rows, Tables, call_row, verdict_rows
from arena.store.store import Store
from arena.store.writer import Writer

STAGE = "bridge"


async def bridge(job: Job, *, store: Store, writer: Writer, desk: Desk) -> Tally:
    """Put what was drawn to its judge once more, unless it has a readable verdict."""
    specs = draw_bridge(job, store).specs
    todo = store.verdicts.todo(specs)
    there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    tally = Tally(stage=STAGE, planned=len(specs), present=len(specs) - len(todo))
    missing = [s for s in specs if s.key in todo]
    asked = [s for s in missing if not todo[s.key].settled(job.retry_errors)]
    tally.skipped.update(
        todo[s.key].outcome for s in missing if todo[s.key].settled(job.retry_errors)
    )

    async def keep(heard: Heard) -> None:
        tables: Tables = (("call", tuple(call_row(c) for c in heard.calls)),)
        if heard.final:
            tables += verdict_rows(verdict_of(heard), job.run)
        await writer.add(Rows(tables))

    hearings = hearings_of(job, asked, todo, there)
    await hold(hearings, desk=desk, keep=keep, tally=tally, begun=len(asked))
    return tally


def forecast(job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool) -> Forecast:
    """What a bridge would ask; `endpoints`: calls at once by id. Nothing is collected for it."""
    specs = draw_bridge(job, store).specs
    todo = store.verdicts.todo(specs)
    there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
    asked = [s for s in specs if s.key in todo and not todo[s.key].settled(job.retry_errors)]
    lines, cuts = forecast_presentations(
        STAGE,
        job,
        asked,
        todo,
        there,
        observed=store.summaries.observed(),
        endpoints=endpoints,
    )
    return Forecast(lines=lines, present=len(specs) - len(todo), cuts=cuts)
