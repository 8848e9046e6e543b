"""A whole voting session in Chromium, by keyboard alone, with hostile transcripts."""

import contextlib

import pytest

from tests.serving.conftest import SECRET, kept_votes, served
from tests.site.browsing import launched

pytestmark = pytest.mark.browser


def watched(browser, url, name, lang="en"):
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.trouble, page.got = [], []
    page.on("console", lambda m: page.trouble.append(f"console: {m.text}"))
    page.on("pageerror", lambda e: page.trouble.append(f"error: {e}"))
    page.on("dialog", lambda d: (page.trouble.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: None if r.url.startswith(url) else page.trouble.append(r.url))
    page.on("response", lambda r: keep(page, r))
    page.goto(f"{url}/vote?lang={lang}")
    page.wait_for_selector("#enter:not([hidden])")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.wait_for_selector("#work[data-item]")
    return page


def keep(page, response):
    from playwright.sync_api import Error

    page.got.append(response.url.encode())
    # What is navigated away from has no body any more.
    with contextlib.suppress(Error):
        page.got.append(response.body())


def item(page):
    return page.get_attribute("#work", "data-item")


def press(page, *keys):
    """Press keys of which the last one brings another presentation."""
    before = item(page)
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(
        "before => document.getElementById('work').dataset.item !== before", arg=before
    )
    return before


@pytest.fixture(scope="module")
def session(filled, tmp_path_factory):
    import shutil

    from tests.e2e.conftest import Workspace

    root = tmp_path_factory.mktemp("browsed") / "w"
    shutil.copytree(filled.root, root)
    seen = {}
    with launched() as browser, served(Workspace(root)) as (url, _):
        li = watched(browser, url, "li")
        seen["asked"] = [li.inner_text(".asked")]
        seen["keys"] = li.locator("#keys kbd").all_inner_texts()
        first = press(li, "1", "2", "0")
        second = press(li, "n", "N", "2")
        seen["progress"] = li.inner_text("#progress")
        press(li, "u")
        seen["undone"] = (item(li) == second, li.inner_text("#progress"))
        li.reload()
        li.wait_for_selector("#work[data-item]")
        seen["reloaded"] = (item(li) == second, li.inner_text("#progress"))
        wu = watched(browser, url, "wu", "zh")
        seen["zh"] = wu.inner_text(".asked")
        for page in (li, wu, li, wu):
            press(page, "1", "1", "1")
        press(li, "s")
        seen["both"] = (li.inner_text("#progress"), wu.inner_text("#progress"))
        li.keyboard.press("2")
        li.keyboard.press("b")
        seen["back"] = li.inner_text(".asked")
        seen["html"] = li.content() + wu.content()
        seen["inline"] = li.evaluate(
            "document.querySelectorAll('[style],style,script:not([src]),[onclick],[onerror]').length"
        )
        seen["trouble"] = li.trouble + wu.trouble
        seen["bytes"] = li.got + wu.got
        seen["first"] = first
    seen["votes"] = kept_votes(Workspace(root), withdrawn=True)
    return seen


def test_keys_are_shown_and_criteria_come_before_the_whole(session):
    assert session["asked"][0].startswith("Warmth")
    assert session["keys"] == ["1", "2", "0", "N", "S"]
    assert session["back"].startswith("Warmth")
    assert "总体" not in session["zh"]
    assert "(1/3)" in session["zh"]


def test_undo_and_reload_go_on_where_one_was(session):
    assert session["progress"].startswith("2 of ")
    assert session["undone"] == (True, session["progress"].replace("2 of", "1 of"))
    assert session["reloaded"] == session["undone"]


def test_two_voters_at_once_each_have_their_own_votes(session):
    li = [v for v in session["votes"] if v.person == "human:li"]
    wu = [v for v in session["votes"] if v.person == "human:wu"]
    assert session["both"][0].startswith("4 of ")
    assert session["both"][1].startswith("已答 2 /")
    assert sum(not v.withdrawn for v in li) == 4
    assert sum(v.withdrawn for v in li) == 1
    assert len(wu) == 2
    assert sorted(len(v.criteria) for v in li) == [0, 0, 2, 2, 2]


def test_hostile_transcripts_stay_text(session):
    assert session["trouble"] == []
    assert session["inline"] == 0
    assert "&lt;script&gt;alert(1)" in session["html"]


def test_no_byte_tells_a_voter_who_spoke(session):
    sent = b"\n".join(session["bytes"]).lower()
    assert [name for name in SECRET if name.lower().encode() in sent] == []
