"""Voting over HTTP: blind, never lost, never twice, taken back without being deleted."""

import threading
import time

import pytest

from arena.domain.verdict import Outcome
from tests.serving.conftest import PAIRS, SECRET, Voter, kept_votes, served

VOTERS = 50


@pytest.fixture(scope="module")
def walked(filled, tmp_path_factory):
    """One service, everything done on it, and what came of it in the end."""
    import shutil

    from tests.e2e.conftest import Workspace

    root = tmp_path_factory.mktemp("walked") / "w"
    shutil.copytree(filled.root, root)
    workspace, seen = Workspace(root), {}
    with served(workspace) as (url, _):
        with Voter(url, "li") as li:
            seen["li"] = li
            walk(li, seen)
        seen["crowd"] = crowd(url)
    seen["votes"] = kept_votes(workspace)
    seen["all"] = kept_votes(workspace, withdrawn=True)
    seen["workspace"] = workspace
    return seen


def walk(li, seen):
    first = li.next()
    seen["first"] = first
    seen["new"] = li.vote(first, "second", warmth="first", advice="tie").json()
    seen["same"] = li.vote(first, "second", warmth="first", advice="tie").json()
    seen["other"] = li.vote(first, "first").status_code
    second = li.next()
    seen["second"] = second
    progress = li.vote(second, "tie").json()["progress"]
    undone = li.undo(progress)
    seen["undone"] = undone.json()
    seen["undone again"] = li.undo(progress).status_code
    seen["late"] = li.vote(second, "tie").json()
    again = li.next()
    seen["again"] = again
    seen["skip"] = li.vote(again, "skip", warmth="first").json()
    wrong = [
        li.body(again) | {"item": "0" * 32},
        li.body(again) | {"room": "0"},
        li.body(again) | {"criteria": {"charm": "tie"}},
        li.body(again) | {"choice": "a"},
        li.body(again) | {"turn": 0},
        li.body(again) | {"more": 1},
    ]
    seen["wrong"] = [li.post("/api/vote", body).status_code for body in wrong]
    for path in ("/vote", "/vote?lang=zh", "/api/vote/state", "/static/vote.js", "/api/health"):
        assert li.get(path).status_code == 200, path
    paths = ("/", "/index.html", "/api/board", "/api/verdicts", "/api/transcripts", "/api/pairs")
    seen["shut"] = [li.get(path).status_code for path in paths]
    while (shown := li.next())["item"]:
        # Votes of one person are limited in rate; who is refused tries again.
        while li.vote(shown, "first").status_code == 429:
            time.sleep(0.2)
    seen["done"] = shown


def crowd(url):
    """Many people at once, each with one vote on their first presentation."""
    acknowledged, gate, lock = [], threading.Barrier(VOTERS), threading.Lock()

    def one(n):
        with Voter(url, f"p{n}") as voter:
            shown = voter.next()
            gate.wait()
            reply = voter.vote(shown, "first")
            with lock:
                acknowledged.append((f"human:p{n}", reply.status_code, reply.json().get("kept")))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(VOTERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    return acknowledged


def test_what_is_shown_is_plain_and_under_codes(walked):
    first = walked["first"]
    assert first["turn"] == 1
    assert len(set(first["codes"])) == 2
    assert [c["key"] for c in first["criteria"]] == ["warmth", "advice"]
    assert [len(side) for side in first["dialogues"]] == [4, 4]
    assert all(
        "<script>alert(1)</script>" in line["text"] for s in first["dialogues"] for line in s
    )
    assert "⟨U+202E⟩" in first["dialogues"][0][0]["text"]


def test_no_byte_that_a_voter_gets_tells_who_or_what_judges_said(walked):
    sent = b"\n".join(walked["li"].bytes).lower()
    assert len(sent) > 50_000
    assert [name for name in SECRET if name.lower().encode() in sent] == []
    assert "█████".encode() in sent or b"\\u2588" in sent


def test_a_vote_is_kept_once_and_another_in_its_place_is_refused(walked):
    assert (walked["new"]["kept"], walked["same"]["kept"], walked["other"]) == ("new", "same", 409)
    assert walked["new"]["progress"]["done"] == 1


def test_a_vote_taken_back_comes_up_again_and_its_late_copy_does_not_count(walked):
    assert walked["undone"]["progress"]["done"] == 1
    assert walked["undone again"] == 200
    assert walked["late"]["kept"] == "same"
    assert walked["again"]["item"] == walked["second"]["item"]
    assert walked["again"]["turn"] == 2
    assert walked["skip"]["progress"] | {"last": None} == {
        "done": 2,
        "skipped": 1,
        "total": walked["done"]["progress"]["total"],
        "last": None,
    }


def test_what_is_no_vote_is_refused(walked):
    assert walked["wrong"] == [404, 404, 422, 422, 422, 422]
    assert walked["shut"] == [403] * 6


def test_the_store_has_what_was_acknowledged(walked):
    own = [v for v in walked["votes"] if v.person == "human:li"]
    total = walked["done"]["progress"]["total"]
    assert walked["done"]["progress"]["done"] == len(own) == total
    assert sum(v.outcome is None for v in own) == 1
    first = next(
        v
        for v in own
        if v.criteria == {"warmth": Outcome.A, "advice": Outcome.TIE}
        or v.criteria == {"warmth": Outcome.B, "advice": Outcome.TIE}
    )
    # It was said of the second shown; the store says it of a and b.
    assert first.outcome == (Outcome.B if first.order == "ab" else Outcome.A)
    taken_back = [v for v in walked["all"] if v.withdrawn]
    assert [(v.outcome, v.attempt) for v in taken_back] == [(Outcome.TIE, 1)]


def test_every_random_presentation_has_the_chance_of_the_plan(walked):
    chances = {v.probability for v in walked["votes"] if v.why == "random"}
    assert chances == {round(0.7 * PAIRS) / PAIRS}
    assert {v.probability for v in walked["votes"] if v.why == "disputed"} <= {None}
    assert len({v.scenario for v in walked["votes"]}) == 8


def test_of_many_voters_at_once_no_vote_is_lost(walked):
    assert len(walked["crowd"]) == VOTERS
    assert {(code, kept) for _, code, kept in walked["crowd"]} == {(200, "new")}
    people = {person for person, *_ in walked["crowd"]}
    assert {v.person for v in walked["votes"]} == people | {"human:li"}
    assert sum(v.person != "human:li" for v in walked["votes"]) == VOTERS
