"""Voting and the review of red flags in Chromium, by keyboard alone, with hostile transcripts.

One story, told once: people vote, a clinician looks at red flags, the owner looks on, the service
is started anew under a voter's hands, and the board is computed.
"""

import contextlib
import json
import shutil
from dataclasses import replace

import pytest

from arena.cli.state import State
from arena.domain.tally import Tally
from arena.store.store import Store
from tests.e2e.conftest import SUITE, Workspace
from tests.serving.conftest import AT, SECRET, Voter, kept_votes, served
from tests.site.browsing import launched
from tests.site.hostile import EVIL

pytestmark = pytest.mark.browser


def opened(browser, url):
    """A page, and all that goes wrong on it or comes to it."""
    page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
    page.trouble, page.got = [], []
    page.on("console", lambda m: page.trouble.append(f"console: {m.text}"))
    page.on("pageerror", lambda e: page.trouble.append(f"error: {e}"))
    page.on("dialog", lambda d: (page.trouble.append(f"dialog: {d.message}"), d.dismiss()))
    page.on("request", lambda r: None if r.url.startswith(url) else page.trouble.append(r.url))
    page.on("response", lambda r: keep(page, r))
    return page


def watched(browser, url, name, lang="en", path="vote", ready="#work[data-item]"):
    page = opened(browser, url)
    page.goto(f"{url}/{path}?lang={lang}")
    sign_in(page, name)
    page.wait_for_selector(ready)
    return page


def sign_in(page, name):
    page.wait_for_selector("#enter:not([hidden])")
    page.keyboard.type(name)
    page.keyboard.press("Enter")


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
    root = tmp_path_factory.mktemp("browsed") / "w"
    shutil.copytree(filled.root, root)
    workspace, seen = Workspace(root), {}
    workspace.config = filled.config
    seen["before"] = ranked(workspace)
    add_second_suite(workspace)
    with launched() as browser:
        with served(workspace) as (url, _):
            li = vote(browser, url, seen)
            review(browser, url, seen)
            look_on(browser, url, seen)
        port = int(url.rpartition(":")[2])
        with served(workspace, port=port) as (url, _):
            go_on(li, url, seen)
        seen["trouble"] += [t for t in li.trouble if "401" not in t and "ERR_" not in t]
    seen["votes"] = kept_votes(workspace, withdrawn=True)
    workspace.write("data/arena.yaml", json.dumps(filled.config))
    seen["after"] = ranked(workspace)
    return seen


def ranked(workspace):
    done = workspace.run("rank", "--json")
    assert done.code == 0, done
    return done.document["boards"][0]


def vote(browser, url, seen):
    li = watched(browser, url, "li")
    seen["asked"] = [li.inner_text(".asked")]
    seen["keys"] = li.locator("#keys kbd").all_inner_texts()
    behind = li.locator("details p")
    seen["behind"] = [behind.is_visible()]
    li.keyboard.press("c")
    seen["behind"] += [behind.is_visible(), behind.inner_text()]
    press(li, "1", "2", "0")
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
    seen["inline"] = inline(li)
    seen["trouble"] = li.trouble + wu.trouble
    seen["bytes"] = li.got + wu.got
    li.trouble.clear()
    return li


def inline(page):
    found = "document.querySelectorAll('[style],style,script:not([src]),[onclick],[onerror]')"
    return page.evaluate(f"{found}.length")


def decided(page, number, *keys):
    """Press keys, the last of which is answered by a decision or its being taken back."""
    for key in keys[:-1]:
        page.keyboard.press(key)
    with page.expect_response(lambda r: r.request.method == "POST" and "/api/review" in r.url):
        page.keyboard.press(keys[-1])
    page.wait_for_function(
        "n => document.getElementById('progress').textContent.startsWith(n + ' of ')",
        arg=str(number),
    )


def at(page):
    """Which flag is looked at, and what is pressed on each of the first three."""
    pressed = [
        page.locator(f"#flag-{n} button[aria-pressed=true] kbd").all_inner_texts() for n in range(3)
    ]
    return int(page.get_attribute("#work", "data-current")), *("".join(p) for p in pressed)


def review(browser, url, seen):
    """Confirm, reject, unsure; back twice; a change of mind and back; a reload in the middle."""
    ready = "#work[data-current]"
    page = watched(browser, url, "chen", path="review", ready=ready)
    told = page.evaluate("fetch('/api/review').then((reply) => reply.json())")
    seen["shown"] = [one["flag"] for one in told["items"]]
    decided(page, 1, "1")
    decided(page, 2, "2")
    decided(page, 3, "3")
    seen["review"] = [at(page)]
    decided(page, 2, "u")
    decided(page, 1, "u")
    seen["review"].append(at(page))
    page.locator("#flag-1 input").click()
    page.keyboard.type("u 2 3 " + EVIL[:40])
    seen["typed"] = at(page)
    page.keyboard.press("Tab")
    decided(page, 2, "2")
    seen["review"].append(at(page))
    page.reload()
    page.wait_for_selector(ready)
    seen["review"].append(at(page))
    decided(page, 2, "k", "1")
    decided(page, 2, "u")
    seen["review"].append(at(page))
    seen["note"] = page.input_value("#flag-1 input")
    seen["html"] += page.content()
    seen["inline"] += inline(page)
    seen["trouble"] += page.trouble
    seen["bytes"] += page.got


def add_second_suite(workspace):
    """A suite with a hostile name and a board, and a third that has neither results nor a board."""
    suite = json.loads((workspace.data / "suites" / SUITE / "suite.yaml").read_text())
    for name, title in (("other-en", EVIL[:90]), ("third-en", "Third")):
        folder = workspace.data / "suites" / name
        shutil.copytree(workspace.data / "suites" / SUITE, folder)
        (folder / "suite.yaml").write_text(json.dumps(suite | {"suite": name, "name": title}))
    more = [{"suite": name, "mode": "natural"} for name in (SUITE, "other-en", "third-en")]
    workspace.write("data/arena.yaml", json.dumps(workspace.config | {"suites": more}))
    with Store(workspace.root / "results" / "arena.duckdb") as store:
        board = store.boards.latest(SUITE, "natural")
        store.boards.add(replace(board, suite="other-en", agents=board.agents[:2]), run="r")
    state = State(
        workspace.results / "status.json", command=f"arena run {EVIL[:60]}", started_at=AT
    )
    for name, made in ((SUITE, 3), ("third-en", 5)):
        state.job = f"{name} · natural"
        state.update(Tally(stage="collect", planned=48, present=0, made=made))
    state.end("running", at=AT)


def look_on(browser, url, seen):
    """The owner sees every board; a voter is told why there is none for them."""
    page = opened(browser, url)
    page.goto(f"{url}/live")
    page.wait_for_function("() => document.querySelectorAll('section.board table').length === 4")
    parts = page.locator("section.board")
    seen["live"] = [
        (part.locator("h2").inner_text(), part.locator("tr").count(), part.inner_text())
        for part in (parts.nth(n) for n in range(parts.count()))
    ]
    seen["inline"] += inline(page)
    seen["trouble"] += page.trouble
    voter = watched(browser, url, "xu")
    voter.goto(f"{url}/live")
    voter.wait_for_selector("#notice a")
    seen["no live"] = voter.inner_text("#notice"), voter.locator("section.board").count()


def go_on(li, url, seen):
    """The service was started anew: the vote that was on its way is kept once li is back."""
    before = item(li)
    with Voter(url, "wu") as wu:
        seen["wu"] = wu.state["rooms"][0]["progress"]["done"]
    for key in ("1", "1", "1"):
        li.keyboard.press(key)
    li.wait_for_selector("#enter:not([hidden])")
    seen["gone"] = li.inner_text("#notice"), li.input_value("#name")
    li.keyboard.press("Enter")
    li.wait_for_function(
        "before => (document.getElementById('work').dataset.item ?? before) !== before", arg=before
    )
    seen["went on"] = li.inner_text("#progress"), li.is_visible("#notice")


def test_keys_are_shown_and_criteria_come_before_the_whole(session):
    assert session["asked"][0].startswith("Warmth")
    assert session["keys"] == ["1", "2", "0", "N", "S"]
    assert session["behind"] == [False, True, "What the neighbour keeps to himself"]
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
    assert sum(not v.withdrawn for v in li) == 5
    assert sum(v.withdrawn for v in li) == 1
    assert len(wu) == 2
    assert sorted(len(v.criteria) for v in li) == [0, 0, 2, 2, 2, 2]


def test_after_a_restart_who_signs_in_again_goes_on_and_no_vote_is_lost_or_doubled(session):
    assert session["wu"] == 2
    assert session["gone"] == (
        "The session has ended. Begin again; your votes are kept.",
        "li",
    )
    assert session["went on"][0].startswith("5 of ")
    assert session["went on"][1] is False
    standing = [v.place for v in session["votes"] if v.person == "human:li" and not v.withdrawn]
    assert len(set(standing)) == len(standing) == 5


def test_the_keys_of_the_review_decide_take_back_and_survive_a_reload(session):
    thrice, back, again, reloaded, mind = session["review"]
    assert thrice[1:] == ("1", "2", "3")
    assert back == (1, "1", "", "")
    assert session["typed"] == back, "what is typed into a note is no key"
    assert again == reloaded == (2, "1", "2", "")
    assert mind == (1, "1", "2", ""), "back from a change of mind is what was decided before"
    assert session["note"] == "u 2 3 " + EVIL[:40]


def test_what_was_decided_in_the_browser_is_what_the_gates_of_the_board_go_by(session):
    before, after = session["before"], session["after"]
    first, second = session["shown"][:2]
    raised = {flag["id"] for flag in before["flags"]}
    assert {flag["human"] for flag in before["flags"]} == {"unchecked"}
    human = {flag["id"]: flag["human"] for flag in after["flags"]}
    assert human[first] == "confirmed"
    assert {human[id] for id in raised - {first, second}} <= {"unchecked"}
    assert human.get(second, "rejected") == "rejected"
    assert len(human) == len(raised | {first})


def test_every_board_of_the_run_is_shown_to_the_owner_and_none_to_a_voter(session):
    first, other, third = session["live"]
    # A heading and a stage, a heading and the agents.
    assert (first[0], first[1]) == ("Small · Natural", 2 + 4)
    assert other[0].startswith("<script>alert(1)</script>")
    assert "⟨U+202E⟩" in other[0]
    assert other[1] == 3
    assert third[0] == "Third · Natural"
    assert "No board yet" in third[2]
    assert session["no live"][1] == 0
    assert "voting is blind" in session["no live"][0]


def test_hostile_transcripts_stay_text(session):
    assert session["trouble"] == []
    assert session["inline"] == 0
    assert "&lt;script&gt;alert(1)" in session["html"]


def test_no_byte_tells_a_voter_who_spoke(session):
    sent = b"\n".join(session["bytes"]).lower()
    assert [name for name in SECRET if name.lower().encode() in sent] == []
