"""Beside a run: votes go in through the process that holds the store, and events tell of it."""

import json
import socket
import threading

import httpx
import pytest

from tests.e2e.conftest import PATIENCE, Workspace, agent, fair, judge
from tests.serving.conftest import Voter, kept_votes
from tests.support.server_thread import ServerThread

pytest.importorskip("fastapi", reason="the service is an extra: serve")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def reach(url, running):
    """Wait for the service to answer."""
    while True:
        assert running.running, running.wait()
        try:
            return httpx.get(f"{url}/api/health", timeout=60, verify=False).json()
        except httpx.TransportError:
            threading.Event().wait(0.2)


def events(url, wanted):
    """The first event of each wanted name."""
    found, name = {}, ""
    with httpx.stream("GET", f"{url}/api/live", timeout=PATIENCE, verify=False) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        for line in reply.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found[name] = json.loads(line.removeprefix("data: "))
            if wanted <= set(found):
                return found


def test_a_run_takes_votes_and_tells_how_far_it_is(tmp_path):
    go, port = threading.Event(), free_port()

    def answer(request):
        said = fair(request)
        if said and '"winner"' in said:
            go.wait(PATIENCE)
        return said

    workspace = Workspace(tmp_path / "w")
    workspace.write_suite(scenarios=3)
    url = f"http://127.0.0.1:{port}"
    with ServerThread(retry_after=0, answer=answer, answer_schemas=True) as server:
        names = ("x", "y")
        workspace.configure(
            [agent(name, server.url) for name in names], [judge("referee", server.url)]
        )
        serve = ("run", "--yes", "--allow-unpriced", "--serve", "--serve-port", str(port))
        with workspace.started(*serve) as running:
            try:
                reach(url, running)
                # The plan is drawn once all transcripts are there.
                while not (rooms := enter(url)):
                    assert running.running, running.wait()
                assert rooms == 1
                with Voter(url, "li") as li:
                    shown = li.next()
                    assert li.vote(shown, "first").json()["kept"] == "new"
                told = events(url, {"progress"})
                assert told["progress"]["command"].startswith("arena run")
                assert running.running
            finally:
                go.set()
            done = running.wait()
    assert done.code == 0, done
    assert f"{url}/live" in done.err
    (vote,) = kept_votes(workspace)
    assert (vote.person, vote.probability) == ("human:li", 2 / 3)
    assert workspace.rows("select count(*) from verdict where judge = 'referee'") == [(6,)]


def enter(url):
    """How many rooms there are to vote in."""
    with httpx.Client(base_url=url, timeout=60, verify=False) as client:
        return len(client.post("/api/vote/enter", json={"name": "li"}).json()["rooms"])
