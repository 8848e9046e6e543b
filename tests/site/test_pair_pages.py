"""Pairs: a way from the first page to every verdict and to what its judge was sent."""

import re
from dataclasses import replace

import pytest

from arena.site.names import make_names
from arena.site.pair_links import PairLinks
from arena.site.pair_page import PairPages
from arena.site.pair_places import HEAVIEST, MOST_TOGETHER, place_verdicts
from arena.site.slugs import slugs
from arena.site.words import say_in
from tests.site import boards
from tests.site.crowds import crowd
from tests.site.publishing import publish_editions
from tests.site.reading import Page, tree
from tests.site.walking import COMMAND, Walk

LIGHT = 300_000


def met(edition):
    """Every pair that somebody was to compare, by slugs."""
    known = slugs(a.id for a in (*edition.agents, *edition.decoys))
    return {
        ".".join(sorted((known[c.a], known[c.b])))
        for facts in edition.comparisons.values()
        for c in facts
    }


@pytest.mark.parametrize("index", ["index.html", "index.en.html"])
def test_every_pair_leads_from_the_first_page_to_what_its_judges_were_sent(site, crowded, index):
    suffix = index.removeprefix("index")
    for out in (site.out, crowded.out):
        walk = Walk(out, index)
        pairs = walk.pairs()
        pages = {p.name.removesuffix(suffix) for p in (out / "v").glob(f"*{suffix}")}
        firsts = {p for p in pages if p.count(".") == 1}
        assert {p.name.removesuffix(suffix) for p in pairs} == firsts
        for pair in pairs:
            places = list(walk.verdicts(pair))
            assert places, pair
            assert any(COMMAND.search(text) for _, _, text in places), pair


def test_the_pages_of_a_large_board_are_those_of_its_pairs(crowded):
    (edition,) = crowded.editions
    assert len(edition.agents) > MOST_TOGETHER
    pages = {p.name for p in (crowded.out / "v").iterdir()}
    assert pages == {f"{pair}{end}" for pair in met(edition) for end in (".html", ".en.html")}


def test_both_orders_their_reasons_and_both_transcripts_are_there(site, crowded):
    for out in (site.out, crowded.out):
        walk = Walk(out)
        for pair in walk.pairs()[:6]:
            for path, place, text in walk.verdicts(pair):
                if "<article" not in text and "comparison" not in text[:200]:
                    continue
                if path.parent.name == "v":
                    (scenario,) = {p for p, at in walk.links(path, "s") if f"{p.stem}" in place}
                else:
                    scenario = path
                ids = {a["id"] for _, a in walk.page(scenario).tags if "id" in a}
                assert {f"t-{slug}" for slug in pair.name.split(".")[:2]} <= ids, (pair, place)
                assert text.count('class="verdict ') % 2 == 0
                assert text.count('class="verdict ') >= 2


def test_a_scenario_of_eight_agents_is_a_light_page_whoever_judges(tmp_path):
    # One judge's verdicts stand with the transcripts, those of two on pages of their own.
    for judges, scenarios in ((1, 3), (2, 40)):
        made = publish_editions(tmp_path / str(judges), crowd(8, scenarios, judges=judges))
        assert place_verdicts(made.editions[0]).apart == (judges == 2)
        files = tree(made.out)
        heavy = {p: len(c) for p, c in files.items() if p[:2] in ("s/", "v/") and len(c) > LIGHT}
        assert heavy == {}
        assert len([p for p in files if p.startswith("s/")]) == 2 * scenarios


def test_a_pair_of_very_many_scenarios_has_several_pages_and_loses_none(tmp_path):
    edition = crowd(2, 130, judges=2)
    heavy = replace(
        edition, decoys=tuple(replace(edition.agents[0], id=f"d{n}") for n in range(12))
    )
    made = publish_editions(tmp_path / "site", heavy)
    names = sorted(p.name for p in (made.out / "v").glob("*.en.html"))
    assert names[0] == "agent-00.agent-01.2.en.html"
    assert len(names) >= 2
    ids = []
    for name in names:
        content = (made.out / "v" / name).read_bytes()
        assert len(content) <= LIGHT
        ids += re.findall(r'<h2 id="(s-[^"]*)"', content.decode())
    assert sorted(ids) == [f"s-s-{n:03}" for n in range(130)]
    first = Page(made.out / "v" / "agent-00.agent-01.en.html")
    assert {a["href"] for t, a in first.tags if t == "a"} >= {n for n in names if ".2." in n}


def test_what_decides_where_verdicts_stand_is_their_number_and_weight():
    assert not place_verdicts(crowd(MOST_TOGETHER, 1, one_in=20)).apart
    assert place_verdicts(crowd(MOST_TOGETHER + 1, 1, one_in=20)).apart
    small = crowd(3, 2)
    assert not place_verdicts(small).apart
    first = small.scenarios[0].scenario
    (fact, *others) = small.comparisons[first]
    long = replace(fact, verdicts=tuple(replace(v, reason="x" * HEAVIEST) for v in fact.verdicts))
    heavy = replace(small, comparisons={**small.comparisons, first: (long, *others)})
    places = place_verdicts(heavy)
    assert places.apart
    assert sum(len(part) for part in places.parts[fact.a, fact.b]) == 2


@pytest.fixture
def lead():
    def of(**changes):
        edition = crowd(2, 1)
        a, b = (agent.id for agent in edition.agents)
        board = boards.make_board(edition.board.agents, [boards.pair(a, b, **changes)])
        edition = replace(edition, board=board)
        names = make_names(edition, say_in("en"))
        links = PairLinks(
            places=place_verdicts(edition),
            names=names,
            at=lambda stem: f"{stem}.html",
            stems=slugs(s.scenario for s in edition.scenarios),
        )
        view = PairPages(edition, names, links).build((a, b), 1, None, {})
        return view.lead, {t.label: t.value for t in view.terms}

    return of


def test_what_is_said_of_a_pair_is_what_was_decided_over_all_pairs(lead):
    (said,), terms = lead(decision="b")
    assert said.startswith("Agent 1 is better")
    assert terms["Difference"] == "+80 (+10 … +150)"
    (alone,), _ = lead(decision=None)
    assert "this pair alone" in alone
    (unknown,), _ = lead(decision=None, low=-5.0)
    assert unknown == "No difference between the two has been shown."
    (never,), terms = lead(decision=None, n=0)
    assert "counts yet" in never
    assert terms == {}
