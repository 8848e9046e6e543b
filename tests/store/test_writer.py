"""The writer: committed before it returns, whole or not at all, in batches."""

import asyncio
import sys

import duckdb
import pytest

from arena.domain.call import Message, Status
from arena.errors import StoreError
from arena.store.rows import Rows
from arena.store.store import Store
from arena.store.writer import TURN, Writer

NEVER = 600.0
"""Seconds that no test waits."""


async def soon(awaitable):
    """The result, or a failure instead of a test that hangs."""
    return await asyncio.wait_for(awaitable, 30)


async def turns():
    for _ in range(20):
        await asyncio.sleep(0)


def count(store, table="call"):
    return store._connection.execute(f"select count(*) from {table}").fetchone()[0]


@pytest.fixture
def commits(monkeypatch):
    """Sizes of the batches that were committed."""
    sizes = []
    inner = Writer._commit

    def counted(self, batch):
        sizes.append(sum(len(rows) for rows in batch))
        inner(self, batch)

    monkeypatch.setattr(Writer, "_commit", counted)
    return sizes


async def test_another_connection_sees_what_was_added(make, store):
    async with store.writer(delay=0) as writer:
        await soon(writer.add(make.rows(make.call(), make.verdict())))
        other = store._connection.cursor()
        assert other.execute("select key from call").fetchall() == [("c-1",)]
        assert other.execute("select outcome from verdict").fetchall() == [("a",)]
        assert writer.committed == 3


async def test_add_does_not_return_before_the_commit(make, store):
    async with store.writer(delay=NEVER) as writer:
        adding = asyncio.create_task(writer.add(make.rows(make.call())))
        await turns()
        assert not adding.done()
        assert count(store) == 0
    await soon(adding)
    assert count(store) == 1


async def test_closing_commits_what_waits(make, store):
    async with store.writer(delay=NEVER) as writer:
        adding = [
            asyncio.create_task(writer.add(make.rows(make.call(key=f"c-{n}")))) for n in range(5)
        ]
        await turns()
    await soon(asyncio.gather(*adding))
    assert count(store) == 5


async def test_a_full_batch_does_not_wait(make, store, commits):
    async with store.writer(delay=NEVER, size=3) as writer:
        adding = [
            asyncio.create_task(writer.add(make.rows(make.call(key=f"c-{n}")))) for n in range(3)
        ]
        await soon(asyncio.gather(*adding))
        assert commits == [3]


async def test_adds_at_the_same_time_share_a_commit(make, store, commits):
    async with store.writer(delay=NEVER, size=40) as writer:
        await soon(
            asyncio.gather(*(writer.add(make.rows(make.call(key=f"c-{n}"))) for n in range(40)))
        )
    assert commits == [40]
    assert count(store) == 40


@pytest.mark.reported("R48")
async def test_every_add_of_many_is_committed_once(make, store):
    async with store.writer(delay=0, size=7) as writer:
        await soon(
            asyncio.gather(*(writer.add(make.rows(make.call(key=f"c-{n}"))) for n in range(200)))
        )
        assert writer.committed == count(store) == 200


@pytest.mark.reported("R45")
async def test_a_duplicate_is_stored_once_and_the_first_stays(make, store):
    async with store.writer(delay=0) as writer:
        await soon(writer.add(make.rows(make.call(text="first"))))
        await soon(writer.add(make.rows(make.call(text="second"), make.call(key="c-2"))))
    assert [(c.key, c.text) for c in store.calls.all(["k-1"])] == [
        ("c-1", "first"),
        ("c-2", "reply"),
    ]


async def test_duplicates_inside_one_batch_are_stored_once(make, store):
    async with store.writer(delay=NEVER, size=2) as writer:
        await soon(asyncio.gather(*(writer.add(make.rows(make.verdict())) for _ in range(2))))
    assert count(store, "verdict") == count(store, "verdict_criterion") == 1


async def test_the_stage_is_empty_after_a_commit(make, store):
    async with store.writer(delay=0) as writer:
        for n in range(3):
            await soon(writer.add(make.rows(make.call(key=f"c-{n}"))))
            held = writer._connection.execute("select count(*) from stage_call").fetchone()
            assert held == (0,)


BAD = {
    "a value no column takes": ("call", (("c-2", "too few columns"),)),
    "a status that is none": ("call", None),
    "half a surrogate pair": ("score", (("s", 1, "care", 1.0, "\ud83d"),)),
    "a text for a number": ("score", (("s", 1, "care", "warm", ""),)),
    "an object": ("score", (("s", 1, "care", object(), ""),)),
}


def bad_rows(make, what):
    table, rows = BAD[what]
    if rows is None:
        row = make.rows(make.call(key="c-2")).tables[0][1][0]
        rows = (tuple("odd" if v == "ok" else v for v in row),)
    good = make.rows(make.call(key="c-1"))
    return Rows((*good.tables, (table, rows)))


@pytest.mark.parametrize("what", list(BAD))
async def test_rows_that_belong_together_are_committed_together_or_not_at_all(make, store, what):
    with pytest.raises(StoreError):
        async with store.writer(delay=0) as writer:
            await soon(writer.add(bad_rows(make, what)))
    assert count(store) == count(store, "score") == 0


@pytest.mark.parametrize("what", list(BAD))
async def test_after_a_failed_commit_every_add_fails(make, store, what):
    writer = store.writer(delay=0)
    await writer.__aenter__()
    with pytest.raises(StoreError):
        await soon(writer.add(bad_rows(make, what)))
    for _ in range(2):
        with pytest.raises(StoreError):
            await soon(writer.add(make.rows(make.call(key="c-3"))))
    await soon(writer.__aexit__(None, None, None))
    assert count(store) == 0


async def test_what_was_committed_before_a_failure_is_kept(make, store):
    async with store.writer(delay=0) as writer:
        await soon(writer.add(make.rows(make.call(key="c-0"))))
        with pytest.raises(StoreError):
            await soon(writer.add(bad_rows(make, "a status that is none")))
    assert count(store) == 1


async def test_what_waits_while_a_commit_fails_fails_too(make, store, monkeypatch):
    def failing(self, batch):
        raise duckdb.IOException("IO Error: No space left on device")

    monkeypatch.setattr(Writer, "_commit", failing)
    async with store.writer(delay=0, size=1) as writer:
        added = [
            asyncio.create_task(writer.add(make.rows(make.call(key=f"c-{n}")))) for n in range(4)
        ]
        results = await soon(asyncio.gather(*added, return_exceptions=True))
    assert [type(r).__name__ for r in results] == ["StoreBroken"] * 4
    assert "disk is full" in str(results[0])


async def test_nothing_is_added_after_closing(make, store):
    async with store.writer() as writer:
        pass
    with pytest.raises(StoreError, match="closed"):
        await writer.add(make.rows(make.call()))


async def test_an_add_that_is_cancelled_harms_no_other(make, store):
    async with store.writer(delay=NEVER, size=2) as writer:
        gone = asyncio.create_task(writer.add(make.rows(make.call(key="c-1"))))
        await turns()
        gone.cancel()
        await soon(writer.add(make.rows(make.call(key="c-2"))))
    assert count(store) >= 1
    assert gone.cancelled()


async def test_the_store_can_be_read_between_commits(make, store):
    specs = [make.transcript_spec(f"S-{n}") for n in range(6)]
    async with store.writer(delay=0) as writer:
        for n, spec in enumerate(specs):
            assert len(store.transcripts.todo(specs)) == 6 - n
            await soon(writer.add(make.rows(make.transcript(spec))))
            assert len(store.transcripts.all(specs)) == n + 1


async def test_committed_rows_are_in_the_file_without_a_clean_close(make, database):
    spec = make.transcript_spec()
    store = Store(database)
    async with store.writer(delay=0) as writer:
        await soon(
            writer.add(
                make.rows(
                    make.transcript(spec, (Message("user", "您好"), Message("assistant", "a")))
                )
            )
        )
        log = database.with_name(database.name + ".wal").read_bytes()
    store.close()
    assert "您好".encode() in log
    with Store(database) as again:
        assert [t.messages[0].text for t in again.transcripts.all([spec])] == ["您好"]


async def test_a_second_run_adds_to_the_first(make, database):
    for n in range(2):
        with Store(database) as store:
            async with store.writer(delay=0) as writer:
                await soon(writer.add(make.rows(make.call(key=f"c-{n}", status=Status.ERROR))))
            store.checkpoint()
    with Store(database) as store:
        assert count(store) == 2


async def test_an_empty_writer_commits_nothing(store, commits):
    async with store.writer():
        await turns()
    assert commits == []


async def test_threads_take_short_turns_while_a_writer_is_open_and_the_usual_ones_after(store):
    usual = sys.getswitchinterval()
    async with store.writer():
        assert sys.getswitchinterval() == pytest.approx(TURN)
    assert sys.getswitchinterval() == pytest.approx(usual)
