"""What others made comes in once, marked, and never counts for more than it says."""

from dataclasses import replace

import duckdb
import pytest

from arena.domain.call import Status
from arena.domain.imported import (
    ImportedCriterion,
)
from arena.domain.verdict import Outcome
from arena.errors import StoreError
from arena.stages.take_in import take_in as stage
from arena.stages.take_in.take_in import look_through
from arena.store.store import Store
from tests.stages.taking import AT, brought, prepared, rows, verdict, write


def test_the_same_import_twice_adds_nothing_and_keeps_what_is_there(suite, said, sheet):
    one = said("b", raw="as it stood")
    found = brought(
        suite,
        transcripts=(one, said("a")),
        sheets=(sheet(one),),
        verdicts=(verdict("b", "a", suite), verdict("a", "b", suite)),
    )
    with Store(None) as store:
        first = write(found, suite, store)
        before = rows(store)
        again = write(found, suite, store, run="later")
        assert rows(store) == before
        assert first.new == 5
        assert again.new == 0
        assert again.present == again.ready == first.ready
        key = prepared(found, suite)[0].key
        original = store.imports.originals("transcript", [key])[key]
        assert (original.place, original.raw) == ("f:1", "as it stood")
        # Nothing was asked, so nothing was spent.
        assert store.summaries.spend() == []


def test_an_import_that_breaks_off_leaves_nothing_behind(suite, said, monkeypatch):
    found = brought(suite, transcripts=tuple(said("a", n) for n in range(6)))
    monkeypatch.setattr(stage, "AT_ONCE", 2)
    with Store(None) as store, Store(None) as other:
        write(brought(suite, transcripts=(said("z"),), content="before"), suite, store)
        before = rows(store)
        whole, done = store.imports.append, 0

        def append(some):
            nonlocal done
            done += 1
            if done > 2:
                raise duckdb.IOException("No space left on device")
            whole(some)

        with monkeypatch.context() as broken:
            broken.setattr(store.imports, "append", append)
            with pytest.raises(StoreError, match="full"):
                write(found, suite, store)
        assert done == 3
        assert rows(store) == before
        assert look_through(found, suite, store).new == 6
        assert write(found, suite, store).new == 6
        write(brought(suite, transcripts=(said("z"),), content="before"), suite, other)
        write(found, suite, other)
        assert rows(store) == rows(other)


def test_other_content_is_another_import(suite, said):
    found = brought(suite, transcripts=(said("a"),))
    changed = replace(found, content="d")
    assert found.origin != changed.origin
    with Store(None) as store:
        write(found, suite, store)
        assert write(changed, suite, store).new == 1
        assert [o.counts["transcript"] for o in store.imports.all()] == [1, 1]


def test_a_later_import_replaces_one_of_the_same_name_only_with_everybody_in_it(suite, said):
    older = brought(suite, transcripts=(said("a"),))
    newer = replace(older, content="d", transcripts=(said("a"), said("b")))
    other = replace(older, content="e", transcripts=(said("c"),))
    elsewhere = replace(older, content="f", source="t")
    with Store(None) as store:
        for n, found in enumerate((older, newer, other, elsewhere)):
            write(found, suite, store, at=f"2026-12-0{n + 1}")
        one, two, three, four = store.imports.all()
    assert two.agents == ("a", "b")
    assert two.replaces(one)
    assert not one.replaces(two)
    assert not three.replaces(one)
    assert not four.replaces(one)


def test_what_cannot_be_ours_is_left_out_with_its_first_place(suite, said, sheet):
    stranger = replace(said("a"), scenario="nowhere", place="f:9")
    found = brought(
        suite,
        transcripts=(
            said("a"),
            said("a", place="f:2"),
            said("", place="f:3"),
            said("x\x1b[31m", place="f:4"),
            said("x\ud800", place="f:4"),
            said("x" * 201, place="f:4"),
            stranger,
            replace(stranger, place="f:10"),
            said("b", mode="nightly", place="f:5"),
            replace(said("c", place="f:6"), messages=()),
            said("d", reply="<think>only</think>", place="f:7"),
        ),
        sheets=(sheet(said("z", place="f:8")),),
        verdicts=(verdict("a", "a", suite),),
    )
    seen = look_through(found, suite)
    assert seen.ready == {"transcript": 1, "sheet": 0, "verdict": 0}
    assert seen.left_out.to_json() == {
        "bad_name": {"n": 4, "first": "f:3"},
        "empty_reply": {"n": 1, "first": "f:7"},
        "no_dialogue": {"n": 1, "first": "f:6"},
        "no_transcript": {"n": 1, "first": "f:8"},
        "repeated": {"n": 1, "first": "f:2"},
        "self_pair": {"n": 1, "first": "v:0"},
        "unknown_mode": {"n": 1, "first": "f:5"},
        "unknown_scenario": {"n": 2, "first": "f:9"},
    }


@pytest.mark.parametrize(
    ("at", "kept"),
    [(AT, True), ("2025-05-08", True), ("2025-05-08 10:26:40.123", True), ("\x00\ud800", False),
     ("yesterday", False)],
)  # fmt: skip
def test_a_time_of_another_form_is_unknown(suite, said, sheet, at, kept):
    one = said("a", at=at)
    found = brought(
        suite,
        transcripts=(one,),
        sheets=(replace(sheet(one), at=at),),
        verdicts=(verdict("a", "b", suite, at=at),),
    )
    with Store(None) as store:
        write(found, suite, store)
        items = prepared(found, suite)
    told = {items[0].transcript.at, items[1].sheet.at, items[2].verdict.at}
    assert told == {at if kept else ""}


def test_thinking_is_left_out_of_what_judges_read(suite, said):
    (taken,) = prepared(
        brought(suite, transcripts=(said("a", reply="<think>hm</think>Yes."),)), suite
    )
    assert {m.text for m in taken.transcript.messages if m.role == "assistant"} == {"Yes."}


def test_a_sheet_counts_whole_and_within_its_scale_or_not_at_all(suite, said, sheet):
    one = said("a")
    scenario = suite.scenarios[0]
    counted = next(c for c in suite.rubric_of(scenario).criteria_for(scenario) if c.counts)
    top = suite.rubric_of(scenario).scale_of(counted)[1]
    cases = {
        "whole": (sheet(one), Status.OK, ()),
        "strange": (sheet(one, unheard_of=3), Status.OK, ("unknown_criteria:1",)),
        "missing": (
            sheet(one, **{counted.criterion: None}),
            Status.UNPARSED,
            ("missing_criteria",),
        ),
        "above": (
            sheet(one, **{counted.criterion: top + 1}),
            Status.UNPARSED,
            ("out_of_scale",),
        ),
        "endless": (
            sheet(one, **{counted.criterion: float("nan")}),
            Status.UNPARSED,
            ("out_of_scale",),
        ),
    }
    for name, (given, ended, flags) in cases.items():
        taken = prepared(brought(suite, transcripts=(one,), sheets=(given,)), suite)[1]
        assert (taken.sheet.status, taken.sheet.flags) == (ended, flags), name
        assert bool(taken.sheet.scores) == (ended is Status.OK), name


@pytest.mark.parametrize(
    ("first", "second", "winner", "order", "outcome"),
    [
        ("a", "b", "first", "ab", Outcome.A),
        ("b", "a", "first", "ba", Outcome.B),
        ("b", "a", "second", "ba", Outcome.A),
        ("b", "a", "tie", "ba", Outcome.TIE),
        ("a", "b", None, "ab", None),
    ],
)
def test_a_verdict_is_told_of_a_and_b_however_it_was_shown(
    suite, first, second, winner, order, outcome
):
    scenario = suite.scenarios[0]
    asked = suite.rubric_of(scenario).compare_criteria()[0].criterion
    one = verdict(
        first,
        second,
        suite,
        winner=winner,
        criteria=(
            ImportedCriterion(criterion=asked, side="first", strength=2),
            ImportedCriterion(criterion="unheard_of", side="first", strength=2),
        ),
    )
    (taken,) = prepared(brought(suite, verdicts=(one,)), suite)
    made = taken.verdict
    assert (made.presentation.order, made.outcome) == (order, outcome)
    assert made.status is (Status.UNPARSED if winner is None else Status.OK)
    assert [c.criterion for c in made.criteria] == [asked]
    assert made.criteria[0].side is (Outcome.A if first == "a" else Outcome.B)


def test_an_unordered_verdict_has_no_order(suite):
    (taken,) = prepared(brought(suite, verdicts=(verdict("b", "a", suite, ordered=False),)), suite)
    assert taken.verdict.presentation.order is None
    assert taken.verdict.outcome is Outcome.B
