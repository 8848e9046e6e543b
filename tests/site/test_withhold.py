"""Held back is held back: no word of an agent with `none`, no personal data with `redacted`."""

from dataclasses import dataclass
from typing import Literal

import pytest

from arena.domain.verdict import Outcome
from arena.domain.words import Words
from arena.site.release import Release
from arena.site.safety.deep import map_texts
from arena.site.safety.scan import scan_files
from arena.store.store import Store
from tests.site.boards import whole
from tests.site.reading import Page, tree

SAID = "MARK-OF-AN-AGENT 13812345678 or li.ming@mail.example.cn"


@pytest.fixture(scope="module")
def published(make, tmp_path_factory):
    """A site for each way of holding back, from one store in which everything is the agent's."""
    job, home = make.job(), tmp_path_factory.mktemp("held")
    with Store(home / "a.duckdb") as store:
        make.fill(store, job, text=SAID)
        store.boards.add(whole(job.suite), run="r1")
        for texts in ("redacted", "none"):
            terms = Release(transcripts=texts, salt=b"secret")
            make.publish(home / texts, store, [job], release=terms)
    return {texts: home / texts for texts in ("redacted", "none")}


def test_none_leaves_no_word_of_an_agent_in_any_file(published):
    for path, content in tree(published["none"]).items():
        assert b"MARK-OF-AN-AGENT" not in content, path


def test_none_keeps_scores_comparisons_and_the_suites_own_turns(published):
    text = "".join(Page(p).text for p in sorted((published["none"] / "s").glob("*.en.html")))
    assert "[not published, " in text
    assert "second" in text
    assert "75.0" in text
    index = Page(published["none"] / "index.en.html").text
    assert "Transcripts are not published here" in index


def test_redacted_masks_and_tells_the_kind_and_a_hash(published):
    files = tree(published["redacted"])
    assert scan_files(files, secrets={}, salt=b"") == ()
    assert not any(b"li.ming" in content for content in files.values())
    en = "".join(Page(p).text for p in sorted((published["redacted"] / "s").glob("*.en.html")))
    assert "MARK-OF-AN-AGENT [mobile number withheld, " in en
    assert "[e-mail address withheld, " in en
    zh = "".join(
        Page(p).text
        for p in sorted((published["redacted"] / "s").glob("*.html"))
        if ".en." not in p.name
    )
    assert "【已遮去手机号码，编号 " in zh
    assert "masked" in Page(published["redacted"] / "index.en.html").text


def test_a_hash_depends_on_the_secret_of_the_workspace(make, tmp_path):
    job = make.job()
    with Store(tmp_path / "a.duckdb") as store:
        make.fill(store, job, text=SAID)
        for salt in (b"1", b"2"):
            terms = Release(transcripts="redacted", salt=salt)
            make.publish(tmp_path / salt.decode(), store, [job], release=terms)
    one, other = ((tmp_path / salt / "data/comparisons.jsonl").read_bytes() for salt in ("1", "2"))
    assert one != other
    assert len(one) == len(other)


@dataclass(frozen=True)
class Record:
    name: str
    side: Literal["a", "b"] | None
    outcome: Outcome
    shown: Words
    inner: tuple["Record", ...] = ()
    by: dict[str, str] | None = None


def test_every_text_of_a_tree_is_changed_and_nothing_else():
    leaf = Record(name="a", side="a", outcome=Outcome.A, shown=Words(zh="a", en="b"))
    tree = Record(
        name="b", side=None, outcome=Outcome.B, shown=leaf.shown, inner=(leaf,), by={"a": "a"}
    )
    made = map_texts(tree, lambda text: text.replace("a", "x"))
    assert made.by == {"x": "x"}
    assert (made.inner[0].name, made.inner[0].side, made.inner[0].outcome) == ("x", "a", Outcome.A)
    assert made.shown == Words(zh="x", en="b")
    assert tree.by == {"a": "a"}
    assert map_texts(tree, lambda text: text) is tree
