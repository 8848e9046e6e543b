"""compare: designed pairs × both orders without a verdict → verdicts.

Reads the plan, `plan`, `look`, `transcript`, `sheet`, `score`, `verdict` and `call`; writes
`plan`, `look`, `call`, `verdict` and `verdict_criterion`. The plan is committed before the first
call that it asks for, a look before what follows from it. What a content policy blocked is put to
the next stand-in of the panel.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from arena.designing.current import cell_of, draft_plan, places_of, planned_presentations
from arena.designing.looking import See, go_round, level_of, look_at
from arena.designing.making import to_the_end
from arena.designing.presenting import forecast_presentations, hearings_of, verdict_of
from arena.domain.choice import Choice
from arena.domain.design import ADAPTIVE, ComparisonPlan, Look
from arena.domain.forecast import Forecast, PlanFact, name_kin
from arena.domain.job import Job
from arena.domain.method import MIN_READABLE
from arena.domain.tally import Tally
from arena.domain.verdict import Presentation
from arena.judging.key import decide
from arena.judging.planning import Planned
from arena.judging.standin import stand_ins
from arena.llm.desk import Desk
from arena.llm.hearing import Heard, hold
from arena.store.rows import Rows, Tables, call_row, verdict_rows
from arena.store.store import Store
from arena.store.writer import Writer

STAGE = "compare"
AT_ONCE = 500
"""Verdicts of the answer key that are committed together."""
Tell = Callable[[Job, ComparisonPlan, Look], None]
"""Shows what was seen at a look."""


async def compare(
    job: Job,
    *,
    store: Store,
    writer: Writer,
    desk: Desk,
    see: See | None = None,
    tell: Tell = lambda *_: None,
) -> Tally:
    """Put every planned presentation to its judge, unless it has a readable verdict.

    `see` makes the fit of a look: the stop rule and the adaptive design need it. A command that
    is narrowed down makes no look, and goes no further than to the next one.
    """
    work = _Work(job, draft_plan(job, store), store)
    if job.suite.choice is not None:
        await _decide(job.suite.choice, work, writer)
        return work.tally
    if any(s.a in work.there and s.b in work.there for s in work.specs):
        store.plans.add(work.plan, run=job.run)
    while await _walk(work, writer=writer, desk=desk, see=see, tell=tell):
        pass
    return work.tally


def forecast(job: Job, *, store: Store, endpoints: Mapping[str, int], collecting: bool) -> Forecast:
    """What compare would ask; with `collecting` the transcripts of the job will be there by then.

    `endpoints`: calls at once by id. A plan that is not stored yet is counted as it would be made
    now; with a stop rule or in rounds the forecast is of the whole plan.
    """
    plan = to_the_end(draft_plan(job, store), job)
    planned = _selected(job, plan)
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
    lines, cuts = forecast_presentations(
        STAGE, job, asked, todo, there, observed=observed, endpoints=endpoints
    )
    return Forecast(
        lines=lines,
        present=len(specs) - len(todo),
        cuts=cuts,
        guarded=name_kin(planned.guarded) if job.guard == "exclude" else (),
        marked=name_kin(planned.guarded) if job.guard == "warn" else (),
        plans=(_fact(job, plan, planned),),
    )


class _Work:
    """A plan being followed: its presentations, what they still lack, and the counts so far."""

    def __init__(self, job: Job, plan: ComparisonPlan, store: Store) -> None:
        self.job, self.store = job, store
        self.there = {t.key: t for t in store.transcripts.all(job.all_transcripts())}
        self.begun: set[str] = set()
        self.tally = Tally(stage=STAGE)
        self.follow(plan)

    def follow(self, plan: ComparisonPlan) -> None:
        """Go by a plan, or by the same one further on."""
        self.plan = plan
        planned = _selected(self.job, plan)
        self.reserve = len(planned.reserve)
        self.specs = planned.seated(self.store.verdicts.blocked(planned.contested))
        self.todo = self.store.verdicts.todo(self.specs)
        self.tally.planned = len(self.specs)
        self.tally.present = len(self.specs) - len(self.todo) - self.tally.made

    def calls_stand_ins(self) -> bool:
        """Whether what was blocked meanwhile calls somebody who was not asked yet."""
        asked = len(self.specs)
        if self.reserve:
            self.follow(self.plan)
        return len(self.specs) > asked

    def seen(self, look: Look) -> None:
        """Note a look that was kept."""
        self.follow(replace(self.plan, looked=(*self.plan.looked, look)))
        if look.stopped:
            self.tally.not_begun = 0

    @property
    def next_look(self) -> int | None:
        """Number of the look that is due, None where the plan has none left."""
        number = len(self.plan.looked) + 1
        due = self.plan.stop is None and number <= self.plan.terms.looks
        return number if due and self.plan.terms.looks > 1 else None

    @property
    def whole(self) -> bool:
        """Whether the command works on the plan as it is: only then a look says what it should."""
        chosen, there = self.job.selection, set(places_of(self.job))
        return not (chosen.agents or chosen.judges) and there >= set(self.plan.places)

    def ready(self) -> list[Presentation]:
        """What has no readable verdict and both transcripts, and was not begun in this command."""
        todo = [s for s in self.specs if s.key in self.todo and s.key not in self.begun]
        return [s for s in todo if s.a in self.there and s.b in self.there]

    def open(self) -> list[Presentation]:
        """What of that may be asked before the next look."""
        return self._before_look(self.ready())

    def answered(self) -> bool:
        """Whether enough of what comes before the next look has an answer, readable or not.

        A look at less would say little, and there are only so many.
        """
        part = self._before_look(self.specs)
        todo = self.store.verdicts.todo(part)
        there = sum(s.key not in todo or todo[s.key].answered is not None for s in part)
        return bool(part) and there >= MIN_READABLE * len(part)

    def _before_look(self, specs: Sequence[Presentation]) -> list[Presentation]:
        number = self.next_look
        if number is None or self.plan.cells is None:
            return list(specs)
        # What no look waits for, a decoy's comparisons, is asked at once.
        later = set(self.plan.cells[self.plan.parts[number - 1] :])
        return [s for s in specs if cell_of(s) not in later]


async def _walk(work: _Work, *, writer: Writer, desk: Desk, see: See | None, tell: Tell) -> bool:
    """Ask what may be asked before the next look, and look; whether there is more to do."""
    tally = work.tally
    await _ask(work, writer=writer, desk=desk)
    while not (tally.stopped or tally.capped) and work.calls_stand_ins():
        await _ask(work, writer=writer, desk=desk)
    if see is None or not work.whole or tally.stopped or tally.capped or tally.denied:
        return False
    number, last = work.next_look, work.plan.terms.looks
    adaptive = work.plan.terms.design == ADAPTIVE
    ready = work.answered() if number or adaptive else tally.made > 0
    if not ready:
        return False
    sight = see(work.job, work.store, _until(work), level_of(work.plan))
    look = look_at(work.plan, sight, number or last, last=number in (None, last))
    if number is not None:
        work.store.plans.add_look(work.plan, look, run=work.job.run)
        work.seen(look)
    tell(work.job, work.plan, look)
    if number is not None:
        return not look.stopped and number < last
    following = go_round(work.job, work.plan, sight) if adaptive else None
    if following is None:
        return False
    work.store.plans.add(following, run=work.job.run)
    work.follow(following)
    return True


def _until(work: _Work) -> ComparisonPlan:
    """The plan up to the look that is due: what comes later is not missing yet."""
    number, plan = work.next_look, work.plan
    if number is None or plan.cells is None:
        return plan
    return replace(plan, cells=plan.cells[: plan.parts[number - 1]])


async def _ask(work: _Work, *, writer: Writer, desk: Desk) -> None:
    """Hold the hearings that are open; each is begun once in a command."""
    job, tally = work.job, work.tally
    ready, later = work.open(), len(work.ready())
    asked = [s for s in ready if not work.todo[s.key].settled(job.retry_errors)]
    going = {s.key for s in asked}
    work.begun |= {s.key for s in ready}
    tally.skipped.update(work.todo[s.key].outcome for s in ready if s.key not in going)

    async def keep(heard: Heard) -> None:
        tables: Tables = (("call", tuple(call_row(c) for c in heard.calls)),)
        if heard.final:
            tables += verdict_rows(verdict_of(heard), job.run)
        await writer.add(Rows(tables))

    hearings = hearings_of(job, asked, work.todo, work.there)
    # What comes after the next look is to be tried too, but for a stop.
    begun = tally.made + tally.errors + len(asked) + later - len(ready)
    await hold(hearings, desk=desk, keep=keep, tally=tally, begun=begun)


async def _decide(choice: Choice, work: _Work, writer: Writer) -> None:
    """Write the answer key's verdicts. What it cannot read it would not read a second time."""
    tally, there = work.tally, work.there
    ready = work.ready()
    fresh = [s for s in ready if not work.todo[s.key].settled(False)]
    tally.present += len(ready) - len(fresh)
    for start in range(0, len(fresh), AT_ONCE):
        batch = fresh[start : start + AT_ONCE]
        verdicts = [decide(s, there[s.a], there[s.b], choice) for s in batch]
        await writer.add(Rows(tuple(t for v in verdicts for t in verdict_rows(v, work.job.run))))
        tally.made += len(batch)


def _selected(job: Job, plan: ComparisonPlan) -> Planned[Presentation]:
    """Presentations of the selection: with one agent its pairs, with several those among them."""
    planned = planned_presentations(job, plan, judges=job.selected_judges())
    chosen = set(job.selection.agents)
    if not chosen:
        return planned
    needed = 1 if len(chosen) == 1 else 2
    kept = tuple(p for p in planned.items if len(chosen & {p.agent_a, p.agent_b}) >= needed)
    reserve = tuple(p for p in planned.reserve if len(chosen & {p.agent_a, p.agent_b}) >= needed)
    withheld = tuple(w for w in planned.withheld if len(chosen & {w[1].a, w[1].b}) >= needed)
    return replace(planned, items=kept, reserve=reserve, withheld=withheld)


def _fact(job: Job, plan: ComparisonPlan, planned: Planned[Presentation]) -> PlanFact:
    """A plan in figures."""
    return PlanFact(
        suite=job.suite.suite,
        mode=job.mode,
        design=plan.terms.design,
        comparisons=len({cell_of(p) for p in planned.items} | {w[1] for w in planned.withheld}),
        withheld=len(planned.withheld),
        unscored=plan.unscored,
        evened=plan.evened,
        stop_width=plan.terms.stop_width,
        looks=plan.terms.looks,
        adaptive=ADAPTIVE in plan.history,
    )
