"""The brief says what a committee needs, claims no more than the pages, and stays short."""

from dataclasses import replace

import pytest

from arena.domain.board import Board
from arena.site.brief_page import MOST_ROWS, build_brief
from arena.site.brief_worst import build_worst
from arena.site.gather import gather
from arena.site.index_page import build_index
from arena.site.lowest import MOST
from arena.site.names import make_names
from arena.site.release import Release
from arena.site.scope import say_scope
from arena.site.views import Frame, Link
from arena.site.withhold import hold_back
from arena.site.words import say_in
from arena.store.store import Store
from tests.site.boards import gated
from tests.site.reading import Page

FRAME = Frame(
    lang="en",
    title="t",
    other=Link(href="x", label="x"),
    other_lang="zh",
    trail=(),
    software="arena",
    date="d",
)


@pytest.fixture(scope="module")
def edition(world):
    return gather(world.job, world.store)


def brief_of(edition, lang="en"):
    say = say_in(lang)
    names = make_names(edition, say)
    index = build_index(
        edition,
        names,
        FRAME,
        pages={s.scenario: "p" for s in edition.scenarios},
        downloads=(),
        command="c",
    )
    return build_brief(edition, names, FRAME, index)


@pytest.mark.parametrize("name", ["brief.html", "brief.en.html"])
def test_the_limits_stand_on_the_first_of_two_pages(site, world, name):
    text = (site.out / name).read_text(encoding="utf-8")
    first, second = text.split('<div class="sheet">')[1:]
    say = say_in("en" if ".en." in name else "zh")
    for said in say_scope(world.job.suite, say):
        assert said in first
    for id in ("question", "eligible", "answer", "table"):
        assert f'id="{id}"' in first
    for id in ("worst", "untested", "cost", "sign"):
        assert f'id="{id}"' in second


def test_every_agent_is_in_the_group_that_the_gates_say(edition):
    view = brief_of(edition)
    told = {group.label.split(" ", 1)[1]: group.names for group in view.groups}
    assert set(told) == {
        "Eligible",
        "Awaiting human review",
        "Not eligible (unknown)",
        "Not eligible",
    }
    for state, names in told.items():
        expected = [s for s in edition.board.agents if s.eligibility]
        n = sum(say_in("en")(f"eligible.{s.eligibility.state.value}") == state for s in expected)
        assert len(names.replace(" and ", ", ").split(", ")) >= n


def test_nobody_is_called_eligible_where_no_gate_is_set(edition):
    board = replace(
        edition.board,
        gates=(),
        agents=tuple(replace(s, eligibility=None) for s in edition.board.agents),
    )
    view = brief_of(replace(edition, board=board))
    assert not view.gated
    assert view.groups == ()
    assert {row.eligible for row in view.rows} == {""}


def test_nobody_eligible_is_said(edition):
    failed = replace(edition.board.agents[0], eligibility=gated(0))
    board: Board = replace(edition.board, agents=(failed,))
    group = brief_of(replace(edition, board=board)).groups[0]
    assert (group.label, group.names) == ("✓ Eligible", "nobody")


def test_quotations_are_three_at_most_of_the_lowest_scores(edition):
    names = make_names(edition, say_in("en"))
    assert 0 < len(build_worst(edition, names)) <= MOST
    plain = replace(edition, board=None)
    quotes = build_worst(plain, names)
    assert len({q.where.split(", ")[1] for q in quotes}) == min(MOST, len(quotes)) > 1
    assert all(len(str(q.quote)) < 2000 for q in quotes)


def test_nothing_is_quoted_where_texts_are_held_back(edition):
    held = hold_back(edition, Release(transcripts="none"), say_in("en"))
    view = brief_of(held)
    assert view.quotes == ()
    assert "not published" in view.no_quotes


def test_what_is_missing_is_told_with_its_number(edition):
    said = "\n".join(brief_of(edition).untested)
    assert "are not counted" in said
    assert "too little data" in said
    assert (
        "has not been looked at by a person"
        in brief_of(
            replace(
                edition,
                board=replace(
                    edition.board,
                    flags=tuple(replace(f, human="unchecked") for f in edition.board.flags),
                ),
            )
        )
        .untested[-4:]
        .__str__()
    )


def test_a_long_table_is_cut_and_says_so(make, tmp_path):
    standings = [
        make.standing(f"agent-{n:02}", rating=1200.0 - n, rank_low=1, rank_high=30)
        for n in range(30)
    ]
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        store.boards.add(make.board(standings), run="r1")
        make.publish(tmp_path / "site", store, [job], lang="en")
    page = Page(tmp_path / "site" / "brief.html")
    assert page.text.count("agent-") >= MOST_ROWS
    assert "more agents, on the first page" in page.text


def test_a_brief_without_a_board_says_what_to_run(make, tmp_path):
    with Store(tmp_path / "a.duckdb") as store:
        make.publish(tmp_path / "site", store, [make.job()], lang="en")
    text = Page(tmp_path / "site" / "brief.html").text
    assert "arena rank" in text
    assert "There is nothing to quote." in text
