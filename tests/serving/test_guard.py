"""Who is answered at all: hosts, origins, proofs, tokens, sizes; and the headers of replies."""

import http.client
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from arena.errors import UsageError
from arena.serving.rates import Rates
from arena.serving.sessions import Access, Sessions
from tests.serving.conftest import AGENTS, JUDGES, OPTIONS, Voter, served

TOKEN = "correct-horse-battery-staple"
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def here(filled):
    """On this machine alone, and beside it one that needs tokens."""
    with served(filled) as (url, _), served(filled, token=TOKEN, voter=["li"]) as (shut, told):
        yield url, shut, told


def ask(url, method="GET", path="/api/health", body=None, **headers):
    headers = {k.replace("_", "-"): v for k, v in headers.items()}
    with httpx.Client(base_url=url, timeout=60, verify=False) as client:
        return client.request(method, path, content=body, headers=headers)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:1", 200),
        ("localhost", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("localhost.evil.example:80", 421),
        ("10.0.0.1", 421),
        ("", 421),
    ],
)
def test_only_known_hosts_are_answered(here, host, status):
    assert ask(here[0], host=host).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_what_changes_something_comes_from_our_pages_as_json(here, headers, status):
    sent = {"content_type": "application/json"} | headers
    assert ask(here[0], "POST", "/api/vote/enter", '{"name": "li"}', **sent).status_code == status


def test_bodies_have_a_size_and_are_not_sent_back(here):
    large = '{"name": "' + "x" * 70_000 + '"}'
    assert ask(here[0], "POST", "/api/vote/enter", large, **JSON).status_code == 413
    reply = ask(here[0], "POST", "/api/vote/enter", '{"token": {"s3cret": 1}}', **JSON)
    assert reply.status_code == 422
    assert "s3cret" not in reply.text.replace('"at"', "")

    connection = http.client.HTTPConnection(here[0].removeprefix("http://"), timeout=60)
    parts = (b"x" * 30_000 for _ in range(4))
    connection.request("POST", "/api/vote/enter", parts, JSON, encode_chunked=True)
    try:
        assert connection.getresponse().status in (400, 413, 422)
    except (ConnectionError, http.client.HTTPException):
        pass  # cut off is refused, too
    finally:
        connection.close()


def test_a_vote_without_the_proof_or_the_session_is_refused(here):
    with Voter(here[0], "mei") as mei:
        shown = mei.next()
        proof = mei.client.headers.pop("X-Arena-Proof")
        assert mei.vote(shown).status_code == 403
        mei.client.headers["X-Arena-Proof"] = proof[:-1] + "!"
        assert mei.vote(shown).status_code == 403
        mei.client.headers["X-Arena-Proof"] = proof
        cookie = mei.client.post("/api/vote/enter", json={"name": "mei"}).headers["set-cookie"]
        assert mei.vote(shown).status_code == 403
        mei.client.cookies.clear()
        assert mei.vote(shown).status_code == 401
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}


def test_every_reply_has_safe_headers(here):
    paths = ("/", "/vote", "/review", "/static/vote.js", "/api/health", "/api/board", "/nothing")
    for path in paths:
        headers = ask(here[0], path=path).headers
        assert headers["x-content-type-options"] == "nosniff", path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert headers["referrer-policy"] == "no-referrer", path
        assert "unsafe" not in headers["content-security-policy"], path
        assert "server" not in headers, path
    for path in ("/vote", "/api/vote/state", "/api/board"):
        assert ask(here[0], path=path).headers["cache-control"] == "no-store", path
    assert "sha256-" in ask(here[0], path="/vote").headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/..%2foutside.txt",
        "/.hidden",
        "/%00",
        "//etc/passwd",
        "/static/..%2f..%2fapp.py",
        "/data/arena.yaml",
    ],
)
def test_only_the_published_folder_is_served(here, path):
    connection = http.client.HTTPConnection(here[0].removeprefix("http://"), timeout=60)
    connection.request("GET", path)
    assert connection.getresponse().status == 404
    connection.close()


def test_the_owner_reads_the_api_and_the_leaderboard(here):
    assert "quillfern" in ask(here[0], path="/").text
    listed = ask(here[0], path="/api/transcripts?limit=2").json()
    assert (listed["total"], len(listed["transcripts"])) == (24, 2)
    key = listed["transcripts"][0]["key"]
    assert len(ask(here[0], path=f"/api/transcripts/{key}").json()["rounds"]) == 2
    assert ask(here[0], path="/api/transcripts/none").status_code == 404
    pages = [ask(here[0], path=f"/api/verdicts?limit=50&offset={n}").json() for n in (0, 50, 90)]
    keys = [v["key"] for page in pages[:2] for v in page["verdicts"]]
    assert pages[0]["total"] == 24 * 2 * 2
    assert len(set(keys)) == len(keys) == 96
    one = ask(here[0], path=f"/api/verdicts?judge={JUDGES[0]}").json()
    assert one["total"] == 48
    schema = ask(here[0], path="/api/openapi.json").json()
    assert {"/api/board", "/api/pairs", "/api/verdicts", "/api/vote"} <= set(schema["paths"])
    told = schema["paths"]["/api/verdicts"]["get"]
    assert "without people's votes" in told["summary"]
    assert "What people voted is not here" in told["description"]
    assert ask(here[0], path="/docs").status_code == 404


def test_with_tokens_nobody_comes_in_without_one(here):
    _, url, told = here
    assert ask(url, path="/api/board").status_code == 401
    assert ask(url, path="/api/board", authorization="Bearer wrong").status_code == 401
    assert ask(url, path="/api/board", authorization=f"Bearer {TOKEN}").status_code == 200
    assert ask(url, path="/").headers["location"] == "/enter"
    for body in ('{"name": "li"}', '{"name": "li", "token": "x"}', "{}"):
        assert ask(url, "POST", "/api/vote/enter", body, **JSON).status_code == 401
    token = next(line for line in told if line.startswith("li")).split()[-1]
    with Voter(url, "", token=token) as li:
        assert li.state["person"] == "human:li"
        assert li.get("/api/board").status_code == 403
        # A person in a browser is told so on a page, in the language that was asked for.
        told = li.client.get("/index.html?lang=zh", headers={"accept": "text/html,*/*"})
        assert (told.status_code, told.headers["location"]) == (303, "/enter?lang=zh")
        elsewhere = li.client.get("/?lang=//x", headers={"accept": "text/html"})
        assert elsewhere.headers["location"] == "/enter"
    with httpx.Client(base_url=url, timeout=60, verify=False) as owner:
        assert owner.post("/api/owner", json={"token": TOKEN}).status_code == 200
        assert owner.get("/").status_code == 200
    sent = ask(url, path="/api/health").text + ask(url, path="/vote").text
    assert TOKEN not in sent
    assert token not in sent


def test_who_comes_to_vote_is_asked_for_what_lets_them_in(here):
    asked = [ask(url, path="/api/vote/state").json()["asks"] for url in here[:2]]
    assert asked == ["name", "token"]


def test_who_guesses_wrong_too_often_has_to_wait(filled):
    with served(filled, token=TOKEN) as (url, _):
        codes = [
            ask(url, path="/api/board", authorization=f"Bearer {n}").status_code for n in range(20)
        ]
        assert codes[0] == 401
        assert 429 in codes


@pytest.mark.parametrize(
    "options",
    [
        {"host": "0.0.0.0"},
        {"host": "0.0.0.0", "allow_remote": True},
        {"host": "::", "allow_remote": True, "token": "short"},
        {"host": "example.org", "token": TOKEN},
        {"voter": ["a b"]},
        {"voter": ["<b>"]},
    ],
)
def test_strangers_are_let_in_only_on_purpose(filled, options):
    from arena.cli.serving import open_service
    from arena.errors import ArenaError

    pytest.importorskip("fastapi", reason="the service is an extra: serve")
    with pytest.raises((UsageError, ArenaError)):
        open_service({**OPTIONS, "project": filled.root, **options}, "en")


def test_a_bucket_fills_with_time_and_nobody_pays_for_others():
    at = [0.0]
    rates = Rates(per_second=2, burst=3, clock=lambda: at[0])
    assert [rates.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert rates.wait("b") == 0
    at[0] = 0.5
    assert rates.wait("a") == 0
    assert rates.wait("a") > 0
    at[0] = 100
    assert [rates.wait("a") > 0 for _ in range(4)] == [False, False, False, True]


def test_sessions_are_unguessable_and_end():
    sessions = Sessions()
    cookies = {sessions.begin("voter", f"human:{n}")[0] for n in range(50)}
    assert len(cookies) == 50
    assert min(map(len, cookies)) >= 43
    cookie = next(iter(cookies))
    assert sessions.of(cookie)
    sessions.end(cookie)
    assert sessions.of(cookie) is None
    assert sessions.of(None) is None
    assert not Access().is_owner("")


def arena(*args, root):
    """A command in a process of its own, as only another process meets the lock."""
    env = {**os.environ, "ARENA_LANG": "en", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "arena", args[0], "-C", str(root), *args[1:]],
        capture_output=True,
        text=True,
        env=env,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    return done.returncode, done.stdout + done.stderr


HOLD = """
import sys, pathlib
from arena.store.store import Store
with Store(pathlib.Path(sys.argv[1])) as store:
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_other_commands_work_beside_it_and_while_one_holds_the_store_nothing_is_kept(workspace):
    with served(workspace) as (url, _), Voter(url, "li") as li:
        li.vote(li.next())
        code, said = arena("status", root=workspace.root)
        assert code in (0, 3, 5), said
        assert "in use" not in said
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(workspace.results / "arena.duckdb")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert holder.stdout.readline() == "held\n"
        shown = li.next()
        refused = li.vote(shown)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert refused.json()["error"]["kind"] == "store_held"
        holder.communicate("\n")
        assert holder.returncode == 0
        assert li.vote(shown).json()["kept"] == "new"
        assert li.get("/api/vote/state").json()["rooms"][0]["progress"]["done"] == 2
    assert AGENTS
