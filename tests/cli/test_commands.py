"""The commands as a newcomer meets them."""

import json
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from arena.cli.words import choose_lang
from arena.suites.load import load_script, load_suite
from arena.suites.roster import load_config

ROOT = Path(__file__).parents[2]
COMMANDS = (
    "init",
    "demo",
    "run",
    "collect",
    "score",
    "compare",
    "rank",
    "status",
    "publish",
)


def run(*words):
    return CliRunner().invoke(app, [str(w) for w in words])


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A finished demo, its one JSON document, and the addresses that were connected to."""
    place = tmp_path_factory.mktemp("demo") / "walk"
    reached = []
    honest = socket.socket.connect

    def noted(self, address):
        reached.append(address)
        return honest(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", noted)
        done = run("demo", "--dir", place, "--json", "--lang", "zh")
    return place, done, reached


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_stands_in_both_readmes(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "--json" in done.stdout
    for readme in ("README.md", "README.zh.md"):
        assert f"`{command}`" in (text := (ROOT / readme).read_text("utf-8")) or (
            f"arena {command}" in text
        )


def test_without_a_command_the_help_is_shown_and_the_exit_code_is_2():
    done = run()
    assert done.exit_code == 2
    assert "publish" in done.stdout + done.stderr


def test_the_demo_is_one_document_with_a_page_at_its_end_and_no_network(shown):
    place, done, reached = shown
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "arena.run/1"
    assert Path(document["index"]).is_file()
    assert [s["made"] == s["planned"] > 0 for s in document["stages"]] == [True] * 3
    assert [a for a in reached if isinstance(a, tuple) and a[0] not in ("127.0.0.1", "::1")] == []
    assert (place / "leaderboard" / "index.en.html").is_file()


def test_the_offline_walk_recovers_the_strongest_and_the_weakest_agent(shown):
    place, _, _ = shown
    board = json.loads(run("rank", "-C", place, "--json").stdout)["boards"][0]
    ratings = {a["agent"]: a["rating"] for a in board["agents"]}
    assert ratings["scripted-attentive"] == max(ratings.values())
    assert ratings["scripted-careless"] == min(ratings.values())


def test_running_again_asks_nothing_and_needs_no_answer(shown):
    place, _, _ = shown
    again = run("run", "-C", place, "--json")
    assert again.exit_code == 0, again.stderr
    document = json.loads(again.stdout)
    assert document["forecast"]["calls"] == 0
    assert sum(s["calls"] for s in document["stages"]) == 0


def test_status_of_a_finished_walk_says_to_publish(shown):
    place, _, _ = shown
    (job,) = json.loads(run("status", "-C", place, "--json").stdout)["jobs"]
    assert job["next"] == "arena publish"
    assert all(s["planned"] == s["present"] for s in job["stages"])


def test_tables_line_up_with_chinese_names(shown):
    place, _, _ = shown
    lines = run("rank", "-C", place, "--lang", "zh").stdout.splitlines()
    rows = [line for line in lines if "脚本" in line]

    def width(text):
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

    assert len(rows) == 4
    assert len({width(row.rstrip("\n")) for row in rows}) == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_init_makes_a_workspace_that_loads_and_never_overwrites(tmp_path, lang):
    made = run("init", tmp_path, "--lang", lang, "--json")
    assert made.exit_code == 0
    config = load_config(tmp_path / "data" / "arena.yaml")
    assert len(config.agents) >= 2
    example = tmp_path / "data" / "suites" / "example"
    assert load_suite(example).scenarios
    assert load_script(example).agents
    mine = tmp_path / "data" / "arena.yaml"
    mine.write_text("# mine\n")
    again = json.loads(run("init", tmp_path, "--lang", lang, "--json").stdout)
    assert again["made"] == []
    assert mine.read_text() == "# mine\n"


def test_the_chinese_starter_shows_the_providers_of_china_as_comments(tmp_path):
    run("init", tmp_path, "--lang", "zh")
    text = (tmp_path / "data" / "arena.yaml").read_text("utf-8")
    for sign in ("dashscope/", "deepseek/", "bigmodel/", "volcengine/", "api.moonshot.cn"):
        assert any(sign in line and line.lstrip().startswith("#") for line in text.splitlines())


@pytest.mark.parametrize(
    ("change", "signs"),
    [
        (("replicates:", "replicate:"), (":", "replicate", "replicates")),
        (("vendor_guard: exclude", "gates: [1]"), ("gates",)),
        (("vendor_guard: exclude", "users: {a: b}"), ("users", "not in this version")),
        (("vendor_guard: exclude", "compare: {design: informed}"), ("informed", "not in this")),
        (("vendor: arena,", "vendor: arena, http: {url: x}, version: '1',"), ("http",)),
    ],
)
def test_a_mistake_in_the_configuration_is_named_in_at_most_three_lines(tmp_path, change, signs):
    run("init", tmp_path, "--lang", "en")
    path = tmp_path / "data" / "arena.yaml"
    text = path.read_text("utf-8")
    assert change[0] in text
    path.write_text(text.replace(change[0], change[1], 1), "utf-8")
    done = run("run", "-C", tmp_path, "--lang", "en")
    assert done.exit_code == 2
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) <= 3
    assert "arena.yaml:" in lines[0]
    for sign in signs:
        assert sign in done.stderr


def test_errors_are_said_in_chinese_and_as_one_json_document(tmp_path):
    done = run("status", "-C", tmp_path, "--lang", "zh", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["kind"] == "usage"
    assert "不是工作区" in done.stderr


@pytest.mark.parametrize(
    ("option", "wrong", "near"),
    [
        ("--agent", "scripted-stedy", "scripted-steady"),
        ("--suite", "everyday", "everyday-en"),
        ("--scenario", "EV-1", "EV-1"),
        ("--domain", "scam", "scams"),
        ("--judge", "scripted-arbitr", "scripted-arbiter"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_with_the_nearest(tmp_path, option, wrong, near):
    run("init", tmp_path, "--lang", "en")
    done = run("run", "-C", tmp_path, option, wrong, "--lang", "en")
    assert done.exit_code == 2
    assert near in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
def test_any_console_encoding_survives(shown, encoding):
    place, _, _ = shown
    done = subprocess.run(
        [sys.executable, "-m", "arena", "rank", "-C", str(place), "--lang", "zh"],
        capture_output=True,
        env={"PYTHONIOENCODING": encoding, "PATH": "", "HOME": str(place)},
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("asked", "variables", "lang"),
    [
        ("zh", {"ARENA_LANG": "en"}, "zh"),
        (None, {"ARENA_LANG": "zh", "LANG": "en_GB.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_language_is_what_was_asked_then_arena_lang_then_the_locale(
    monkeypatch, asked, variables, lang
):
    for name in ("ARENA_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert choose_lang(asked) == lang
