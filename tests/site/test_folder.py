"""The folder that a site is written to: what may be in it, what goes and what stays."""

import json

import pytest

from arena.errors import CheckFailed, UsageError
from arena.site.checks import check_files
from arena.site.safety.scan import scan_files
from arena.site.write import write_site
from arena.store.store import Store
from tests.site.reading import Page, tree


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
@pytest.mark.reported("R62")
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
    assert scan_files({"data/x.json": said}, secrets={}, salt=b"") == ()


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
