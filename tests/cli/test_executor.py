"""--executor: where calls run, and what is said where that cannot be."""

import importlib.util
import pickle
import socket
from pathlib import Path

import pytest

from arena.cli.away import open_tools, pack
from arena.cli.reaching import check_place
from arena.cli.workspace import Narrowed, open_bench
from arena.errors import UsageError
from arena.llm import cluster
from tests.e2e.conftest import Workspace

AGENT = {"vendor": "makers", "family": "unknown"}
KEY = "FAR_AWAY_KEY"


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(tmp_path / "workspace")
    made.write_suite()
    program = {"run": ["python3", "say.py"], "env": [KEY]}
    made.configure(
        [
            {"agent": "alpha", "model": "openai/m", "api_key_env": KEY, **AGENT},
            {"agent": "bravo", "version": "1", "command": program, **AGENT},
        ],
        [{"judge": "referee", "vendor": "r", "family": "x", "model": "decoy/null"}],
    )
    return made


@pytest.fixture
def scripted(tmp_path):
    made = Workspace(tmp_path / "scripted")
    made.write_suite()
    models = ("decoy/null", "decoy/padding")
    agents = [{"agent": n, "model": m, **AGENT} for n, m in zip("ab", models, strict=True)]
    made.configure(agents, [{"judge": "c", "vendor": "r", "family": "x", "model": "decoy/null"}])
    return made


@pytest.mark.parametrize(
    "where",
    ["", "Ray", "ray:", "ray://", "ray://host", "ray://:10001", "ray://u:p@host:1", "http://h:1"],
)
def test_a_place_that_there_is_none_of_is_a_mistake(where):
    with pytest.raises(UsageError, match="no such place to run calls"):
        check_place(where)


def test_without_ray_the_extra_is_named_before_anything_is_begun(scripted, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(cluster, "find_spec", lambda name: None if name == "ray" else find(name))
    ran = scripted.run("collect", "--yes", "--executor", "ray")
    assert ran.code == 2
    assert ran.err.splitlines() == [
        "error: --executor ray needs Ray, which is not installed",
        "Install the extra `cluster`: pip install 'arena-leaderboard[cluster]'",
    ]
    assert "集群" not in ran.err
    assert scripted.run("collect", "--yes", "--executor", "local").code == 0


def test_a_cluster_that_does_not_answer_is_named_and_nothing_is_asked(scripted, monkeypatch):
    monkeypatch.setattr(cluster, "find_spec", lambda name: True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        where = f"ray://127.0.0.1:{taken.getsockname()[1]}"
        ran = scripted.run("collect", "--yes", "--executor", where)
    assert ran.code == 1
    said = ran.err.splitlines()[-3:]
    assert said[0].startswith(f"error: nothing answers at {where} within 10 s")
    assert "10001" in said[1]
    assert scripted.rows("select count(*) from call") == [(0,)]


def test_nothing_to_ask_reaches_for_no_cluster(scripted, monkeypatch):
    assert scripted.run("collect", "--yes").code == 0
    monkeypatch.setattr(cluster, "find_spec", lambda name: True)
    monkeypatch.setattr(cluster, "connect", lambda address: pytest.fail("reached for it"))
    assert scripted.run("collect", "--yes", "--executor", "ray").code == 0
    ran = scripted.run("score", "--dry-run", "--executor", "ray")
    assert ran.code == 0


@pytest.fixture
def parcel(workspace):
    bench = open_bench(Narrowed(project=workspace.root))
    return pack(bench, ("agent:alpha", "agent:bravo"))


def test_what_is_sent_holds_names_of_variables_and_no_value(parcel, monkeypatch):
    monkeypatch.setenv(KEY, "sk-never-sent")
    sent = pickle.dumps(parcel)
    assert KEY.encode() in sent
    assert b"sk-never-sent" not in sent
    assert pickle.loads(sent) == parcel


@pytest.mark.parametrize("there", [True, False])
def test_a_process_looks_its_keys_up_where_it_is(parcel, monkeypatch, there):
    if there:
        monkeypatch.setenv(KEY, "sk-here")
    else:
        monkeypatch.delenv(KEY, raising=False)
    tools, found = open_tools(parcel, None)
    assert found.get("variable") == (None if there else KEY)
    assert found["version"].startswith("arena ")
    assert tools.limiter is None


def test_a_program_needs_its_folder_where_it_runs(parcel, monkeypatch):
    from dataclasses import replace

    monkeypatch.setenv(KEY, "sk-here")
    _, found = open_tools(replace(parcel, folder=Path("/nowhere/at/all")), None)
    assert found["folder"] == "/nowhere/at/all"
