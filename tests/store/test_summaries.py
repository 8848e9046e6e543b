"""Sums over the tables: money by currency, what is unknown, how calls ended."""

from decimal import Decimal

import pytest

from arena.domain.agent import Agent, Judge
from arena.domain.call import Status
from arena.domain.simulated import SimulatedUser


async def test_money_is_summed_by_currency_and_the_unknown_is_counted(make, store):
    def paid(n, cost, currency, **more):
        return make.call(key=f"c-{n}", serves=f"k-{n}", cost=cost, currency=currency, **more)

    await make.keep(
        store,
        paid(1, Decimal("0.1"), "CNY", tokens_in=10, tokens_out=1),
        paid(2, Decimal("0.2"), "CNY", tokens_in=20, tokens_out=2),
        paid(3, Decimal("5"), "USD"),
        paid(4, None, "CNY"),
        paid(5, None, None, status=Status.ERROR),
    )
    found = {line.currency: line for line in store.summaries.spend()}
    assert (found["CNY"].cost, found["CNY"].unpriced, found["CNY"].calls) == (Decimal("0.3"), 1, 3)
    assert (found["CNY"].tokens_in, found["CNY"].tokens_out) == (30, 3)
    assert (found["USD"].cost, found["USD"].tokens_in) == (5, None)
    assert (found[None].cost, found[None].unpriced) == (None, 0)


async def test_usage_that_no_provider_told_is_no_observation(make, store):
    await make.keep(
        store,
        make.call(key="c-1", serves="k-1", tokens_out=None),
        make.call(key="c-2", serves="k-2", tokens_out=10, tokens_in=100, latency_ms=5),
        make.call(key="c-3", serves="k-3", tokens_out=30, tokens_in=300, latency_ms=15),
        make.call(key="c-4", serves="k-4", tokens_out=999, status=Status.TRUNCATED),
    )
    (seen,) = store.summaries.observed().values()
    # The means of 10 and 30, 100 and 300; the median of 5 and 15.
    assert (seen.calls, seen.tokens_out, seen.tokens_in, seen.latency_ms) == (2, 20, 200, 10)


async def test_only_readable_answers_are_counted_as_there(make, store):
    await make.keep(
        store,
        make.transcript(),
        make.sheet(),
        make.sheet(make.sheet_spec("t-9"), status=Status.UNPARSED, scores=()),
        make.verdict(),
        make.verdict(make.presentation(order="ba"), status=Status.EMPTY, outcome=None),
        make.call(),
    )
    assert store.summaries.counts() == {
        "transcripts": 1,
        "sheets": 1,
        "verdicts": 1,
        "calls": 1,
        "boards": 0,
    }


def test_an_entrant_is_noted_once_and_its_key_only_by_name(store):
    agent = Agent(agent="x", vendor="v", model="m", api_key_env="X_KEY", api_base="https://h/v1")
    judge = Judge(judge="x", vendor="v", model="m")
    for run in ("r-1", "r-2"):
        store.runs.add(run, command="arena run", version="1", seed=1, note="", started_at="t")
        store.runs.add_entrants((agent,), (judge,), run)
    rows = store._connection.execute(
        "select kind, entrant, first_run from entrant order by kind"
    ).fetchall()
    assert rows == [("agent", "x", "r-1"), ("judge", "x", "r-1")]
    user = SimulatedUser(user="patient", model="m", sampling={"seed": 7})
    for run in ("r-3", "r-4"):
        store.runs.add_entrants((agent,), (), run, users=(user,))
    assert store._connection.execute(
        "select entrant, entrant_digest, first_run from entrant where kind = 'user'"
    ).fetchall() == [("patient", user.digest(), "r-3")]
    ((text,),) = store._connection.execute(
        "select description from entrant where kind = 'agent'"
    ).fetchall()
    assert "X_KEY" in text


@pytest.mark.parametrize("note", ["", "您好 'quoted' \n two lines"])
def test_a_run_keeps_its_note(store, note):
    store.runs.add("r", command="arena run", version="1", seed=2**40, note=note, started_at="t")
    assert store._connection.execute("select note, seed from run").fetchall() == [(note, 2**40)]
