"""The record by rounds: what each reply says, below what is true."""

from dataclasses import replace

import pytest

from arena.domain.call import Status
from arena.domain.telling import Section
from arena.site.facts import TranscriptFact
from arena.site.names import make_names
from arena.site.record import build_record
from arena.site.words import say_in
from tests.site.boards import edition_of
from tests.site.hostile import EVIL


@pytest.fixture
def table(make):
    def build(*replies, reference=None, sections=True):
        suite = make.suite()
        kept = (
            Section(section="present", name=make.words("Present <i>")),
            Section(section="past", name=make.words("Past")),
        )
        suite = replace(suite, sections=kept if sections else ())
        job = make.job(suite=suite)
        edition = edition_of(make.every_state(suite), job)
        scenario = suite.scenarios[0].model_copy(update={"reference": reference or {}})
        fact = TranscriptFact(
            agent="CON",
            scenario=scenario.scenario,
            replicate=1,
            rounds=tuple(("turn", reply) for reply in replies),
            status=Status.OK,
            broken=0,
            error="",
            sheets=(),
            absolute=None,
            cost=None,
            latencies=(),
        )
        return build_record(fact, scenario, suite, make_names(edition, say_in("en")))

    return build


def test_the_true_record_stands_first_and_empty_sections_show_as_a_dash(table):
    found = table(
        "Hello.\n【Present <i>】Cough.\n【Past】",
        "Bye.\nPast: none of note",
        reference={"present": ("cough", "fever"), "past": ()},
    )
    assert found.heads == ("Present <i>", "Past")
    assert [row.label for row in found.rows] == ["True record", "Round 1", "Round 2"]
    assert [str(c) for c in found.rows[0].cells] == ["cough\nfever", "—"]
    assert [str(c) for c in found.rows[1].cells] == ["Cough.", "—"]
    assert [str(c) for c in found.rows[2].cells] == ["—", "none of note"]


def test_a_reply_without_sections_says_so_instead_of_repeating_itself(table):
    (row,) = table("I only talk.").rows
    assert row.cells == ()
    assert "whole reply" in row.note


def test_a_round_without_a_reply_has_no_row(table):
    assert [row.label for row in table("Past: x", None).rows] == ["Round 1"]
    assert table(None) is None


def test_a_suite_without_sections_has_no_record(table):
    assert table("Past: x", sections=False) is None


def test_what_stands_in_a_record_is_text(table):
    found = table(f"Past: {EVIL}", reference={"past": (EVIL,)})
    for row in found.rows:
        for cell in row.cells:
            assert "<script" not in str(cell)
    assert "&lt;script" in str(found.rows[1].cells[1])
