"""Imports made by hand, and written down: for tests of taking in."""

from arena.domain.call import Status
from arena.domain.imported import Import, ImportedVerdict, LeftOut
from arena.domain.job import Job
from arena.domain.money import Rates
from arena.stages.take_in.preparing import prepare
from arena.stages.take_in.take_in import look_over, take_in

AT = "2026-11-30T04:00:00Z"
MODE = "natural"


def verdict(first, second, suite, n=0, **more):
    facts = {
        "scenario": suite.scenarios[n].scenario,
        "mode": MODE,
        "judge": "umpire",
        "status": Status.OK,
        "winner": "first",
        "place": f"v:{n}",
    }
    return ImportedVerdict(first=first, second=second, **(facts | more))


def brought(suite, **parts):
    facts = {"format": "f", "source": "s", "content": "c", "suite": suite.suite}
    return Import(**(facts | parts))


def prepared(found, suite):
    return list(prepare(found, suite, LeftOut()))


def write(found, suite, store, *, makers=None, run="r", at=AT):
    with store.imports.whole():
        return take_in(look_over(found, suite), store=store, makers=makers or {}, run=run, at=at)


def held_job(suite, store, **more):
    (origin,) = store.imports.all()
    held = store.imports.held(origin, MODE)
    return Job(
        suite=suite,
        mode=MODE,
        agents=held.agents(),
        judges=held.judges(),
        replicates=1,
        guard="allow",
        seed=1,
        rates=Rates(currency="CNY", rates={}),
        run="r",
        held=held,
        **more,
    )


def rows(store):
    names = ("transcript", "sheet", "score", "verdict", "verdict_criterion", "imported", "origin")
    query = store._connection.execute
    return {name: query(f"from {name} order by all").fetchall() for name in names}
