"""Mistakes: where they are, what was meant, in three lines, in both languages and as JSON."""

import json

import pytest
from typer.testing import CliRunner

from arena.cli.main import app

KEPT = "replicates: 1"
CASES = {
    "unknown key": (KEPT, "replicate: 1", "replicate: 1", "replicates"),
    "unknown key inside": ("short: hasty", "shrot: hasty", "shrot: hasty", "short"),
    "wrong value": ("vendor_guard: exclude", "vendor_guard: excluded", "vendor_guard", "exclude"),
    "not YAML": (KEPT, "replicates: [1", "currency:", "YAML"),
    "key twice": (KEPT, f"{KEPT}\n{KEPT}", KEPT, "replicates"),
    "agent twice": ("agent: scripted-hasty", "agent: scripted-Steady", "", "scripted-Steady"),
    "no model": ("model: scripted/everyday-en/scripted-hasty, ", "", "scripted-hasty", "model"),
    "a suite that is not there": ("suite: everyday-en", "suite: everyday", "", "everyday-en"),
    "a mode that is not there": ("mode: natural", "mode: naturel", "", "natural"),
}
"""What is replaced in the starter, by what, a sign of its line ("": none), and what is named."""
UNBUILT = {
    "compare.outcome": (KEPT, "compare: {outcome: margin}", "outcome `margin`"),
}


def change(folder, old, new):
    """Replace a text in data/arena.yaml; returns the file and its new lines."""
    path = folder / "data" / "arena.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path, path.read_text("utf-8").splitlines()


def lines_of(done):
    return [line for line in done.stderr.splitlines() if line.strip()]


@pytest.mark.parametrize(("old", "new", "sign", "named"), CASES.values(), ids=CASES)
def test_a_mistake_is_named_with_file_and_line_in_three_lines(
    arena, started, old, new, sign, named
):
    path, written = change(started, old, new)
    for lang, head in (("en", "error: "), ("zh", "错误：")):
        done = arena("run", "-C", started, "--lang", lang)
        assert (done.exit_code, done.stdout) == (2, "")
        lines = lines_of(done)
        assert 1 <= len(lines) <= 3
        assert lines[0].startswith(head)
        assert named in done.stderr
        if sign:
            assert f"{path}:" in lines[0]
            number = int(lines[0].split(f"{path}:")[1].split(":")[0].split("：")[0])
            assert sign in written[number - 1]
    document = json.loads(arena("run", "-C", started, "--json").stdout)
    assert document["schema"] == "arena.error/1"
    assert document["error"]["kind"] == "config"


def test_the_nearest_key_is_offered_in_both_languages(arena, started):
    change(started, KEPT, "replicats: 1")
    assert "Did you mean `replicates`?" in arena("rank", "-C", started, "--lang", "en").stderr
    chinese = arena("rank", "-C", started, "--lang", "zh").stderr
    assert "`replicates`" in chinese
    assert "Did you mean" not in chinese


@pytest.mark.parametrize(("old", "new", "named"), UNBUILT.values(), ids=UNBUILT)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_key_that_is_not_built_is_refused_by_name(arena, started, old, new, named, lang):
    path, written = change(started, old, new)
    done = arena("run", "-C", started, "--yes", "--json", "--lang", lang)
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "not_built"
    assert named in error["message"]
    line = int(error["message"].split(f"{path}:")[1].split(":")[0].split("：")[0])
    assert new.split(":")[0] in written[line - 1]
    assert len(lines_of(done)) <= 3
    assert list((started / "results").iterdir()) == []


COMMANDS = ("run", "collect", "score", "compare", "rank", "status", "publish")


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_workspace_every_command_says_how_to_make_one(arena, tmp_path, command):
    done = arena(command, "-C", tmp_path, "--json", "--lang", "en")
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "usage"
    assert str(tmp_path) in error["message"]
    assert "arena init" in error["hint"]
    assert list(tmp_path.iterdir()) == []


def test_the_workspace_above_the_folder_is_found_and_one_asked_for_by_name_is_not(
    arena, started, monkeypatch
):
    monkeypatch.chdir(started / "data" / "suites")
    assert arena("status").exit_code == 0
    assert arena("status", "-C", started / "data").exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("option", "wrong", "near"),
    [
        ("--suite", "everyday-zh", "everyday-en"),
        ("--mode", "naturl", "natural"),
        ("--domain", "scam", "scams"),
    ],
)
def test_a_name_that_is_not_there_is_refused_by_every_command(
    arena, started, command, option, wrong, near
):
    done = arena(command, "-C", started, option, wrong, "--json", "--lang", "en")
    assert done.exit_code == 2
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "usage"
    assert wrong in error["message"]
    assert error["hint"] == f"Did you mean {near}?"


@pytest.mark.parametrize(
    ("option", "wrong", "near"),
    [("--agent", "scripted-hastey", "scripted-hasty"), ("--judge", "arbiter", "scripted-arbiter")],
)
def test_the_nearest_agent_and_judge_are_offered_in_chinese_too(
    arena, started, option, wrong, near
):
    done = arena("compare", "-C", started, option, wrong, "--lang", "zh")
    assert done.exit_code == 2
    assert f"是不是 {near}？" in done.stderr


def test_a_name_that_is_like_no_other_lists_what_there_is(arena, started):
    done = arena("run", "-C", started, "--judge", "zzz", "--lang", "en")
    assert "There are: scripted-scorer, scripted-arbiter." in done.stderr


@pytest.mark.parametrize(
    "words",
    [("rnak",), ("run", "--nothing"), ("run", "--limit", "0"), ("run", "-j", "x"), ("run", "x")],
    ids=" ".join,
)
def test_a_command_line_that_cannot_be_read_ends_with_2(arena, words):
    done = arena(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr


@pytest.mark.parametrize(
    ("wrong", "right", "key"),
    [
        ("everyday", "everyday-en", "{suite: %s, mode: natural}"),
        ("naturl", "natural", "{suite: everyday-en, mode: %s}"),
    ],
)
def test_a_misspelt_suite_or_mode_is_named_with_its_line_and_the_nearest(
    tmp_path, wrong, right, key
):
    CliRunner().invoke(app, ["init", str(tmp_path), "--lang", "en"])
    path = tmp_path / "data" / "arena.yaml"
    text = path.read_text("utf-8")
    good = "{suite: everyday-en, mode: natural}"
    assert good in text
    path.write_text(text.replace(good, key % wrong, 1), "utf-8")
    line = next(n for n, t in enumerate(path.read_text("utf-8").splitlines(), 1) if wrong in t)
    done = CliRunner().invoke(app, ["run", "-C", str(tmp_path), "--lang", "en"])
    assert done.exit_code == 2
    assert f"arena.yaml:{line}: " in done.stderr
    assert f"Did you mean {right}?" in done.stderr
