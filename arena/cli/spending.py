"""The commands that ask models: run, collect, score, compare share this course of action."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from arena import pipeline
from arena.cli import output
from arena.cli.by_hand import tell_by_hand
from arena.cli.designs import tell_look
from arena.cli.fees import fees_due, with_due_fees, with_new_fees
from arena.cli.money import budget_of, consent, show_forecast
from arena.cli.products import tell_misplaced
from arena.cli.progress import Display
from arena.cli.reaching import LOCAL, check_place, reach
from arena.cli.reckoning import show_apart, tell_drift
from arena.cli.served import tell_aliases, tell_changes
from arena.cli.signals import caught, terminable
from arena.cli.state import State
from arena.cli.wiring import (
    Office,
    entrants_of,
    needed_by,
    open_office,
    open_provider,
    places_of,
    with_prices,
)
from arena.cli.words import Lang, say
from arena.cli.workspace import SOFTWARE, Bench, now
from arena.domain.call import Reply, Request, Status
from arena.domain.design import ComparisonPlan, Look
from arena.domain.forecast import Forecast
from arena.domain.job import Job
from arena.domain.tally import Tally
from arena.errors import (
    CapReached,
    Interrupted,
    ProviderFault,
    ProvidersRefused,
    UsageError,
)
from arena.llm.remote import Remote, host_of
from arena.store.store import Store
from arena.suites.roster import check_regions


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms a command may spend."""

    command: str
    dry_run: bool = False
    yes: bool = False
    max_cost: str | None = None
    allow_unpriced: bool = False
    window: int = 64
    note: str = ""
    quiet: bool = False
    executor: str = LOCAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a spending command did: tallies by job (suite and mode), and the forecast before."""

    tallies: tuple[tuple[str, Tally], ...]
    forecast: Forecast


def spend(bench: Bench, stages: tuple[str, ...], terms: Terms, store: Store, lang: Lang) -> Spent:
    """Forecast, ask, and run some stages over all jobs.

    Raises RefusedToSpend before anything is asked, Interrupted after saving what was done.
    """
    check_place(terms.executor)
    if not bench.jobs:
        raise UsageError("nothing to play: no suite is left after --suite and --mode")
    state = State(bench.workspace.state, command=terms.command, started_at=now())
    how = "failed"
    try:
        spent = _spend(bench, stages, terms, store, state, lang)
        how = "finished"
    except (Interrupted, KeyboardInterrupt):
        how = "interrupted"
        raise
    finally:
        state.end(how, at=now())
    return spent


def _forecast_all(
    bench: Bench, stages: tuple[str, ...], store: Store, places: Mapping[str, int]
) -> Forecast:
    """The forecasts of all jobs as one; each line names its job where there are several."""
    total = Forecast()
    for job in bench.jobs:
        part = pipeline.forecast(stages, job, store=store, endpoints=places)
        if len(bench.jobs) > 1:
            name = f"{job.suite.suite} · {job.mode}"
            part = replace(part, lines=tuple(replace(line, job=name) for line in part.lines))
        total += part
    return total


def _spend(
    bench: Bench, stages: tuple[str, ...], terms: Terms, store: Store, state: State, lang: Lang
) -> Spent:
    places = places_of(bench, terms.window)
    forecast = _forecast_all(bench, stages, store, places)
    remote: Remote | None = None
    if forecast.calls:
        check_regions(bench.config, bench.workspace.config)
        if not terms.quiet:
            output.tell(say(lang, "loading"))
        with terminable():
            remote = open_provider(bench, needed_by(forecast))
        bench = with_prices(bench, remote)
        forecast = _forecast_all(bench, stages, store, places)
    before = store.summaries.spend()
    fees = fees_due(forecast, bench.config, before)
    forecast = with_due_fees(forecast, bench.config, before)
    _show(forecast, bench, remote, lang)
    if terms.dry_run:
        return Spent(tallies=(), forecast=forecast)
    cap, hire = None, None
    if forecast.calls:
        cap = budget_of(
            bench.config, terms.max_cost, forecast, store, unpriced=terms.allow_unpriced
        )
        consent(forecast, yes=terms.yes, lang=lang)
        needed, window = needed_by(forecast), terms.window
        hire = reach(terms.executor, bench, needed, window=window, cap=cap, lang=lang)
    opening = partial(
        open_office, bench, remote or _nobody, window=terms.window, cap=cap, hire=hire
    )
    try:
        tallies = asyncio.run(_work(bench, stages, terms, store, state, opening, lang))
    except Interrupted:
        tell_changes(bench, store, lang)
        raise
    tell_changes(bench, store, lang)
    spent = Spent(tallies=tuple(tallies), forecast=forecast)
    _tell_drift(spent, bench, store, fees, lang)
    return spent


def _tell_drift(
    spent: Spent, bench: Bench, store: Store, fees: Mapping[str, Decimal], lang: Lang
) -> None:
    """Warn of a forecast that was far off, where everything came to its end."""
    if not all(t.to_its_end for _, t in spent.tallies):
        return
    done = with_new_fees(bench.config, store.summaries.spend(run=bench.run), fees)
    tell_drift(spent.forecast, done, bench.config.money, lang)


def _show(forecast: Forecast, bench: Bench, remote: Remote | None, lang: Lang) -> None:
    """All that is known before anything is asked."""
    show_forecast(forecast, bench.config.money, lang)
    show_apart(forecast, bench.config.money, lang)
    if remote is not None:
        _tell_list_prices(bench, remote, forecast, lang)
    tell_by_hand(forecast.by_hand, lang)
    tell_aliases(bench, forecast, lang)
    tell_misplaced(bench, lang)


def _tell_list_prices(bench: Bench, remote: Remote, forecast: Forecast, lang: Lang) -> None:
    """Say whose price is not stated but LiteLLM's, and of which version."""
    stated, known = entrants_of(bench), bench.jobs[0].prices
    names = [
        stated[who].id
        for who in needed_by(forecast)
        if stated[who].price is None and (price := known.get(who)) and price.input_per_million
    ]
    if names:
        told = say(lang, "list_prices", version=remote.version, names=", ".join(names))
        output.tell(told)


async def _work(
    bench: Bench,
    stages: tuple[str, ...],
    terms: Terms,
    store: Store,
    state: State,
    opening: Callable[..., Office],
    lang: Lang,
) -> list[tuple[str, Tally]]:
    store.runs.add(
        bench.run,
        command=terms.command,
        version=SOFTWARE,
        seed=bench.jobs[0].seed,
        note=terms.note,
        started_at=now(),
    )
    users = tuple(bench.config.users.values())
    store.runs.add_entrants(bench.agents, bench.judges, bench.run, users=users)
    done: list[tuple[str, Tally]] = []
    with Display(lang, quiet=terms.quiet) as display:

        def watch(tally: Tally) -> None:
            state.update(tally)
            display.update(tally)

        def tell(job: Job, plan: ComparisonPlan, look: Look) -> None:
            if not terms.quiet:
                tell_look(plan, look, lang)

        office = opening(watch=watch)
        renewing = asyncio.create_task(state.renew(now))
        try:
            with caught(asyncio.get_running_loop(), office.stop.request):
                async with store.writer() as writer:
                    for job in bench.jobs:
                        state.job = display.job = f"{job.suite.suite} · {job.mode}"
                        tallies = await pipeline.run(
                            stages, job, store=store, writer=writer, desk=office.desk, tell=tell
                        )
                        for tally in tallies:
                            state.update(tally)
                        done += [(state.job, t) for t in tallies]
                        if office.stop.soft.is_set() or any(t.capped for t in tallies):
                            break
        finally:
            renewing.cancel()
            await office.executor.aclose()
    if office.stop.signal is not None:
        saved = sum(t.made for _, t in done)
        raise Interrupted(
            "interrupted; {saved} finished items are saved",
            fix="Run the same command to go on: {command}",
            exit_code=128 + office.stop.signal,
            saved=saved,
            command=terms.command,
        )
    return done


async def _nobody(request: Request) -> Reply:
    raise ProviderFault("rejected", "there was nothing to ask, and something was asked")


def raise_for(spent: Spent, bench: Bench, terms: Terms) -> None:
    """Raise CapReached or ProvidersRefused where a command came to such an end."""
    tallies = [t for _, t in spent.tallies]
    if any(t.capped for t in tallies):
        raise CapReached(
            "the cap was reached: the next call could have crossed it",
            why="{made} items were finished and are kept; {left} are left.",
            fix="Raise --max-cost (or max_cost in data/arena.yaml), then go on: {command}",
            made=sum(t.made for t in tallies),
            left=sum(t.not_begun for t in tallies),
            command=terms.command,
        )
    denied = {who: said for t in tallies for who, said in t.denied.items()}
    refusals, errors = sum(t.refusals for t in tallies), sum(t.errors for t in tallies)
    if denied and refusals == errors and not any(t.made or t.present for t in tallies):
        who, said = next(iter(denied.items()))
        entrant = entrants_of(bench)[who]
        raise ProvidersRefused(
            "every provider refused before any work: {who}",
            why="{said}",
            fix="Check the key's variable, its quota and the host ({host}); then run it again.",
            who=entrant.id,
            said=said,
            host=entrant.place or host_of(entrant.route, entrant.api_base),
        )


def exit_code_of(tallies: Sequence[tuple[str, Tally]]) -> int:
    """3 when some items are not there because they errored, else 0."""
    return 3 if any(t.errors or t.skipped for _, t in tallies) else 0


def show_tallies(tallies: Sequence[tuple[str, Tally]], lang: Lang) -> None:
    """A line for each stage, on stderr."""
    for job, tally in tallies:
        output.tell(
            say(
                lang,
                "tally_line",
                job=job,
                stage=say(lang, f"stage_{tally.stage}"),
                done=tally.present + tally.made,
                planned=tally.planned,
                made=tally.made,
                calls=tally.calls,
            )
        )
        counts = {s: tally.statuses[s] + tally.skipped[s] for s in Status if s is not Status.OK}
        wrong = ", ".join(
            say(lang, "count_of", n=n, what=say(lang, f"status_{s.value}"))
            for s, n in counts.items()
            if n
        )
        if wrong:
            output.tell(say(lang, "tally_errors", counts=wrong), style="yellow")
        refused = {who.split(":", 1)[1] for who in tally.denied}
        for (entrant, status), said in tally.reasons.items():
            if entrant not in refused:
                how = say(lang, f"status_{status.value}")
                output.tell(say(lang, "tally_reason", who=entrant, how=how, said=said))
        for who, said in tally.denied.items():
            output.tell(say(lang, "tally_denied", who=who.split(":", 1)[1], said=said), style="red")
