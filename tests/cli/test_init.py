"""arena init: a workspace that is complete as it stands, and nothing overwritten."""

import json

import pytest

from arena.cli.words import LANGS
from arena.suites.find import Workspace, find_suite
from arena.suites.load import load_script, load_suite
from arena.suites.roster import load_config


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("lang", LANGS)
def test_a_new_workspace_is_valid_and_every_suite_it_names_loads(arena, tmp_path, lang):
    assert arena("init", tmp_path, "--lang", lang).exit_code == 0
    config = load_config(tmp_path / "data" / "arena.yaml")
    for played in config.suites:
        suite = load_suite(find_suite(Workspace(tmp_path), played.suite))
        assert played.mode in suite.modes
        assert suite.language == lang
    example = load_suite(tmp_path / "data" / "suites" / "example")
    assert example.scenarios
    assert load_script(tmp_path / "data" / "suites" / "example").agents
    status = arena("status", "-C", tmp_path, "--json")
    assert status.exit_code == 0
    assert json.loads(status.stdout)["jobs"][0]["next"] == "arena run"


def test_the_example_suite_can_be_played_as_it_is(arena, started):
    path = started / "data" / "arena.yaml"
    agents = ["scripted-attentive", "scripted-careless"]
    judges = {"scripted-scorer": "rubric", "scripted-arbiter": "pairwise"}
    config = {
        "suites": [{"suite": "example"}],
        "agents": [{"agent": a, "vendor": "a", "model": f"scripted/example/{a}"} for a in agents],
        "judges": [
            {"judge": j, "vendor": "j", "model": f"scripted/example/{j}", "uses": [use]}
            | {"response_format": "json_schema"}
            for j, use in judges.items()
        ],
    }
    path.write_text(json.dumps(config), "utf-8")
    done = arena("run", "-C", started, "--yes", "--json")
    assert done.exit_code == 0, done.stderr
    stages = json.loads(done.stdout)["stages"]
    assert [s["made"] == s["planned"] > 0 for s in stages] == [True] * 3


@pytest.mark.parametrize("lang", LANGS)
def test_init_again_makes_nothing_and_keeps_every_byte(arena, started, lang):
    before = contents(started)
    again = arena("init", started, "--lang", lang, "--json")
    assert again.exit_code == 0
    document = json.loads(again.stdout)
    assert document["made"] == []
    assert sorted(document["kept"]) == sorted(before)
    assert contents(started) == before


def test_files_of_ones_own_are_kept_as_they_are_and_the_others_made(arena, tmp_path):
    mine = {
        "data/arena.yaml": b"# mine, not UTF-8: \xff\r\n",
        ".gitignore": b"",
        "data/suites/example/scenarios.jsonl": b"mine\n",
        "README.md": b"mine\n",
    }
    for name, text in mine.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    document = json.loads(arena("init", tmp_path, "--json").stdout)
    found = contents(tmp_path)
    assert {name: found[name] for name in mine} == mine
    assert sorted(document["kept"]) == sorted(set(mine) - {"README.md"})
    assert sorted(document["made"]) == sorted(set(found) - set(mine))
    assert {"data/suites/example/suite.yaml", ".env.example"} <= set(document["made"])


def test_the_folders_for_results_and_pages_are_there_and_empty(arena, started):
    for name in ("results", "leaderboard"):
        assert list((started / name).iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_mistake_that_is_named(arena, tmp_path):
    (tmp_path / "data").write_text("a file in the way")
    done = arena("init", tmp_path, "--json")
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "config"
    assert str(tmp_path) in error["message"]
    assert len(done.stderr.strip().splitlines()) <= 3


def test_no_key_stands_in_what_init_writes(arena, tmp_path):
    for lang in LANGS:
        arena("init", tmp_path / lang, "--lang", lang)
        lines = (tmp_path / lang / ".env.example").read_text("utf-8").splitlines()
        variables = [line for line in lines if "=" in line]
        assert variables
        for line in variables:
            assert line.startswith("#") or line.endswith("=") or "…" in line, line
