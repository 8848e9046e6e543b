"""A hearing: one question to a judge, read by its contract, with one repair.

A reply that cannot be read is shown to its judge once more with the complaint; after that it is
kept as it is and never becomes a score or a tie.
"""

import math
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar

from arena.domain.agent import Judge, Price
from arena.domain.call import Call, Status
from arena.domain.forecast import Cuts, Expected, ForecastLine, forecast_lines
from arena.domain.money import Rates
from arena.domain.tally import Tally
from arena.domain.tokens import estimate_prompt
from arena.domain.words import Lang
from arena.judging.prompt import OVER_CONTEXT, Prompt, repair_prompt
from arena.llm.desk import Answer, Asked, Desk


class HasJudge(Protocol):
    """What is planned for a judge."""

    @property
    def judge(self) -> str:
        """The judge's id."""
        ...


Judged = TypeVar("Judged", bound=HasJudge)
CUT = "cut"
"""Flag of a sheet or verdict whose transcripts were shown in part, all sides cut by one rule."""


class Reading(Protocol):
    """What every contract makes of a reply."""

    @property
    def status(self) -> Status:
        """How it is understood."""
        ...

    @property
    def complaint(self) -> str | None:
        """Why it could not be read."""
        ...


class Contract(Protocol):
    """What owns a reply's shape."""

    def read(self, text: str | None, *, finish_reason: str | None = None) -> Reading:
        """Read a reply; never raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """A judge, what it is asked, and how its answer is read. `subject` is the stage's own."""

    kind: Literal["sheet", "verdict", "commentary"]
    key: str
    judge: Judge
    prompt: Prompt
    contract: Contract
    subject: Any
    lang: Lang
    attempt: int = 1
    repaired: bool = False

    @property
    def who(self) -> str:
        """The judge's endpoint."""
        return f"judge:{self.judge.judge}"

    def ask(self, desk: Desk) -> Asked:
        """The question; free text is asked for without a form."""
        free = self.kind == "commentary"
        return desk.ask_of(
            self.who,
            key=self.key,
            kind=self.kind,
            speaker="judge",
            entrant=self.judge.judge,
            entrant_digest=self.judge.digest(),
            messages=self.prompt.messages,
            sampling=self.judge.sampling,
            response_format="text" if free else self.judge.response_format,
            schema=None if free else self.prompt.schema,
            attempt=self.attempt,
            context=self,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What came of a hearing: its calls as they are kept, the reading, and a repair to ask.

    `reading` is None when there was no reply to read (`error`).
    """

    hearing: Hearing
    calls: tuple[Call, ...]
    status: Status
    reading: Any
    repair: Hearing | None = None

    @property
    def final(self) -> bool:
        """Whether a reply was read and no repair is asked: the stage keeps the reading too."""
        return self.reading is not None and self.repair is None


Keep = Callable[[Heard], Awaitable[None]]
"""Commit what was heard."""
Follow = Callable[[Heard], Iterable[Hearing]]
"""What can be asked now that a hearing is over."""


def hear(answer: Answer) -> Heard:
    """Read a judge's answer by its contract."""
    hearing: Hearing = answer.asked.context
    last = answer.last
    if last.status is Status.ERROR:
        return Heard(hearing=hearing, calls=answer.calls, status=Status.ERROR, reading=None)
    reading = hearing.contract.read(last.text, finish_reason=last.finish_reason)
    status = Status.BLOCKED if last.status is Status.BLOCKED else reading.status
    last = replace(last, status=status, complaint=reading.complaint)
    repair = None
    if status is Status.UNPARSED and not hearing.repaired:
        repair = replace(
            hearing,
            prompt=repair_prompt(
                hearing.prompt, last.text or "", reading.complaint or "", hearing.lang
            ),
            attempt=last.attempt + 1,
            repaired=True,
        )
    return Heard(
        hearing=hearing,
        calls=(*answer.calls[:-1], last),
        status=status,
        reading=reading,
        repair=repair,
    )


async def hold(
    hearings: Iterable[Hearing],
    *,
    desk: Desk,
    keep: Keep,
    tally: Tally,
    begun: int,
    follow: Follow = lambda _: (),
) -> None:
    """Hold hearings: ask, read, commit by `keep`, and ask for a repair where one is due.

    `begun` is how many hearings there are, those that `follow` gives once one is committed
    included. Raises what `keep` raises.
    """

    async def handle(answer: Answer) -> Iterable[Asked]:
        heard = hear(answer)
        await keep(heard)
        if heard.repair is not None:
            return (heard.repair.ask(desk),)
        tally.count(heard.status, by=heard.calls[-1])
        return [following.ask(desk) for following in follow(heard)]

    before = tally.calls
    shift = await desk.work((h.ask(desk) for h in hearings), handle, tally)
    tally.close(shift, begun=begun, before=before)


def sample_of(specs: Sequence[Judged], most: int) -> list[Judged]:
    """At most about `most` items of each judge, evenly chosen, so that nobody is left out."""
    by_judge: dict[str, list[Judged]] = {}
    for spec in specs:
        by_judge.setdefault(spec.judge, []).append(spec)
    return [s for own in by_judge.values() for s in own[:: max(1, len(own) // most)]]


def forecast_cuts(
    stage: str, sample: Sequence[Hearing], *, pending: Mapping[str, int]
) -> tuple[Cuts, ...]:
    """How many prompts of each judge will be cut, from a sample scaled up to all that is pending.

    Judges of whom no prompt of the sample is cut are left out.
    """
    counted, cut, unfit = Counter[str](), Counter[str](), Counter[str]()
    for hearing in sample:
        counted[hearing.who] += 1
        cut[hearing.who] += hearing.prompt.cut
        unfit[hearing.who] += OVER_CONTEXT in hearing.prompt.flags
    return tuple(
        Cuts(
            stage=stage,
            who=who,
            prompts=math.ceil(pending[who] * cut[who] / counted[who]),
            of=pending[who],
            unfit=math.ceil(pending[who] * unfit[who] / counted[who]),
        )
        for who in counted
        if cut[who] or unfit[who]
    )


def forecast_hearings(
    stage: str,
    sample: Iterable[Hearing],
    *,
    pending: Mapping[str, int],
    usual_reply: Mapping[str, float],
    seconds_per_call: Mapping[str, float],
    prices: Mapping[str, Price | None],
    rates: Rates,
    concurrency: Mapping[str, int],
    seen: Collection[str] = (),
) -> tuple[ForecastLine, ...]:
    """Lines of a judging stage, from a sample of its prompts scaled up to all that is pending.

    `pending`: questions by endpoint; `usual_reply`: tokens of a reply by endpoint;
    `seen`: endpoints of which these are those of replies that there are.
    """
    expected: dict[str, Expected] = {}
    for hearing in sample:
        sums = expected.setdefault(hearing.who, Expected())
        sums.calls += 1
        sums.sessions += 1
        sums.tokens_in += estimate_prompt(hearing.prompt.messages)
        sums.tokens_out += usual_reply[hearing.who]
    for who, sums in expected.items():
        scale = pending[who] / sums.calls
        sums.calls = sums.sessions = pending[who]
        sums.tokens_in *= scale
        sums.tokens_out *= scale
    return forecast_lines(
        stage,
        expected,
        prices=prices,
        rates=rates,
        seconds_per_call=seconds_per_call,
        concurrency=concurrency,
        seen=seen,
    )
