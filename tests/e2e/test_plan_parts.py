"""A part of the plan now, the rest later, and stage by stage: each call is made once."""

import json
from collections import Counter

import pytest

from tests.e2e.conftest import SUITE, Workspace, judge
from tests.e2e.ledger import AGENTS, Ledger, configure, names, replies, sheets, verdicts, whole

TRIO = ("alpha", "bravo", "carol")
PANEL = ("referee", "umpire")
THREE = ("S-1", "S-2", "S-3")


def short(agents=TRIO, judges=PANEL, scenarios=THREE):
    return whole(agents, judges, scenarios, rounds=1)


@pytest.fixture
def wide(workspace, host):
    """Nothing asked yet: three agents, two judges, three scenarios of one turn in two domains."""
    workspace.write_suite(scenarios=3, turns=1, scenario_3={"domain": "walk"})
    path = workspace.root / "data" / "suites" / SUITE / "suite.yaml"
    suite = json.loads(path.read_text("utf-8"))
    suite["domains"].append({"domain": "walk", "name": "Walk"})
    path.write_text(json.dumps(suite), "utf-8")
    made = Ledger(workspace, host)
    configure(made, names(TRIO, host.url), PANEL)
    return made


PARTS = {
    "scenarios": (
        ("--scenario", "S-3", "--scenario", "S-2"),
        short(scenarios=("S-2", "S-3")),
    ),
    "limit takes of each domain": (("--limit", "2"), short(scenarios=("S-1", "S-3"))),
    "domain": (("--domain", "walk"), short(scenarios=("S-3",))),
    "domain and limit": (("--domain", "talk", "--limit", "1"), short(scenarios=("S-1",))),
    "agent": (
        ("--agent", "bravo"),
        [*replies(("bravo",), THREE, rounds=1), *sheets(PANEL, ("bravo",), THREE)],
    ),
    "judge": (("--judge", "umpire"), short(judges=("umpire",))),
    "all at once": (
        ("--judge", "referee", "--scenario", "S-1", "--agent", "alpha", "--agent", "bravo"),
        short(AGENTS, ("referee",), ("S-1",)),
    ),
}


@pytest.mark.parametrize(("words", "part"), PARTS.values(), ids=PARTS)
def test_a_part_asks_only_that_part_and_a_full_run_asks_only_the_rest(wide, words, part):
    assert wide.asked("run", *words) == sorted(part)
    rest = Counter(short()) - Counter(part)
    assert wide.asked() == sorted(rest.elements())


def test_compare_of_one_agent_asks_for_its_pairs(wide):
    assert wide.asked("collect") == sorted(replies(TRIO, THREE, rounds=1))
    pairs = [("alpha", "bravo"), ("bravo", "carol")]
    assert wide.asked("compare", "--agent", "bravo") == sorted(verdicts(PANEL, pairs, THREE))
    assert wide.asked("compare") == sorted(verdicts(PANEL, [("alpha", "carol")], THREE))


# --- Stage by stage -------------------------------------------------------------------------------

JUDGED = {
    "transcript": "key, suite, mode, agent, scenario, replicate, messages",
    "sheet": "key, transcript, judge, status, summary, remarks, flags",
    "score": "*",
    "verdict": "key, judge, status, outcome, margin, reason, flags, code_a, code_b",
    "verdict_criterion": "*",
    "call": "key, serves, round, attempt, status, text, prompt_digest",
}
"""What does not depend on when, and in which command, it was asked."""


def shape(value):
    """A document without what tells when it was made and by which command."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items() if k not in ("at", "run", "runs", "when")}
    return [shape(v) for v in value] if isinstance(value, list) else value


def test_the_stages_one_by_one_are_the_whole_run(tmp_path, host):
    stepwise, at_once = (Workspace(tmp_path / name) for name in ("stepwise", "at-once"))
    for workspace in (stepwise, at_once):
        workspace.write_suite()
        workspace.configure(names(AGENTS, host.url), [judge("referee", host.url)])
    ledger = Ledger(stepwise, host)
    assert ledger.asked("collect") == sorted(replies())
    assert ledger.asked("score") == sorted(sheets())
    assert ledger.asked("compare") == sorted(verdicts())
    asked = host.server.begun
    for command in ("rank", "publish"):
        ran = stepwise.run(command)
        assert ran.code == 0, str(ran)
    assert host.server.begun == asked
    assert Ledger(at_once, host).asked() == sorted(whole())
    for table, columns in JUDGED.items():
        found = [
            sorted(map(str, w.rows(f"select {columns} from {table}"))) for w in (stepwise, at_once)
        ]
        assert found[0], table
        assert found[0] == found[1], table
    boards = [w.run("rank", "--json").document for w in (stepwise, at_once)]
    assert shape(boards[0]) == shape(boards[1])
    pages = [
        sorted(p.relative_to(w.leaderboard).as_posix() for p in w.leaderboard.rglob("*"))
        for w in (stepwise, at_once)
    ]
    assert "index.html" in pages[0]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("stage", ["score", "compare"])
def test_a_stage_whose_input_is_missing_asks_nothing(workspace, host, stage):
    workspace.configure(names(AGENTS, host.url), [judge("referee", host.url)])
    before = host.server.begun
    ran = workspace.run(stage, "--yes")
    assert ran.code in (0, 3), str(ran)
    assert host.server.begun == before
