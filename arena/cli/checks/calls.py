"""One tiny call to everybody who can be asked, once its cost is forecast and agreed to.

Each attempt is kept in the store's table `ping` before it counts, so that what was spent, and what
`max_cost` leaves, hold these calls too. They are no transcripts and no observations.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from arena.cli.checks.scene import Scene, Someone, way_of
from arena.cli.fees import with_due_fees
from arena.cli.money import budget_of, consent, show_forecast
from arena.cli.signals import caught
from arena.cli.wiring import endpoint_of
from arena.cli.words import Lang
from arena.cli.workspace import SOFTWARE, now
from arena.domain.call import Message, Speaker
from arena.domain.digest import digest
from arena.domain.finding import Finding, blocked_by
from arena.domain.forecast import Expected, Forecast, forecast_lines
from arena.domain.sitting import Sitting
from arena.domain.tally import Shift, Tally
from arena.domain.tokens import estimate_prompt
from arena.errors import ArenaError, ConfigError, Interrupted, RefusedToSpend, StoreError
from arena.llm.asking import LIMITS, Tools
from arena.llm.budget import Budget
from arena.llm.desk import Answer, Asked, Desk, Stop
from arena.llm.executor import LocalExecutor
from arena.llm.limiter import LocalLimiter
from arena.llm.remote import Remote
from arena.store.store import Store

GREETING = (Message("user", "Hi"),)
ATTEMPTS = 2
LONGEST = 30.0
"""Seconds that an attempt of a check may take, whatever a run would allow."""
WINDOW = 16
SPEAKERS: dict[str, Speaker] = {"agent": "agent", "judge": "judge", "user": "user"}
UNLIMITED = re.compile(r"max_(?:completion_|output_)?tokens|output limit", re.IGNORECASE)
"""A refusal of the limit itself, which says that all the rest was right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinged:
    """What came of the calls: answers by endpoint, who refused, and what kept them from it.

    `kept_from`: why an endpoint was not asked, as a key of a sentence; `refusal`: nobody was asked
    because of it.
    """

    answers: Mapping[str, Answer]
    denied: frozenset[str] = frozenset()
    kept_from: Mapping[str, str]
    refusal: ArenaError | None = None

    @property
    def all_denied(self) -> bool:
        """Whether everybody who was asked refused."""
        return bool(self.answers) and set(self.answers) == self.denied


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """On what terms the calls may be made."""

    yes: bool = False
    max_cost: str | None = None


def ping(scene: Scene, found: tuple[Finding, ...], leave: Leave, lang: Lang) -> Pinged:
    """Ask everybody who may be asked; raises Interrupted after keeping what was answered."""
    blocked = blocked_by(found)
    kept_from = {who: _kept_from(scene, who, e, blocked) for who, e in scene.entrants.items()}
    wanted = [who for who, why in kept_from.items() if not why]
    kept_from = {who: why for who, why in kept_from.items() if why}
    if not wanted or scene.remote is None:
        return Pinged(answers={}, kept_from=kept_from)
    try:
        with Store(scene.bench.workspace.database, patience=0) as store:
            cap = _agree(scene, wanted, leave, store, lang)
            answers, shift = asyncio.run(_ask(scene, wanted, cap, store, scene.remote))
    except (RefusedToSpend, ConfigError, StoreError) as error:
        kept_from |= dict.fromkeys(wanted, "check_call_refused")
        return Pinged(answers={}, kept_from=kept_from, refusal=error)
    kept_from |= {who: "check_call_capped" for who in wanted if who not in answers}
    return Pinged(answers=answers, denied=frozenset(shift.denied), kept_from=kept_from)


def _kept_from(scene: Scene, who: str, entrant: Someone, blocked: frozenset[str]) -> str:
    """Why somebody is not asked; empty where nothing speaks against it."""
    way = way_of(entrant)
    if way not in ("model", "http"):
        return f"check_call_{way}"
    if scene.offline:
        return "check_call_offline"
    if who in blocked:
        return "check_call_blocked"
    return "check_call_product" if way == "http" and not scene.call_products else ""


def _agree(
    scene: Scene, wanted: Iterable[str], leave: Leave, store: Store, lang: Lang
) -> Decimal | None:
    """Show what it may cost and ask; the cap. Raises RefusedToSpend."""
    config = scene.bench.config
    tokens = float(estimate_prompt(GREETING))
    expected = {
        who: Expected(calls=1, sessions=1, tokens_in=tokens, tokens_out=1.0) for who in wanted
    }
    forecast = Forecast(
        lines=forecast_lines(
            "doctor",
            expected,
            prices=scene.prices,
            rates=config.money,
            seconds_per_call={},
            concurrency={},
        )
    )
    forecast = with_due_fees(forecast, config, store.summaries.spend())
    show_forecast(forecast, config.money, lang)
    cap = budget_of(config, leave.max_cost, forecast, store, unpriced=False)
    consent(forecast, yes=leave.yes, lang=lang)
    return cap


async def _ask(
    scene: Scene, wanted: list[str], cap: Decimal | None, store: Store, remote: Remote
) -> tuple[dict[str, Answer], Shift]:
    bench, config = scene.bench, scene.bench.config
    store.runs.add(
        bench.run,
        command="arena doctor",
        version=SOFTWARE,
        seed=config.seed,
        note="",
        started_at=now(),
    )
    store.runs.add_entrants(
        config.agents, config.judges, bench.run, users=tuple(config.users.values())
    )
    endpoints = {
        who: replace(e, attempts=min(e.attempts, ATTEMPTS), timeout=min(e.timeout, LONGEST))
        for who, e in ((who, endpoint_of(who, scene.entrants[who])) for who in wanted)
    }
    tools = Tools(
        provider=remote,
        limiter=LocalLimiter(endpoints, Budget(cap), clock=time.monotonic),
        clock=time.monotonic,
        now=now,
        sleep=asyncio.sleep,
    )
    stop = Stop()
    desk = Desk(
        executor=LocalExecutor(tools),
        endpoints=endpoints,
        prices=scene.prices,
        rates=config.money,
        window=WINDOW,
        stop=stop,
        seed=config.seed,
        run=bench.run,
        capped=cap is not None,
    )
    answers: dict[str, Answer] = {}

    async def keep(answer: Answer) -> tuple[Asked, ...]:
        for call in answer.calls:
            store.pings.add(call)
        answers[answer.asked.request.endpoint.id] = answer
        return ()

    questions = [_question(desk, scene, who) for who in wanted]
    with caught(asyncio.get_running_loop(), stop.request):
        shift = await desk.work(questions, keep, Tally("doctor", planned=len(wanted)))
    if stop.signal is not None:
        raise Interrupted(
            "interrupted; {saved} finished items are saved",
            exit_code=128 + stop.signal,
            saved=len(answers),
        )
    return answers, shift


def _question(desk: Desk, scene: Scene, who: str) -> Asked:
    entrant = scene.entrants[who]
    key = digest(["ping", scene.bench.run, who])
    named = [name for name in LIMITS if name in entrant.sampling] or [LIMITS[0]]
    return desk.ask_of(
        who,
        key=key,
        kind="ping",
        speaker=SPEAKERS[who.split(":", 1)[0]],
        entrant=entrant.id,
        entrant_digest=entrant.digest(),
        messages=GREETING,
        sampling=dict(entrant.sampling) | dict.fromkeys(named, 1) if entrant.model else {},
        attempt=1,
        sitting=None if entrant.model else Sitting(seed=key, scenario="doctor").seated(1),
        strict=True,
    )
