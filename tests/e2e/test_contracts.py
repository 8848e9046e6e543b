"""A suite whose comparisons allow no ties, asked and read in both notations."""

import json

import pytest

from tests.e2e.conftest import SUITE, agent, begun, board_of, judge


def contracted(workspace, server, contract):
    path = workspace.data / "suites" / SUITE / "suite.yaml"
    head = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(head | {"contract": contract}), "utf-8")
    agents = [agent(name, server.url) for name in ("alpha", "bravo")]
    workspace.configure(agents, [judge("referee", server.url)])


@pytest.mark.parametrize("contract", ["forced", "marks"])
def test_a_forced_choice_makes_verdicts_without_ties_and_a_board(workspace, server, contract):
    workspace.write_suite(scenarios=4, turns=1)
    contracted(workspace, server, contract)
    ran = workspace.run("run", "--yes")
    assert ran.code in (0, 3), str(ran)
    rows = workspace.rows("select status, outcome, margin from verdict")
    assert len(rows) == 2 * 4
    assert {outcome for _, outcome, _ in rows} <= {"a", "b"}
    assert {status for status, _, _ in rows} == {"ok"}
    assert all(margin in range(1, 6) for _, _, margin in rows)
    sides = workspace.rows("select distinct side from verdict_criterion")
    assert {side for (side,) in sides} <= {"a", "b"}
    assert board_of(workspace)["comparisons"] == 4


def test_another_contract_asks_for_the_verdicts_again_and_for_nothing_else(workspace, server):
    workspace.write_suite(scenarios=2, turns=1)
    contracted(workspace, server, "forced")
    assert workspace.run("run", "--yes").code == 0
    before = begun(server)
    contracted(workspace, server, "marks")
    assert workspace.run("run", "--yes").code == 0
    after = begun(server)
    assert after["referee"] == before["referee"] + 2 * 2
    assert (after["alpha"], after["bravo"]) == (before["alpha"], before["bravo"])


def test_a_contract_that_does_not_exist_is_named_with_its_line(workspace, server):
    contracted(workspace, server, "vibes")
    ran = workspace.run("run", "--yes")
    assert ran.code == 2
    assert "suite.yaml:1" in ran.err
    assert "contract" in ran.err
    assert begun(server) == {}
