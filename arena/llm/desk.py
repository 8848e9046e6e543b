"""The desk: where a stage puts its questions and gets the answers handled.

It knows the endpoints, their prices and the money set aside for a call, and makes the row of each
attempt. `working` keeps the endpoints busy.
"""

import gc
import json
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Any, Literal

from arena.domain.agent import Price
from arena.domain.call import Call, Endpoint, Message, Request, ServesKind, Speaker, Status
from arena.domain.digest import digest
from arena.domain.money import MILLION, Money, Rates
from arena.domain.sitting import Sitting
from arena.domain.tally import Shift, Tally
from arena.domain.tokens import USUAL_REPLY, bound_prompt, bound_tokens, estimate_prompt
from arena.llm.asking import LIMITS, Question
from arena.llm.executor import Executor, Item
from arena.llm.feed import Feed
from arena.llm.working import Answer, Asked, Handle, Stop, Working

__all__ = ["Answer", "Asked", "Desk", "Handle", "Stop"]

USUAL_MOST = 16_384
"""Reply tokens set aside under a cap when the sampling sets no `max_tokens`: what models of today
write at most without being told."""


class Desk:
    """Asks questions through an executor, as many at once as endpoints and window allow."""

    def __init__(
        self,
        *,
        executor: Executor,
        endpoints: Mapping[str, Endpoint],
        prices: Mapping[str, Price | None],
        rates: Rates,
        window: int,
        stop: Stop,
        seed: int,
        run: str,
        capped: bool,
        watch: Callable[[Tally], None] = lambda _: None,
    ) -> None:
        self._executor = executor
        self._endpoints = endpoints
        self._prices = prices
        self._rates = rates
        self._window = window
        self._stop = stop
        self._seed = seed
        self._run = run
        self._capped = capped
        self._watch = watch

    @property
    def stop(self) -> Stop:
        """Whether somebody asked to stop."""
        return self._stop

    def ask_of(
        self,
        who: str,
        *,
        key: str,
        kind: ServesKind,
        speaker: Speaker,
        entrant: str,
        entrant_digest: str,
        messages: tuple[Message, ...],
        sampling: Mapping[str, Any],
        attempt: int,
        round: int = 0,
        response_format: Literal["json_schema", "json_object", "text"] = "text",
        schema: dict[str, Any] | None = None,
        sitting: Sitting | None = None,
        context: Any = None,
        strict: bool = False,
    ) -> Asked:
        """A question to an agent or judge (`who` is `agent:ID` or `judge:ID`).

        `strict`: it is not asked again with more room where its token limit cut the reply.
        """
        request = Request(
            endpoint=self._endpoints[who],
            messages=messages,
            sampling=dict(sampling),
            response_format=response_format,
            schema=schema,
            sitting=sitting,
        )
        price = self._prices.get(who)
        rate = self._rates.convert(Money(Decimal(1), price.currency)) if price else None
        most = _most_of(request, price)
        question = Question(
            key=key,
            round=round,
            attempt=attempt,
            request=request.to_item(),
            price=price.model_dump(mode="json") if price else None,
            rate=None if rate is None else str(rate),
            reserve=str(most * rate) if self._capped and most is not None and rate else None,
            most=None if most is None else str(most),
            tokens=_expected(request),
            first_of_session=round <= 1,
            seed=self._seed,
            strict=strict,
        )
        return Asked(
            kind=kind,
            speaker=speaker,
            entrant=entrant,
            entrant_digest=entrant_digest,
            request=request,
            question=question,
            context=context,
        )

    async def work(self, first: Iterable[Asked], handle: Handle, tally: Tally) -> Shift:
        """Ask, and handle each answer as it comes; whatever follows is asked too.

        `tally` is shown to whoever watches, after every answer.

        Raises what `handle` raises (after ending what is under way), and nothing that a provider
        does.
        """
        places = {e.id: e.concurrency for e in self._endpoints.values()}

        before = tally.calls

        def watch(shift: Shift) -> None:
            tally.calls = before + shift.calls
            self._watch(tally)

        working = Working(Feed(places, window=self._window), handle, self._call, watch)
        for asked in first:
            working.put(asked)
        # The plan and what libraries hold stay as they are: looking through them for cycles again
        # and again would halt every call and every commit for a good part of a second.
        gc.freeze()
        try:
            return await working.run(self._executor, self._window, self._stop)
        finally:
            gc.unfreeze()

    def _call(self, asked: Asked, record: Item) -> Call:
        question, endpoint = asked.question, asked.request.endpoint
        return Call(
            key=digest(["call", question.key, question.round, asked.speaker, record["attempt"]]),
            serves=question.key,
            serves_kind=asked.kind,
            speaker=asked.speaker,
            entrant=asked.entrant,
            entrant_digest=asked.entrant_digest,
            round=question.round,
            attempt=record["attempt"],
            status=Status(record["status"]),
            text=record["text"],
            thinking=record["thinking"],
            finish_reason=record["finish_reason"],
            model_asked=endpoint.model,
            model_returned=record["model_returned"],
            host=endpoint.host,
            params_sent=json.dumps(record["params_sent"], ensure_ascii=False, sort_keys=True),
            params_dropped=json.dumps(record["params_dropped"], ensure_ascii=False),
            prompt_digest=asked.request.digest(),
            tokens_in=record["tokens_in"],
            tokens_out=record["tokens_out"],
            cost=Decimal(record["cost"]) if record["cost"] is not None else None,
            currency=record["currency"],
            held=Decimal(record["held"]) if record["held"] is not None else None,
            latency_ms=record["latency_ms"],
            error=record["error"],
            run=self._run,
            at=record["at"],
        )


def _most_of(request: Request, price: Price | None) -> Decimal | None:
    """The most a call can cost in its price's currency; None when it has no price."""
    if price is None:
        return None
    amount = (price.per_call or Decimal(0)) + (price.per_session or Decimal(0))
    if price.input_per_million is not None and price.output_per_million is not None:
        form = bound_tokens(json.dumps(request.schema)) if request.schema else 0
        limit = _reply_limit(request)
        # A reply that is cut is asked for once more with twice the tokens.
        out = USUAL_MOST if limit is None else 2 * limit
        amount += price.input_per_million * (bound_prompt(request.messages) + form) / MILLION
        amount += price.output_per_million * out / MILLION
    return amount


def _expected(request: Request) -> int:
    """About how many tokens a call will take in all, before it is known how replies are."""
    limit = _reply_limit(request)
    reply = USUAL_REPLY if limit is None else min(USUAL_REPLY, limit)
    return estimate_prompt(request.messages) + reply


def _reply_limit(request: Request) -> int | None:
    """The most tokens of one reply, where the sampling says so."""
    named = [request.sampling.get(name) for name in LIMITS]
    return max((most for most in named if isinstance(most, int)), default=None)
