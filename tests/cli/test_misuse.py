"""A mistake on the command line is told in our form, in both languages, and as JSON."""

import json
import re

import pytest

MISTAKES = {
    "option": (("rank", "--bogus"), "--bogus"),
    "near": (("rank", "--jso"), "--json"),
    "command": (("ran",), "rank, run"),
    "below": (("show", "duell"), "duel"),
    "value": (("rank", "--resamples", "x"), "--resamples"),
    "bound": (("rank", "--seed", "-4"), "0"),
    "choice": (("rank", "--ties", "foo"), "rao-kupper"),
    "missing": (("vote",), "--as"),
    "argument": (("show", "duel"), "A"),
    "extra": (("rank", "a", "b"), "b"),
    "empty": (("rank", "--level"), "--level"),
    "flag": (("rank", "--json=x"), "--json"),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_two_or_three_lines_on_stderr_and_2(arena, monkeypatch, mistake, lang):
    monkeypatch.setenv("ARENA_LANG", lang)
    words, named = MISTAKES[mistake]
    done = arena(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert 2 <= len(lines) <= 3
    assert named in done.stderr
    assert "--help" in lines[-1]
    assert lines[0].startswith({"en": "error: ", "zh": "错误："}[lang])
    if lang == "zh":
        left = [line for line in lines if not re.search("[\u4e00-\u9fff]", line)]
        assert left == []


def test_the_language_may_stand_in_the_same_line_that_cannot_be_read(arena, monkeypatch):
    monkeypatch.setenv("ARENA_LANG", "en")
    assert arena("rank", "--bogus", "--lang", "zh").stderr.startswith("错误：")
    assert arena("rank", "--lang=zh", "--bogus").stderr.startswith("错误：")


def test_with_json_it_is_one_document(arena):
    done = arena("rank", "--json", "--bogus", "--lang", "en")
    document = json.loads(done.stdout)
    assert document["schema"] == "arena.error/1"
    assert document["error"]["kind"] == "usage"
    assert document["error"]["message"] == "there is no option --bogus"


def test_control_characters_are_shown_not_obeyed(arena):
    done = arena("rank", "--bo\x1b[31mgus\u202e")
    assert done.exit_code == 2
    assert "\x1b[31mgus" not in done.stderr
    assert "\u202e" not in done.stderr


def test_a_command_that_ends_with_a_code_of_its_own_keeps_it(arena, tmp_path):
    assert arena("rank", tmp_path / "nothing.csv").exit_code == 2
    assert arena("--version").exit_code == 0
    assert arena("rank", "--help").exit_code == 0
