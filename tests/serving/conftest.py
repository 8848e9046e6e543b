"""A workspace with hostile transcripts, and the service on a socket of loopback."""

import contextlib
import json
import shutil
import threading
from itertools import combinations

import httpx
import pytest

from arena.cli.workspace import Narrowed, open_bench
from arena.domain.call import Message, Status
from arena.domain.flag import FlagMark
from arena.domain.score import Backing, Score, Sheet
from arena.domain.transcript import Transcript
from arena.domain.verdict import CriterionVerdict, Outcome, Verdict
from arena.judging.plans import presentations_of, sheets_of
from arena.store.rows import sheet_rows, transcript_row, verdict_rows
from arena.store.store import Store
from tests.e2e.conftest import Workspace, agent, judge
from tests.site.hostile import EVIL

NOWHERE = "http://127.0.0.1:9"
AT = "2026-11-30T04:00:00.000Z"
AGENTS = ("quillfern", "brindlewick", "oxbowlark")
VENDOR, FAMILY = "marrowgate", "tanglewood"
JUDGES = ("starchpole", "lintseed")
REASON = "the reason of a judge, which nobody who votes may read"
SECRET = (*AGENTS, VENDOR, FAMILY, *JUDGES, REASON)
"""What no voter may see anywhere."""
DANGER = {"red_flags": [{"flag": "fall", "sign": "She feels dizzy on the stairs.", "turn": 1}]}
BEHIND = {"context": "What the neighbour keeps to himself"}
GATE = {"suite": "small-en", "criterion": "advice", "where": "red_flags"}
GATE |= {"at_least": 3, "quota": 0.7}
OPTIONS = {"host": "127.0.0.1", "port": 0, "token": None, "allow_remote": False}


def evil_reply(name, scenario):
    return f"I am {name.upper()} by {VENDOR}. {EVIL} {scenario}: sit down first."


def score(criterion):
    return Score(criterion=criterion, value=4.0, comment="")


def fill(workspace):
    """Transcripts of everybody, and verdicts of two judges that often differ."""
    (job,) = open_bench(Narrowed(project=workspace.root)).jobs
    specs = job.all_transcripts()
    with Store(workspace.root / "results" / "arena.duckdb") as store:
        put = store._connection.execute
        for n, spec in enumerate(specs):
            said = [
                Message("user", f"{spec.scenario}: what now? {EVIL}"),
                Message("assistant", evil_reply(spec.agent, spec.scenario)),
            ] * spec.rounds
            row = transcript_row(
                Transcript(spec=spec, messages=tuple(said), calls=(f"c{n}",), at=AT), "r"
            )
            put(f"insert into transcript values ({', '.join('?' * len(row))})", row)
        for n, spec in enumerate(sheets_of(job).items):
            # One judge sees a danger in S-1 and S-2 of the first agent that the other does not.
            doubted = spec.scenario in ("S-1", "S-2") and spec.agent == AGENTS[0]
            handled = "no" if doubted and spec.judge == JUDGES[0] else "yes"
            quote = f"I am {spec.agent}" if handled == "no" else ""
            mark = FlagMark(flag="fall", handled=handled, round=1, quote=quote)
            sheet = Sheet(
                spec=spec,
                attempt=1,
                status=Status.OK,
                scores=tuple(
                    Score(criterion=c, value=4.0, comment="") for c in ("warmth", "advice")
                ),
                summary=REASON,
                strengths=(),
                issues=(),
                flags=(),
                call=f"s{n}",
                at=AT,
                backing=Backing(red_flags=(mark,)),
            )
            for table, rows in sheet_rows(sheet, "r"):
                for row in rows:
                    put(f"insert into {table} values ({', '.join('?' * len(row))})", row)
        for n, shown in enumerate(presentations_of(job).items):
            outcome = (Outcome.A, Outcome.B, Outcome.TIE)[(n * 7 + n // 3) % 3]
            verdict = Verdict(
                presentation=shown,
                attempt=1,
                status=Status.OK,
                outcome=outcome,
                margin=3,
                reason=REASON,
                criteria=(CriterionVerdict(criterion="warmth", side=outcome, strength=3),),
                flags=(),
                codes=("K1", "M2"),
                call=f"v{n}",
                at=AT,
            )
            for table, rows in verdict_rows(verdict, "r"):
                for row in rows:
                    put(f"insert into {table} values ({', '.join('?' * len(row))})", row)
    return job


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """The workspace that others are copies of."""
    made = Workspace(tmp_path_factory.mktemp("serving") / "workspace")
    made.write_suite(
        scenarios=8,
        compare=["warmth", "advice"],
        red_flags="ask",
        evidence=True,
        scenario_1=DANGER
        | {"title": EVIL[:120], "persona": {"user": f"A friend of {AGENTS[0]} {EVIL}"} | BEHIND},
        **{
            f"scenario_{n}": DANGER | {"persona": {"user": f"Neighbour {n}"} | BEHIND}
            for n in range(2, 9)
        },
    )
    path = made.data / "suites" / "small-en" / "suite.yaml"
    suite = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(suite | {"red_flags": [{"flag": "fall", "name": "Fall"}]}))
    more = {"vendor": VENDOR, "family": FAMILY}
    made.configure(
        [agent(name, NOWHERE) | more for name in AGENTS],
        [judge(name, NOWHERE) for name in JUDGES],
        gates=[GATE],
    )
    made.job = fill(made)
    made.write("leaderboard/index.html", "<!doctype html><title>board of quillfern</title>")
    made.write("leaderboard/.hidden", "no")
    made.write("outside.txt", "no")
    return made


@pytest.fixture
def workspace(filled, tmp_path):
    copy = Workspace(tmp_path / "copy")
    shutil.copytree(filled.root, copy.root, dirs_exist_ok=True)
    copy.job = filled.job
    return copy


@contextlib.contextmanager
def served(workspace, **options):
    """The service on a thread of its own; gives its address."""
    pytest.importorskip("fastapi", reason="the service is an extra: serve")
    pytest.importorskip("uvicorn", reason="the service is an extra: serve")
    from arena.cli.serving import open_service

    service, told = open_service({**OPTIONS, "project": workspace.root, **options}, "en")
    thread = threading.Thread(target=service.run)
    thread.start()
    url = f"http://127.0.0.1:{service.address[1]}"
    try:
        with httpx.Client(base_url=url, timeout=60, verify=False) as client:
            assert client.get("/api/health").status_code == 200
        yield url, told
    finally:
        service.stop()
        thread.join(60)
        assert not thread.is_alive()


class Voter:
    """One person at the API, who keeps every byte that came."""

    def __init__(self, url, name, **given):
        self.client = httpx.Client(base_url=url, timeout=120, verify=False)
        self.bytes = []
        told = self.post("/api/vote/enter", given or {"name": name}).json()
        self.client.headers["X-Arena-Proof"] = told["proof"]
        self.state = told
        self.room = told["rooms"][0]["room"]

    def keep(self, reply):
        self.bytes.append(reply.content + str(reply.headers).encode())
        return reply

    def get(self, path):
        return self.keep(self.client.get(path))

    def post(self, path, body, **more):
        return self.keep(self.client.post(path, json=body, **more))

    def next(self):
        return self.get(f"/api/vote/next?room={self.room}").json()

    def body(self, shown, choice="first", **criteria):
        place = {"room": self.room, "item": shown["item"], "turn": shown["turn"]}
        return place | {"choice": choice, "criteria": criteria}

    def vote(self, shown, choice="first", **criteria):
        return self.post("/api/vote", self.body(shown, choice, **criteria))

    def undo(self, progress):
        return self.post("/api/vote/undo", {"room": self.room, **progress["last"]})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()


def kept_votes(workspace, **more):
    """The votes in the store of a workspace that nobody holds."""
    with Store(workspace.root / "results" / "arena.duckdb") as store:
        return store.voting.all("small-en", "natural", **more)


def dumped(value):
    return json.dumps(value, ensure_ascii=False)


PAIRS = len(list(combinations(AGENTS, 2))) * 8
"""Comparisons that there are."""
