"""Where a workspace and its suites are found."""

import pytest

from arena.errors import ConfigError, UsageError
from arena.suites.find import Workspace, find_suite, find_workspace, shipped_suites, suite_folders


def test_a_workspace_is_found_in_a_folder_above(workspace):
    below = workspace.path / "data" / "suites" / "deep"
    below.mkdir(parents=True)
    for start in (workspace.path, workspace.path / "data", below):
        assert find_workspace(start, asked=False).root == workspace.path


def test_the_nearest_workspace_is_taken(workspace):
    inner = workspace.path / "inner"
    workspace.write("inner/data/arena.yaml", "x")
    assert find_workspace(inner / "data", asked=False).root == inner


def test_one_asked_for_by_name_is_not_looked_for_above(workspace):
    below = workspace.path / "data"
    with pytest.raises(UsageError) as caught:
        find_workspace(below, asked=True)
    assert caught.value.exit_code == 2
    assert "arena init" in str(caught.value)
    assert find_workspace(workspace.path, asked=True).root == workspace.path


def test_no_workspace_says_what_one_is(tmp_path):
    with pytest.raises(UsageError, match=r"data/arena\.yaml"):
        find_workspace(tmp_path, asked=False)


def test_its_parts_are_below_its_root(tmp_path):
    ws = Workspace(tmp_path)
    parts = {ws.config, ws.database, ws.state, ws.leaderboard}
    assert {p.relative_to(tmp_path).as_posix() for p in parts} == {
        "data/arena.yaml",
        "results/arena.duckdb",
        "results/status.json",
        "leaderboard",
    }


def test_the_workspace_s_own_suite_wins_over_the_shipped_one(workspace):
    ws = Workspace(workspace.path)
    assert find_suite(ws, "everyday-en") == shipped_suites() / "everyday-en"
    workspace.write("data/suites/everyday-en/suite.yaml", "x")
    assert find_suite(ws, "everyday-en") == workspace.path / "data" / "suites" / "everyday-en"
    assert find_suite(None, "everyday-en") == shipped_suites() / "everyday-en"


def test_a_folder_without_a_suite_file_is_no_suite(workspace):
    (workspace.path / "data" / "suites" / "empty").mkdir(parents=True)
    ws = Workspace(workspace.path)
    assert "empty" not in suite_folders(ws)
    assert set(suite_folders(ws)) == set(suite_folders(None)) >= {"eldercare-zh", "everyday-en"}


@pytest.mark.parametrize("name", ["nowhere", "../ws", "", "."])
def test_an_unknown_suite_names_those_there_are(workspace, name):
    with pytest.raises(ConfigError, match=r"Suites here: .*everyday-en"):
        find_suite(Workspace(workspace.path), name)
