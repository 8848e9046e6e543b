"""Putting the parts together: provider, executor, limiter, desk, store, clock."""

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from arena.cli.products import check_variables, is_product, open_products
from arena.cli.workspace import Bench, now
from arena.domain.agent import Agent, Entrant, Judge, Price
from arena.domain.call import Endpoint
from arena.domain.decoy import PREFIX as DECOY
from arena.domain.forecast import Forecast
from arena.domain.simulated import SimulatedUser
from arena.domain.tally import Tally
from arena.errors import ConfigError
from arena.llm.asking import Tools
from arena.llm.budget import Budget
from arena.llm.decoys import Decoys
from arena.llm.desk import Desk, Stop
from arena.llm.executor import Executor, LocalExecutor
from arena.llm.limiter import LocalLimiter
from arena.llm.provider import Provider
from arena.llm.remote import Remote, host_of
from arena.llm.scripted import PREFIX, Play, Scripted
from arena.suites.environment import apply_environment, read_environment
from arena.suites.find import find_suite
from arena.suites.load import load_script, load_suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Office:
    """What a spending command needs beside the store."""

    desk: Desk
    executor: Executor
    stop: Stop


def entrants_of(bench: Bench) -> dict[str, Agent | Judge | SimulatedUser]:
    """Agents, judges and simulated users by endpoint."""
    return {
        **{f"agent:{a.agent}": a for a in bench.agents},
        **{f"judge:{j.judge}": j for j in bench.config.judges},
        **{f"user:{name}": user for name, user in bench.config.users.items()},
    }


def places_of(bench: Bench, window: int) -> dict[str, int]:
    """Calls at once by endpoint, for forecasts."""
    return {who: min(e.limits.concurrency, window) for who, e in entrants_of(bench).items()}


def open_provider(bench: Bench, needed: Iterable[str]) -> Remote:
    """The provider, once every key that will be needed is there; raises ConfigError if not."""
    apply_environment(bench.workspace.root)
    secrets = read_environment(bench.workspace.root, os.environ)
    entrants = entrants_of(bench)
    wanted = [(who, entrants[who]) for who in needed]
    _check_named(wanted, secrets)
    custom = custom_of(plays_of(bench), bench.config.agents, bench.workspace.root, secrets)
    remote = Remote(secrets=secrets, custom=custom, now=now)
    check_needs(wanted, remote, secrets)
    return remote


def check_needs(
    wanted: Iterable[tuple[str, Entrant]], remote: Remote, secrets: Mapping[str, str]
) -> None:
    """Raise ConfigError where a variable is not set, or nobody knows who serves a model."""
    wanted = tuple(wanted)
    _check_named(wanted, secrets)
    for who, entrant in wanted:
        if not is_product(entrant):
            _check_model(remote, who, entrant)


def _check_named(wanted: Iterable[tuple[str, Entrant]], secrets: Mapping[str, str]) -> None:
    """Raise ConfigError where a variable is not set that the configuration names.

    Known before LiteLLM is there, which takes seconds.
    """
    wanted = tuple(wanted)
    for who, entrant in wanted:
        if entrant.api_key_env and not secrets.get(entrant.api_key_env):
            raise ConfigError(
                "{who}: the variable {variable} is not set",
                why="`api_key_env` names it; an empty variable counts as unset.",
                fix="Put {variable}=… into .env beside data/, or set it in the environment.",
                who=who.split(":", 1)[1],
                variable=entrant.api_key_env,
            )
    for who, entrant in wanted:
        check_variables(who, entrant, secrets)


def prices_of(bench: Bench, remote: Remote) -> dict[str, Price | None]:
    """Prices by endpoint: list prices for models that have no price of their own."""

    def price(entrant: Entrant) -> Price | None:
        if entrant.price is not None or entrant.api_base is not None:
            return entrant.price
        return remote.list_price(entrant.route)

    return {who: price(e) for who, e in entrants_of(bench).items()}


def with_prices(bench: Bench, remote: Remote) -> Bench:
    """The same with list prices for models that have no price of their own."""
    prices = prices_of(bench, remote)
    return bench.with_jobs(replace(job, prices=prices) for job in bench.jobs)


def open_office(
    bench: Bench,
    provider: Provider,
    *,
    window: int,
    cap: Decimal | None,
    watch: Callable[[Tally], None],
    hire: Callable[[], Executor] | None = None,
) -> Office:
    """The desk with its limiter and executor; call it inside the event loop.

    `hire` makes an executor that runs elsewhere; without it calls run in this process.
    """
    job = bench.jobs[0]
    endpoints = endpoints_of(bench)
    stop = Stop()
    executor = hire() if hire else _at_home(provider, endpoints, cap)
    desk = Desk(
        executor=executor,
        endpoints=endpoints,
        prices=job.prices,
        rates=job.rates,
        window=window,
        stop=stop,
        seed=job.seed,
        run=job.run,
        capped=cap is not None,
        watch=watch,
    )
    return Office(desk=desk, executor=executor, stop=stop)


def _at_home(
    provider: Provider, endpoints: Mapping[str, Endpoint], cap: Decimal | None
) -> LocalExecutor:
    tools = Tools(
        provider=provider,
        limiter=LocalLimiter(endpoints, Budget(cap), clock=time.monotonic),
        clock=time.monotonic,
        now=now,
        sleep=asyncio.sleep,
    )
    return LocalExecutor(tools)


def needed_by(forecast: Forecast) -> tuple[str, ...]:
    """Endpoints that a forecast has calls for."""
    return tuple(dict.fromkeys(line.who for line in forecast.lines if line.calls))


def custom_of(
    plays: Mapping[str, Play], agents: Sequence[Agent], folder: Path, secrets: Mapping[str, str]
) -> dict[str, Provider]:
    """Who answers the model strings that are ours. `folder`: where programs run."""
    products = open_products(agents, folder, secrets)
    return {PREFIX: Scripted(plays), DECOY: Decoys(), **products}


def plays_of(bench: Bench) -> dict[str, Play]:
    """The suites whose scripts are played, by name."""
    wanted = {
        (e.model or "").split("/")[1]
        for e in entrants_of(bench).values()
        if (e.model or "").startswith(f"{PREFIX}/") and (e.model or "").count("/") == 2
    }
    # A suite that is played is known as it is played: few shots or the user's own questions.
    played = {job.suite.suite: job.suite for job in bench.jobs}
    plays = {}
    for name in sorted(wanted):
        folder = find_suite(bench.workspace, name)
        plays[name] = Play(played.get(name) or load_suite(folder), load_script(folder))
    return plays


def _check_model(remote: Remote, who: str, entrant: Entrant) -> None:
    model = entrant.model or ""
    name = who.split(":", 1)[1]
    if not remote.knows_provider(model):
        raise ConfigError(
            "{who}: LiteLLM does not know who serves `{model}`",
            fix="Begin with the provider, like `deepseek/…`; for your own server "
            "use `openai/NAME` with `api_base`.",
            who=name,
            model=model,
        )
    if entrant.api_base is None and entrant.api_key_env is None:
        missing = remote.missing_variables(model)
        if missing:
            raise ConfigError(
                "{who}: the variable {variable} is not set",
                why="`{model}` needs it.",
                fix="Put {variable}=… into .env beside data/, or set it in the environment.",
                who=name,
                variable=", ".join(missing),
                model=model,
            )


def endpoints_of(bench: Bench) -> dict[str, Endpoint]:
    """Where calls go, by endpoint."""
    return {who: endpoint_of(who, e) for who, e in entrants_of(bench).items()}


def endpoint_of(who: str, entrant: Entrant) -> Endpoint:
    """Where the calls of an agent, judge or simulated user go, and its limits."""
    limits = entrant.limits
    return Endpoint(
        id=who,
        model=entrant.route,
        host=entrant.place or host_of(entrant.route, entrant.api_base),
        api_base=entrant.api_base,
        api_key_env=entrant.api_key_env,
        concurrency=limits.concurrency,
        rpm=limits.rpm,
        tpm=limits.tpm,
        timeout=entrant.patience,
        deadline=limits.deadline,
        attempts=limits.attempts,
        stateful=entrant.stateful,
    )
