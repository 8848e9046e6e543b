"""Reported faults of whole runs: R09, R15, R35, R38-R40, R42, R46, R62-R64, R66."""

import json
import re

import pytest

from tests.e2e.conftest import LIMITS, SUITE, Workspace, agent, begun, board_of, fair, judge
from tests.support import behaviours
from tests.support.answers import messages_text
from tests.support.server_thread import ServerThread

PAIR = ("alpha", "bravo")


def two(url, **more):
    return [agent(name, url, **more) for name in PAIR]


def codes_in(request):
    return re.findall(r"^=== (\w+) START", messages_text(request), re.MULTILINE)


def test_r09_a_judge_that_refuses_is_counted_apart(workspace):
    def refuse(request):
        if request["model"] != "shy" or len(codes_in(request)) != 2:
            return fair(request)
        return json.dumps({"winner": "refused", "reason": "self-harm"})

    with ServerThread(retry_after=0, answer=refuse, answer_schemas=True) as server:
        workspace.configure(two(server.url), [judge(n, server.url) for n in ("fine", "shy")])
        ran = workspace.run("run", "--yes")
        # A refusal is an answer: it is not repaired, and a plain run does not ask for it again.
        asked = begun(server)["shy"]
        again = workspace.run("run", "--yes")
        assert begun(server)["shy"] == asked
    assert (ran.code, again.code) == (3, 3)
    kept = workspace.rows(
        "select status, outcome, count(*) from verdict where judge = 'shy' group by all"
    )
    assert kept == [("refused", None, 4)]
    by_judge = {j["judge"]: j["rows"] for j in board_of(workspace)["diagnostics"]["judges"]}
    assert by_judge["shy"] == {"refused": 4}
    assert "4 refused" in ran.err


@pytest.mark.parametrize("how", ["policy", "policy-azure"])
def test_r15_a_judge_whose_provider_forbids_the_text_is_asked_once(workspace, server, how):
    workspace.configure(
        two(server.url), [judge("fine", server.url), judge("strict", server.url, model=how)]
    )
    ran = workspace.run("run", "--yes")
    assert ran.code == 3, str(ran)
    planned = 2 * 2 + 2 * 2
    assert begun(server)[how] == planned
    statuses = workspace.rows("select distinct status from call where entrant = 'strict'")
    assert statuses == [("blocked",)]
    assert board_of(workspace)["comparisons"] == 2
    assert "blocked" in ran.err


def test_r35_one_judge_is_no_agreement(workspace, server):
    workspace.configure(two(server.url), [judge("only", server.url)])
    assert workspace.run("run", "--yes").code == 0
    page = (workspace.leaderboard / "index.html").read_text("utf-8")
    other = next(p for p in workspace.leaderboard.glob("index.*.html")).read_text("utf-8")
    assert "Single judge" in page + other
    assert board_of(workspace)["calibration"] is None
    for text in (page, other):
        assert "high confidence" not in text.casefold()
        assert "agreement.raw" not in text
    workspace.configure(two(server.url), [judge(n, server.url) for n in ("only", "second")])
    assert workspace.run("run", "--yes").code == 0
    pages = [p.read_text("utf-8") for p in workspace.leaderboard.glob("index*.html")]
    assert not any("Single judge" in page for page in pages)


def test_r38_replicates_are_averaged_and_counted(workspace):
    given = iter([3, 4, 5] * 10)
    scores: dict[str, int] = {}

    def answer(request):
        shown = codes_in(request)
        if len(shown) != 1:
            return fair(request)
        text = messages_text(request).split("START")[1]
        value = scores.setdefault(text, next(given))
        return json.dumps({"scores": {"warmth": value, "advice": value}, "summary": "-"})

    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as server:
        workspace.write_suite(scenarios=1, turns=1)
        workspace.configure(two(server.url), [judge("referee", server.url)], replicates=3)
        assert workspace.run("run", "--yes").code == 0
    own = workspace.rows(
        "select t.agent, avg(score.value), count(*) from score "
        "join sheet on sheet.key = score.sheet join transcript t on t.key = sheet.transcript "
        "group by t.agent"
    )
    board = {a["agent"]: a for a in board_of(workspace)["agents"]}
    for name, mean, number in own:
        assert number == 3 * 2
        assert board[name]["absolute"]["mean"] == pytest.approx((mean - 1) / 4 * 100)
        assert board[name]["absolute"]["scenarios"] == 1


def test_r39_a_score_that_never_came_is_in_no_mean_and_its_coverage_is_shown(workspace):
    def answer(request):
        text = messages_text(request)
        if len(codes_in(request)) != 1:
            return fair(request)
        if "Scenario 3" in text:
            return "-1"
        value = {"Scenario 1": 4, "Scenario 2": 5, "Scenario 4": 4}
        found = next(v for name, v in value.items() if name in text)
        return json.dumps({"scores": {"warmth": found, "advice": found}, "summary": "-"})

    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as server:
        workspace.write_suite(scenarios=4, turns=1)
        workspace.configure(two(server.url), [judge("referee", server.url)])
        ran = workspace.run("run", "--yes", "--json")
    assert ran.code == 3
    for standing in board_of(workspace)["agents"]:
        found = standing["absolute"]
        assert found["mean"] == pytest.approx((13 / 3 - 1) / 4 * 100)
        assert (found["scenarios"], found["planned"]) == (3, 4)
    page = (workspace.leaderboard / "index.html").read_text("utf-8")
    assert "3 of 4" in page or "3/4" in page or "3 / 4" in page


def test_r40_an_exception_is_an_error_and_no_zero(workspace, server):
    workspace.configure(two(server.url), [judge("referee", server.url)])
    folder = f"data/suites/{SUITE}/templates"
    template = "{{ 1 // (scenario.title | length - 6) }}{{ transcript }} {{ instruction }}"
    workspace.write_suite(scenarios=2, turns=1, scenario_2={"title": "Faulty"})
    workspace.write(f"{folder}/rubric.j2", template)
    ran = workspace.run("run", "--yes")
    assert ran.code == 2
    assert "templates/rubric.j2:1: cannot be rendered" in ran.err
    assert "Traceback" not in ran.err
    assert workspace.rows("select count(*) from score where value = 0") == [(0,)]
    # Mended, the run goes on, and what was paid for is not asked again.
    before = begun(server)
    workspace.write(f"{folder}/rubric.j2", "{{ transcript }} {{ instruction }}")
    assert workspace.run("run", "--yes").code == 0
    assert all(begun(server)[name] == before[name] for name in PAIR if name in before)


def test_r42_a_second_run_asks_only_what_is_missing(workspace, server, monkeypatch):
    monkeypatch.setitem(behaviours.BEHAVIOURS, "flaky", behaviours.BEHAVIOURS["500"])
    workspace.write_suite(scenarios=10, turns=1)
    agents = [
        agent("steady", server.url),
        agent("shaky", server.url, model="flaky", limits={**LIMITS, "attempts": 1}),
    ]
    workspace.configure(agents, [judge("referee", server.url)])
    first = workspace.run("collect", "--yes", "--limit", "7")
    assert first.code == 3
    assert begun(server) == {"steady": 7, "flaky": 7}
    monkeypatch.setitem(behaviours.BEHAVIOURS, "flaky", behaviours.BEHAVIOURS["ok"])
    assert workspace.run("collect", "--yes").code == 0
    # Seven were done of the one, none of the other; nothing is paid twice.
    assert begun(server) == {"steady": 10, "flaky": 7 + 10}
    assert workspace.run("collect", "--yes").code == 0
    assert begun(server) == {"steady": 10, "flaky": 17}


def test_r46_the_served_model_is_kept_with_every_call_and_tells_a_change(workspace, server):
    workspace.write_suite(scenarios=3, turns=1)
    workspace.configure(two(server.url), [judge("referee", server.url, model="drift")])
    assert workspace.run("run", "--yes").code in (0, 3)
    asked = workspace.rows("select distinct model_asked from call where entrant = 'referee'")
    assert asked == [("openai/drift",)]
    served = workspace.rows(
        "select model_returned, count(*) from call where entrant = 'referee' "
        "group by all order by 1"
    )
    assert [name for name, _ in served] == ["drift", "drift-drifted"]
    assert sum(n for _, n in served) == 2 * 3 + 2 * 3
    unknown = workspace.rows("select count(*) from call where model_returned is null")
    assert unknown == [(0,)]


def test_r62_a_secret_of_the_environment_is_in_no_result(workspace, server):
    secret = "tm-77-88-99-secret"
    workspace.configure(
        two(server.url, api_key_env="TEAM"), [judge("referee", server.url, api_key_env="TEAM")]
    )
    ran = workspace.run("run", "--yes", env={"TEAM": secret})
    assert ran.code == 0, str(ran)
    files = [p for p in workspace.root.rglob("*") if p.is_file()]
    assert not [p for p in files if secret.encode() in p.read_bytes()]
    assert secret not in ran.out + ran.err


def test_r63_with_a_wrong_key_nothing_is_done_and_nothing_published(workspace, server):
    workspace.configure(
        [agent(n, server.url, model="401") for n in PAIR],
        [judge("referee", server.url, model="401")],
    )
    ran = workspace.run("run", "--yes")
    assert ran.code == 6
    assert not (workspace.leaderboard / "index.html").exists()
    assert len([line for line in ran.err.splitlines() if "Traceback" in line]) == 0


@pytest.mark.parametrize(
    ("agents", "judges"),
    [
        (lambda url: [], lambda url: [judge("j", url)]),
        (lambda url: [agent("one", url)], lambda url: [judge("j", url)]),
        (lambda url: [agent("one", url), agent("one", url)], lambda url: [judge("j", url)]),
        (lambda url: [agent("one", url), agent("ONE", url)], lambda url: [judge("j", url)]),
        (two, lambda url: []),
    ],
    ids=["no agent", "one agent", "twice the same", "twice but for case", "no judge"],
)
@pytest.mark.parametrize("command", ["run", "collect", "compare"])
def test_r64_what_cannot_be_compared_is_refused_before_any_call(
    workspace, server, agents, judges, command
):
    workspace.configure(agents(server.url), judges(server.url))
    ran = workspace.run(command, "--yes")
    assert ran.code == 2, str(ran)
    assert begun(server) == {}
    assert "arena.yaml" in ran.err


def test_r66_a_board_uses_the_judges_that_answered(tmp_path_factory):
    workspace = Workspace(tmp_path_factory.mktemp("panel"))
    workspace.write_suite(scenarios=5, turns=1)

    def answer(request):
        down = request["model"] == "j2" and "Scenario 5" in messages_text(request)
        return "I am away." if down else fair(request)

    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as server:
        workspace.configure(two(server.url), [judge(f"j{n}", server.url) for n in (1, 2, 3)])
        ran = workspace.run("run", "--yes")
    assert ran.code == 3
    board = board_of(workspace)
    used = {j["judge"]: j["comparisons"] for j in board["diagnostics"]["judges"]}
    assert used == {"j1": 5, "j2": 4, "j3": 5}
    assert board["comparisons"] == 14
    assert board["diagnostics"]["rows"]["excluded"] == {"unparsed": 2}
