"""kill -9 at twenty moments: nothing that was committed is lost, and nothing is asked in vain."""

import contextlib
import json
import subprocess
import sys
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from arena.cli.workspace import Narrowed, open_bench
from arena.judging.planning import plan_presentations, plan_sheets
from tests.e2e.conftest import PATIENCE, Workspace, agent, judge, look_at, wait_for_calls

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

KILLS = 20
SEED = 20261129
WINDOW = 8
AGENTS = ("alpha", "bravo", "carol")
SCENARIOS = 8
TURNS = 3
REPLIES = SCENARIOS * TURNS * len(AGENTS)
PLANNED = REPLIES + SCENARIOS * len(AGENTS) + SCENARIOS * len(list(permutations(AGENTS, 2)))
"""Calls: replies, sheets, and every pair in both orders."""
TABLES = ("call", "transcript", "sheet", "score", "verdict", "verdict_criterion")


class ServerProcess:
    """The loopback server in a process of its own."""

    def __init__(self, replies: Path) -> None:
        self._popen = subprocess.Popen(
            [
                sys.executable,
                *("-m", "tests.support.llm_server"),
                *("--latency", "0.04", "--watch-stdin", "--reply-file", str(replies)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        self.port = json.loads(self._popen.stdout.readline())["ready"]
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def close(self) -> None:
        self._popen.stdin.close()
        self._popen.wait(PATIENCE)
        self._popen.stdout.close()

    def begun_at_rest(self) -> int:
        """Calls begun, once the server has noticed that nobody waits for an answer any more."""
        while True:
            stats = look_at(self.port, "/stats?digests=0")[1]
            if not stats["in_flight"]:
                return stats["begun"]


def script() -> dict:
    """Agents that name themselves; a judge that picks one of the two it is shown, or a tie."""
    rules = [{"model": name, "reply": f"{name} says {{digest}}."} for name in AGENTS]
    for pair in combinations(AGENTS, 2):
        answers = [
            {
                "winner": winner,
                "strength": 2,
                "criteria": {"warmth": {"side": winner, "strength": 2}},
                "reason": "As seen.",
            }
            for winner in (*pair, "tie")
        ]
        rules.append({"contains": [f"{name} says" for name in pair], "reply": answers})
    return {"answer_schemas": True, "rules": rules}


def planned(workspace: Workspace) -> dict[str, set[str]]:
    """The keys that the plan wants, by table."""
    (job,) = open_bench(Narrowed(project=workspace.root)).jobs
    specs = job.all_transcripts()
    common = {
        "suite": job.suite,
        "mode": job.mode,
        "transcripts": specs,
        "judges": job.judges,
        "agents": job.agents,
        "guard": job.guard,
    }
    found = {
        "transcript": [s.key for s in specs],
        "sheet": [s.key for s in plan_sheets(**common).items],
        "verdict": [p.key for p in plan_presentations(**common).items],
    }
    assert sum(len(keys) for keys in found.values()) + REPLIES - len(specs) == PLANNED
    return {table: set(keys) for table, keys in found.items()}


def kill_at(workspace: Workspace, server: ServerProcess, moment: int) -> None:
    """Start a run, and kill -9 its process group once so many calls have begun."""
    with workspace.started("run", "--yes", "-j", str(WINDOW)) as run:
        wait_for_calls(server.port, moment, run)
        run.kill()


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """One workspace, killed twenty times, then run to its end, then once more.

    `befores`: rows by table after each kill; `lost`: calls begun and not committed at each kill;
    `finals`: rows by table at the end; `begun`: calls begun at the end and after one more run.
    """
    folder = tmp_path_factory.mktemp("kill")
    replies = folder / "replies.json"
    replies.write_text(json.dumps(script()))
    workspace = Workspace(folder / "workspace")
    with contextlib.closing(ServerProcess(replies)) as server:
        workspace.write_suite(scenarios=SCENARIOS, turns=TURNS)
        workspace.configure(
            [agent(name, server.url) for name in AGENTS], [judge("referee", server.url)]
        )
        befores, lost = [], []
        begun = committed = 0
        for drawn in moments():
            # Calls that earlier kills cut off were begun in vain: they bring the plan no further.
            waste = begun - committed
            kill_at(workspace, server, max(drawn + waste, begun + 1))
            begun = server.begun_at_rest()
            befores.append(rows(workspace))
            committed = len(befores[-1]["call"])
            lost.append(begun - committed - waste)
        with workspace.started("run", "--yes", "-j", str(WINDOW)) as run:
            done = run.wait()
        assert done.code == 0, str(done)
        ends = [server.begun_at_rest()]
        again = workspace.run("run", "--yes")
        assert again.code == 0, str(again)
        ends.append(server.begun_at_rest())
        yield SimpleNamespace(
            workspace=workspace, befores=befores, lost=lost, finals=rows(workspace), begun=ends
        )


def moments() -> list[int]:
    """Twenty numbers of calls begun, drawn over the whole plan."""
    draws = np.random.default_rng(SEED).choice(np.arange(1, PLANNED - 5), KILLS, replace=False)
    return sorted(int(n) for n in draws)


def rows(workspace: Workspace) -> dict[str, list[tuple]]:
    with workspace.database() as database:
        return {table: database.rows(f"from {table}") for table in TABLES}


def test_every_planned_transcript_sheet_and_verdict_is_there_once_and_ok(story):
    with story.workspace.database() as database:
        for table, keys in planned(story.workspace).items():
            found = [key for (key,) in database.rows(f"select key from {table}")]
            assert len(found) == len(keys)
            assert set(found) == keys
        for table in ("call", "sheet", "verdict"):
            assert database.rows(f"select distinct status from {table}") == [("ok",)]
        assert database.one("select count(*) from verdict where outcome is null") == 0
        served = database.rows("select serves, round, speaker from call")
        assert len(served) == len(set(served)) == PLANNED
        quoted = database.rows("select unnest(from_json(calls, '[\"varchar\"]')) from transcript")
        assert len(quoted) == len(set(quoted)) == REPLIES
        assert set(quoted) <= set(database.rows("select key from call"))


def test_what_was_committed_before_a_kill_is_there_unchanged_at_the_end(story):
    assert len(story.befores) == KILLS
    for number, before in enumerate(story.befores, start=1):
        for table, kept in before.items():
            gone = set(kept) - set(story.finals[table])
            assert not gone, f"{table}, kill {number}: {len(gone)} of {len(kept)} rows"


def test_the_kills_met_calls_under_way_at_many_places_of_the_plan(story):
    assert sum(n > 0 for n in story.lost) > KILLS // 2, story.lost
    sizes = [len(before["call"]) for before in story.befores]
    assert sizes == sorted(sizes)
    assert min(sizes) < PLANNED // 4
    assert max(sizes) > PLANNED * 3 // 4


@pytest.mark.reported("R42")
def test_a_kill_loses_at_most_a_window_of_calls(story):
    assert all(0 <= n <= WINDOW for n in story.lost), story.lost


def test_the_calls_in_all_are_the_plan_and_what_the_kills_cut_off(story):
    assert story.begun[0] - PLANNED == sum(story.lost)


@pytest.mark.reported("R42")
def test_one_more_run_asks_nothing(story):
    assert story.begun[1] == story.begun[0]
