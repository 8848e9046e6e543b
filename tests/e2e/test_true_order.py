"""Scripted agents of graded skill come out in their true order, on both scores of one run."""

import pytest

from tests.e2e.conftest import Workspace, board_of

AGENTS = ("attentive", "steady", "hasty", "careless")
"""From best to worst."""
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("suite", ["eldercare-zh", "everyday-en"])
def test_agents_of_graded_skill_come_out_in_their_true_order_on_both_scores(tmp_path, suite):
    workspace = Workspace(tmp_path)

    def judge(name, use):
        model = f"scripted/{suite}/scripted-{name}"
        more = {"uses": [use], "response_format": "json_schema"}
        return {"judge": f"scripted-{name}", "vendor": "arena-judges", "model": model, **more}

    workspace.configure(
        [
            {"agent": f"scripted-{a}", "vendor": "arena", "model": f"scripted/{suite}/scripted-{a}"}
            for a in AGENTS
        ],
        [judge("scorer", "rubric"), judge("arbiter", "pairwise")],
        suites=[{"suite": suite, "mode": "natural"}],
    )
    done = workspace.run("run", "--yes", "--limit", "20")
    assert done.code == 0, done
    rated = {s["agent"]: s for s in board_of(workspace)["agents"]}
    for figure in (lambda s: s["rating"], lambda s: s["absolute"]["mean"]):
        order = sorted(rated, key=lambda name: -figure(rated[name]))
        assert order == [f"scripted-{a}" for a in AGENTS]
