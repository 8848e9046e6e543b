"""A small workspace, a runner for the command line, and a reader of the store."""

import contextlib
import copy
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psutil
import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from tests.support import behaviours
from tests.support.answers import digest_of, from_schema, schema_of
from tests.support.server_thread import ServerThread

SUITE = "small-en"
LIMITS = {"attempts": 2, "concurrency": 1, "timeout": 60, "deadline": 120}
"""Few attempts, one call at once: what a misbehaving endpoint is asked is countable."""
PATIENCE = 240
"""Seconds that a test waits for what must come; never what it asserts."""
SETTLED = {"ARENA_LANG": "en", "NO_COLOR": "1", "PYTHONUTF8": "1"}
BY_HAND = {"agent": "homebot", "vendor": "homebot", "version": "3.2", "family": "unknown"}
BY_HAND |= {"by_hand": True}
"""An agent that a person talks to."""
FOREIGN = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "ARENA_DEBUG")
"""Variables that must not decide a test."""


@dataclass(frozen=True)
class Ran:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """stdout as the one JSON document that it must be."""
        return json.loads(self.out)

    def __str__(self) -> str:
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Database:
    """A store as it lies on disk, opened read-only from a copy: looking changes nothing."""

    def __init__(self, folder: Path) -> None:
        self._copy = tempfile.TemporaryDirectory()
        copy = Path(self._copy.name)
        for name in ("arena.duckdb", "arena.duckdb.wal"):
            with contextlib.suppress(FileNotFoundError):
                shutil.copy(folder / name, copy / name)
        self._connection = duckdb.connect(str(copy / "arena.duckdb"), read_only=True)

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._copy.cleanup()

    def rows(self, sql: str, *values: Any) -> list[tuple]:
        return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, *values: Any) -> Any:
        return self.rows(sql, *values)[0][0]


class Workspace:
    """A workspace in a temporary folder, written by code, and the commands run in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.config: dict[str, Any] = {}

    @property
    def data(self) -> Path:
        return self.root / "data"

    @property
    def results(self) -> Path:
        return self.root / "results"

    @property
    def leaderboard(self) -> Path:
        return self.root / "leaderboard"

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_suite(self, scenarios: int = 2, turns: int = 2, **more: Any) -> None:
        """The small suite; `more` replaces parts of its rubric or (scenario_N) of a scenario."""
        suite = {
            "suite": SUITE,
            "version": "0.1.0",
            "name": "Small",
            "about": "Small talk.",
            "language": "en",
            "licence": "MIT",
            "default_mode": "natural",
            "modes": {"natural": {"name": "Natural"}},
            "domains": [{"domain": "talk", "name": "Talk"}],
            "archetypes": [{"archetype": "chat", "name": "Chat"}],
        }
        rubric = {
            "rubric": "main",
            "name": "Sheet",
            "scale": [1, 5],
            "criteria": [
                {"criterion": "warmth", "name": "Warmth", "question": "Is it kind?"},
                {"criterion": "advice", "name": "Advice", "question": "Can it be followed?"},
            ],
            "compare": ["warmth"],
        }
        lines = [
            {
                "scenario": f"S-{n}",
                "archetype": "chat",
                "domain": "talk",
                "title": f"Talk {n}",
                "persona": {"user": f"Neighbour {n}"},
                "turns": [f"Scenario {n}, turn {t}: what now?" for t in range(1, turns + 1)],
                "notes": {"natural": f"Note {n}."},
            }
            | more.pop(f"scenario_{n}", {})
            for n in range(1, scenarios + 1)
        ]
        folder = f"data/suites/{SUITE}"
        self.write(f"{folder}/suite.yaml", json.dumps(suite))
        self.write(f"{folder}/rubric.yaml", json.dumps(rubric | more))
        text = "".join(json.dumps(line) + "\n" for line in lines)
        self.write(f"{folder}/scenarios.jsonl", text)

    def configure(self, agents: list[dict], judges: list[dict], **more: Any) -> None:
        """data/arena.yaml (JSON is YAML); `more` are further keys at the top."""
        self.config = {
            "suites": [{"suite": SUITE, "mode": "natural"}],
            "agents": agents,
            "judges": judges,
            **more,
        }
        self.write("data/arena.yaml", json.dumps(self.config, ensure_ascii=False))

    def run(self, *args: str, env: dict[str, str] | None = None) -> Ran:
        """A command in this process: no terminal, its own environment."""
        words = [args[0], "-C", str(self.root), *args[1:]]
        with _environment(env or {}), _argv(words):
            done = CliRunner().invoke(app, words)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Ran(done.exit_code, done.stdout, done.stderr)

    @contextlib.contextmanager
    def started(self, *args: str) -> Iterator["Process"]:
        """A command in a process group of its own; whatever is left of it is killed after."""
        process = Process([args[0], "-C", str(self.root), *args[1:]], self.root)
        try:
            yield process
        finally:
            process.kill()
            process.close()

    def database(self) -> Database:
        return Database(self.results)

    def rows(self, sql: str, *values: Any) -> list[tuple]:
        with self.database() as database:
            return database.rows(sql, *values)


class Process:
    """`python -m arena …`, in a process group of its own, its streams in files."""

    def __init__(self, args: list[str], folder: Path) -> None:
        self._said = tempfile.TemporaryDirectory()
        self._out, self._err = (Path(self._said.name) / name for name in ("out", "err"))
        with self._out.open("w") as out, self._err.open("w") as err:
            self._popen = subprocess.Popen(
                [sys.executable, "-m", "arena", *args],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=settled_environment({}),
                start_new_session=True,
                cwd=folder,
            )
        self.pid = self._popen.pid

    @property
    def running(self) -> bool:
        return self._popen.poll() is None

    def signal(self, number: int) -> None:
        self._popen.send_signal(number)

    def kill(self) -> None:
        """kill -9 of the whole group; returns once nothing of it is left."""
        if self._popen.poll() is None:
            children = psutil.Process(self.pid).children(recursive=True)
            os.killpg(self.pid, 9)
            psutil.wait_procs(children, timeout=PATIENCE)
        self._popen.wait(PATIENCE)

    def wait(self) -> Ran:
        """Wait for its end."""
        code = self._popen.wait(PATIENCE)
        said = (stream.read_text(encoding="utf-8") for stream in (self._out, self._err))
        return Ran(code, *said)

    def close(self) -> None:
        self._said.cleanup()


def settled_environment(more: dict[str, str]) -> dict[str, str]:
    """The environment of a command: ours, without what would decide a test."""
    kept = {k: v for k, v in os.environ.items() if k not in FOREIGN}
    return {**kept, **SETTLED, **more}


@contextlib.contextmanager
def _environment(more: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    wanted = settled_environment(more)
    os.environ.clear()
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _argv(words: list[str]) -> Iterator[None]:
    before, sys.argv = sys.argv, ["arena", *words]
    try:
        yield
    finally:
        sys.argv = before


def agent(name: str, url: str, *, model: str | None = None, **more: Any) -> dict[str, Any]:
    """An agent on the test's server; `model` says how the server treats it."""
    return {
        "agent": name,
        "vendor": "makers",
        "family": "unknown",
        "model": f"openai/{model or name}",
        "api_base": url,
        **more,
    }


def judge(name: str, url: str, *, model: str | None = None, **more: Any) -> dict[str, Any]:
    """A judge on the test's server, asked for JSON by schema unless `more` says otherwise."""
    return {
        "judge": name,
        "vendor": "referees",
        "family": "unknown",
        "model": f"openai/{model or name}",
        "api_base": url,
        "response_format": "json_schema",
        **more,
    }


def fair(request: dict[str, Any]) -> str | None:
    """A judge's answer drawn from the request's digest, never a refusal; None for an agent's."""
    schema = copy.deepcopy(schema_of(request))
    if schema is None:
        return None
    if winner := schema["properties"].get("winner"):
        winner["enum"].remove("refused")
    return json.dumps(from_schema(schema, digest_of(request)))


def begun(server: ServerThread) -> dict[str, int]:
    """Requests begun, by model."""
    return {m: count["begun"] for m, count in server.stats(digests=False)["models"].items()}


def look_at(port: int, path: str) -> tuple[int, dict[str, Any]]:
    """Status and JSON of a GET to the test's server."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def wait_for_calls(port: int, number: int, process: "Process") -> None:
    """Return once so many calls have begun; fails when the process ends before."""
    while look_at(port, f"/wait?begun={number}&timeout=1")[0] == 504:
        assert process.running, f"ended before call {number} began: {process.wait()}"
    assert process.running, f"ended by itself: {process.wait()}"


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(tmp_path / "workspace")
    made.write_suite()
    return made


@pytest.fixture
def ready(workspace):
    """A workspace that asks nobody: an agent that is never collected, beside the one by hand."""
    url = "http://127.0.0.1:9"
    workspace.configure([agent("plain", url), BY_HAND], [judge("referee", url)])
    return workspace


@pytest.fixture
def server():
    with ServerThread(retry_after=0, answer=fair, answer_schemas=True) as thread:
        yield thread


@pytest.fixture(scope="module")
def host():
    """One server for all workspaces, so that a copy of one is complete as it stands."""
    with ServerThread(retry_after=0, answer=fair, answer_schemas=True) as thread:
        yield thread


def board_of(workspace: Workspace) -> dict[str, Any]:
    """The board computed last."""
    (document,) = workspace.rows("select document from board order by ended_at desc limit 1")
    return json.loads(document[0])


def recover(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """From now on the server behaves well where these behaviours were asked for."""
    for name in names:
        monkeypatch.setitem(behaviours.BEHAVIOURS, name, behaviours.BEHAVIOURS["ok"])
