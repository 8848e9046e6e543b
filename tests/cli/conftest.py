"""The command line in this process, as somebody without a terminal uses it."""

import os
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.main import app

HERE = ("127.0.0.1", "::1", "localhost")
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


@pytest.fixture(scope="session")
def walk(arena, tmp_path_factory):
    """A finished demo and what it said; whoever reaches for another machine fails."""
    place = tmp_path_factory.mktemp("output") / "walk"
    connect = socket.socket.connect
    look_up = socket.getaddrinfo

    def near(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in HERE:
            raise AssertionError(f"reached for {address}")
        return connect(self, address)

    def known(host, *rest, **more):
        if host not in (None, *HERE):
            raise AssertionError(f"looked up {host}")
        return look_up(host, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", near)
        patch.setattr(socket.socket, "connect_ex", near)
        patch.setattr(socket, "getaddrinfo", known)
        done = arena("demo", "--dir", place, "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    return place, done
