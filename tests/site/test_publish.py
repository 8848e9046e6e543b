import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.domain.board import State, to_json
from arena.domain.suite import Archetype
from arena.errors import CheckFailed, UsageError
from arena.site import charts
from arena.site.assets import source_hash
from arena.site.checks import check_files
from arena.site.gather import gather
from arena.site.write import write_site
from arena.store.store import Store

OURS = {
    *("html", "head", "meta", "title", "link", "style", "script", "body", "a", "div", "header"),
    *("main", "footer", "nav", "section", "article", "h1", "h2", "h3", "p", "span", "b", "small"),
    *("ul", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details"),
    *("summary", "label", "select", "option", "input", "code", "pre", "i"),
    *("svg", "line", "circle", "rect", "path", "text"),
}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.tags, self.inline, self.text, self._open = [], {}, "", ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag):
        self._open = ""

    def handle_data(self, data):
        if self._open in ("style", "script"):
            self.inline.setdefault(self._open, []).append(data)
        else:
            self.text += data


def tree(out):
    return {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}


def pages(out):
    return [(p, Page(p)) for p in sorted(out.rglob("*.html"))]


def test_the_same_input_gives_the_same_bytes(world, site, make, tmp_path):
    make.publish(tmp_path / "again", world.store, [world.job])
    assert tree(tmp_path / "again") == tree(site.out)
    before = tree(tmp_path / "again")
    make.publish(tmp_path / "again", world.store, [world.job])
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
    sentences = [a.get("title") for t, a in page.tags if "badge" in (a.get("class") or "")]
    assert len(set(sentences)) >= 6
    assert "≥ 1205" in page.text
    kinds = {a.get("class") for t, a in page.tags if t == "svg"}
    assert {"whisker ranked", "whisker provisional", "whisker unbounded", "axis"} <= kinds


def test_what_is_unknown_is_said_and_never_zero(site):
    text = (site.out / "index.en.html").read_text(encoding="utf-8")
    row = re.search(r'<tr id="a-con-[^"]*".*?</tr>', text, re.DOTALL)[0]
    assert len(re.findall(r'<td class="more money" data-value="">unknown</td>', row)) == 2


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
    assert not [c for r in rows for c in r.values() if c[:1] in tuple("=+@\t\r")]
    manifest = json.loads((site.out / "data/manifest.json").read_text(encoding="utf-8"))["sha256"]
    files = tree(site.out)
    assert manifest == {
        path: hashlib.sha256(content).hexdigest()
        for path, content in files.items()
        if path != "data/manifest.json"
    }


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


def test_an_empty_store_makes_a_site_too(make, tmp_path):
    with Store(tmp_path / "a.duckdb") as store:
        make.publish(tmp_path / "site", store, [make.job()])
    assert "run arena run" in Page(tmp_path / "site" / "index.en.html").text


def test_a_board_of_an_older_suite_is_marked(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        board = make.every_state(make.suite(2))
        store.boards.add(board, run="r1")
        published = make.publish(tmp_path / "site", store, [job], lang="en")
    assert "has changed since" in published.warnings[0]
    assert "has changed since" in Page(tmp_path / "site" / "index.html").text


def test_several_boards_get_a_folder_each_and_a_front_page(world, make, tmp_path):
    lite = make.job(suite=world.job.suite, mode="lite")
    out = tmp_path / "site"
    published = make.publish(out, world.store, [world.job, lite])
    assert {p.name for p in out.iterdir()} >= {
        "index.html",
        "index.en.html",
        "tiny-natural",
        "tiny-lite",
    }
    assert [b.index for b in published.boards] == [
        out / "tiny-natural/index.html",
        out / "tiny-lite/index.html",
    ]
    front = Page(out / "index.en.html")
    links = {a.get("href") for t, a in front.tags if t == "a"}
    assert {"tiny-natural/index.en.html", "tiny-lite/index.en.html"} <= links
    inner = {a.get("href") for t, a in Page(out / "tiny-lite/index.html").tags if t == "a"}
    assert {"../index.html", "index.en.html", "../data/manifest.json"} <= inner


def test_files_of_the_last_time_go_and_everything_else_stays(world, make, tmp_path):
    out = tmp_path / "site"
    (out / "sample").mkdir(parents=True)
    (out / "sample" / "index.html").write_text("mine")
    (out / "README.md").write_text("mine too")
    lite = make.job(suite=world.job.suite, mode="lite")
    make.publish(out, world.store, [world.job, lite])
    (out / "note.txt").write_text("put here later")
    assert (out / "tiny-lite" / "index.html").is_file()
    make.publish(out, world.store, [world.job])
    assert not (out / "tiny-lite").exists()
    assert (out / "s").is_dir()
    assert (out / "sample" / "index.html").read_text() == "mine"
    assert (out / "README.md").read_text() == "mine too"
    assert (out / "note.txt").read_text() == "put here later"


def test_a_foreign_folder_is_refused_and_untouched(world, make, tmp_path):
    out = tmp_path / "photos"
    out.mkdir()
    (out / "cat.jpg").write_bytes(b"meow")
    with pytest.raises(CheckFailed, match=r"cat\.jpg") as refused:
        make.publish(out, world.store, [world.job])
    assert refused.value.fix
    assert tree(out) == {"cat.jpg": b"meow"}
    with pytest.raises(CheckFailed):
        make.publish(out / "cat.jpg", world.store, [world.job])
    assert [p.name for p in tmp_path.iterdir()] == ["photos"]


def test_a_marker_that_lies_leads_nowhere(tmp_path):
    victim = tmp_path / "victim.txt"
    victim.write_text("here")
    out = tmp_path / "site"
    (out / "sample").mkdir(parents=True)
    (out / "sample" / "keep.html").write_text("here")
    lies = ["../victim.txt", str(victim), "sample/keep.html", "a/../../victim.txt", "gone.html"]
    (out / ".arena-site.json").write_text(json.dumps({"files": lies}))
    write_site(out, {"index.html": b"x"})
    assert victim.read_text() == "here"
    assert (out / "sample" / "keep.html").read_text() == "here"


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "abcDEF0123456789abcDEF",
        "Authorization: Bearer " + "eyJhbGciOi.J9x-y_z0123456789",
        "AKIA" + "ABCDEFGHIJ234567",
    ],
)
def test_a_secret_stops_the_site_and_its_file_is_named(make, tmp_path, secret):
    job = make.job()
    out = tmp_path / "site"
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job, text=f"my key is {secret} ok")
        with pytest.raises(CheckFailed, match=r"^s/.*\.html holds what looks like") as stopped:
            make.publish(out, store, [job])
    assert secret not in str(stopped.value)
    assert not out.exists()


def test_ordinary_words_are_no_secrets():
    said = b"task-oriented-conversations risk-management, bearer responsibilities-matter, desk-2"
    check_files({"data/x.json": said})


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<a href="gone.html">x</a>', "not there"),
        ('<a href="#nowhere">x</a>', "not there"),
        ('<img src="https://example.org/x.png">', "another site"),
        ('<p style="color:red">x</p>', "style"),
        ('<p onclick="x()">x</p>', "onclick"),
        ("<script>x()</script>", "own script"),
    ],
)
def test_a_page_that_breaks_a_rule_is_not_written(body, complaint):
    head = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    with pytest.raises(CheckFailed, match=complaint):
        check_files({"index.html": (head + body).encode()})
    with pytest.raises(CheckFailed, match="policy"):
        check_files({"index.html": b"<p>x</p>"})


def test_nothing_to_publish_is_said(world, make, tmp_path):
    with pytest.raises(UsageError):
        make.publish(tmp_path / "x", world.store, [])


def test_replicates_stand_apart(make, tmp_path):
    job = make.job(replicates=2, agents=make.agents()[:2])
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job)
        make.publish(tmp_path / "site", store, [job], lang="en")
    page = Page(next(p for p in (tmp_path / "site").glob("s/com1-*.html") if ".zh." not in p.name))
    cards = [a["data-slug"] for t, a in page.tags if "data-slug" in a]
    assert len(cards) == len(set(cards)) == 4
    assert "replicate 2" in page.text


def test_whiskers_of_a_table_share_one_axis_and_stay_inside():
    axis = charts.make_axis([812.0, 1000.0, 1311.0])
    assert axis.low <= 812
    assert axis.high >= 1311
    assert 3 <= len(axis.ticks) <= 7
    for value in (-1e9, 812, 1311, 1e9):
        assert charts.INSET <= axis.place(value) <= charts.WIDTH - charts.INSET
    assert charts.make_axis([]) is None
    assert charts.make_axis([1000.0]).high > charts.make_axis([1000.0]).low
    drawn = str(charts.whisker(axis, 1000, 900, 1100, look="ranked", label='"><script>'))
    assert "<script>" not in drawn
    assert "style=" not in drawn


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
