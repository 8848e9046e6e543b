"""The brief on paper: exactly two pages of A4, whoever prints it and however long the texts are."""

import os
import re
import subprocess
from dataclasses import replace

import pytest

from arena.domain.agent import Agent
from arena.domain.standing import State
from arena.errors import CheckFailed, UsageError
from arena.site.paper import (
    BROWSERS,
    Printer,
    clear_homes,
    count_pages,
    find_browser,
    need_browser,
)
from arena.site.release import Release
from arena.store.store import Store
from tests.site.boards import gated, whole
from tests.site.reading import tree

A4 = (595, 842)


@pytest.fixture(scope="module")
def browser():
    found = find_browser(os.environ)
    if found is None:
        if os.environ.get("ARENA_NEEDS_BROWSER"):
            pytest.fail("no Chromium, and ARENA_NEEDS_BROWSER is set")
        pytest.skip("no Chromium: install one, or name it in ARENA_CHROMIUM")
    return found


def size_of(pdf):
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return round(float(box[1])), round(float(box[2]))


@pytest.mark.browser
def test_a_brief_is_two_pages_in_both_languages(make, world, browser, tmp_path):
    terms = Release(salt=b"s")
    done = make.publish(tmp_path / "site", world.store, [world.job], browser=browser, release=terms)
    printed = {path: pdf for path, pdf in tree(tmp_path / "site").items() if path.endswith(".pdf")}
    assert set(printed) == {"brief.pdf", "brief.en.pdf"}
    for path, pdf in printed.items():
        assert count_pages(pdf) == 2, path
        assert size_of(pdf) == A4
        assert b"D:20261129081200" in pdf
    assert done.warnings == ()
    assert [p.name for p in tmp_path.iterdir()] == ["site"]
    links = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert 'href="brief.pdf"' in links
    again = Printer(browser).print_page(
        (tmp_path / "site" / "brief.html").read_bytes(), "2026-11-29T08:12:00+00:00"
    )
    assert again == printed["brief.pdf"]


def printing(*numbers):
    """A program that prints what a browser names by its own numbers."""
    named = " ".join(f"/ID (node{n:08d})" for n in numbers)
    return f"""#!/bin/sh
for word; do case "$word" in --print-to-pdf=*) out="${{word#*=}}";; esac; done
printf '%s' '%PDF-1.4 /CreationDate (D:20300101000000+00) {named} %EOF' > "$out"
"""


def test_what_a_browser_numbers_by_its_timing_leaves_no_trace(tmp_path):
    printed = []
    for name, numbers in {"early": (87, 86, 87, 90), "late": (1088, 1087, 1088, 1095)}.items():
        program = tmp_path / name
        program.write_text(printing(*numbers))
        program.chmod(0o755)
        printed.append(Printer(str(program)).print_page(b"", "2026-11-29T08:12:00+00:00"))
    assert printed[0] == printed[1]
    # Their order stays, and who is who.
    assert [int(n) for n in re.findall(rb"node(\d+)", printed[0])] == [2, 1, 2, 3]
    assert b"D:20261129081200" in printed[0]


@pytest.mark.browser
def test_a_brief_of_many_agents_with_long_names_is_two_pages_too(make, browser, tmp_path):
    agents = tuple(
        Agent(agent=f"a{n}", vendor=f"vendor {n} " + "v" * 40, name=f"{n} " + "long name " * 6)
        for n in range(30)
    )
    standings = [
        make.standing(
            agent.agent,
            *([] if n < 20 else [State.PROVISIONAL]),
            rating=1300.0 - n,
            rank_low=1,
            rank_high=30,
            eligibility=replace(gated(n % 4), worst=gated(2).worst),
        )
        for n, agent in enumerate(agents)
    ]
    job = make.job(agents=agents)
    gates = whole(job.suite).gates
    with Store(tmp_path / "a.duckdb") as store:
        store.boards.add(make.board(standings, gates=gates, digest="older"), run="r1")
        make.publish(tmp_path / "site", store, [job], lang="en")
    for name in ("brief.html", "brief.zh.html"):
        page = (tmp_path / "site" / name).read_bytes()
        assert count_pages(Printer(browser).print_page(page, "")) == 2, name


def test_without_a_browser_that_is_said_before_anything_is_made(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError) as refused:
        need_browser({})
    assert all(name in str(refused.value) for name in BROWSERS)
    assert find_browser({"ARENA_CHROMIUM": str(tmp_path / "nothing")}) is None


@pytest.mark.parametrize("body", ["exit 3", "sleep 60"])
def test_a_browser_that_prints_nothing_is_said(tmp_path, monkeypatch, body):
    monkeypatch.setattr("arena.site.paper.SECONDS", 0.2)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = tmp_path / "browser"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    with pytest.raises(CheckFailed, match="printed nothing"):
        Printer(str(program)).print_page(b"<p>", "")
    assert [p.name for p in tmp_path.iterdir()] == ["browser"]


@pytest.mark.skipif(os.name != "posix", reason="processes are asked for by signal 0")
def test_what_a_killed_browser_left_is_gone_after_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    for name in (f"arena-print-{ended.pid}-x", f"arena-print-{os.getpid()}-x", "arena-print-a-x"):
        (tmp_path / name / "profile").mkdir(parents=True)
    clear_homes()
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {f"arena-print-{os.getpid()}-x", "arena-print-a-x"}


def test_a_browser_is_told_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("OWN_KEY", "secret-4711")
    program = tmp_path / "browser"
    program.write_text(f"#!/bin/sh\nenv > {tmp_path}/told\n")
    program.chmod(0o755)
    with pytest.raises(CheckFailed):
        Printer(str(program)).print_page(b"<p>", "")
    assert "secret-4711" not in (tmp_path / "told").read_text()
