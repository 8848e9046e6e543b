"""The command line in this process, as somebody without a terminal uses it."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.main import app

DECIDING = ("ARENA_LANG", "ARENA_DEBUG", "LC_ALL", "LC_MESSAGES", "LANG", "FORCE_COLOR")
"""Variables that must not decide a test."""


@pytest.fixture(autouse=True)
def settled(monkeypatch):
    for name in DECIDING:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture(scope="session")
def arena():
    """arena(*words) → the result: exit_code, stdout, stderr."""

    def run(*words):
        done = CliRunner().invoke(app, [os.fspath(word) for word in words])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    return run


@pytest.fixture
def started(arena, tmp_path):
    """A new workspace with the English starter."""
    folder = tmp_path / "workspace"
    assert arena("init", folder, "--lang", "en").exit_code == 0
    return folder


@pytest.fixture
def root():
    """The folder of the project."""
    return Path(__file__).parents[2]
