"""Commentary on request: asked once a set of scores, kept, shown, and never scored."""

import json

import pytest

from arena.judging.commentary_phrases import COMMENTARY
from tests.e2e.conftest import SUITE, agent, begun, board_of, fair, judge
from tests.support.server_thread import ServerThread

FORM = COMMENTARY["en"]["form"]
SAID = "<script>alert(1)</script> Risk: none.\nAdvice: {{ ask }} first."


def asked_to_comment(request):
    return FORM in request["messages"][-1]["content"]


def answer(request):
    return SAID if asked_to_comment(request) else fair(request)


@pytest.fixture
def talkative():
    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as thread:
        yield thread


def configure(workspace, server, *names, **more):
    agents = [agent(name, server.url) for name in names or ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url, **more)])


def scored(workspace, server, **more):
    """Two agents, played, scored and compared: ranked as far as they go."""
    configure(workspace, server, **more)
    assert workspace.run("run", "--yes").code == 0


def test_it_is_asked_once_and_only_when_asked_for(workspace, talkative):
    scored(workspace, talkative)
    assert workspace.rows("select count(*) from commentary") == [(0,)]
    first = workspace.run("score", "--commentary", "--yes", "--json").document
    assert {s["stage"]: s["calls"] for s in first["stages"]} == {"score": 0, "comment": 4}
    before = begun(talkative)
    again = workspace.run("score", "--commentary", "--yes", "--json").document
    assert again["forecast"]["calls"] == 0
    assert begun(talkative) == before
    assert first["commentaries"] == again["commentaries"]
    assert {(c["status"], c["text"]) for c in again["commentaries"]} == {("ok", SAID)}
    configure(workspace, talkative, "alpha", "bravo", "charlie")
    assert workspace.run("collect", "--yes").code == 0
    more = workspace.run("score", "--commentary", "--yes", "--json").document
    assert {s["stage"]: s["made"] for s in more["stages"]} == {"score": 2, "comment": 2}


def test_it_bears_on_no_score(workspace, talkative):
    scored(workspace, talkative)
    before = board_of(workspace), workspace.rows("select * from score order by all")
    assert workspace.run("score", "--commentary", "--yes").code == 0
    assert workspace.run("rank").code == 0
    assert (board_of(workspace), workspace.rows("select * from score order by all")) == before


def test_it_is_forecast_beside_the_scores_that_it_waits_for(workspace, talkative):
    configure(workspace, talkative)
    assert workspace.run("collect", "--yes").code == 0
    dry = workspace.run("score", "--commentary", "--dry-run", "--json").document
    assert {line["stage"]: line["calls"] for line in dry["forecast"]["lines"]} == {
        "score": 4,
        "comment": 4,
    }
    assert workspace.rows("select count(*) from call where speaker = 'judge'") == [(0,)]
    one = workspace.run("score", "--commentary", "--limit", "1", "--yes", "--json").document
    assert one["forecast"]["calls"] == 4
    assert {s["stage"]: s["made"] for s in one["stages"]} == {"score": 2, "comment": 2}


def test_without_consent_nothing_is_asked(workspace, talkative):
    scored(workspace, talkative)
    assert workspace.run("score", "--commentary").code == 4
    assert workspace.rows("select count(*) from call where serves_kind = 'commentary'") == [(0,)]


def test_the_cap_holds_for_it_too(workspace, talkative):
    scored(workspace, talkative)
    price = {"per_call": 1, "currency": "CNY"}
    configure(workspace, talkative, price=price)
    ran = workspace.run("score", "--commentary", "--yes", "--max-cost", "2 CNY")
    assert ran.code == 4, str(ran)
    assert workspace.rows("select count(*) from commentary") == [(2,)]
    assert workspace.run("score", "--commentary", "--yes").code == 0
    assert workspace.rows("select count(*), count(distinct key) from commentary") == [(4, 4)]


def test_what_is_not_whole_is_kept_counted_and_asked_again_only_on_request(workspace):
    reply = "refused: this cannot be commented on"

    def refuse(request):
        return reply if asked_to_comment(request) else fair(request)

    with ServerThread(retry_after=0, answer=refuse, answer_schemas=True) as server:
        scored(workspace, server)
        ran = workspace.run("score", "--commentary", "--yes", "--json")
        assert ran.code == 3
        assert {c["status"] for c in ran.document["commentaries"]} == {"refused"}
        asked = begun(server)
        assert workspace.run("score", "--commentary", "--yes").code == 3
        assert begun(server) == asked
        reply = "Fine now."
        again = workspace.run("score", "--commentary", "--yes", "--retry-errors", "--json")
        assert again.code == 0
        assert {c["text"] for c in again.document["commentaries"]} == {"Fine now."}
    assert workspace.rows("select count(*), max(attempt) from commentary") == [(8, 2)]


def test_scores_that_are_not_complete_wait(workspace):
    down = True

    def answer_or_fail(request):
        if asked_to_comment(request):
            return "Said."
        text = fair(request)
        # What is no sheet fails as unreadable; nothing of it may be commented on as if scored.
        return "no sheet" if text is not None and down else text

    with ServerThread(retry_after=0, answer=answer_or_fail, answer_schemas=True) as server:
        configure(workspace, server)
        assert workspace.run("collect", "--yes").code == 0
        ran = workspace.run("score", "--commentary", "--yes", "--json")
        assert ran.code == 3
        assert ran.document["commentaries"] == []
        assert workspace.rows("select count(*) from commentary") == [(0,)]
        down = False
        again = workspace.run("score", "--commentary", "--yes", "--retry-errors", "--json")
        assert again.code == 0
        assert len(again.document["commentaries"]) == 4


def test_the_page_shows_it_as_text(workspace, talkative):
    scored(workspace, talkative)
    assert workspace.run("score", "--commentary", "--yes").code == 0
    assert workspace.run("publish").code == 0
    pages = [p.read_text(encoding="utf-8") for p in workspace.leaderboard.glob("s/*.html")]
    assert pages
    for page in pages:
        assert page.count('<details class="commentary">') == 2
        assert "&lt;script&gt;alert(1)&lt;/script&gt; Risk: none." in page
        assert "<script>alert(1)" not in page


def test_a_suite_may_ask_in_its_own_words_and_asks_only_the_commentary_again(workspace, talkative):
    scored(workspace, talkative)
    assert workspace.run("score", "--commentary", "--yes").code == 0
    own = "Say what {{ code }} should change.\n{{ transcript }}\n{{ scores }}\n{{ instruction }}"
    workspace.write(f"data/suites/{SUITE}/templates/commentary.j2", own)
    ran = workspace.run("score", "--commentary", "--yes", "--json").document
    assert {s["stage"]: s["calls"] for s in ran["stages"]} == {"score": 0, "comment": 4}
    # A board says nothing of commentary, so that it is not out of date either.
    assert workspace.run("publish").code == 0
    assert "The suite has changed" not in (workspace.leaderboard / "index.html").read_text("utf-8")


def test_a_template_that_leaves_the_scores_out_is_refused_before_anything_is_asked(
    workspace, talkative
):
    scored(workspace, talkative)
    wrong = "{{ transcript }} {{ instruction }}"
    workspace.write(f"data/suites/{SUITE}/templates/commentary.j2", wrong)
    ran = workspace.run("score", "--commentary", "--yes")
    assert ran.code == 2
    assert "templates/commentary.j2" in ran.err
    assert "{{ scores }}" in ran.err


def test_a_suite_that_takes_none_says_so(workspace, talkative):
    scored(workspace, talkative)
    path = workspace.data / "suites" / SUITE / "suite.yaml"
    head = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(head | {"commentary": False}), encoding="utf-8")
    ran = workspace.run("score", "--commentary", "--yes")
    assert ran.code == 2
    assert f"no suite here takes any: {SUITE}" in ran.err
