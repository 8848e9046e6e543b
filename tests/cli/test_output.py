"""What is printed: results on stdout, everything else on stderr, on any console."""

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata

import pytest
import typer

from arena import __version__
from arena.cli import output
from arena.cli.main import app
from arena.cli.words import LANGS, choose_lang
from arena.suites.find import Workspace, find_suite
from arena.suites.load import load_script

COMMANDS = sorted(typer.main.get_command(app).commands)
NAMES = {
    "scripted-attentive": "康伴 2.1（家用版）",
    "scripted-steady": "Steady",
    "scripted-hasty": "半角ｶﾅと漢字",
    "scripted-careless": "é́ careless",
}


def width(text):
    """Columns that a terminal gives a text."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


# --- Help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(arena, command):
    done = arena(command, "--help")
    assert done.exit_code == 0
    told = typer.main.get_command(app).commands[command].help
    assert told
    assert told.split()[0] in done.stdout
    assert arena(command, "-h").stdout == done.stdout


GUIDES = ["README.md", "README.zh.md", "data/commands.md", "data/commands.zh.md"]


@pytest.mark.parametrize("readme", GUIDES)
def test_a_guide_names_every_command_in_its_table_and_no_other(root, readme):
    rows = [
        line.split("|")[1]
        for line in (root / readme).read_text("utf-8").splitlines()
        if line.startswith("| `arena ")
    ]
    named = [
        code.removeprefix("arena ").split()[0] for r in rows for code in re.findall("`(.+?)`", r)
    ]
    # A command may have a row for each thing that it does.
    assert sorted(set(named)) == COMMANDS


def test_version_prints_the_version_alone(arena):
    done = arena("--version")
    assert (done.exit_code, done.stdout, done.stderr) == (0, f"arena {__version__}\n", "")


def test_no_command_prints_the_help_and_ends_with_2(arena):
    done = arena()
    assert done.exit_code == 2
    for command in COMMANDS:
        assert command in done.stdout + done.stderr


# --- The demo -------------------------------------------------------------------------------------


def test_the_demo_needs_no_network_and_says_where_its_page_is_in_one_document(walk):
    place, done = walk
    document = json.loads(done.stdout)
    assert document["schema"] == "arena.run/1"
    assert document["index"] == str(place / "leaderboard" / "index.html")
    assert (place / "leaderboard" / "index.html").is_file()
    assert [s["stage"] for s in document["stages"]] == ["collect", "score", "compare"]
    assert all(s["made"] == s["planned"] > 0 and not s["errors"] for s in document["stages"])


def test_the_demo_puts_the_first_scripted_agent_clearly_above_the_last(arena, walk):
    place, _ = walk
    script = load_script(find_suite(Workspace(place), "everyday-en"))
    stated = [a.agent for a in script.agents]
    (board,) = json.loads(arena("rank", "-C", place, "--json").stdout)["boards"]
    found = {a["agent"]: a for a in board["agents"]}
    assert set(found) == set(stated)
    first, last = found[stated[0]], found[stated[-1]]
    assert first["rating"] > last["rating"]
    assert first["low"] > last["high"]
    assert first["absolute"]["mean"] > last["absolute"]["mean"]


# --- Streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["run", "collect", "score", "compare", "rank", "publish", "status"]
)
def test_with_json_stdout_is_one_document_that_names_its_schema(arena, walk, command):
    done = arena(command, "-C", walk[0], "--json")
    assert done.exit_code == 0
    assert re.fullmatch(r"arena\.[a-z]+/\d+", json.loads(done.stdout)["schema"])


@pytest.mark.parametrize("command", ["collect", "score", "compare", "publish"])
def test_without_a_result_stdout_is_empty(arena, walk, command):
    done = arena(command, "-C", walk[0])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr


def test_a_run_prints_the_board_on_stdout_and_nothing_of_its_progress(arena, started):
    done = arena("run", "-C", started, "--yes", "--limit", "2", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    for sign in ("forecast: ", "loading LiteLLM", "collect", "The leaderboard: "):
        assert sign in done.stderr
        assert sign not in done.stdout
    assert done.stdout.splitlines()[0].startswith("Everyday")
    rest = arena("rank", "-C", started, "--lang", "en")
    assert "Next: " in rest.stderr
    assert rest.stdout.splitlines()[1:3] == done.stdout.splitlines()[1:3]


# --- Tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_the_columns_of_a_board_line_up_whatever_the_names_are_written_in(
    arena, walk, tmp_path, lang
):
    place = tmp_path / "walk"
    shutil.copytree(walk[0], place)
    path = place / "data" / "arena.yaml"
    text = path.read_text("utf-8")
    for name, shown in NAMES.items():
        text = re.sub(rf"(\{{agent: {name}, .*?name: )\"[^\"]*\"", rf'\1"{shown}"', text)
    path.write_text(text, "utf-8")
    lines = arena("rank", "-C", place, "--lang", lang).stdout.splitlines()
    heads = next(line for line in lines if ("Rating" if lang == "en" else "相对分") in line)
    (rating,) = re.finditer("Rating|相对分", heads)
    end = width(heads[: rating.end()])
    rows = [next(line for line in lines if shown in line) for shown in NAMES.values()]
    assert {width(row) for row in [heads, *rows]} == {width(heads)}
    for row in rows:
        (number,) = re.findall(r" (\d+)$", cut(row, end))
        assert 0 < int(number) < 3000
        assert not cut(row, end + 1)[-1].isdigit()


def cut(text, columns):
    """The part of a text that fills so many columns."""
    return next(text[:n] for n in range(len(text), 0, -1) if width(text[:n]) <= columns)


def test_a_cell_that_looks_like_markup_is_printed_as_it_is(capsys):
    output.print_table(
        "[red]t[/red]", ["a"], [["[bold]x[/bold] :smile: [link=x]y"]], right=frozenset()
    )
    shown = capsys.readouterr().out
    assert "[red]t[/red]" in shown
    assert "[bold]x[/bold] :smile: [link=x]y" in shown


# --- Consoles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "cp936", "latin-1", "utf-8"])
@pytest.mark.reported("R59")
def test_any_console_encoding_survives_a_mistake_said_in_chinese(tmp_path, encoding):
    done = subprocess.run(
        [sys.executable, "-m", "arena", "rank", "-C", str(tmp_path), "--lang", "zh", "--json"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert b"Traceback" not in done.stderr
    assert str(tmp_path).encode() in done.stderr
    assert json.loads(done.stdout.decode(encoding))["error"]["kind"] == "usage"
    if encoding in ("cp936", "utf-8"):
        assert "不是工作区" in done.stderr.decode(encoding)


@pytest.mark.reported("R59")
def test_the_board_survives_a_chinese_console(walk):
    place, _ = walk
    done = subprocess.run(
        [sys.executable, "-m", "arena", "rank", "-C", str(place), "--lang", "zh"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "cp936", "PYTHONUTF8": "0"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "智能体" in done.stdout.decode("cp936")
    assert "Scripted" in done.stdout.decode("cp936")


# --- Language -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "variables", "lang"),
    [
        ("zh", {"ARENA_LANG": "en", "LC_ALL": "en_US.UTF-8"}, "zh"),
        ("en", {"ARENA_LANG": "zh"}, "en"),
        ("ZH", {}, "zh"),
        ("zh-CN", {}, "zh"),
        (None, {"ARENA_LANG": "zh", "LC_ALL": "en_US.UTF-8"}, "zh"),
        (None, {"ARENA_LANG": "en", "LC_ALL": "zh_CN.UTF-8"}, "en"),
        (None, {"ARENA_LANG": "", "LANG": "zh_TW.UTF-8"}, "zh"),
        (None, {"LC_ALL": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        (None, {"LC_MESSAGES": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        (None, {"LANG": "Chinese (Simplified)_China.936"}, "zh"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_the_option_then_arena_lang_then_the_locale(
    monkeypatch, asked, variables, lang
):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert choose_lang(asked) == lang


def test_what_a_command_says_follows_the_language(arena, tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_LANG", "zh")
    assert "错误" in arena("rank", "-C", tmp_path).stderr
    assert "error: " in arena("rank", "-C", tmp_path, "--lang", "en").stderr
