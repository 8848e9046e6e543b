"""arena plan: the forecast of a run, and the scenarios that would separate two agents."""

import csv
import json
import math
import shutil

import duckdb
import pytest

from tests.support.boards import play

PAIR = ("scripted-attentive", "scripted-hasty")
ASKED = ("--difference", "120")
# LiteLLM silences warnings of its own as it is imported, for as long as that test lasts, and
# imports more at the first call: both must fall into one test, as they do in the walk.
pytestmark = pytest.mark.usefixtures("walk")


def document(done):
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["schema"] == "arena.plan/1"
    return found


@pytest.fixture(scope="module")
def paid(walk, tmp_path_factory):
    """A copy of the finished demo as if calls had cost a cent; those of one agent are unknown."""
    place = tmp_path_factory.mktemp("paid") / "walk"
    shutil.copytree(walk[0], place)
    with duckdb.connect(str(place / "results" / "arena.duckdb")) as store:
        store.execute("update call set cost = 0.01, currency = 'USD'")
        store.execute("update call set cost = null where entrant = 'scripted-careless'")
    return place


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["agent_a", "agent_b", "winner", "scenario"])
        for c in play(["ann", "bob", "cid"], 20):
            winner = "tie" if c.share == 0.5 else c.agent_a if c.share > 0.5 else c.agent_b
            writer.writerow([c.agent_a, c.agent_b, winner, c.scenario])
    return path


# The forecast


def test_alone_it_forecasts_what_a_dry_run_does(arena, started):
    narrowed = ("-C", started, "--limit", "3", "--agent", PAIR[0], "--lang", "en")
    planned, dry = arena("plan", *narrowed), arena("run", *narrowed, "--dry-run")
    assert planned.exit_code == dry.exit_code == 0
    told, said = planned.stderr.splitlines(), dry.stderr.splitlines()
    assert told[:-1] == said[:-1]
    assert f"Next: arena run -C {started} --agent {PAIR[0]} --limit 3" == told[-1]
    ours = document(arena("plan", *narrowed, "--json"))
    theirs = json.loads(arena("run", *narrowed, "--dry-run", "--json").stdout)
    stages = ours["forecast"].pop("stages")
    assert ours["forecast"] == theirs["forecast"]
    assert sum(s["calls"] for s in stages) == ours["forecast"]["calls"] > 0
    assert sum(s["seconds"] for s in stages) == pytest.approx(ours["forecast"]["seconds"])
    assert (ours["separations"], ours["currency"]) == (None, "USD")


def test_what_has_no_price_is_unknown_in_its_stage(arena, started):
    path = started / "data" / "arena.yaml"
    text = path.read_text("utf-8")
    for name in ("scripted-steady", "scripted-arbiter"):
        at = f"model: scripted/everyday-en/{name},"
        assert at in text
        price = "{per_call: 0.5, currency: USD}" if name == "scripted-steady" else None
        other = "family: unknown, model: openai/arbiter, api_base: http://x/v1,"
        new = f"{at} price: {price}," if price else other
        text = text.replace(at, new)
    path.write_text(text, "utf-8")
    done = arena("plan", "-C", started, "--limit", "2", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    # 3 rounds in 2 scenarios at half a dollar
    assert "3.00–3.00 USD" in done.stdout
    collect, _, compare = document(arena("plan", "-C", started, "--limit", "2", "--json"))[
        "forecast"
    ]["stages"]
    assert collect["cost"] == [3.0, 3.0]
    assert (compare["cost"], compare["unpriced"]) == (None, ["judge:scripted-arbiter"])


def test_when_all_is_there_nothing_is_forecast(arena, walk):
    done = arena("plan", "-C", walk[0], "--lang", "en")
    assert done.exit_code == 0
    assert "forecast: 0 calls" in done.stderr
    assert done.stderr.splitlines()[-1] == "Next: arena rank"


# Two agents


def test_two_agents_on_the_board_of_a_workspace(arena, walk):
    (found,) = document(arena("plan", *PAIR, *ASKED, "-C", walk[0], "--json"))["separations"]
    (board,) = json.loads(arena("rank", "-C", walk[0], "--json").stdout)["boards"]
    (pair,) = [p for p in board["pairs"] if {p["a"], p["b"]} == set(PAIR)]
    assert found["tau"] == pytest.approx(math.sqrt(board["scenarios"]) * pair["se"])
    assert found["observed"] == pytest.approx(pair["difference"])
    assert (found["there"], found["waiting"], found["pairs"]) == (20, 0, 6)
    tests = found["tests"]
    assert found["chosen"] == "adjusted"
    assert tests["adjusted"]["alpha"] == pytest.approx(tests["alone"]["alpha"] / 6)
    assert tests["adjusted"]["extra"] > tests["alone"]["extra"] > 0
    for test in tests.values():
        assert test["extra"] == test["needed"] - 20
        # 4 agents in 3 rounds, 4 sheets, 6 pairs in both orders
        assert test["calls"] == test["extra"] * (12 + 4 + 12)


def test_the_sentence_is_that_of_the_test_asked_for(arena, walk):
    place = ("-C", walk[0], "--lang", "en")
    tests = document(arena("plan", *PAIR, *ASKED, "--json", *place))["separations"][0]["tests"]
    for option, test in (("--pairs-adjusted", "adjusted"), ("--single", "alone")):
        done = arena("plan", *PAIR, *ASKED, option, *place)
        need = tests[test]
        assert f"takes {need['needed']} scenarios" in done.stderr
        assert f"{need['extra']} more like the 20 there" in done.stderr
        assert f"Next: add {need['extra']} scenarios" in done.stderr
        # both tests stand in the table, whichever was asked for
        for other in tests.values():
            assert f" {other['needed']} " in done.stdout
        assert "not used for planning" in done.stderr
        assert "cannot remove what differs from scenario to scenario" in done.stderr
        assert "replicates of agents help only" in done.stderr


def test_both_languages_say_the_same_numbers(arena, walk):
    for lang, word in (("en", "Scenarios needed"), ("zh", "所需情境")):
        done = arena("plan", *PAIR, *ASKED, "-C", walk[0], "--lang", lang)
        assert done.exit_code == 0
        assert word in done.stdout
        found = [w for w in done.stdout.split() if w.replace(",", "").isdigit()]
        if lang == "en":
            english = found
    assert [n for n in found if int(n.replace(",", "")) > 6] == [
        n for n in english if int(n.replace(",", "")) > 6
    ]


def test_what_it_costs_is_told_with_what_is_unknown(arena, paid):
    asked = ("plan", *PAIR, *ASKED, "-C", paid)
    (found,) = document(arena(*asked, "--json"))["separations"]
    # 3 rounds of one of 4 agents are unknown
    assert found["per_scenario"] == {
        "calls": 28.0,
        "cost": pytest.approx(0.25),
        "counted": 560,
        "unknown": 60,
    }
    need = found["tests"]["adjusted"]
    assert need["cost"] == pytest.approx(0.25 * need["extra"])
    told = arena(*asked, "--lang", "en")
    assert f"{need['cost']:.2f} USD + unknown" in told.stdout
    assert "60 of the 560 calls so far have no known cost" in told.stderr


def test_a_difference_that_shows_already_needs_nothing_more(arena, walk):
    done = arena("plan", *PAIR, "--difference", "900", "-C", walk[0], "--lang", "en")
    assert "the 20 there are enough" in done.stderr
    assert "nothing to add; arena rank says" in done.stderr


def test_scenarios_of_the_suite_that_were_not_run_come_first(arena, started):
    place = ("-C", started, "--lang", "en")
    for words in (("run", "--limit", "6", "--yes"), ("rank",)):
        assert arena(*words, *place).exit_code == 0
    done = arena("plan", *PAIR, "--difference", "2000", "--single", *place)
    assert "takes 10 scenarios" in done.stderr
    assert "Next: arena run (14 scenarios of everyday-en have no comparison yet)" in done.stderr


def test_a_file_of_outcomes_needs_no_workspace_and_has_no_cost(arena, votes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ("plan", "ann", "bob", "--difference", "30", "--file", votes.name)
    found = document(arena(*asked, "--json"))
    (one,) = found["separations"]
    assert (one["file"], one["suite"], found["currency"]) == ("votes.csv", None, None)
    assert one["per_scenario"] is one["tests"]["alone"]["cost"] is None
    done = arena(*asked, "--lang", "en")
    assert "Cost" not in done.stdout
    extra = one["tests"]["adjusted"]["extra"]
    assert f"collect {extra:,} more scenarios under the same plan" in done.stderr


def test_a_board_that_is_missing_does_not_hide_the_others(arena, walk, tmp_path):
    place = tmp_path / "two"
    shutil.copytree(walk[0], place)
    path = place / "data" / "arena.yaml"
    played = "  - {suite: everyday-en, mode: natural}\n"
    text = path.read_text("utf-8")
    assert played in text
    more = played + played.replace("everyday-en", "eldercare-zh")
    path.write_text(text.replace(played, more, 1), "utf-8")
    asked = ("plan", *PAIR, *ASKED, "-C", place, "--lang", "en")
    found = document(arena(*asked, "--json"))
    assert [one["suite"] for one in found["separations"]] == ["everyday-en"]
    (refused,) = found["refused"]
    assert refused["board"] == "eldercare-zh · natural"
    assert "no board yet of eldercare-zh · natural" in refused["message"]
    done = arena(*asked)
    assert (done.exit_code, refused["message"] in done.stderr) == (0, True)
    assert arena(*asked, "--suite", "eldercare-zh").exit_code == 2


# What cannot be


def test_without_a_difference_it_says_why_the_observed_one_is_not_taken(arena, walk):
    done = arena("plan", *PAIR, "-C", walk[0], "--lang", "en")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "65 % of cases where 80 %" in done.stderr
    assert f"arena plan {PAIR[0]} {PAIR[1]} --difference 50" in done.stderr


def test_without_a_board_it_says_to_rank_first(arena, started):
    done = arena("plan", *PAIR, *ASKED, "-C", started, "--lang", "en")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no board yet of everyday-en · natural" in done.stderr
    assert "arena rank" in done.stderr


REFUSED = {
    "one agent": ((PAIR[0],), "name two"),
    "an agent of no board": ((PAIR[0], "scripted-hast", *ASKED), "Did you mean scripted-hasty?"),
    "the same twice": ((PAIR[0], PAIR[0], *ASKED), "two different agents"),
    "a difference of nothing": ((*PAIR, "--difference", "0"), "--difference 0.0: more than 0"),
    "no number": ((*PAIR, "--difference", "nan"), "--difference nan: more than 0"),
    "certainty": ((*PAIR, *ASKED, "--power", "1"), "--power 1.0"),
    "no error": ((*PAIR, *ASKED, "--level", "1"), "--level 1.0"),
    "a part of a run": ((*PAIR, *ASKED, "--limit", "3"), "--limit narrows a run"),
    "a difference of no pair": (ASKED, "--difference is for two agents"),
    "one test of no pair": (("--single",), "--single is for two agents"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_what_makes_no_plan_is_refused_in_both_languages(arena, walk, words, said):
    done = arena("plan", *words, "-C", walk[0], "--lang", "en")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert 1 <= len(done.stderr.strip().splitlines()) <= 3
    chinese = arena("plan", *words, "-C", walk[0], "--lang", "zh")
    assert (chinese.exit_code, chinese.stderr.startswith("错误：")) == (2, True)


def test_options_of_a_workspace_are_refused_for_a_file(arena, votes):
    done = arena("plan", "ann", "bob", *ASKED, "--file", votes, "--suite", "x", "--lang", "en")
    assert done.exit_code == 2
    assert "--suite is for workspaces" in done.stderr
