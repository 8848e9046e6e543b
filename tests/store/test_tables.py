"""What is wanted and not there, and what is there: two halves of a plan, in its order."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.domain.call import Status
from arena.domain.verdict import Outcome
from arena.store.store import Store

UNREADABLE = [s for s in Status if s not in (Status.OK, Status.ERROR)]


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.booleans(), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_todo_and_all_are_two_halves_of_the_plan_in_its_order(make, there, random):
    import asyncio

    specs = [make.transcript_spec(f"S-{n}") for n in range(len(there))]
    random.shuffle(specs)
    done = [spec for spec, is_there in zip(specs, there, strict=True) if is_there]
    with Store(None) as store:
        asyncio.run(make.keep(store, *(make.transcript(s) for s in reversed(done))))
        assert [t.spec for t in store.transcripts.all(specs)] == done
        assert list(store.transcripts.todo(specs)) == [s.key for s in specs if s not in done]


async def test_rows_outside_the_plan_are_neither(make, store):
    await make.keep(store, make.transcript(make.transcript_spec("S-9")))
    assert store.transcripts.all([make.transcript_spec()]) == []
    assert store.transcripts.all([]) == []
    assert store.transcripts.todo([]) == {}


async def test_sheets_and_verdicts_keep_the_plan_s_order(make, store):
    sheets = [make.sheet_spec(f"t-{n}") for n in (3, 1, 2)]
    shown = [make.presentation(f"t-{n}") for n in (3, 1, 2)]
    await make.keep(store, *(make.sheet(s) for s in sheets[::-1]))
    await make.keep(store, *(make.verdict(p) for p in shown[::-1]))
    assert [s.spec for s in store.sheets.all(sheets)] == sheets
    assert [v.presentation for v in store.verdicts.all(shown)] == shown
    assert store.sheets.todo(sheets) == {}
    assert store.verdicts.todo(shown) == {}


def test_what_was_never_asked_is_to_do_and_not_settled(make, store):
    (tried,) = store.verdicts.todo([make.presentation()]).values()
    assert (tried.rounds, tried.attempts, tried.answered, tried.last) == ({}, {}, None, None)
    assert not tried.settled(retry_errors=False)
    assert tried.outcome is Status.ERROR


@pytest.mark.parametrize("status", UNREADABLE)
async def test_an_unreadable_answer_is_settled_unless_retries_are_asked_for(make, store, status):
    shown = make.presentation()
    verdict = make.verdict(shown, status=status, outcome=None, margin=None, criteria=())
    await make.keep(store, make.call(serves=shown.key, status=status), verdict)
    (tried,) = store.verdicts.todo([shown]).values()
    assert tried.answered is status
    assert tried.settled(retry_errors=False)
    assert not tried.settled(retry_errors=True)
    assert tried.outcome is status
    assert [v.status for v in store.verdicts.all([shown])] == [status]


async def test_an_unreadable_sheet_is_settled_in_the_same_way(make, store):
    spec = make.sheet_spec()
    await make.keep(store, make.sheet(spec, status=Status.UNPARSED, scores=()))
    (tried,) = store.sheets.todo([spec]).values()
    assert tried.settled(retry_errors=False)
    assert not tried.settled(retry_errors=True)


@pytest.mark.reported("R43")
async def test_a_failed_call_is_to_do_again(make, store):
    shown = make.presentation()
    await make.keep(store, make.call(serves=shown.key, status=Status.ERROR, text=None))
    (tried,) = store.verdicts.todo([shown]).values()
    assert not tried.settled(retry_errors=False)
    assert (tried.outcome, tried.last, tried.answered) == (Status.ERROR, Status.ERROR, None)
    assert tried.attempts == {0: 1}
    assert store.verdicts.all([shown]) == []


async def test_attempts_count_over_all_runs(make, store):
    shown = make.presentation()
    calls = [
        make.call(key=f"c-{n}", serves=shown.key, attempt=n, status=Status.ERROR, run=f"r-{n}")
        for n in (1, 2, 3)
    ]
    await make.keep(store, *calls)
    (tried,) = store.verdicts.todo([shown]).values()
    assert tried.attempts == {0: 3}
    assert tried.rounds[0].call == "c-3"


# The latest readable attempt counts; without one, the latest.
ATTEMPTS = [
    ([(1, "ok", "a")], (1, "a")),
    ([(1, "unparsed", None), (2, "ok", "b")], (2, "b")),
    ([(1, "ok", "a"), (2, "unparsed", None)], (1, "a")),
    ([(1, "ok", "a"), (2, "ok", "b")], (2, "b")),
    ([(1, "ok", "a"), (2, "ok", "b"), (3, "truncated", "a")], (2, "b")),
    ([(1, "unparsed", None), (2, "empty", None)], (2, None)),
    ([(2, "empty", None), (1, "refused", None)], (2, None)),
]


@pytest.mark.parametrize(("attempts", "expected"), ATTEMPTS)
async def test_the_latest_readable_verdict_counts(make, store, attempts, expected):
    shown = make.presentation()
    verdicts = [
        make.verdict(
            shown,
            attempt=n,
            status=Status(status),
            outcome=Outcome(outcome) if outcome else None,
            call=f"c-{n}",
        )
        for n, status, outcome in attempts
    ]
    await make.keep(store, *verdicts)
    (found,) = store.verdicts.all([shown])
    assert (found.attempt, found.outcome) == expected
    assert found == next(v for v in verdicts if v.attempt == expected[0])
    assert bool(store.verdicts.todo([shown])) == (found.status is not Status.OK)


@pytest.mark.parametrize(("attempts", "expected"), ATTEMPTS)
async def test_the_latest_readable_sheet_counts_with_its_own_scores(
    make, store, attempts, expected
):
    from arena.domain.score import Score

    spec = make.sheet_spec()
    sheets = [
        make.sheet(
            spec,
            attempt=n,
            status=Status(status),
            scores=(Score(criterion="care", value=float(n)),) if status == "ok" else (),
        )
        for n, status, _ in attempts
    ]
    await make.keep(store, *sheets)
    (found,) = store.sheets.all([spec])
    assert found == next(s for s in sheets if s.attempt == expected[0])


async def test_a_transcript_under_way_knows_its_rounds(make, store):
    spec = make.transcript_spec(rounds=3)
    common = {"serves": spec.key, "serves_kind": "transcript", "speaker": "agent"}
    await make.keep(
        store,
        make.call(key="c-1", round=1, text="one", **common),
        make.call(key="c-2", round=2, status=Status.ERROR, text=None, **common),
        make.call(key="c-3", round=2, attempt=2, status=Status.OK, text="two", **common),
        make.call(key="c-4", round=2, attempt=3, status=Status.ERROR, text=None, **common),
    )
    (tried,) = store.transcripts.todo([spec]).values()
    assert {n: (r.status, r.text) for n, r in tried.rounds.items()} == {
        1: (Status.OK, "one"),
        2: (Status.OK, "two"),
    }
    assert tried.attempts == {1: 1, 2: 3}
    assert tried.last is Status.OK


async def test_calls_come_in_the_order_of_keys_rounds_and_attempts(make, store):
    calls = [
        make.call(key="c-4", serves="k-2", round=1),
        make.call(key="c-3", serves="k-1", round=2),
        make.call(key="c-2", serves="k-1", round=1, attempt=2),
        make.call(key="c-1", serves="k-1", round=1, attempt=1),
    ]
    await make.keep(store, *calls)
    assert [c.key for c in store.calls.all(["k-2", "k-1"])] == ["c-4", "c-1", "c-2", "c-3"]
    assert store.calls.all(["nobody"]) == []


async def test_the_same_key_wanted_twice_comes_once(make, store):
    spec = make.sheet_spec()
    await make.keep(store, make.sheet(spec))
    assert len(store.sheets.all([spec, spec])) == 1
