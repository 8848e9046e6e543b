"""What calls of unknown cost held: kept beside them, and counted in the place of the cost."""

from decimal import Decimal

from arena.domain.call import Status


async def test_what_was_held_is_summed_and_what_held_nothing_is_counted(make, store):
    def call(n, cost, held, **more):
        key, serves = f"c-{n}", f"k-{n}"
        return make.call(key=key, serves=serves, cost=cost, held=held, currency="CNY", **more)

    await make.keep(
        store,
        call(1, Decimal("0.1"), None, run="r-1"),
        call(2, None, Decimal("0.5"), run="r-1"),
        call(3, None, Decimal("0.25"), status=Status.ERROR, run="r-2"),
        call(4, None, None, run="r-2"),
    )
    (line,) = store.summaries.spend()
    assert (line.cost, line.held) == (Decimal("0.1"), Decimal("0.75"))
    assert (line.unpriced, line.unheld) == (3, 1)
    (first,) = store.summaries.spend(run="r-1")
    assert (first.calls, first.cost, first.held) == (2, Decimal("0.1"), Decimal("0.5"))
