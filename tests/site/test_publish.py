import csv
import hashlib
import io
import itertools
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from arena.domain.board import to_json
from arena.domain.standing import State
from arena.domain.suite import Archetype
from arena.site.assets import source_hash
from arena.site.gather import gather
from arena.site.words import say_in
from arena.store.store import Store
from tests.site import boards
from tests.site.reading import OURS, Page, pages, tree
from tests.site.states import LEFT


def test_the_same_input_gives_the_same_bytes(world, site, make, tmp_path):
    make.publish(tmp_path / "again", world.store, [world.job], changes=world.changes)
    assert tree(tmp_path / "again") == tree(site.out)
    before = tree(tmp_path / "again")
    make.publish(tmp_path / "again", world.store, [world.job], changes=world.changes)
    assert tree(tmp_path / "again") == before
    assert [p.name for p in tmp_path.iterdir()] == ["again"]


def test_what_was_published_is_told(site):
    files = tree(site.out)
    assert site.published.index == site.out / "index.html"
    assert site.published.files == len(files)
    assert site.published.bytes == sum(map(len, files.values()))
    assert [(b.suite, b.mode, b.ranked) for b in site.published.boards] == [
        ("tiny", "natural", True)
    ]
    assert site.published.warnings == ()


def test_both_languages_stand_beside_each_other(site, world, make, tmp_path):
    names = {p.name for p in site.out.rglob("*.html")}
    assert {"index.html", "index.en.html"} <= names
    assert len(names) % 2 == 0
    assert Page(site.out / "index.html").tags[0] == ("html", {"lang": "zh-Hans"})
    assert Page(site.out / "index.en.html").tags[0] == ("html", {"lang": "en"})
    make.publish(tmp_path / "en", world.store, [world.job], lang="en")
    assert Page(tmp_path / "en" / "index.html").tags[0] == ("html", {"lang": "en"})
    assert Page(tmp_path / "en" / "index.zh.html").tags[0] == ("html", {"lang": "zh-Hans"})


@pytest.mark.reported("R61")
def test_hostile_text_makes_no_element_and_no_attribute(site):
    for path, page in pages(site.out):
        assert {tag for tag, _ in page.tags} <= OURS, path
        for tag, attrs in page.tags:
            assert not [a for a in attrs if a == "style" or a.startswith("on")], (path, tag)
            assert "javascript:" not in (attrs.get("href") or "")
        assert sum(tag == "script" for tag, _ in page.tags) == 1
        assert sum(tag == "style" for tag, _ in page.tags) == 1
        raw = path.read_text(encoding="utf-8")
        assert not re.search("[\u202e\u200b\x00\x1b]", raw), path


def test_hostile_text_is_there_to_read(site, make):
    text = Page(next(site.out.glob("s/com1-*.html"))).text
    for part in ("<script>alert(1)</script>", "{{ 7*7 }}", "U+202E", "U+200B", "w" * 160):
        assert part in text


@pytest.mark.reported("R61")
def test_the_policy_allows_this_page_alone_and_no_network(site):
    for path, page in pages(site.out):
        policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
        assert policy == "; ".join(
            [
                "default-src 'none'",
                f"style-src '{source_hash(page.inline['style'][0])}'",
                f"script-src '{source_hash(page.inline['script'][0])}'",
                "img-src 'self' data:",
                "base-uri 'none'",
                "form-action 'none'",
            ]
        ), path


@pytest.mark.reported("R60")
def test_every_link_is_relative_and_resolves(site):
    for path, page in pages(site.out):
        for tag, attrs in page.tags:
            for name in ("href", "src"):
                link = attrs.get(name)
                if link is None or link == "data:,":
                    continue
                assert not re.match(r"[a-z]+:|//", link), (path, tag, link)
                file, _, place = link.partition("#")
                target = (path.parent / file).resolve() if file else path
                assert target.is_file(), (path, link)
                if place:
                    assert f'id="{place}"' in target.read_text(encoding="utf-8"), (path, link)


@pytest.mark.reported("R60")
def test_file_names_are_safe_everywhere_and_no_two_differ_in_case_alone(site):
    names = [p.relative_to(site.out).as_posix() for p in site.out.rglob("*") if p.is_file()]
    assert len({n.lower() for n in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"(?:[a-z0-9_-]+/)*\.?[a-z0-9_.-]+", name), name


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_every_state_has_its_own_look_and_sentence(site, name):
    page = Page(site.out / name)
    states = [a["data-state"] for t, a in page.tags if "data-state" in a]
    assert set(states) == {s.value for s in State}
    text = (site.out / name).read_text(encoding="utf-8")
    key = re.search(r'<p class="key marks">.*?</p>', text, re.DOTALL)[0]
    sentences = re.findall(r"</span> ([^<]+)</span>", key)
    assert len(set(sentences)) == len(sentences) >= 6
    assert "≥ 1205" in page.text
    kinds = {a.get("class") for t, a in page.tags if t == "svg"}
    assert {"whisker ranked", "whisker provisional", "whisker unbounded", "axis"} <= kinds


def test_what_is_unknown_is_said_and_never_zero(site):
    text = (site.out / "index.en.html").read_text(encoding="utf-8")
    row = re.search(r'<tr id="a-con-[^"]*".*?</tr>', text, re.DOTALL)[0]
    unknown = r'<td class="(?:more )?money" data-label="[^"]*" data-value="">unknown</td>'
    assert len(re.findall(unknown, row)) == 2


def test_thinking_notes_and_system_prompts_are_not_published(site):
    for path, content in tree(site.out).items():
        for hidden in (b"HIDDEN-THOUGHT", b"JUDGE-ONLY-NOTE", b"SYSTEM-PROMPT"):
            assert hidden not in content, path


def test_an_incomplete_transcript_says_where_it_broke_and_is_no_loss(site):
    every = "".join(page.text for _, page in pages(site.out))
    assert "HTTP 529" in every
    assert "not counted, and not a loss" in every
    assert "not asked yet" in every


def test_every_way_a_verdict_can_end_is_shown_with_the_reply(site):
    every = "".join(page.text for path, page in pages(site.out) if path.name.endswith(".en.html"))
    for status in ("unreadable", "cut off", "empty reply", "refused", "blocked", "call failed"):
        assert status in every, status
    for said in ("Flipped on swap, counts as a tie", "may address the judge", "seems to choose"):
        assert said in every, said


def test_blind_codes_are_names(site):
    for path, page in pages(site.out):
        if path.parent.name == "s":
            assert "A0493" not in page.text, path


def test_downloads_hold_the_board_and_hold_together(site, world):
    document = json.loads((site.out / "data/leaderboard.json").read_text(encoding="utf-8"))
    assert document["schema"] == "arena.leaderboard/1"
    board = world.store.boards.latest("tiny", "natural")
    assert document["board"] == json.loads(json.dumps(to_json(board)))
    raw = (site.out / "data/leaderboard.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
    assert [r["agent"] for r in rows] == [s.agent for s in board.agents]
    assert (rows[0]["controlled"], rows[0]["controlled_high"], rows[0]["best"]) == (
        *("1090", "1160", ""),
    )
    assert (rows[1]["worst"], rows[1]["calibrated"], rows[1]["calibrated_low"]) == (
        *("905", "1001", ""),
    )
    assert not [c for r in rows for c in r.values() if c[:1] in tuple("=+@\t\r")]
    manifest = json.loads((site.out / "data/manifest.json").read_text(encoding="utf-8"))["sha256"]
    files = tree(site.out)
    assert manifest == {
        path: hashlib.sha256(content).hexdigest()
        for path, content in files.items()
        if path != "data/manifest.json"
    }


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_every_part_of_a_board_has_its_place(site, world, name):
    page = Page(site.out / name)
    ids = {a["id"] for _, a in page.tags if "id" in a}
    assert {"ranking", "scatter-absolute", "two", "slices", "effects", "method", "judges"} <= ids
    linked = {a.get("href") for t, a in page.tags if t == "a"}
    assert {"#two", "#slices"} <= linked
    by = {s.by for s in world.store.boards.latest("tiny", "natural").slices}
    assert sum(bool(re.fullmatch(r"slices-\d+", i)) for i in ids) == len(by)
    for shown in ("905–1075", "1090", "980–1100", "≥ 1111", "+0.40", "ν = 0.62", "numpy 2.1"):
        assert shown in page.text, shown


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_every_row_of_a_table_has_a_cell_for_every_column(site, name):
    text = (site.out / name).read_text(encoding="utf-8")
    tables = re.findall(r"<table.*?</table>", text, re.DOTALL)
    assert len(tables) >= 10
    for table in tables:
        rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        assert len({len(re.findall(r"<t[hd][ >]", row)) for row in rows}) == 1, table[:200]


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_notes_stand_beside_the_headline(site, name):
    text = (site.out / name).read_text(encoding="utf-8")
    headline = re.search(r'<div class="headline">.*?</div>', text, re.DOTALL)[0]
    for shown in ("905–1075", "5%", "910", "1130"):
        assert shown in headline, shown


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_what_is_provisional_in_a_slice_is_grey_and_long_lists_are_folded(site, name):
    page = Page(site.out / name)
    cells = [a.get("class") for t, a in page.tags if t == "td"]
    assert {"is-ranked", "is-provisional", "is-unbounded", "is-disconnected"} <= set(cells)
    folded = re.findall(
        r'<details class="how"( open)?><summary>[^<]*[(（](\d+)[)）]</summary>',
        (site.out / name).read_text(encoding="utf-8"),
    )
    assert ("", "9") in folded
    assert (" open", "2") in folded


def test_a_board_without_the_newer_parts_shows_none_of_them(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        store.boards.add(make.board([make.standing("a")], digest=job.suite.digest()), run="r1")
        make.publish(tmp_path / "site", store, [job], lang="en")
    page = Page(tmp_path / "site" / "index.html")
    ids = {a["id"] for _, a in page.tags if "id" in a}
    assert not ids & {"scatter-absolute", "scatter-cost", "two", "slices", "effects"}
    assert "Controlled rating" not in page.text
    assert "Calibrated rating" not in page.text


def test_a_large_board_is_still_a_light_page(make, tmp_path):
    names = [f"agent-{n:02}" for n in range(12)]
    standings = [
        make.standing(a, rating=1200.0 - n, rank_low=1, rank_high=12) for n, a in enumerate(names)
    ]
    slices = [
        boards.slice_of("tag", f"tag-{n}", *map(boards.part, names), comparisons=n)
        for n in range(300)
    ]
    pairs = [make.pair(*two) for two in itertools.combinations(names, 2)]
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        store.boards.add(make.board(standings, pairs, slices=tuple(slices)), run="r1")
        make.publish(tmp_path / "site", store, [job], lang="en")
    page = (tmp_path / "site" / "index.html").read_bytes()
    assert b"tag-299" in page
    assert len(page) < 150_000


def test_pages_are_light(site):
    for path, content in tree(site.out).items():
        assert len(content) < (300_000 if path.startswith("s/") else 100_000), path


def test_without_a_board_transcripts_are_published_and_the_command_is_named(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job)
        published = make.publish(tmp_path / "site", store, [job])
    page = Page(tmp_path / "site" / "index.en.html")
    assert "Not ranked yet" in page.text
    assert "arena rank" in page.text
    assert len(published.warnings) == 1
    assert not published.boards[0].ranked
    assert "reply 1" in Page(next((tmp_path / "site").glob("s/com1-*.html"))).text


def test_scores_of_another_sheet_stand_apart_and_never_mix(make, tmp_path):
    plain = make.suite()
    other = plain.rubrics["main"].model_copy(update={"rubric": "other"})
    first = plain.scenarios[0].model_copy(update={"archetype": "analysis"})
    suite = replace(
        plain,
        rubrics={**plain.rubrics, "other": other},
        archetypes=(
            *plain.archetypes,
            Archetype(archetype="analysis", name=make.words("Analysis"), rubric="other"),
        ),
        scenarios=(first, *plain.scenarios[1:]),
    )
    job = make.job(suite=suite)
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job)
        facts = {a.id: a for a in gather(job, store).agents}
        make.publish(tmp_path / "site", store, [make.job(suite=suite)])
        store.boards.add(make.every_state(suite), run="r1")
        make.publish(tmp_path / "site", store, [job], lang="en")
    assert facts["a/b"].apart == {}  # its first transcript was never asked for
    assert facts["../../x"].apart["other"] == (75.0, 1)
    assert facts["../../x"].scored == 2
    assert "a scoring sheet of their own" in Page(tmp_path / "site" / "index.html").text


def test_an_empty_store_makes_a_site_too(empty):
    assert "run arena run" in Page(empty.out / "index.en.html").text


@pytest.mark.parametrize("name", ["index.html", "index.en.html"])
def test_bounds_an_older_suite_and_who_has_left_are_told_apart(stale, name):
    text, say = (stale.out / name).read_text("utf-8"), say_in("en" if ".en." in name else "zh")
    head = text[: text.index('id="ranking"')]
    assert say("notice.stale", version="1.0.0") in unescape(head)
    rows = dict(re.findall(r'<tr id="a-([^"]*)"(.*?)</tr>', text, re.DOTALL))
    gone = rows.pop(LEFT)
    assert say("badge.gone") in gone
    assert not [slug for slug, row in rows.items() if say("badge.gone") in row]
    assert 'data-state="ranked"' in gone
    for slug, shown in (
        ("agent-03", say("rating.at_least", n="1205")),
        ("agent-04", say("rating.at_most", n="795")),
    ):
        assert f"<b>{shown}</b>" in rows[slug]
        assert rows[slug].count('class="tip"') == 1
    assert (stale.out / "a" / f"{LEFT}.html").is_file()


def test_a_board_of_an_older_suite_is_marked(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        board = make.every_state(make.suite(2))
        store.boards.add(board, run="r1")
        published = make.publish(tmp_path / "site", store, [job], lang="en")
    assert "has changed since" in published.warnings[0]
    assert "has changed since" in Page(tmp_path / "site" / "index.html").text


def test_replicates_stand_apart(make, tmp_path):
    job = make.job(replicates=2, agents=make.agents()[:2])
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job)
        make.publish(tmp_path / "site", store, [job], lang="en")
    page = Page(next(p for p in (tmp_path / "site").glob("s/com1-*.html") if ".zh." not in p.name))
    cards = [a["data-slug"] for t, a in page.tags if "data-slug" in a]
    assert len(cards) == len(set(cards)) == 4
    assert "replicate 2" in page.text


def test_templates_do_no_arithmetic():
    import arena.site

    folder = Path(arena.site.__file__).parent / "templates"
    for path in folder.glob("*.j2"):
        for expression in re.findall(
            r"\{[{%](.*?)[%}]\}", path.read_text(encoding="utf-8"), re.DOTALL
        ):
            bare = re.sub(r"'[^']*'", "", expression)
            assert not re.search(r"[*/+]|(?<!\{)\s-\s|\|\s*(safe|round|sum)", bare), (
                path.name,
                expression,
            )
