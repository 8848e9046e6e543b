"""What is around every page, and what only judges are told."""

import re
from dataclasses import replace

import pytest

from arena.site import Release
from tests.site.crowds import crowd
from tests.site.publishing import publish_editions
from tests.site.reading import Page, pages


def of(page, tag):
    return [a for t, a in page.tags if t == tag]


def trail(path):
    text = path.read_text(encoding="utf-8")
    (crumbs,) = re.findall(r'<nav class="crumbs".*?</nav>', text, re.DOTALL)
    assert crumbs.count('aria-current="page"') == 1
    return re.findall(r'href="([^"]*)"', crumbs)


def test_every_page_has_the_same_header_and_footer_and_its_other_language(site, crowded, front):
    for out in (site.out, crowded.out / "s", front.out):
        for path, page in pages(out):
            assert [len(of(page, tag)) for tag in ("h1", "main", "footer")] == [1, 1, 1], path
            (kept,) = [a for a in of(page, "a") if "data-keep" in a]
            other = (path.parent / kept["href"]).resolve()
            english = path.name.endswith(".en.html")
            stem = path.name.removesuffix(".en.html" if english else ".html")
            assert other.name == stem + (".html" if english else ".en.html")
            assert kept["hreflang"] == Page(other).tags[0][1]["lang"]
            alternate = [a for a in of(page, "link") if a.get("rel") == "alternate"]
            assert [a["href"] for a in alternate] == [kept["href"]]


def test_the_way_to_every_page_begins_at_the_first_in_its_own_language(site, front):
    for path, _ in pages(site.out):
        index = "index.en.html" if path.name.endswith(".en.html") else "index.html"
        up = {"s": "../", "a": "../", "v": "../"}.get(path.parent.name, "")
        links = trail(path)
        if path.name == index:
            assert links == []
        elif path.parent.name == "v":
            assert links[0] == up + index
            assert links[1].startswith("../a/")
        else:
            assert links == [up + index]
    for path, _ in pages(front.out):
        links = trail(path)
        depth = len(path.relative_to(front.out).parts) - 1
        if depth:
            assert (path.parent / links[0]).resolve().parent == front.out
        else:
            assert links == []


def test_every_turn_of_every_transcript_can_be_cited(site):
    for path, page in pages(site.out):
        if path.parent.name != "s":
            continue
        turns = [a for a in of(page, "div") if "turn" in (a.get("class") or "").split()]
        named = [a for a in turns if "failed" not in a["class"]]
        assert named
        ids = [a["id"] for a in named]
        assert len(set(ids)) == len(ids)
        links = {a.get("href") for a in of(page, "a")}
        assert {f"#{id}" for id in ids} <= links


@pytest.mark.parametrize("shown", [True, False])
def test_what_only_judges_are_told_is_published_only_where_that_is_asked_for(tmp_path, shown):
    made = publish_editions(tmp_path / "site", crowd(2, 1), release=Release(notes=shown))
    for path, page in pages(made.out):
        there = "JUDGE-ONLY-NOTE" in page.text
        assert there == (shown and path.parent.name == "s"), path
    text = (made.out / "s" / "s-000.en.html").read_text(encoding="utf-8")
    assert ("Notes for judges are not published" in text) != shown


def test_notes_cannot_be_markup(tmp_path, make):
    edition = crowd(2, 1)
    (scene,) = edition.scenarios
    evil = scene.model_copy(update={"notes": {"natural": make.evil}, "failure_mode": make.evil})
    made = publish_editions(
        tmp_path / "site", replace(edition, scenarios=(evil,)), release=Release(notes=True)
    )
    text = (made.out / "s" / "s-000.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert text.count("&lt;script&gt;alert(1)") == 2
    assert "U+202E" in text
