"""One round of questions under way: fed to an executor, each answer handled as it comes.

An answer holds its endpoint's place until the stage has committed it, so no more calls are begun
and uncommitted than the window allows.
"""

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from arena.domain.call import Call, Request, ServesKind, Speaker
from arena.domain.sitting import Sitting
from arena.domain.tally import Shift
from arena.llm.asking import Question, ask
from arena.llm.executor import Executor, Item, Outcome
from arena.llm.feed import Feed

GRACE = 10.0
"""Seconds that calls under way are given after Ctrl-C; a second one ends them at once."""

Handle = Callable[["Answer"], Awaitable[Iterable["Asked"]]]
"""Commit an answer; give back the questions that follow from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with what is needed to keep its calls. `context` comes back with the answer."""

    kind: ServesKind
    speaker: Speaker
    entrant: str
    entrant_digest: str
    request: Request
    question: Question
    context: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a question: its calls, each an attempt, the last of them deciding.

    `sitting`, of products: what their next message is sent with; `welcome`: what it said before
    the first. `broken`: the provider keeps the dialogue, and a message of it was lost. `code`: the
    status of HTTP by which the last call failed, where there was one.
    """

    asked: Asked
    calls: tuple[Call, ...]
    sitting: Sitting | None = None
    welcome: str = ""
    broken: bool = False
    code: int | None = None

    @property
    def last(self) -> Call:
        """The call that decides."""
        return self.calls[-1]


@dataclass(slots=True)
class Stop:
    """Ctrl-C and SIGTERM, as the event loop sees them."""

    soft: asyncio.Event = field(default_factory=asyncio.Event)
    hard: asyncio.Event = field(default_factory=asyncio.Event)
    signal: int | None = None

    def request(self, signal: int) -> None:
        """First: begin nothing more. Again: end what is under way."""
        (self.hard if self.soft.is_set() else self.soft).set()
        self.signal = self.signal or signal


class Working:
    """A round of questions: those that are open, the feed, and the answers being handled."""

    def __init__(
        self,
        feed: Feed,
        handle: Handle,
        keep: Callable[[Asked, Item], Call],
        watch: Callable[[Shift], None],
    ) -> None:
        self.shift = Shift()
        self._feed = feed
        self._handle = handle
        self._keep = keep
        self._watch = watch
        self._broken: list[BaseException] = []
        self._open: dict[int, Asked] = {}
        self._numbers = itertools.count()
        self._handling: set[asyncio.Task[None]] = set()

    def put(self, asked: Asked) -> None:
        """Make a question ready, unless its endpoint has refused us."""
        endpoint = asked.request.endpoint.id
        if endpoint in self.shift.denied:
            return
        number = next(self._numbers)
        self._open[number] = asked
        self._feed.put(endpoint, {"number": number, "question": asked.question.to_item()})

    async def run(self, executor: Executor, window: int, stop: Stop) -> Shift:
        """Ask everything; raises what handling an answer raised, after ending what goes on."""
        consuming = asyncio.create_task(self._consume(executor, window))
        obeying = asyncio.create_task(self._obey(stop, consuming))
        try:
            await asyncio.wait({consuming})
        finally:
            for task in (obeying, consuming):
                task.cancel()
            await asyncio.gather(obeying, consuming, return_exceptions=True)
            while self._handling:
                await asyncio.gather(*self._handling, return_exceptions=True)
        if self._broken:
            raise self._broken[0]
        if not consuming.cancelled() and (error := consuming.exception()):
            raise error
        return self.shift

    async def _consume(self, executor: Executor, window: int) -> None:
        async for outcome in executor.map_unordered(ask_item, self._feed, window=window):
            task = asyncio.create_task(self._settle(outcome))
            self._handling.add(task)
            task.add_done_callback(self._handling.discard)

    async def _obey(self, stop: Stop, consuming: "asyncio.Task[None]") -> None:
        await stop.soft.wait()
        self.shift.stopped = True
        self._feed.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await stop.hard.wait()
        consuming.cancel()

    async def _settle(self, outcome: Outcome) -> None:
        asked = self._open.pop(outcome.item["number"])
        try:
            await self._take(asked, outcome)
        except BaseException as error:
            self._broken.append(error)
            self._feed.stop()
        finally:
            self._feed.done(asked.request.endpoint.id)
            self._watch(self.shift)

    async def _take(self, asked: Asked, outcome: Outcome) -> None:
        if outcome.result is None:
            raise RuntimeError(f"a call failed in our own code: {outcome.error}")
        if outcome.result["stopped"] == "cap":
            self.shift.capped = True
            self._feed.stop()
        records = outcome.result["attempts"]
        if not records:
            return
        answer = _answer(asked, records, self._keep)
        self.shift.calls += len(records)
        following = list(await self._handle(answer))
        if records[-1]["fault"] == "denied":
            endpoint = asked.request.endpoint.id
            self.shift.denied[endpoint] = records[-1]["error"]
            self.shift.refusals += 1
            self._feed.drop(endpoint)
        for question in following:
            self.put(question)


def _answer(asked: Asked, records: list[Item], keep: Callable[[Asked, Item], Call]) -> Answer:
    last = records[-1]
    sitting = last.get("sitting")
    return Answer(
        asked=asked,
        calls=tuple(keep(asked, record) for record in records),
        sitting=Sitting(**sitting) if sitting else None,
        welcome=last.get("welcome", ""),
        broken=last.get("broken", False),
        code=last.get("code"),
    )


async def ask_item(item: Item, tools: Any) -> Item:
    """What an executor runs: the question of a numbered item."""
    return await ask(item["question"], tools)
