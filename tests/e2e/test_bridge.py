"""A judge's alias comes to be served by another model: refused, bridged, joined, compared."""

import hashlib
import json
import re
from types import SimpleNamespace

import pytest

from tests.e2e.conftest import Workspace, agent, judge
from tests.support import behaviours
from tests.support.answers import messages_text, schema_of
from tests.support.server_thread import ServerThread

pytestmark = pytest.mark.slow

SCENARIOS = 30
PRESENTATIONS = 2 * SCENARIOS
FENCED = re.compile(r"^=== (\w+) START \w+ ===\n(.*?)\n=== \1 END", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def served():
    """Which model answers for the alias, and whether it only likes what it is shown first."""
    state = SimpleNamespace(model="m-1", first=False)

    def alias(server, ask):
        return behaviours.completion(server, ask, server.text_for(ask), model=state.model)

    patch = pytest.MonkeyPatch()
    patch.setitem(behaviours.BEHAVIOURS, "alias", alias)
    yield state
    patch.undo()


@pytest.fixture(scope="module")
def story(tmp_path_factory, served):
    """The walk, step by step; every step's output by name."""

    def answer(request):
        if schema_of(request) is None:
            return None
        shown = FENCED.findall(messages_text(request))
        best = max(shown, key=lambda block: hashlib.sha256(block[1].encode()).digest())
        won = shown[0][0] if served.first else best[0]
        side = {"warmth": {"side": won, "strength": 3}}
        return json.dumps({"winner": won, "strength": 3, "criteria": side, "reason": "So."})

    workspace = Workspace(tmp_path_factory.mktemp("bridge") / "workspace")
    workspace.write_suite(scenarios=SCENARIOS, turns=1)
    old, now = workspace.root / "old.json", workspace.root / "now.json"
    ran, asked = {}, {}
    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as server:
        agents = [agent(name, server.url) for name in ("alpha", "bravo", "carol")]
        alias = judge("j", server.url, model="alias", uses=["pairwise"])

        def walk(name, *words):
            before = server.server.begun
            ran[name] = workspace.run(*words)
            asked[name] = server.server.begun - before

        def play(name):
            for stage in ("collect", "compare"):
                assert workspace.run(stage, "--yes").code == 0
            walk(name, "rank", "--json")
            assert ran[name].code == 0, str(ran[name])

        workspace.configure(agents[:2], [alias])
        play("first")
        old.write_text(ran["first"].out, "utf-8")
        walk("same", "plan", "--bridge", str(old))
        served.model = "m-2"
        workspace.configure(agents, [alias])
        play("second")
        walk("refused", "publish", "--compare", str(old), "--json")
        walk("plan", "plan", "--bridge", str(old), "--share", "1", "--json")
        walk("dry", "compare", "--bridge", str(old), "--dry-run")
        walk("part", "compare", "--bridge", str(old), "--share", "0.5", "--yes", "--json")
        walk("whole", "compare", "--bridge", str(old), "--share", "1", "--yes", "--json")
        walk("again", "compare", "--bridge", str(old), "--share", "1", "--yes")
        walk("joined", "rank", "--json")
        now.write_text(ran["joined"].out, "utf-8")
        walk("compared", "publish", "--compare", str(old), "--json")
        ran["page"] = (workspace.leaderboard / "changes.html").read_text("utf-8")
        served.model, served.first = "m-3", True
        forced = ("--judge", "j", "--share", "0.4", "--yes", "--json")
        walk("third", "compare", "--bridge", str(now), *forced)
        walk("changed", "compare", "--bridge", str(old), "--agent", "alpha")
        workspace.configure(agents, [{**alias, "sampling": {"temperature": 0.5}}])
        walk("configured", "compare", "--bridge", str(old), "--dry-run")
    return SimpleNamespace(**ran, asked=asked, workspace=workspace)


def board_of(ran):
    (board,) = ran.document["boards"]
    return board


def test_nothing_is_bridged_while_the_same_model_serves(story):
    assert story.same.code == 2
    assert "nothing to bridge" in story.same.err


def test_boards_of_two_models_are_refused_with_both_and_the_way_on(story):
    assert story.refused.code == 2
    error = story.refused.document["error"]
    assert "another model served j" in error["message"]
    assert "then: m-1; now: m-2" in error["why"]
    assert "arena plan --bridge OLD" in error["hint"]
    assert board_of(story.second)["panel"] == ["j@m-2"]


def test_a_bridge_is_priced_before_anything_is_asked(story):
    assert story.asked["plan"] == story.asked["dry"] == 0
    plan = story.plan.document
    assert plan["forecast"]["calls"] == PRESENTATIONS
    (reach,) = plan["reach"]
    assert (reach["comparisons"], reach["of"]) == (SCENARIOS, SCENARIOS)
    assert reach["fewest"] == PRESENTATIONS
    assert "would go unseen" in story.dry.err
    assert "9 of 30 comparisons (30%)" in story.dry.err


def test_what_was_paid_for_is_kept_and_never_asked_twice(story):
    assert story.asked["part"] == PRESENTATIONS / 2
    assert story.asked["whole"] == PRESENTATIONS / 2
    assert story.asked["again"] == 0
    stored = "select count(distinct key) from verdict"
    assert story.workspace.rows(stored)[0][0] >= 3 * PRESENTATIONS + PRESENTATIONS


def test_too_small_a_bridge_joins_nothing_and_a_large_one_does(story):
    assert [b["finding"] for b in story.part.document["bridges"]] == ["small"]
    (bridge,) = story.whole.document["bridges"]
    assert bridge["finding"] == "holds"
    assert (bridge["old"], bridge["new"], bridge["read"]) == ("m-1", "m-2", PRESENTATIONS)
    assert bridge["seen"] <= bridge["within"]
    assert [d["mean"] for d in bridge["drifts"]] == [0, 0, 0]


def test_models_that_judge_alike_share_a_board(story):
    split, joined = board_of(story.second), board_of(story.joined)
    assert split["comparisons"] == 2 * SCENARIOS
    assert joined["comparisons"] == 3 * SCENARIOS
    assert joined["panel"] == ["j"]
    (basis,) = joined["basis"]["judges"]
    assert basis["compared_by"] == ["m-1", "m-2"]
    keys = [note["key"] for note in joined["notes"]]
    assert "served_joined" in keys
    assert "served_split" not in keys
    assert "bridge_holds" in keys


def test_then_the_boards_are_compared_over_the_scenarios_of_both(story):
    assert story.compared.code == 0, str(story.compared)
    (changes,) = story.compared.document["changes"]
    found = {a["agent"]: a for a in changes["agents"]}
    assert found["carol"]["presence"] == "new"
    for name in ("alpha", "bravo"):
        assert found[name]["altered"] is False
        shift = found[name]["rating"]
        assert shift["low"] < shift["difference"] < shift["high"]
    assert changes["bridges"][0]["finding"] == "holds"
    assert "m-1 → m-2" in story.page
    assert "no drift is seen" in story.page


def test_a_judge_that_judges_otherwise_is_seen(story):
    assert story.third.code == 0, str(story.third)
    found = {(b["old"], b["new"]): b for b in story.third.document["bridges"]}
    drifted = found["m-2", "m-3"]
    assert drifted["finding"] == "drifts"
    assert drifted["drifts"][0]["agent"] is None
    # In every scenario exactly one of two orders turns round: no interval, and no doubt.
    assert (drifted["drifts"][0]["mean"], drifted["drifts"][0]["low"]) == (0.5, None)


def test_what_would_make_the_draw_no_random_one_is_refused(story):
    assert story.changed.code == story.configured.code == 2
    assert "--agent does not go with --bridge" in story.changed.err
    assert "j is configured otherwise by now" in story.configured.err
