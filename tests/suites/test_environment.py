"""The workspace's .env: read by us, and put into the process only when asked."""

import os

import pytest

from arena.errors import ConfigError
from arena.suites.environment import apply_environment, read_environment

SPELLINGS = [
    ("KEY=abc", "abc"),
    ("KEY=abc\r\nOTHER=1\r\n", "abc"),
    ("\ufeffKEY=abc\n", "abc"),
    ("\ufeffKEY=abc\r\n", "abc"),
    ("export KEY=abc", "abc"),
    ("KEY = abc", "abc"),
    ('KEY="abc"', "abc"),
    ("KEY='abc'", "abc"),
    ("KEY=abc # the key", "abc"),
    ("# KEY=no\nKEY=abc", "abc"),
    ('KEY="a b#c"', "a b#c"),
    ("KEY=a$HOME", "a$HOME"),
    ("KEY=${HOME}x", "${HOME}x"),
    ("KEY=a=b==", "a=b=="),
    ("KEY=one\nKEY=two", "two"),
]


@pytest.mark.parametrize(("text", "value"), SPELLINGS, ids=[ascii(t) for t, _ in SPELLINGS])
def test_every_usual_spelling_is_read(tmp_path, text, value):
    (tmp_path / ".env").write_bytes(text.encode())
    assert read_environment(tmp_path, {})["KEY"] == value


@pytest.mark.parametrize("text", ["KEY=", 'KEY=""', "KEY", "KEY=\r\n"])
@pytest.mark.reported("R51")
def test_an_empty_variable_counts_as_unset(tmp_path, text):
    (tmp_path / ".env").write_bytes(text.encode())
    assert read_environment(tmp_path, {}) == {}
    assert read_environment(tmp_path, {"KEY": ""}) == {}


@pytest.mark.reported("R51")
def test_a_variable_that_is_set_wins_and_an_empty_one_does_not(tmp_path):
    (tmp_path / ".env").write_text("A=file\nB=file\nC=file\n")
    found = read_environment(tmp_path, {"A": "set", "B": "", "D": "set"})
    assert found == {"A": "set", "B": "file", "C": "file", "D": "set"}


def test_without_a_file_there_is_what_is_set(tmp_path):
    assert read_environment(tmp_path, {"A": "1"}) == {"A": "1"}


@pytest.mark.reported("R50")
def test_a_file_above_the_workspace_is_not_read(tmp_path):
    (tmp_path / ".env").write_text("KEY=above\n")
    (tmp_path / "ws").mkdir()
    assert read_environment(tmp_path / "ws", {}) == {}


def test_reading_leaves_the_process_as_it_is(tmp_path):
    (tmp_path / ".env").write_text("ARENA_TEST_LEAK=1\nPATH=/nowhere\n")
    before = dict(os.environ)
    environ = {"A": "1"}
    read_environment(tmp_path, environ)
    assert dict(os.environ) == before
    assert environ == {"A": "1"}


def test_applying_fills_only_what_is_not_set(tmp_path):
    (tmp_path / ".env").write_text("A=file\nB=file\nC=file\n")
    environ = {"A": "set", "B": ""}
    before = dict(os.environ)
    apply_environment(tmp_path, environ)
    assert environ == {"A": "set", "B": "file", "C": "file"}
    assert dict(os.environ) == before


def test_a_file_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / ".env").write_bytes(b"KEY=\xff\n")
    with pytest.raises(ConfigError, match=r"\.env:1: not UTF-8"):
        read_environment(tmp_path, {})
