"""`run`: the stages in order. No logic of its own."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from arena.domain.forecast import Forecast
from arena.domain.job import Job
from arena.domain.tally import Tally
from arena.llm.desk import Desk
from arena.stages import bridge, collect, comment, compare, score
from arena.stages.rank.seeing import see
from arena.store.store import Store
from arena.store.writer import Writer

Stage = Callable[..., Awaitable[Tally]]

SPENDING: Mapping[str, Stage] = {
    "collect": collect.collect,
    "score": score.score,
    "compare": partial(compare.compare, see=see),
    "comment": comment.comment,
    "bridge": bridge.bridge,
}
"""The stages that ask models, in order, and what only `score --commentary` and `compare --bridge`
ask."""
FORECASTS: Mapping[str, Callable[..., Forecast]] = {
    "collect": collect.forecast,
    "score": score.forecast,
    "compare": compare.forecast,
    "comment": comment.forecast,
    "bridge": bridge.forecast,
}


def forecast(
    stages: tuple[str, ...], job: Job, *, store: Store, endpoints: Mapping[str, int]
) -> Forecast:
    """What some stages would ask, added up. `endpoints`: calls at once by endpoint."""
    total = Forecast()
    for stage in stages:
        total += FORECASTS[stage](
            job, store=store, endpoints=endpoints, collecting="collect" in stages
        )
    return total


async def run(
    stages: tuple[str, ...],
    job: Job,
    *,
    store: Store,
    writer: Writer,
    desk: Desk,
    tell: compare.Tell = lambda *_: None,
) -> list[Tally]:
    """Some of the spending stages, one after the other; ends early when told to stop or capped.

    `tell` shows what was seen at a look while comparing.
    """
    tallies = []
    for stage in stages:
        more = {"tell": tell} if stage == compare.STAGE else {}
        tally = await SPENDING[stage](job, store=store, writer=writer, desk=desk, **more)
        tallies.append(tally)
        store.checkpoint()
        if tally.stopped or tally.capped:
            break
    return tallies
