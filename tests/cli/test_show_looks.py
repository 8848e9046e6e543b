"""arena show in the terminal: every look as text and as one document, ids shortened or refused."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from arena.cli.showing.finding import find_one
from arena.errors import UsageError

HOSTILE = "\x1b]0;x\x07\u202e"


@pytest.fixture(scope="module")
def look(arena, walk):
    """look(*words) → the result in the finished demo."""
    return lambda *words, lang="en": arena("show", *words, "-C", walk[0], "--lang", lang)


@pytest.fixture(scope="module")
def document(look):
    def read(*words):
        done = look(*words, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    return read


@pytest.fixture(scope="module")
def agents(document):
    return [a["agent"] for a in document("agents")["agents"]]


@pytest.fixture(scope="module")
def verdict(document):
    return next(v for v in document("verdicts")["verdicts"] if v["order"] == "ba")


@pytest.fixture(scope="module")
def words(agents, verdict, document):
    """What each look is asked with."""
    scenario = verdict["scenario"]
    return {
        "agents": (),
        "suites": (),
        "scenario": (scenario,),
        "transcript": (f"{scenario}:{agents[0]}",),
        "scores": ("--scenario", scenario),
        "verdicts": ("--scenario", scenario),
        "duel": (agents[0], agents[1]),
        "spend": (),
        "todo": (),
    }


LOOKS = (
    "agents", "suites", "scenario", "transcript", "scores", "verdicts", "duel", "spend", "todo",
)  # fmt: skip


@pytest.mark.parametrize("name", LOOKS)
def test_every_look_is_a_table_in_both_languages_and_one_document(look, words, name):
    tables = {}
    for lang in ("en", "zh"):
        done = look(name, *words[name], lang=lang)
        assert done.exit_code == 0, done.stderr
        assert done.stdout.strip()
        # What to do next stands at the end, beside the result.
        assert "arena " in done.stderr.splitlines()[-1]
        tables[lang] = done.stdout
    assert tables["en"] != tables["zh"]
    done = look(name, *words[name], "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["schema"] == f"arena.{name}/1"


@pytest.mark.parametrize("name", LOOKS)
def test_help_says_what_a_look_shows(arena, name):
    done = arena("show", name, "--help")
    assert done.exit_code == 0
    assert "--json" in done.stdout


def test_a_transcript_is_what_was_said(document, words):
    found = document("transcript", *words["transcript"])
    assert found["rounds"]
    assert all(r["user"] and r["agent"] for r in found["rounds"])
    asked = document("scenario", *words["scenario"])
    assert [r["user"] for r in found["rounds"]] == asked["turns"]
    own = next(t for t in asked["transcripts"] if t["agent"] == found["agent"])
    assert own["absolute"] == found["absolute"]


def test_a_duel_counts_alike_from_both_sides(document, agents):
    a, b = agents[:2]
    (one,), (other,) = (document("duel", *pair)["duels"] for pair in ((a, b), (b, a)))
    assert (one["wins"], one["ties"], one["losses"]) == (
        other["losses"], other["ties"], other["wins"],
    )  # fmt: skip
    assert one["difference"] == pytest.approx(-other["difference"])
    assert one["probability"] == pytest.approx(1 - other["probability"])
    assert (one["low"], one["high"]) == pytest.approx((-other["high"], -other["low"]))
    assert one["scenarios"] == sum(d["scenarios"] for d in one["domains"].values())
    for scene in one["closest"]:
        assert {v["first_shown"] for v in scene["verdicts"]} == {a, b}
    far = [abs(s["share"] - 0.5) for s in one["lopsided"]]
    assert far == sorted(far, reverse=True)


def test_money_is_counted_once_whoever_asked(document, arena, walk):
    found = document("spend")
    status = json.loads(arena("status", "-C", walk[0], "--json").stdout)
    assert sum(line["calls"] for line in found["lines"]) == sum(
        line["calls"] for line in status["spend"]
    )
    assert found["totals"]["agent"]["calls"] == sum(
        line["calls"] for line in found["lines"] if line["stage"] == "collect"
    )
    (suite,) = {job["suite"] for job in status["jobs"]}
    # One suite is played, so what it cost is all there is.
    assert document("spend", "--suite", suite)["lines"] == found["lines"]


def test_nothing_is_to_do_after_the_walk_and_all_before_it(document, arena, started):
    assert all(s["open"] == 0 for s in document("todo")["stages"])
    done = arena("show", "todo", "-C", started, "--first", "2", "--json")
    stages = {s["stage"]: s for s in json.loads(done.stdout)["stages"]}
    assert stages["collect"]["states"] == {"untried": stages["collect"]["planned"]}
    assert stages["score"]["states"] == {"waiting": stages["score"]["planned"]}
    assert all(len(s["first"]) <= 2 for s in stages.values())


# --- Keys and what was sent -----------------------------------------------------------------------


def test_a_key_may_be_shortened_and_shows_one_answer_in_full(look, document, verdict):
    key = verdict["key"]
    (one,) = document("verdicts", key[:12])["verdicts"]
    assert {name: one[name] for name in verdict} == verdict
    shown = look("verdicts", key[:12])
    assert verdict["reason"] in shown.stdout.replace("\n", " ")
    sheet = document("scores")["sheets"][0]
    assert document("scores", sheet["key"][:12])["sheets"] == [sheet]


def test_every_reply_that_was_kept_is_read_again_as_it_was(document):
    """`arena show reading` tells of a stored reply what the store tells of it."""
    for line in document("verdicts", "--suite", "everyday-en")["verdicts"][:6]:
        (one,) = document("verdicts", line["key"])["verdicts"]
        assert one["complaint"] is None
        codes = [word for code in one["codes"] for word in ("--code", code)]
        done = CliRunner().invoke(
            app, ["show", "reading", "--suite", "everyday-en", *codes], input=one["raw"].encode()
        )
        found = json.loads(done.stdout)
        first = {"ab": "a", "ba": "b"}[one["order"]]
        outcome = "a" if one["outcome"] == first else "b"
        assert found["status"] == one["status"]
        assert found["outcome"] == (one["outcome"] if one["outcome"] == "tie" else outcome)
        assert found["margin"] == one["margin"]


def test_the_input_is_what_was_sent(look, document, verdict):
    (found,) = document("verdicts", verdict["key"], "--input")["verdicts"]
    sent = found["input"]
    assert sent["same"] is True
    assert sent["changed"] == []
    assert sent["messages"][0]["text"]
    done = look("verdicts", verdict["key"], "--input")
    assert sent["messages"][0]["text"].splitlines()[0] in done.stdout


def test_what_was_sent_by_another_wording_says_what_changed(arena, walk, verdict, tmp_path):
    import shutil

    place = tmp_path / "changed"
    shutil.copytree(walk[0], place, ignore=shutil.ignore_patterns("leaderboard"))
    suite = place / "data" / "suites" / verdict["suite"]
    if not suite.is_dir():
        from arena.suites.find import shipped_suites

        shutil.copytree(shipped_suites() / verdict["suite"], suite)
    from arena.judging.render import template_text
    from arena.suites.load import load_suite

    text = template_text(load_suite(suite), "pairwise")
    (suite / "templates").mkdir(exist_ok=True)
    (suite / "templates" / "pairwise.j2").write_text(text + "\nBe brief.\n", encoding="utf-8")
    done = arena(
        "show", "verdicts", verdict["key"], "--input", "-C", place, "--json", "--lang", "en"
    )
    assert done.exit_code == 0, done.stderr
    (found,) = json.loads(done.stdout)["verdicts"]
    assert found["key"] == verdict["key"]
    assert found["input"]["same"] is False
    assert found["input"]["changed"] == ["template"]


# --- Ids ------------------------------------------------------------------------------------------


def test_an_id_is_what_only_one_begins_with():
    known = ["EC-01", "EC-010", "alpha", "Alpine"]
    assert find_one("scenario", "EC-01", known) == "EC-01"
    assert find_one("scenario", "ec-010", known) == "EC-010"
    assert find_one("scenario", "alph", known) == "alpha"
    assert find_one("scenario", "Al", known) == "Alpine"
    for given in ("", "EC", "al-pha", "zzz", HOSTILE):
        with pytest.raises(UsageError):
            find_one("scenario", given, known)


WRONG = [
    ("scenario", "nowhere"),
    ("scenario", HOSTILE),
    ("transcript", "no-colon"),
    ("transcript", "nowhere:nobody"),
    ("scores", "ffffffffffffffffffffff"),
    ("verdicts", "zz"),
    ("verdicts", ""),
    ("verdicts", "--input"),
    ("verdicts", "--agent", "nobody"),
    ("duel", "nobody", "nothing"),
    ("suites", "nowhere"),
    ("agents", "--suite", "nowhere"),
    ("figure", "-o", "a.svg", "--font", "No Such Family"),
]


@pytest.mark.parametrize("given", WRONG, ids=lambda given: ascii(" ".join(given)))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_cannot_be_meant_ends_with_2_in_three_lines(look, given, lang):
    done = look(*given, lang=lang)
    assert done.exit_code == 2
    assert 1 <= len(done.stderr.splitlines()) <= 3
    assert not set(done.stdout + done.stderr) & set("\x1b\x07\u202e")


def test_a_wrong_id_names_the_nearest(look, agents):
    done = look("duel", agents[0], agents[1] + "x")
    assert agents[1] in done.stderr


def test_two_agents_are_two(look, agents):
    assert look("duel", agents[0], agents[0]).exit_code == 2


# --- Completion and watching ----------------------------------------------------------------------

COMPLETE = """
import sys
from arena.cli import completing
from arena.cli.main import app
found = [completing.agents(""), completing.judges(""), completing.scenarios(""),
         completing.transcripts("x:")]
heavy = {"litellm", "duckdb", "numpy", "scipy", "matplotlib", "pydantic", "ruamel"}
print(found)
print(sorted(heavy & {m.split(".")[0] for m in sys.modules}))
"""


def test_ids_are_completed_from_the_files_without_anything_heavy(walk, agents, words):
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE], capture_output=True, text=True, check=True, cwd=walk[0]
    )
    found, heavy = done.stdout.splitlines()
    for name in (*agents, *words["scenario"], f"x:{agents[0]}"):
        assert repr(name) in found
    assert heavy == "[]"


def test_what_is_no_plain_id_is_not_offered(tmp_path, monkeypatch):
    from arena.cli import completing

    (tmp_path / "data").mkdir()
    text = "agents:\n  - agent: $(rm x)\n  - agent: good-1\n  - {agent: 'in.line', x: 1}\n"
    (tmp_path / "data" / "arena.yaml").write_bytes(text.encode() + b"\xff\xfe")
    monkeypatch.chdir(tmp_path)
    assert completing.agents("") == ["good-1", "in.line"]
    assert completing.agents("g") == ["good-1"]
    assert completing.judges("") == []


def test_watching_ends_where_nothing_runs_and_is_no_document(arena, walk):
    done = arena("status", "--watch", "-C", walk[0], "--lang", "en")
    assert done.exit_code == 0
    assert "Next" in done.stderr
    assert arena("status", "--watch", "--json", "-C", walk[0]).exit_code == 2


def test_watching_goes_on_while_a_run_does(monkeypatch):
    from arena.cli import watching
    from arena.cli.workspace import Narrowed

    going, slept = iter([True, True, False]), []
    monkeypatch.setattr(watching, "show_status", lambda *_, **__: next(going))
    watching.watch_status(Narrowed(), "en", as_json=False, sleep=slept.append)
    assert len(slept) == 2


def test_publish_draws_figures_where_they_are_asked_for(arena, walk, tmp_path):
    out = tmp_path / "site"
    common = ("publish", "-C", walk[0], "--out", out, "--lang", "en")
    assert arena(*common, "--figures").exit_code == 0
    drawn = {p.name for p in (out / "figures").iterdir()}
    assert {"ratings.svg", "ratings.png", "ratings.zh.svg", "matrix.png"} <= drawn
    page = (out / "index.html").read_text("utf-8")
    assert 'href="figures/ratings.png"' in page
    # A figure in the page itself would need styles that its policy forbids.
    assert "figures/ratings.svg" not in page
    assert arena(*common).exit_code == 0
    assert not (out / "figures").exists()
