"""A disk that fills up during a run: one clear error, nothing lost, and on it goes with room."""

import pytest

from tests.e2e.disk_full import AGENTS, SCENARIOS, TURNS
from tests.support.namespaces import run_apart, why_not

TRANSCRIPTS = 2 * SCENARIOS * len(AGENTS)
APART = ("-r", "-m")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small-disk")
    if reason := why_not(*APART, within=f"mount -t tmpfs tmpfs '{folder}'"):
        pytest.skip(reason)
    return run_apart(APART, "tests.e2e.disk_full", str(folder))


@pytest.mark.parametrize("which", ["full", "again"])
def test_a_full_disk_ends_the_command_with_one_clear_error(story, which):
    ran = story[which]
    assert ran["code"] == 1
    assert ran["out"] == ""
    what, why, fix = ran["err"].splitlines()[-3:]
    assert what.startswith("error: ")
    assert what.endswith("arena.duckdb: the disk is full")
    assert why == "Everything committed before is kept."
    assert "same command again" in fix
    assert ran["err"].count("error: ") == 1
    assert "Traceback" not in ran["err"]


def test_what_was_committed_is_there_after_reopening(story):
    kept = story["kept"]
    assert 0 < story["committed"] <= kept["calls"] < TRANSCRIPTS * TURNS
    assert kept["lost"] == 0
    assert kept["calls"] == kept["distinct"]


def test_the_same_command_goes_on_when_there_is_room(story):
    after, whole = story["after"], story["whole"]
    assert after["code"] == 0, after["err"]
    calls = TRANSCRIPTS * TURNS
    assert f"{calls - story['kept']['calls']} calls" in after["err"].splitlines()[-2]
    assert whole == {
        "calls": calls,
        "distinct": calls,
        "transcripts": TRANSCRIPTS,
        "lost": 0,
    }


def test_whoever_looks_on_is_not_told_that_the_run_goes_on(story):
    assert story["state"] != "finished"
