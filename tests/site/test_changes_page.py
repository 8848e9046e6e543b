"""The page of changes since a former board."""

import json

import pytest

from arena.domain.changes import Shift
from arena.site.changes_claim import say_beside, say_claim
from arena.site.words import say_in
from tests.site.changing import change, changes_of
from tests.site.hostile import EVIL_NAMES, make_job
from tests.site.reading import OURS, Page

NAMES = {"zh": "changes.html", "en": "changes.en.html"}


@pytest.fixture(scope="module")
def both(site):
    return {lang: Page(site.out / name) for lang, name in NAMES.items()}


def test_the_page_is_there_in_both_languages_and_linked_twice_from_the_first(site, both):
    for name in NAMES.values():
        first = Page(site.out / name.replace("changes", "index"))
        assert [a.get("href") for tag, a in first.tags if tag == "a"].count(name) == 2
    for page in both.values():
        assert {tag for tag, _ in page.tags} <= OURS
        assert not [a for _, a in page.tags if "style" in a]


def test_every_change_says_what_is_known_and_never_more(both):
    text = both["en"].text
    assert (
        "../../x en rose by more than chance explains; CON en fell by more than chance explains."
        in text
    )
    assert "interval not known: this store does not hold all answers of both boards" in text
    assert "not comparable: other models gave the scores" in text
    assert "the others are measured by it" in text
    assert "1–3 →\u00a02" in text
    assert "+60" in text
    assert "+20 … +101: rose" in text
    assert "−60 … −6: fell" in text
    assert "−5 … +29: may be chance" in text
    assert "0.010 →\u00a00.025\u00a0CNY" in text
    assert "✕\u00a0Not\u00a0eligible →\u00a0✓\u00a0Eligible" in text
    assert "≥ 1205" in text
    assert "New agents" in text
    assert "Agents that are gone" in text
    assert "两榜都有的智能体" in both["zh"].text


def test_nothing_from_a_file_becomes_markup_or_stays_hidden(both):
    for page in both.values():
        assert ("script", {}) in page.tags
        assert [a for tag, a in page.tags if tag == "script"] == [{}]
        assert "<script>alert(1)</script>" in page.text
        assert "\u202e" not in page.text
        assert "U+202E" in page.text


def test_the_data_say_the_same(site):
    document = json.loads((site.out / "data/changes.json").read_text("utf-8"))
    assert document["schema"] == "arena.changes/1"
    found = {a["agent"]: a for a in document["agents"]}
    assert found[EVIL_NAMES[0]]["rating"]["low"] == 20.2
    assert found[EVIL_NAMES[0]]["cost"]["then"] == {"amount": "0.01", "currency": "CNY"}
    assert found[EVIL_NAMES[1]]["cost"] == {"then": None, "now": None}
    assert found[EVIL_NAMES[3]]["then"] is None


def test_without_a_former_board_there_is_no_page_and_no_link(make, world, tmp_path):
    done = make.publish(tmp_path / "site", world.store, [world.job])
    assert done.boards[0].changes is None
    assert not list((tmp_path / "site").glob("changes*"))
    assert not (tmp_path / "site/data/changes.json").exists()
    assert "changes.html" not in (tmp_path / "site/index.html").read_text("utf-8")


def claim(*agents, **more):
    found = changes_of(make_job(), agents, **more)
    say = say_in("en")
    return say_claim(found, say, str), say_beside(found, say, str)


def test_a_claim_needs_more_than_an_interval_that_leaves_out_zero():
    alone = Shift(difference=50.0, low=1.0, high=99.0)
    assert claim(change("a", rating=alone))[0] == "No rating changed by more than chance explains."
    still = Shift(difference=50.0, low=-1.0, high=101.0)
    assert claim(change("a", rating=still))[0] == "No rating changed by more than chance explains."
    unknown = Shift(difference=500.0, why="not_here")
    assert (
        claim(change("a", rating=unknown))[0] == "Whether any rating really changed is not known."
    )
    same = Shift(difference=0.0, same=True)
    assert claim(change("a", rating=same))[0].startswith("Nothing changed")
    fell = Shift(difference=-50.0, low=-90.0, high=-10.0, moved=True)
    assert claim(change("a", rating=fell), change("b", rating=still)) == (
        "a fell by more than chance explains.",
        ("No change can be told from chance for b.",),
    )
