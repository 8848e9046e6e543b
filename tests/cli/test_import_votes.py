"""arena import of votes: in once, whole or not at all, ranked and shown like a file."""

import gzip
import io
import json
import signal
import subprocess
import sys
import zipfile

import pytest

from arena.store.store import Store

HEAD = "scenario,agent_a,agent_b,winner,judge,order,language,tstamp,note"
ROWS = [
    f"s{n},{a},{b},{who},j{n % 2},{order},{('en', 'zh')[n % 2]},169{n:04d}.25,n {n}"
    for n, (a, b, who, order) in enumerate(
        [("ann", "ben", "a", "ab"), ("ben", "cay", "tie", "ba"), ("cay", "ann", "b", "ab")] * 20
        + [("ann", "ben", "", "ab"), ("ben", "ann", "tie (bothbad)", "ba")]
    )
]
GOOD = "\n".join([HEAD, *ROWS]) + "\n"


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def counts(workspace):
    """Rows of every table that an import may write."""
    with Store(workspace / "results" / "arena.duckdb") as store:
        ask = store._connection.execute
        tables = ("imported_vote", "vote_file", "origin", "imported", "verdict")
        return {t: ask(f"select count(*) from {t}").fetchall()[0][0] for t in tables}


def votes_of(workspace, name):
    """The rows of an import, without whose they are."""
    with Store(workspace / "results" / "arena.duckdb") as store:
        ask = store._connection.execute
        origin = ask("select origin from origin where suite = $name", {"name": name}).fetchall()
        query = "select * exclude (origin) from imported_vote where origin = $o order by row"
        return ask(query, {"o": origin[-1][0]}).fetchall()


@pytest.fixture(scope="module")
def voted(arena, tmp_path_factory):
    """A workspace with one import of votes, and the file that it came from."""
    folder = tmp_path_factory.mktemp("voted")
    assert arena("init", folder / "w", "--lang", "en").exit_code == 0
    path = write(folder / "cast.csv", GOOD)
    done = arena("import", "arena", path, "-C", folder / "w", "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    return folder / "w", path, json.loads(done.stdout)


def ask(arena, workspace, *words):
    done = arena(*words, "-C", workspace, "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_votes_come_in_once_with_what_stood_in_the_file(arena, voted):
    workspace, path, document = voted
    results = document["results"]
    assert results["agents"] == ["ann", "ben", "cay"]
    assert (results["rows"], results["new"], results["judges"]) == (62, 62, 2)
    assert results["unanswered"] == {"vote": 1}
    assert results["kept_beside"] == ["note"]
    before = counts(workspace)
    again = ask(arena, workspace, "import", "arena", path)["results"]
    assert again["new"] == 0
    assert again["there_already"] == {"vote": 62}
    assert counts(workspace) == before
    first, last = votes_of(workspace, "cast")[0], votes_of(workspace, "cast")[-1]
    assert first[:7] == (1, "ann", "ben", "a", None, "ab", "s0")
    assert "1690000.25" in first
    assert first[-1] == '{"note":"n 0"}'
    assert last[3:5] == ("tie", "tie (bothbad)")


def test_a_dry_run_needs_no_workspace_and_writes_nothing(arena, voted, tmp_path, monkeypatch):
    workspace, path, document = voted
    monkeypatch.chdir(tmp_path)
    done = arena("import", "arena", path, "--dry-run", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["results"]["origin"] == document["results"]["origin"]
    assert list(tmp_path.iterdir()) == []
    before = counts(workspace)
    told = arena("import", "evalica", path, "--dry-run", "-C", workspace, "--lang", "en")
    assert told.exit_code == 2
    assert "missing: left, right" in told.stderr
    assert counts(workspace) == before


def test_an_import_is_ranked_as_its_file_is(arena, voted):
    workspace, path, document = voted
    more = ("--seed", "7", "--by", "language", "--resamples", "50")
    file = json.loads(arena("rank", path, "--json", *more).stdout)
    more = ("--seed", "7", "--by", "domain", "--resamples", "50")
    (board,) = ask(arena, workspace, "rank", "--import", "cast", *more)["boards"]
    assert board["agents"] == file["agents"]
    assert board["pairs"] == file["pairs"]
    assert board["imported"]["origin"] == document["results"]["origin"]
    assert [s["value"] for s in board["slices"]] == ["en", "zh"]
    only = ("--where", "note = 'n 3' or judge = 'j0'", "--method", "elo")
    (part,) = ask(arena, workspace, "rank", "--import", "cast.csv", *only)["boards"]
    assert part["diagnostics"]["rows"]["excluded"]["filtered"] == 30
    for refused in (("--columns", "a=x"), ("--where", "1 = (select count(*) from call)")):
        done = arena("rank", "--import", "cast", "-C", workspace, "--lang", "en", *refused)
        assert done.exit_code in (0, 2)
    reached = arena(
        "rank", "--import", "cast", "-C", workspace, "--where", f"exists(from read_csv('{path}'))"
    )
    assert reached.exit_code == 2
    none = arena("rank", "--import", "nothing", "-C", workspace, "--lang", "en")
    assert none.exit_code == 2
    assert "no import called nothing" in none.stderr


def test_an_import_is_diagnosed_as_its_file_is_and_the_report_is_kept(arena, voted):
    workspace, path, document = voted
    file = json.loads(arena("diagnose", path, "--json", "--seed", "7").stdout)
    (found,) = ask(arena, workspace, "diagnose", "--import", "cast", "--seed", "7")["diagnoses"]
    assert found["judges"] == file["judges"]
    with Store(workspace / "results" / "arena.duckdb") as store:
        kept = store.reports.latest("cast", "votes", origin=document["results"]["origin"])
        assert kept is not None
        assert store.reports.latest("cast", "votes") is None


def test_status_and_show_tell_of_the_votes(arena, voted):
    workspace, *_ = voted
    ask(arena, workspace, "rank", "--import", "cast")
    jobs = {job["suite"]: job for job in ask(arena, workspace, "status")["jobs"]}
    (stage,) = jobs["cast"]["stages"]
    assert (stage["planned"], stage["present"], stage["trouble"]) == (62, 61, {"unparsed": 1})
    assert jobs["cast"]["next"] == "arena publish"
    (duel,) = ask(arena, workspace, "show", "duel", "ann", "ben")["duels"]
    assert (duel["wins"], duel["losses"]) == (20, 0)
    part = ask(arena, workspace, "show", "verdicts", "--agent", "ann", "--agent", "cay")
    (of,) = part["imported_votes"]
    assert of["votes"] == 20
    assert {row["agent_a"] for row in of["first"]} == {"cay"}
    shown = arena("show", "verdicts", "--suite", "cast", "-C", workspace, "--lang", "en")
    assert "ann" in shown.stdout


def test_the_page_of_an_import_says_what_it_is(arena, voted):
    workspace, *_ = voted
    ask(arena, workspace, "rank", "--import", "cast")
    ask(arena, workspace, "publish", "--suite", "cast", "--lang", "en")
    page = (workspace / "leaderboard" / "index.html").read_text("utf-8")
    assert "Imported votes on who was better" in page
    assert "imported from cast.csv (arena)" in page
    assert "Every agent goes through the same scenarios" not in page
    assert "of 0" not in page
    assert "ynthetic" not in page
    assert "0/0" not in page
    assert (workspace / "leaderboard" / "index.zh.html").is_file()


BAD = {
    "unknown_outcome": "s1,ann,ben,perhaps,j0,ab,en,,",
    "self_pair": "s1,ann,ann,a,j0,ab,en,,",
    "no_agent": "s1,,ben,a,j0,ab,en,,",
    "bad_order": "s1,ann,ben,a,j0,first,en,,",
    "bad_name": "s1,an\tn,ben,a,j0,ab,en,,",
    "malformed": "s1,ann,ben",
}


def test_what_is_wrong_keeps_all_out_unless_it_is_skipped(arena, started, tmp_path):
    rows = [*ROWS[:5], *BAD.values(), *ROWS[5:]]
    path = write(tmp_path / "bad.csv", "\n".join([HEAD, *rows]) + "\n")
    words = ("import", "arena", path, "-C", started)
    refused = arena(*words, "--json")
    assert refused.exit_code == 2
    bad = json.loads(refused.stdout)["results"]["bad"]
    assert {reason: told["rows"] for reason, told in bad.items()} == {
        reason: [row] for row, reason in enumerate(BAD, start=6)
    }
    assert sum(counts(started).values()) == 0
    for lang, said in (("en", "data rows 6"), ("zh", "数据行 6")):
        told = arena(*words, "--lang", lang)
        assert said in told.stderr
        assert "\t" not in told.stderr
    skipped = arena(*words, "--skip-bad", "--json")
    assert skipped.exit_code == 3
    assert json.loads(skipped.stdout)["results"]["new"] == len(ROWS)
    assert counts(started)["imported_vote"] == len(ROWS)


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("id", "7", "repeated"),
        ("weight", "half", "bad_weight"),
        ("weight", "2", "bad_weight"),
        ("margin", "nan", "bad_margin"),
        ("margin", "much", "bad_margin"),
    ],
)
def test_a_number_that_is_none_and_an_id_twice_are_wrong(arena, tmp_path, column, value, reason):
    good = {"id": "7", "weight": "0.5", "margin": "-2"}[column]
    path = write(
        tmp_path / "v.csv", f"agent_a,agent_b,winner,{column}\nx,y,a,{good}\nx,y,b,{value}\n"
    )
    done = arena("import", "arena", path, "--dry-run", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["results"]["bad"][reason]["rows"] == [2]


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("../escaped.csv", GOOD)
    return stream.getvalue()


HOSTILE = {
    "cut.json": ('[{"model_a": "x", "model_b": "y", "winner": "tie"}, {"model_a": "x', ""),
    "cut.jsonl": ('{"model_a": "x", "model_b": "y", "winner": "tie"}\n{"model_a": "x', "rows 2"),
    "bytes.csv": (b"model_a,model_b,winner\nx,y,tie\n\xff\xfe\xff,y,\xff\n", "line 3"),
    "columns.csv": ("model_a,winner\nx,tie\n", "missing: model_b"),
    "twice.csv": ("model_a,model_b,winner,Winner\nx,y,tie,tie\n", "two columns"),
    "quote.csv": ('model_a,model_b,winner\nx,y,"tie\nx,y,tie\n', "row 1"),
    "empty.csv": ("", "empty"),
    "zip.csv": (zipped(), "ZIP"),
    "page.parquet": (b"PAR1" + bytes(40), ""),
    "text.parquet": ("not Parquet at all\n", ""),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_named_and_nothing_comes_in(arena, voted, tmp_path, name):
    workspace, *_ = voted
    content, said = HOSTILE[name]
    path = write(tmp_path / name, content)
    before = counts(workspace)
    done = arena("import", "lmarena", path, "-C", workspace, "--lang", "en")
    assert done.exit_code == 2, done.stderr
    assert name in done.stderr
    assert said in done.stderr
    assert counts(workspace) == before
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_folder_and_a_missing_file_are_named(arena, voted, tmp_path):
    workspace, *_ = voted
    for words in (("lmarena", tmp_path), ("evalica", tmp_path / "none.csv")):
        done = arena("import", *words, "-C", workspace, "--lang", "en")
        assert done.exit_code == 2
        assert str(words[1]) in done.stderr
    for words in (("evalica",), ("eldercare", tmp_path, "--columns", "a=b")):
        assert arena("import", *words, "-C", workspace).exit_code == 2
    assert arena("import", "arena", voted[1], "-C", workspace, "--as", "../x").exit_code == 2


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mark.csv", lambda text: b"\xef\xbb\xbf" + text.encode()),
        ("crlf.csv", lambda text: text.replace("\n", "\r\n").encode()),
        ("zip.csv.gz", lambda text: gzip.compress(text.encode())),
        ("tabs.tsv", lambda text: text.replace(",", "\t").encode()),
        ("wide.csv", lambda text: text.encode("utf-16")),
    ],
)
def test_marks_line_ends_and_packing_change_nothing(arena, voted, tmp_path, name, change):
    workspace, *_ = voted
    path = write(tmp_path / name, change(GOOD))
    ask(arena, workspace, "import", "arena", path, "--as", name.split(".")[0])
    assert votes_of(workspace, name.split(".")[0]) == votes_of(workspace, "cast")


KILLED = """
import os, signal, sys
from arena.cli.main import app
from arena.store.votes import keeping
whole = keeping.sql
def sql(name):
    if name == "vote_file_add":
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(name)
keeping.sql = sql
app()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 on this system")
def test_an_import_that_is_killed_leaves_nothing_and_can_be_repeated(arena, started, voted):
    words = ["import", "arena", str(voted[1]), "-C", str(started), "--json"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *words], capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert sum(counts(started).values()) == 0
    assert arena(*words).exit_code == 0
    assert votes_of(started, "cast") == votes_of(voted[0], "cast")


def test_who_judged_and_who_makes_the_agents_can_be_said(arena, started, tmp_path):
    path = write(tmp_path / "投票.csv", "left,right,winner\nx,y,left\ny,x,TIE\n")
    makers = write(tmp_path / "makers.csv", "agent,vendor\nx,maker-x\n")
    done = ask(arena, started, "import", "evalica", path, "--judged-by", "me", "--agents", makers)
    assert (done["name"], done["results"]["judges"]) == ("votes", 1)
    (board,) = ask(arena, started, "rank", "--import", "votes", "--min-comparisons", "1")["boards"]
    assert board["panel"] == ["me"]
    agents = {a["agent"]: a["vendor"] for a in ask(arena, started, "show", "agents")["agents"]}
    assert (agents["x"], agents["y"]) == ("maker-x", "unknown")
