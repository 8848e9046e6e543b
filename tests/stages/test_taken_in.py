"""What others made is ranked apart, and joins our own plan only where it was shown the same."""

from dataclasses import replace

import pytest

from arena.domain.call import Message
from arena.domain.imported import (
    Maker,
)
from arena.stages.rank.rank import rank
from arena.stages.status import status
from arena.store.store import Store
from tests.stages.taking import AT, MODE, brought, held_job, prepared, verdict, write


def test_imported_verdicts_make_a_board_of_their_own(suite, said):
    pairs = [("a", "b"), ("b", "a")]
    verdicts = [
        verdict(first, second, suite, n, winner="first" if first == "a" else "second")
        for n in range(12)
        for first, second in pairs
    ]
    # Only one order of the thirteenth: half a pair is no comparison.
    verdicts.append(verdict("a", "b", suite, 12))
    with Store(None) as store:
        write(brought(suite, verdicts=tuple(verdicts)), suite, store)
        job = held_job(suite, store)
        board = rank(job, store=store, software="s", at=AT)
        assert board.comparisons == 12
        assert board.panel == ("umpire",)
        assert board.imported.source == "s"
        assert board.diagnostics.rows.read == 26
        assert sum(board.diagnostics.rows.excluded.values()) == 2
        assert {s.agent: s.share for s in board.agents} == {"a": 1.0, "b": 0.0}
        own = {"suite": suite.suite, "mode": MODE}
        assert store.boards.latest(**own) is None
        assert store.boards.latest(**own, origin=job.origin) == board
        seen = status(job, store=store)
        assert (seen.next_stage, seen.ranked) == ("publish", True)
        assert seen.imported == board.imported


def test_one_order_is_enough_where_judges_see_but_one(suite):
    found = brought(suite, verdicts=(verdict("a", "b", suite),), orders="one")
    with Store(None) as store:
        write(found, suite, store)
        assert rank(held_job(suite, store), store=store, software="s", at=AT).comparisons == 1


def test_scores_of_an_import_are_those_of_its_board(suite, said, sheet):
    ones = [said("a", n) for n in range(6)]
    found = brought(suite, transcripts=tuple(ones), sheets=tuple(sheet(o) for o in ones))
    with Store(None) as store:
        write(found, suite, store)
        board = rank(held_job(suite, store), store=store, software="s", at=AT)
    (agent,) = board.agents
    assert agent.absolute.mean == pytest.approx(50)
    assert agent.absolute.scenarios == 6
    assert agent.rating is None


def test_makers_are_what_somebody_said_and_change_no_key(suite, said):
    found = brought(suite, transcripts=(said("a"), said("b")))
    with Store(None) as store:
        write(found, suite, store)
        known = {"a": Maker(vendor="v", family="f"), "elsewhere": Maker(vendor="w")}
        assert write(found, suite, store, makers=known, at="2026-12-01").new == 0
        (origin,) = store.imports.all()
        assert dict(origin.makers) == {"a": known["a"]}
        assert [a.vendor for a in store.imports.held(origin, MODE).agents()] == ["v", "unknown"]
        keys = {t.key for t in store.imports.held(origin, MODE).transcripts}
        assert keys == {item.key for item in prepared(found, suite)}


def test_guests_join_our_plan_only_where_they_were_shown_the_same(suite, said):
    other = replace(said("a", 1), messages=(Message("user", "Hm?"), Message("assistant", "Yes.")))
    found = brought(suite, transcripts=(said("a"), other))
    with Store(None) as store:
        write(found, suite, store)
        (origin,) = store.imports.all()
        guests = store.imports.held(origin, MODE).transcripts
        job = replace(held_job(suite, store), held=None, guests=guests)
        assert [t.scenario for t in job.transcripts()] == [suite.scenarios[0].scenario]
        assert store.transcripts.todo(job.transcripts()) == {}
