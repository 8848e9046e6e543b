"""Plans of comparisons from the command line: followed, resumed, stopped, and told of."""

import json
from collections import Counter

import pytest

from tests.e2e.conftest import Workspace, agent, board_of, fair, judge, wait_for_calls
from tests.support.server_thread import ServerThread

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

KINDS = ("attentive", "steady", "hasty", "careless")
SCRIPTED = "scripted/everyday-en/scripted"


def scripted(workspace: Workspace, agents: int, **more) -> None:
    workspace.configure(
        [
            {
                "agent": f"s{n:02d}",
                "vendor": f"v{n}",
                "version": str(n),
                "model": f"{SCRIPTED}-{KINDS[n % 4]}",
            }
            for n in range(agents)
        ],
        [
            {
                "judge": name,
                "vendor": "judges",
                "model": f"{SCRIPTED}-{name}",
                "uses": [use],
                "response_format": "json_schema",
            }
            for name, use in (("scorer", "rubric"), ("arbiter", "pairwise"))
        ],
        suites=[{"suite": "everyday-en", "mode": "natural"}],
        currency="USD",
        **more,
    )


def ran(workspace: Workspace, *args: str):
    done = workspace.run(*args)
    assert done.code == 0, done
    return done


VERDICTS = 'select key, agent_a, agent_b, scenario, "order", outcome from verdict order by key'
PLANS = "select key, design, scores, comparisons from plan order by place"


def test_twelve_agents_informed_by_their_scores_and_a_thirteenth_that_joins(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 12)
    forecast = ran(workspace, "run", "--limit", "10", "--dry-run", "--json").document
    assert not workspace.rows("select * from plan")
    (drafted,) = forecast["plans"]
    assert (drafted["design"], drafted["comparisons"], drafted["evened"]) == ("informed", 220, 66)
    assert sum(drafted["agents"].values()) == 440

    first = ran(workspace, "run", "--limit", "10")
    assert "pairs are undecided" in first.err
    verdicts, plans = workspace.rows(VERDICTS), workspace.rows(PLANS)
    assert len(verdicts) == 440
    assert Counter(order for *_, order, _ in verdicts) == {"ab": 220, "ba": 220}
    assert len(plans) == 1
    assert plans[0][2] is not None
    board = board_of(workspace)
    assert board["design"]["design"] == "informed"
    assert board["design"]["comparisons"] == board["comparisons"] == 220
    assert board["design"]["plan"] == plans[0][0]
    pages = {p.name: p.read_text("utf-8") for p in workspace.leaderboard.glob("index*.html")}
    assert "The absolute scores chose the comparisons (220 planned)" in pages["index.html"]
    assert "由绝对评分选择比较（计划 220 次）" in pages["index.zh.html"]

    calls = workspace.rows("select count(*) from call")
    again = ran(workspace, "compare", "--limit", "10", "--json").document
    assert [s["made"] for s in again["stages"]] == [0]
    assert workspace.rows("select count(*) from call") == calls
    assert workspace.rows(PLANS) == plans
    status = ran(workspace, "status", "--json").document["jobs"][0]["stages"]
    assert status[2]["present"] == 440

    scripted(workspace, 13)
    ran(workspace, "run", "--limit", "10")
    after = workspace.rows(VERDICTS)
    assert set(verdicts) <= set(after)
    added = set(after) - set(verdicts)
    assert added
    assert all("s12" in (a, b) for _, a, b, *_ in added)
    assert len({a for _, a, *_ in added}) == 12
    asked = workspace.rows("select serves, count(*) from call group by serves, round")
    assert {n for _, n in asked} == {1}
    kept = [json.loads(plan[3]) for plan in workspace.rows(PLANS)]
    assert len(kept) == 2
    assert len(kept[1]) == 220 + len(added) // 2
    # Somebody who leaves costs nothing: everything old is counted again.
    scripted(workspace, 12)
    ran(workspace, "rank")
    assert board_of(workspace)["comparisons"] == 220


def test_the_stop_rule_ends_the_plan_and_the_board_says_so(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 4)
    asked = ("--stop-width", "2000", "--looks", "2")
    done = ran(workspace, "run", *asked)
    assert "look 1 of at most 2" in done.err
    assert "stopped by the rule" in done.err
    assert workspace.rows("select number, looks, stopped from look") == [(1, 2, True)]
    verdicts = workspace.rows("select count(*) from verdict")
    assert verdicts == [(120,)]  # half of 6 pairs × 20 scenarios × 2 orders
    board = board_of(workspace)
    assert board["method"]["level"] == 0.975
    assert (board["design"]["stopped"], board["design"]["looks"]) == (1, 2)
    assert "stopped" in [note["key"] for note in board["notes"]]
    assert {a["state"] for a in board["agents"]} == {"ranked"}
    assert all(a["high"] - a["low"] <= 2000 for a in board["agents"])
    page = (workspace.leaderboard / "index.html").read_text("utf-8")
    assert "Stopped by the rule at look 1 of at most 2" in page
    assert "97.5%" in page
    assert ran(workspace, "compare", *asked, "--json").document["stages"][0]["planned"] == 120
    assert workspace.rows("select count(*) from verdict") == verdicts
    # A width that nothing reaches is looked for to the end, and no further.
    ran(workspace, "compare", "--stop-width", "1", "--looks", "2")
    looks = workspace.rows("select looks, number, stopped from look order by plan, number")
    assert sorted(looks) == [(2, 1, False), (2, 1, True), (2, 2, False)]
    assert workspace.rows("select count(*) from verdict") == [(240,)]


def test_a_narrowed_command_makes_no_look_and_goes_no_further_than_to_the_next(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 4)
    ran(workspace, "collect")
    ran(workspace, "compare", "--stop-width", "2000", "--looks", "2", "--agent", "s00")
    assert workspace.rows("select * from look") == []
    agents = workspace.rows("select agent_a, agent_b from verdict")
    assert len(agents) == 60  # thirty of its sixty comparisons come before the first look
    assert all("s00" in pair for pair in agents)


def test_no_look_is_spent_on_what_is_not_there(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 4)
    asked = ("compare", "--stop-width", "2000", "--looks", "2")
    for some in ("s00", "s01"):
        ran(workspace, "collect", "--agent", some)
    ran(workspace, *asked)
    assert 0 < len(workspace.rows(VERDICTS)) <= 20
    assert workspace.rows("select * from look") == []
    ran(workspace, "collect")
    ran(workspace, *asked)
    assert workspace.rows("select number, stopped from look") == [(1, True)]
    assert len(workspace.rows(PLANS)) == 1


def test_an_adaptive_board_has_neither_intervals_nor_ranks(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 5)
    done = ran(workspace, "run", "--limit", "12", "--design", "adaptive")
    assert "verdicts choose what is compared next" in done.err
    rounds = [len(json.loads(plan[3])) for plan in workspace.rows(PLANS)]
    assert rounds == sorted(set(rounds))
    assert len(rounds) > 1
    assert rounds[-1] == 40  # a third of 10 pairs × 12 scenarios
    assert len(workspace.rows(VERDICTS)) == 80
    board = board_of(workspace)
    assert "adaptive" in [note["key"] for note in board["notes"]]
    for standing in board["agents"]:
        assert standing["rating"] is not None
        assert (standing["low"], standing["high"], standing["se"]) == (None, None, None)
        assert (standing["rank_low"], standing["state"]) == (None, "provisional")
    assert all(p["low"] is None and p["decision"] is None for p in board["pairs"])
    page = (workspace.leaderboard / "index.html").read_text("utf-8")
    assert "there are no 95% intervals and no ranks" in page
    assert "The 95% intervals rest on" not in page
    # What is evenly chosen afterwards does not mend it.
    ran(workspace, "run", "--limit", "12", "--design", "even", "--comparisons", "60")
    mixed = board_of(workspace)
    assert mixed["design"]["history"] == ["adaptive", "even"]
    assert all(a["low"] is None for a in mixed["agents"])


def test_against_a_baseline_ranks_what_the_graph_allows(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 4)
    ran(workspace, "run", "--against", "s01")
    assert all("s01" in (a, b) for _, a, b, *_ in workspace.rows(VERDICTS))
    board = board_of(workspace)
    assert board["design"]["baseline"] == "s01"
    assert board["comparisons"] == 60
    assert all(a["rating"] is not None for a in board["agents"])


@pytest.mark.parametrize(
    "wrong",
    [
        ("--design", "all", "--comparisons", "5"),
        ("--design", "adaptive", "--stop-width", "50"),
        ("--looks", "3"),
        ("--against", "nobody"),
        ("--against", "s01", "--design", "even"),
        ("--design", "best"),
        ("--stop-width", "-1"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path, wrong):
    workspace = Workspace(tmp_path / "workspace")
    scripted(workspace, 3)
    assert workspace.run("compare", *wrong).code == 2
    assert not workspace.leaderboard.exists()


def test_kill_9_leaves_the_plan_and_the_same_command_goes_on_with_it(tmp_path):
    workspace = Workspace(tmp_path / "workspace")
    workspace.write_suite(scenarios=6, turns=1)
    with ServerThread(latency=0.05, answer=fair, answer_schemas=True) as server:
        free = {"price": {"per_call": 0, "currency": "CNY"}}
        workspace.configure(
            [agent(f"a{n}", server.url, **free) for n in range(7)],
            [judge("one", server.url, uses=["rubric", "pairwise"], **free)],
        )
        ran(workspace, "collect", "--yes")
        ran(workspace, "score", "--yes")
        command = ("compare", "--yes", "-j", "2", "--design", "informed", "--comparisons", "30")
        begun = server.server.begun
        with workspace.started(*command) as process:
            wait_for_calls(server.server.port, begun + 12, process)
            process.kill()
        (plan,) = workspace.rows(PLANS)
        before = workspace.rows(VERDICTS)
        assert len(before) < 60
        ran(workspace, *command)
        assert workspace.rows(PLANS) == [plan]
        after = workspace.rows(VERDICTS)
        assert set(before) <= set(after)
        places, names = workspace.rows("select places, agents from plan")[0]
        where, who = json.loads(places), json.loads(names)
        intended = {(where[p][0], who[a], who[b]) for p, a, b in json.loads(plan[3])}
        assert len(intended) == 30
        assert {(s, a, b) for _, a, b, s, _, _ in after} == intended
        assert len(after) == 60
