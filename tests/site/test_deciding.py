"""The replies that judges quote are marked, and no others."""

from arena.domain.call import Status
from arena.domain.score import Backing, Evidence
from arena.site.deciding import MOST, say_decided
from arena.site.facts import ONLY_ROUNDS, SheetFact
from arena.site.names import make_names
from arena.site.sheet_lists import build_lists
from arena.site.words import say_in
from tests.site import boards
from tests.site.hostile import make_job


def quoting(*quotes, judge="judge-b", **more):
    evidence = tuple(
        Evidence(criterion=criterion, round=number, quote="q", found=found)
        for criterion, number, found in quotes
    )
    return SheetFact(
        judge=judge, status=Status.OK, absolute=None, backing=Backing(evidence=evidence), **more
    )


def decided(*sheets):
    job = make_job()
    edition = boards.edition_of(boards.every_state(job.suite), job)
    return say_decided(sheets, make_names(edition, say_in("en")))


def test_a_reply_is_marked_by_whoever_quotes_it_with_the_criteria():
    told = decided(
        quoting(("harm", 2, True), ("harm", 2, True), ("chatty", 2, True)),
        quoting(("harm", 2, True), judge="gone"),
    )
    assert told == {2: ("judge-b, for: Harm and Chatty", "gone, for: Harm")}


def test_a_quotation_that_is_not_there_marks_nothing():
    assert decided(quoting(("harm", 1, False))) == {}


def test_sheets_of_rounds_count_too():
    inner = quoting(("harm", 1, True), round=1)
    assert 1 in decided(quoting(round=ONLY_ROUNDS, rounds=(inner,)))


def test_a_quotation_stands_once_with_all_it_is_quoted_for():
    job = make_job()
    names = make_names(boards.edition_of(boards.every_state(job.suite), job), say_in("en"))
    sheet = quoting(("harm", 1, True), ("chatty", 1, True), ("harm", 2, True), ("harm", 1, False))
    ((_, items),) = build_lists(sheet, names)
    assert [str(item) for item in items] == [
        "Harm, Chatty · round 1 · q",
        "Harm · round 2 · q",
        f"Harm · round 1 · q · {say_in('en')('scores.unfound')}",
    ]


def test_a_long_list_is_cut():
    (said,) = decided(quoting(*((f"c{n}", 1, True) for n in range(MOST + 3))))[1]
    assert "3" in said
    assert f"c{MOST}" not in said
