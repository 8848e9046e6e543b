"""arena publish: what stops it, what it holds back, and where it can go."""

import json
import os
import re
import shutil
import subprocess

import pytest

SAID = "Plenty of people lose their jobs"
"""What an agent of the demo says in EV-01."""
PART = ("--domain", "bad_news")
"""A fifth of the demo: enough to publish."""
PAGES = ("publish", *PART, "--to", "github-pages")
HASH = re.compile(r"--allow-finding ([0-9a-f]{12})")


@pytest.fixture(scope="module")
def played(walk, tmp_path_factory):
    """A copy of the finished demo with a key that an agent said aloud."""
    place = tmp_path_factory.mktemp("publish") / "workspace"
    shutil.copytree(walk[0], place)
    (place / ".env").write_text(f"OWN_KEY={SAID}\n", encoding="utf-8")
    return place


def git(folder, *words):
    names = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return subprocess.run(
        ["git", "-C", folder, *words],
        env={**os.environ, **names},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


@pytest.fixture
def repo(tmp_path):
    place = tmp_path / "repo"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    git(place, "config", "user.name", "Somebody")
    git(place, "config", "user.email", "somebody@localhost")
    (place / "notes.txt").write_text("mine")
    git(place, "add", ".")
    git(place, "commit", "-q", "-m", "first")
    return place


def test_a_key_stops_it_until_somebody_has_looked(arena, played, tmp_path):
    out = tmp_path / "site"
    common = ("publish", *PART, "-C", played, "--out", out, "--lang", "en")
    stopped = arena(*common)
    assert stopped.exit_code == 5
    assert "EV-01, round 1 (s/ev-01.html#scripted-careless-1.r)" in stopped.stderr
    assert "the value of an environment variable Pl…bs" in stopped.stderr
    assert SAID not in stopped.stderr + stopped.stdout
    assert not out.exists()
    (digest,) = set(HASH.findall(stopped.stderr))
    assert arena(*common, "--allow-finding", digest).exit_code == 0
    assert (out / "index.html").exists()
    assert digest not in (out / "s" / "ev-01.html").read_text(encoding="utf-8")


def test_findings_are_data_too_and_in_chinese(arena, played, tmp_path):
    common = ("publish", *PART, "-C", played, "--out", tmp_path / "site")
    told = json.loads(arena(*common, "--json").stdout)["error"]
    assert told["kind"] == "must_not_publish"
    (found,) = told["findings"]
    assert found["spots"][0]["scenario"] == "EV-01"
    assert SAID not in json.dumps(told)
    assert "环境变量的值" in arena(*common, "--lang", "zh").stderr


def test_pages_go_to_docs_without_a_word_of_an_agent(arena, played, repo):
    common = (
        "publish",
        *PART,
        "-C",
        played,
        "--to",
        "github-pages",
        "--repo",
        repo,
        "--lang",
        "en",
    )
    done = arena(*common)
    assert done.exit_code == 0
    assert "push" in done.stderr
    assert "No word of an agent" in done.stderr
    pages = repo / "docs"
    assert (pages / ".nojekyll").exists()
    assert SAID not in (pages / "s" / "ev-01.html").read_text(encoding="utf-8")
    flow = (pages / "data" / "github-pages.yml").read_text(encoding="utf-8")
    assert "%" not in flow
    assert 'path: "docs"' in flow
    assert git(repo, "log", "--format=%s").split() == ["first"]
    (pages / ".arena-site.json").unlink()
    refused = arena(*common)
    assert refused.exit_code == 5
    assert "was not made by arena" in refused.stderr


def test_pages_go_to_a_branch_of_their_own_and_nothing_is_pushed(arena, played, repo):
    common = (
        "publish",
        *PART,
        "-C",
        played,
        "--to",
        "github-pages",
        "--repo",
        repo,
        "--lang",
        "en",
    )
    done = arena(*common, "--branch", "gh-pages", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["branch"] == "gh-pages"
    assert "index.html" in git(repo, "ls-tree", "--name-only", "gh-pages").split()
    assert "notes.txt" not in git(repo, "ls-tree", "--name-only", "gh-pages")
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "branch", "--show-current").strip() == "main"
    assert len(git(repo, "worktree", "list").splitlines()) == 1
    first = git(repo, "rev-parse", "gh-pages")
    assert arena(*common, "--branch", "gh-pages").exit_code == 0
    assert git(repo, "rev-parse", "gh-pages") == first, "the same site is no new commit"


def test_a_branch_that_cannot_be_written_to_is_said(arena, played, repo, tmp_path):
    common = (*PAGES, "-C", played, "--lang", "en")
    on_it = arena(*common, "--repo", repo, "--branch", "main")
    assert on_it.exit_code == 2
    assert "you may be on it" in on_it.stderr
    git(repo, "branch", "other")
    foreign = arena(*common, "--repo", repo, "--branch", "other")
    assert foreign.exit_code == 5
    assert "notes.txt" in foreign.stderr
    for name in ("a b", "-x", "../x"):
        assert arena(*common, "--repo", repo, "--branch", name).exit_code == 2
    stopped = arena(*common, "--repo", repo, "--branch", "new", "--transcripts", "full")
    assert stopped.exit_code == 5
    assert "new" not in git(repo, "branch")
    nowhere = arena(*common, "--repo", tmp_path)
    assert nowhere.exit_code == 2
    assert "is no git repository" in nowhere.stderr


def test_that_git_is_missing_is_not_told_as_a_missing_repository(
    arena, played, tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    done = arena(*PAGES, "-C", played)
    assert done.exit_code == 2
    assert "git is not installed" in done.stderr
    assert "git repository" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--repo", "x"),
        ("--branch", "x"),
        ("--to", "github-pages", "--out", "x"),
        ("--transcripts", "some"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arena, played, words):
    assert arena("publish", *PART, "-C", played, *words).exit_code == 2


def test_a_site_under_neutral_names_says_so(arena, played, tmp_path):
    out = tmp_path / "site"
    done = arena(
        *("publish", *PART, "-C", played, "--out", out, "--lang", "en", "--anonymise-vendors"),
        *("--transcripts", "none"),
    )
    assert done.exit_code == 0
    assert "neutral names" in done.stderr
    assert {p.name for p in (out / "a").iterdir()} == {
        f"agent-{x}{kind}" for x in "abcd" for kind in (".html", ".zh.html")
    }
    assert "scripted-careless" not in (out / "index.html").read_text(encoding="utf-8")


def test_the_secret_of_a_workspace_is_its_owners_alone(played, arena, tmp_path):
    salt = played / "results" / "publish.salt"
    arena("publish", *PART, "-C", played, "--out", tmp_path / "site", "--transcripts", "none")
    before = salt.read_bytes()
    assert len(before) == 64
    if os.name == "posix":
        assert salt.stat().st_mode & 0o077 == 0
    arena("publish", *PART, "-C", played, "--out", tmp_path / "site", "--transcripts", "none")
    assert salt.read_bytes() == before
