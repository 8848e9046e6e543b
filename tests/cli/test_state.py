"""The status file: whole at every moment, and nothing when it is not ours."""

import asyncio
import json
import os

import pytest

from arena.cli import state as module
from arena.cli.state import SCHEMA, State, read_state
from arena.domain.call import Status
from arena.domain.tally import Tally


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results" / "status.json"


@pytest.fixture
def state(path):
    return State(path, command="arena run", started_at="2026-01-01T00:00:00.000Z")


def test_the_file_is_there_before_the_first_answer(path, state):
    found = read_state(path)
    assert found is not None
    assert (found["state"], found["stages"], found["pid"]) == ("running", [], os.getpid())
    assert found["at"] == found["started_at"] == "2026-01-01T00:00:00.000Z"


def test_the_end_says_how_far_every_stage_of_every_job_came(path, state):
    state.job = "一 · natural"
    state.update(Tally(stage="collect", planned=4, made=1))
    state.update(Tally(stage="collect", planned=4, made=3))
    state.update(Tally(stage="score", planned=4))
    state.job = "two · probe"
    tally = Tally(stage="collect", planned=2, present=1)
    tally.count(Status.ERROR)
    state.update(tally)
    state.end("interrupted", at="2026-01-01T00:01:00.000Z")
    found = read_state(path)
    assert (found["state"], found["at"]) == ("interrupted", "2026-01-01T00:01:00.000Z")
    assert [(s["job"], s["stage"], s["made"]) for s in found["stages"]] == [
        ("一 · natural", "collect", 3),
        ("一 · natural", "score", 0),
        ("two · probe", "collect", 0),
    ]
    assert found["stages"][2]["errors"] == {"error": 1}


def test_a_renewal_replaces_the_file_whole_and_who_reads_the_old_one_keeps_it(path, state):
    with path.open(encoding="utf-8") as old:
        state.update(Tally(stage="collect", planned=10_000))
        state.end("finished", at="later")
        assert json.loads(old.read())["state"] == "running"
    assert read_state(path)["state"] == "finished"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_a_writer_that_dies_half_way_leaves_the_file_as_it_was(path, state, monkeypatch):
    before = path.read_bytes()

    def full(self, text, **_):
        with self.open("w") as stream:
            stream.write(text[: len(text) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "write_text", full)
    state.end("finished", at="later")
    assert path.read_bytes() == before


def test_a_file_that_cannot_be_written_stops_nothing(tmp_path):
    (tmp_path / "results").write_text("a file in the way")
    state = State(tmp_path / "results" / "status.json", command="arena run", started_at="now")
    state.end("finished", at="later")
    assert (tmp_path / "results").read_text() == "a file in the way"


async def test_while_it_runs_the_file_is_renewed_without_news(path, state, monkeypatch):
    monkeypatch.setattr(module, "EVERY", 0)
    times = iter(range(1_000_000))
    beating = asyncio.create_task(state.renew(lambda: f"tick {next(times)}"))
    while not read_state(path)["at"].startswith("tick"):
        await asyncio.sleep(0)
    state.update(Tally(stage="compare", planned=7))
    while not read_state(path)["stages"]:
        await asyncio.sleep(0)
    beating.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beating
    assert read_state(path)["stages"][0]["planned"] == 7


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"{",
        b"null",
        b"7",
        b"[]",
        b'"arena.state/1"',
        b"{}",
        b'{"schema": "arena.state/2"}',
        b'{"schema": ["arena.state/1"]}',
        b"\xff\xfe\x00",
        json.dumps({"schema": SCHEMA, "pid": 1}).encode()[:-1],
        b"[" * 100_000,
    ],
    ids=lambda garbage: repr(garbage[:20]),
)
def test_garbage_is_no_state(tmp_path, garbage):
    path = tmp_path / "status.json"
    path.write_bytes(garbage)
    assert read_state(path) is None


def test_no_file_and_a_folder_are_no_state(tmp_path):
    assert read_state(tmp_path / "status.json") is None
    assert read_state(tmp_path) is None


def test_a_state_of_ours_is_read(tmp_path):
    path = tmp_path / "status.json"
    path.write_text(json.dumps({"schema": SCHEMA, "pid": 7}))
    assert read_state(path) == {"schema": SCHEMA, "pid": 7}
