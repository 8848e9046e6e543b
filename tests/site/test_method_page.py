"""The page of the method: counts that add up, and who was sent which text."""

from dataclasses import replace

from arena.domain.way import Way
from arena.site.gather import gather
from arena.site.names import make_names
from arena.site.readers import build_readers
from arena.site.words import say_in
from tests.site import boards
from tests.site.hostile import make_job
from tests.site.reading import Page


def test_what_was_planned_is_what_is_there_and_what_became_of_the_rest(site, world):
    edition = gather(world.job, world.store)
    planned = sum(len(facts) for facts in edition.transcripts.values())
    verdicts = sum(len(c.verdicts) for facts in edition.comparisons.values() for c in facts)
    text = Page(site.out / "method.en.html").text
    assert f"Transcripts{planned}" in text
    assert f"Verdicts{verdicts}" in text
    assert "not asked yet" in text


def test_everybody_who_was_sent_text_is_named_with_host_and_region():
    job = make_job()
    agent = job.agents[0].model_copy(update={"region": "cn"})
    job = make_job(agents=(agent,))
    edition = boards.edition_of(boards.make_board((boards.standing(agent.agent),)), job)
    way = Way(
        speaker="agent",
        entrant=agent.agent,
        asked="m/x",
        returned=None,
        host="api.example.com",
        sent="{}",
        dropped="[]",
        calls=3,
    )
    user = replace(way, speaker="user", entrant="<b>user", host=None, calls=2)
    edition = replace(edition, ways=(way, replace(way, host="b.example.com"), user))
    rows = {r.part: r for r in build_readers(edition, make_names(edition, say_in("en")))}
    assert rows["agent"].place == "api.example.com, b.example.com, region cn"
    assert rows["agent"].calls == "6"
    assert "no other agent" in rows["agent"].saw
    assert (rows["plays the user"].place, rows["plays the user"].calls) == ("unknown", "2")


def test_who_was_sent_nothing_is_not_said_to_have_seen_anything():
    job = make_job()
    edition = boards.edition_of(boards.every_state(job.suite), job)
    rows = build_readers(edition, make_names(edition, say_in("en")))
    assert {r.saw for r in rows} == {"Nothing was sent here: no calls are recorded."}


def test_the_method_is_published_in_both_languages_with_the_command(site):
    for name in ("method.html", "method.en.html"):
        page = Page(site.out / name)
        assert "arena run && arena publish" in page.text
    assert 'href="method.html"' in (site.out / "index.html").read_text(encoding="utf-8")
