"""The page of an agent: its record, where it failed, and what it was shown."""

import re
from dataclasses import replace

import pytest

from arena.domain.way import Way
from arena.site.agent_meetings import MOST_OPPONENTS, build_opponents, gather_meetings
from arena.site.asked import build_asked
from arena.site.gather import gather
from arena.site.names import make_names
from arena.site.words import say_in
from tests.site import boards
from tests.site.hostile import EVIL, make_agents, make_job
from tests.site.reading import Page, pages


@pytest.fixture
def shown(site):
    return {p.name: page for p, page in pages(site.out) if p.parent.name == "a"}


def test_every_agent_has_a_page_in_both_languages_and_the_ranking_leads_to_it(site, shown):
    assert len(shown) == 12
    index = Page(site.out / "index.html")
    links = {a["href"] for t, a in index.tags if t == "a" and a["href"].startswith("a/")}
    assert links == {f"a/{name}" for name in shown if ".en." not in name}


def test_a_meeting_leads_to_the_verdicts_of_that_pair(site):
    cells = {
        a["href"]
        for path, page in pages(site.out)
        for t, a in page.tags
        if path.parent.name == "a" and t == "a" and "#c-" in a["href"]
    }
    assert len(cells) > 12
    for link in cells:
        file, _, place = link.partition("#")
        target = (site.out / "a" / file).resolve().read_text(encoding="utf-8")
        assert target.count(f'id="{place}"') == 1
        pair = re.search(rf'id="{re.escape(place)}" data-pair="([^"]*)"', target)[1]
        assert f"c-{':'.join(sorted(pair.split('|')))}" == place


def test_two_agents_tell_the_same_story_from_either_side():
    job = make_job()
    a, b = sorted(agent.agent for agent in job.agents[:2])
    board = boards.make_board(
        (boards.standing(a), boards.standing(b)), (boards.pair(a, b, "a", difference=80.0),)
    )
    edition = boards.edition_of(board, job)
    names = make_names(edition, say_in("en"))
    (over,) = build_opponents(a, edition, names, {})
    (under,) = build_opponents(b, edition, names, {})
    assert (over.share, under.share) == ("75%", "25%")
    assert (over.record, under.record) == ("4 W 1 T 1 L", "1 W 1 T 4 L")
    assert (over.difference, under.difference) == ("+80", "−80")
    assert (over.interval, under.interval) == ("+10 … +150", "−150 … −10")
    assert (over.decision, under.decision) == ("better", "worse")


def test_meetings_count_what_was_judged_and_nothing_else(world):
    edition = gather(world.job, world.store)
    meetings = gather_meetings(edition)
    judged = [f for fs in edition.comparisons.values() for f in fs if f.share is not None]
    counted = sum(len(shares) for agent in meetings.shares.values() for shares in agent.values())
    assert counted == 2 * len(judged)


def test_what_was_sent_and_dropped_is_told_and_the_prompt_only_by_digest():
    agent = make_agents()[0].model_copy(update={"system": "TOP SECRET", "version": "v7"})
    job = make_job(agents=(agent,))
    way = Way(
        speaker="agent",
        entrant=agent.agent,
        asked="m/x",
        returned=f"m-2 {EVIL[:30]}",
        host="api.example.com",
        sent='{"temperature": 0.2, "stop": ["a"]}',
        dropped='["seed"]',
        calls=3,
    )
    broken = replace(way, sent="no json", dropped="neither", returned=None, host=None)
    edition = boards.edition_of(boards.make_board((boards.standing(agent.agent),)), job)
    edition = replace(edition, ways=(way, broken))
    terms = {t.label: t for t in build_asked(edition, agent, make_names(edition, say_in("en")))}
    assert terms["Parameters sent"].value == 'stop = ["a"], temperature = 0.2; no json'
    assert terms["Parameters left out: the model does not take them"].value == "seed, neither"
    assert terms["Where"].value == "api.example.com, region unknown"
    assert terms["Version"].value == "v7"
    assert "10 characters" in terms["System prompt"].value
    assert "SECRET" not in repr(terms)


def test_calls_are_grouped_by_how_they_were_made(world):
    edition = gather(world.job, world.store)
    assert sum(w.calls for w in edition.ways) == sum(s.calls for s in edition.spend)
    assert {w.returned for w in edition.ways if w.speaker == "agent"} <= {"m-1", None}


def test_judge_only_notes_and_system_prompts_are_on_no_page(shown):
    for page in shown.values():
        assert "JUDGE-ONLY-NOTE" not in page.text
        assert "SYSTEM-PROMPT" not in page.text
        assert "HIDDEN-THOUGHT" not in page.text


def test_many_opponents_are_counted_and_not_drawn(make, tmp_path):
    agents = tuple(
        make_agents()[0].model_copy(update={"agent": f"agent-{n}", "name": None})
        for n in range(MOST_OPPONENTS + 2)
    )
    job = make_job(agents=agents)
    edition = boards.edition_of(
        boards.make_board(tuple(boards.standing(a.agent) for a in agents)), job
    )
    from arena.site.agent_page import build_agent
    from arena.site.ranking import build_ranking
    from tests.site.test_judges_page import FRAME

    names = make_names(edition, say_in("en"))
    fact, row = edition.agents[0], build_ranking(edition, names).rows[0]
    view = build_agent(
        edition,
        fact,
        row,
        names,
        FRAME,
        meetings=gather_meetings(edition),
        pages={},
        profiles={a.agent: f"{a.agent}.html" for a in agents},
    )
    assert view.heads == ()
    assert len(view.others) == MOST_OPPONENTS + 1


def test_a_page_tells_of_its_own_agent_whatever_the_order_of_the_ranking(site):
    import re

    index = (site.out / "index.en.html").read_text(encoding="utf-8")
    rows = re.findall(r'<tr id="a-([^"]+)".*?<b>([^<]+)</b>', index, re.DOTALL)
    ratings = {slug: text for slug, text in rows if text.startswith(("1100", "1010", "≥"))}
    assert len(ratings) == 3
    for slug, rating in ratings.items():
        page = (site.out / "a" / f"{slug}.en.html").read_text(encoding="utf-8")
        top = page[: page.index('<nav class="jump"')]
        assert f"<dd>{rating}" in top
