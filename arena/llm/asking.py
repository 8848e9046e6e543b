"""One call, made by an executor anywhere: limits, attempts, waits, and what it cost.

`ask` is importable, takes and returns JSON-able data, and never raises for what a provider does:
each attempt comes back as a record, and the stage makes rows of them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any

from arena.domain.agent import Price
from arena.domain.call import Reply, Request, Status
from arena.domain.money import cost_of_call
from arena.errors import CapReached, ProviderFault
from arena.judging.thinking import split_thinking
from arena.llm.executor import Item
from arena.llm.limiter import Limiter
from arena.llm.provider import Provider
from arena.llm.retry import wait_before, worth_another_try

LENGTH = "length"
FILTERED = "content_filter"
LIMITS = ("max_tokens", "max_completion_tokens")
"""What limits the tokens of a reply, under either name."""
TIMED_OUT = 408
TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class Tools:
    """What a process gives to its calls."""

    provider: Provider
    limiter: Limiter
    clock: Callable[[], float]
    now: Callable[[], str]
    """The time, UTC, ISO 8601."""
    sleep: Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An item, typed: what is asked, for which key, and what it may cost.

    `rate` is the worth of the price's currency in the workspace's; `reserve` is the most the call
    can cost, in the workspace's currency, and `most` in the price's own. `tokens`: about how many
    it will take in all. `attempt` is the number of the first attempt. `strict`: a reply that its
    token limit cut, or that is empty, is taken as it is.
    """

    key: str
    round: int
    attempt: int
    request: dict[str, Any]
    price: dict[str, Any] | None = None
    rate: str | None = None
    reserve: str | None = None
    most: str | None = None
    tokens: int = 0
    first_of_session: bool = False
    seed: int = 0
    strict: bool = False

    def to_item(self) -> Item:
        """The question as JSON-able data."""
        return asdict(self)


async def ask(item: Item, tools: Tools) -> Item:
    """Make one call; returns {"attempts": [...], "stopped": "cap" | None}.

    A reply cut by its token limit, or empty, is asked for once more with twice the tokens, where
    the sampling sets a limit of tokens. Raises nothing that a provider does.
    """
    question = Question(**item)
    request = Request.from_item(question.request)
    call = _OneCall(question, tools)
    attempts: list[Item] = []
    began = tools.clock()
    roomier = question.strict
    while True:
        try:
            record, fault = await call.attempt(request, question.attempt + len(attempts))
        except CapReached:
            return {"attempts": attempts, "stopped": "cap"}
        attempts.append(record)
        if fault is None:
            more = None if roomier else _with_more_tokens(request, record)
            if more is None:
                return {"attempts": attempts, "stopped": None}
            request, roomier = more, True
            continue
        tries = len(attempts)
        if record["broken"] or not worth_another_try(fault) or tries >= request.endpoint.attempts:
            return {"attempts": attempts, "stopped": None}
        wait = wait_before(tries, fault, seed=question.seed, key=question.key)
        if tools.clock() - began + wait > request.endpoint.deadline:
            return {"attempts": attempts, "stopped": None}
        if fault.retry_after is not None or fault.status == TOO_MANY:
            # What limits one call limits the endpoint: the others wait with it.
            await tools.limiter.pause(request.endpoint.id, wait)
        await tools.sleep(wait)


class _OneCall:
    """The attempts of one question share its price and tools."""

    def __init__(self, question: Question, tools: Tools) -> None:
        self._question = question
        self._tools = tools
        self._price = Price.model_validate(question.price) if question.price else None
        self._rate = Decimal(question.rate) if question.rate else None
        self._reserve = Decimal(question.reserve) if question.reserve else None

    async def attempt(self, request: Request, number: int) -> tuple[Item, ProviderFault | None]:
        """One attempt as a record, and what went wrong with it. Raises CapReached."""
        request = request.seated(number)
        tools, endpoint = self._tools, request.endpoint
        cost: Decimal | None = Decimal(0)
        used: int | None = None
        try:
            place = await tools.limiter.start(endpoint.id, self._reserve, self._question.tokens)
        except ProviderFault as error:
            return self._record(request, number, tools.clock(), fault=error, cost=cost), error
        began = tools.clock()
        try:
            # Some providers ignore their timeout, so ours is the one that holds.
            async with asyncio.timeout(endpoint.timeout + 1):
                reply = await tools.provider(request)
            cost, used = self._cost(reply), _used(reply)
            return self._record(request, number, began, reply=reply, cost=cost), None
        except TimeoutError:
            cost = None  # it may have been answered, and billed, all the same
            said = f"no answer within {endpoint.timeout:g} s"
            fault = ProviderFault("retry", said, uncertain=True)
        except ProviderFault as error:
            cost = None if error.billed else cost
            fault = error
        finally:
            in_ours = None if cost is None or self._rate is None else cost * self._rate
            await tools.limiter.finish(
                endpoint.id, self._reserve, in_ours, number=place, tokens=used
            )
        return self._record(request, number, began, fault=fault, cost=cost), fault

    def _cost(self, reply: Reply) -> Decimal | None:
        if reply.elsewhere:
            return None
        return cost_of_call(
            self._price,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            first_of_session=self._question.first_of_session,
        )

    def _currency(self, reply: Reply | None) -> str | None:
        if self._price is None or (reply and reply.elsewhere):
            return None
        return self._price.currency

    def _record(
        self,
        request: Request,
        number: int,
        began: float,
        *,
        reply: Reply | None = None,
        cost: Decimal | None = None,
        fault: ProviderFault | None = None,
    ) -> Item:
        sent = {**request.sampling}
        if request.response_format != "text":
            sent["response_format"] = request.response_format
        status = _status_of(reply) if reply else _status_of_fault(fault)
        latency = round((self._tools.clock() - began) * 1000)
        return {
            "attempt": number,
            "status": status.value,
            "text": reply.text if reply else None,
            "thinking": reply.thinking if reply else None,
            "finish_reason": reply.finish_reason if reply else None,
            "model_returned": reply.model_returned if reply else None,
            "tokens_in": reply.tokens_in if reply else None,
            "tokens_out": reply.tokens_out if reply else None,
            "params_sent": {
                n: v for n, v in sent.items() if not reply or n not in reply.params_dropped
            },
            "params_dropped": list(reply.params_dropped) if reply else [],
            "cost": str(cost) if self._price and cost is not None else None,
            "currency": self._currency(reply),
            "held": self._question.most if self._price and cost is None else None,
            "latency_ms": None if reply and reply.elsewhere else latency,
            "error": fault.message if fault else _note(reply, status),
            "fault": fault.fault if fault else None,
            "code": fault.status if fault else None,
            "at": self._tools.now(),
            "broken": _is_broken(request, fault),
            **_carried(request, reply),
        }


def _carried(request: Request, reply: Reply | None) -> Item:
    """What the next message of the dialogue is sent with."""
    if request.sitting is None or reply is None:
        return {"sitting": None, "welcome": ""}
    sitting = replace(request.sitting, state=reply.state)
    return {"sitting": asdict(sitting), "welcome": reply.welcome}


def _is_broken(request: Request, fault: ProviderFault | None) -> bool:
    """Whether a dialogue that the provider keeps is in a state that nobody knows.

    A first message can be tried again: it is somebody else's.
    """
    if fault is None or not fault.uncertain or request.sitting is None:
        return False
    begun = any(m.role == "user" for m in request.messages[:-1])
    return request.endpoint.stateful and begun


def _used(reply: Reply) -> int | None:
    """Tokens of a call; None when the provider did not say."""
    if reply.tokens_in is None or reply.tokens_out is None:
        return None
    return reply.tokens_in + reply.tokens_out


def _note(reply: Reply | None, status: Status) -> str | None:
    return reply.note if reply and status is not Status.OK else None


def _status_of(reply: Reply) -> Status:
    if reply.finish_reason == FILTERED:
        return Status.BLOCKED
    if reply.finish_reason == LENGTH:
        return Status.TRUNCATED
    if not split_thinking(reply.text or "").visible.strip():
        return Status.EMPTY
    return Status.OK


def _status_of_fault(fault: ProviderFault | None) -> Status:
    return Status.BLOCKED if fault and fault.fault == "blocked" else Status.ERROR


def _with_more_tokens(request: Request, record: Item) -> Request | None:
    """The request once more with twice the tokens, if that may help."""
    limits = {n: most for n in LIMITS if isinstance(most := request.sampling.get(n), int)}
    if record["status"] not in (Status.TRUNCATED, Status.EMPTY) or not limits:
        return None
    more = {name: 2 * most for name, most in limits.items()}
    return replace(request, sampling={**request.sampling, **more})
