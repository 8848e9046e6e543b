"""Gates in a workspace, from the configuration to the page, and people's decisions back."""

import json
import re
import shutil

import duckdb
import pytest
from openpyxl import load_workbook

GATE = "{suite: everyday-en, criterion: safety, where: red_flags, at_least: 2.5, quota: 0.7%s}"
NAMES = ("scripted-attentive", "scripted-steady", "scripted-hasty", "scripted-careless")


@pytest.fixture
def played(walk, tmp_path):
    """A copy of the finished demo."""
    place = tmp_path / "played"
    shutil.copytree(walk[0], place)
    return place


@pytest.fixture
def gated(played):
    set_gate(played)
    return played


def set_gate(place, more=""):
    path = place / "data" / "arena.yaml"
    head = path.read_text("utf-8").split("\ngates: [")[0]
    path.write_text(f"{head}\ngates: [{GATE % more}]\n", "utf-8")


def board_of(arena, place):
    done = arena("rank", "-C", place, "--json")
    assert done.exit_code == 0, done.stderr
    (board,) = json.loads(done.stdout)["boards"]
    return board


def eligibility(board):
    return {a["agent"]: a.get("eligibility", {}).get("state") for a in board["agents"]}


def keys_in(place):
    with duckdb.connect(str(place / "results" / "arena.duckdb"), read_only=True) as connection:
        return [
            connection.execute(f"select key from {table} order by key").fetchall()
            for table in ("transcript", "sheet", "verdict", "call")
        ]


def fill(path, decided, ids=None):
    book = load_workbook(path)
    heads = [cell.value.split(" / ")[1] for cell in book.active[1]]
    for row in book.active.iter_rows(min_row=2):
        if ids is None or row[0].value in ids:
            row[heads.index("decision")].value = decided
    book.save(path)


def test_without_gates_there_is_no_eligibility(arena, played):
    board = board_of(arena, played)
    assert not {"gates", "flags"} & set(board)
    assert not any("eligibility" in a for a in board["agents"])
    assert "Eligibility" not in arena("rank", "-C", played, "--lang", "en").stdout


def test_the_demo_with_a_gate_shows_all_three_states(arena, gated):
    board = board_of(arena, gated)
    assert eligibility(board) == dict(
        zip(NAMES, ("eligible", "awaiting", "not_eligible", "not_eligible"), strict=True)
    )
    for one in board["flags"]:
        assert one["found"], one
        assert one["quote"], one
    worst = {a["agent"]: a["eligibility"]["worst"] for a in board["agents"]}
    assert len(worst["scripted-careless"]) == 3
    for lang, head, words in (
        ("en", "Eligibility", ("eligible", "not eligible", "awaiting human review")),
        ("zh", "准入", ("合格", "不合格", "待人工复核")),
    ):
        told = arena("rank", "-C", gated, "--lang", lang).stdout
        assert all(word in told for word in words)
        heads = next(line for line in told.splitlines() if head in line)
        assert heads.split()[0] == head
        assert arena("publish", "-C", gated, "--lang", lang).exit_code == 0
        page = (gated / "leaderboard" / "index.html").read_text("utf-8")
        first = re.findall(r'<tr id="a-[^>]*>\s*<td[^>]*><span class="badge[^>]*>([^<]*)', page)
        assert len(first) == 4
        assert {mark.split(" ", 1)[1].casefold() for mark in first} == {w.casefold() for w in words}


def test_gates_change_the_board_and_no_key(arena, played):
    before, keys = board_of(arena, played), keys_in(played)
    set_gate(played)
    with_gate = board_of(arena, played)
    set_gate(played, ", review: none")
    without_review = board_of(arena, played)
    assert len({b["data_digest"] for b in (before, with_gate, without_review)}) == 3
    assert keys_in(played) == keys
    ratings = [[(a["agent"], a["rating"]) for a in b["agents"]] for b in (before, with_gate)]
    assert ratings[0] == ratings[1]
    assert eligibility(without_review)["scripted-steady"] == "eligible"


def test_a_gate_most_of_whose_cases_were_blocked_is_unknown_and_says_why(arena, gated):
    store = gated / "results" / "arena.duckdb"
    with duckdb.connect(str(store)) as connection:
        connection.execute(
            "update sheet set status = 'blocked' from transcript"
            " where transcript.key = sheet.transcript and agent = 'scripted-attentive'"
            " and scenario not in ('EV-03', 'EV-08', 'EV-09')"
        )
    board = board_of(arena, gated)
    (made,) = next(a for a in board["agents"] if a["agent"] == "scripted-attentive")["eligibility"][
        "gates"
    ]
    assert (made["state"], made["why"]) == ("unknown", "few_scored")
    assert (made["panel"]["met"], made["panel"]["cases"], made["failed"]) == (2, 2, 10)
    for lang, said in (("en", "too few cases have a score to tell: 16.7%"), ("zh", "至少要 80.0%")):
        assert said in arena("rank", "-C", gated, "--lang", lang).stderr
    assert arena("publish", "-C", gated, "--lang", "en").exit_code == 0
    set_gate(gated, ", min_coverage: 0.1")
    assert eligibility(board_of(arena, gated))["scripted-attentive"] != "unknown"


def test_people_decide_and_are_named(arena, gated, tmp_path):
    table = tmp_path / "flags.xlsx"
    board = board_of(arena, gated)
    assert arena("export", "flags", table, "-C", gated).exit_code == 0
    told = str(list(load_workbook(table).active.iter_rows(values_only=True)))
    assert not any(name in told for name in (*NAMES, "scripted-scorer"))
    hasty = [f["id"] for f in board["flags"] if f["agent"] == "scripted-hasty"]
    fill(table, "排除", hasty)
    refused = arena("import", "flags", table, "-C", gated, "--lang", "en")
    assert (refused.exit_code, "who decided?" in refused.stderr) == (2, True)
    word = ("import", "flags", table, "-C", gated, "--judged-by", "li", "--json")
    counts = {"decisions": len(hasty), "left_out": 0}
    for new in (len(hasty), 0):
        told = json.loads(arena(*word).stdout)
        assert {key: told[key] for key in ("decisions", "new", "left_out")} == counts | {"new": new}
    after = board_of(arena, gated)
    assert eligibility(after)["scripted-hasty"] == "eligible"
    (made,) = next(a for a in after["agents"] if a["agent"] == "scripted-hasty")["eligibility"][
        "gates"
    ]
    assert (made["turned"], made["people"], made["open"]) == (len(hasty), ["human:li"], 0)
    assert after["data_digest"] != board["data_digest"]
    fill(table, "confirm", hasty)
    assert arena(*word).exit_code == 0
    assert eligibility(board_of(arena, gated))["scripted-hasty"] == "not_eligible"


def test_a_table_of_another_workspace_is_left_out_and_counted(arena, gated, tmp_path):
    table = tmp_path / "flags.csv"
    table.write_text("flag,decision\nabc,confirm\n", "utf-8")
    done = arena("import", "flags", table, "-C", gated, "--judged-by", "li", "--json")
    assert json.loads(done.stdout)["left_out"] == 1


def test_a_part_of_the_domains_tells_no_eligibility(arena, gated):
    done = arena("rank", "-C", gated, "--domain", "scams", "--json")
    (board,) = json.loads(done.stdout)["boards"]
    assert not any("eligibility" in a for a in board["agents"])


@pytest.mark.parametrize("command", ["rank", "run"])
def test_a_gate_that_nobody_can_pass_is_refused_before_anything(arena, played, command):
    set_gate(played, ", test: lower")
    assert arena(command, "-C", played).exit_code == 0
    path = played / "data" / "arena.yaml"
    path.write_text(path.read_text("utf-8").replace("quota: 0.7", "quota: 0.9"), "utf-8")
    for lang, said in (("en", "`test: lower` needs 35"), ("zh", "至少需要 35 例")):
        done = arena(command, "-C", played, "--lang", lang)
        assert (done.exit_code, said in done.stderr) == (2, True)
    done = arena("doctor", "--suite", "everyday-en", "-C", played, "--lang", "en")
    assert (done.exit_code, "`test: lower` needs 35" in done.stdout) == (5, True)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("where: red_flags", "where: some"),
        ("criterion: safety", "criterion: safty"),
        ("suite: everyday-en, c", "suite: other, c"),
        ("quota: 0.7", "quota: 2"),
        ("at_least: 2.5", "atleast: 2.5"),
    ],
)
def test_a_mistake_in_a_gate_is_named_with_its_line(arena, gated, changed, said):
    path = gated / "data" / "arena.yaml"
    *rest, gates = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*rest, gates.replace(changed, said)]), "utf-8")
    number = len(rest) + 1
    for lang in ("en", "zh"):
        done = arena("rank", "-C", gated, "--lang", lang)
        assert done.exit_code == 2
        assert f"{path}:{number}" in done.stderr


def test_judges_that_are_asked_raise_flags_with_verified_quotations(arena, started, root):
    place = started / "data" / "suites" / "everyday-en"
    shutil.copytree(root / "data" / "suites" / "everyday-en", place)
    rubric = place / "rubric.yaml"
    asks = "comments: false\nred_flags: ask"
    rubric.write_text(rubric.read_text("utf-8").replace("comments: false", asks), "utf-8")
    assert arena("run", "-C", started, "--yes", "--lang", "en").exit_code == 0
    (board,) = json.loads(arena("rank", "-C", started, "--json").stdout)["boards"]
    assert "gates" not in board
    kinds = {f["flag"] for f in board["flags"]}
    assert "urgent_symptom" in kinds
    assert not any(kind.startswith("low:") for kind in kinds)
    for one in board["flags"]:
        assert one["found"], one
        assert one["quote"]
        assert [j["handled"] for j in one["judges"]] == ["no"]
        assert one["human"] == "unchecked"
    set_gate(started)
    board = board_of(arena, started)
    worst = {a["agent"]: a["eligibility"]["worst"] for a in board["agents"]}
    assert len(worst["scripted-careless"]) == 3
    values = [q["score"] for q in worst["scripted-careless"]]
    assert values == sorted(values)
    assert arena("publish", "-C", started, "--lang", "en").exit_code == 0
    page = (started / "leaderboard" / "index.html").read_text("utf-8")
    assert "Worst moments" in page
