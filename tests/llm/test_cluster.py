"""A Ray cluster of two nodes in a network of its own; everything is killed once.

ARENA_FULL=1 takes 3,000 calls, 200 at once, otherwise 300 and 40; the laws are the same.
"""

import os

import pytest

from tests.support.namespaces import run_apart, why_not

pytest.importorskip("ray", reason="Ray is not installed (the extra `cluster`)")

FULL = os.environ.get("ARENA_FULL") == "1"
CALLS, AT_ONCE, PACED = (3000, 200, 1000) if FULL else (300, 40, 600)
PACE = 500
APART = ("-n",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ("-r", "-n")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def story():
    loopback = "ip link set lo up"
    if reason := why_not(*APART, within=loopback):
        pytest.skip(reason)
    sizes = (f"--calls={CALLS}", f"--at-once={AT_ONCE}", f"--paced={PACED}")
    return run_apart(APART, "tests.bench.cluster", *sizes, first=loopback)


def test_every_call_is_stored_once_whatever_was_killed(story):
    assert story["stored"] == story["distinct"] == CALLS
    assert story["statuses"] == ["ok"]
    assert story["last_code"] == 0, story["last_said"]


def test_each_node_had_a_worker_and_the_node_that_was_killed_too(story):
    assert min(story["workers"]) >= 1
    assert story["killed_with_node"] >= 1


def test_no_more_calls_are_repeated_than_were_under_way(story):
    assert 0 <= story["worker_repeats"] <= AT_ONCE
    assert 0 <= story["driver_lost"] <= AT_ONCE
    assert 0 <= story["node_repeats"] <= AT_ONCE
    again = story["worker_repeats"] + story["driver_lost"] + story["node_repeats"]
    assert story["begun"] == CALLS + again


def test_ctrl_c_saves_what_is_under_way_and_says_how_to_go_on(story):
    assert story["interrupted_code"] == 130
    assert story["interrupt_lost"] == 0
    what, how = story["interrupted_said"].splitlines()[-2:]
    assert what.startswith("error: interrupted; ")
    assert how.startswith("Run the same command to go on: arena collect")
    assert "Traceback" not in story["interrupted_said"] + story["last_said"]


def test_a_key_that_a_node_lacks_is_named_and_no_key_is_sent_or_written(story):
    keyless = story["keyless"]
    assert keyless["code"] == 2, keyless
    assert "the variable ONLY_HERE_KEY is not set there" in keyless["said"][0]
    assert story["secrets"] == []


def test_the_limiter_holds_the_pace_over_both_nodes(story):
    assert story["paced"] == PACED
    # Where calls begin, however late the limiter's word comes there.
    assert story["most_in_a_second"] <= PACE


def test_an_error_of_a_call_is_an_outcome(story):
    assert story["errors"] == ["ValueError: three"]
