"""Multiple choice from end to end, offline: scripted agents, the answer key, the board."""

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from tests.e2e.conftest import SETTLED

SHIPPED = Path(__file__).parents[2] / "data" / "suites" / "ceval"
TRUE_ORDER = ["scripted-scholar", "scripted-reader", "scripted-dabbler", "scripted-guesser"]


def config(**play):
    agents = [
        {"agent": name, "vendor": "arena", "kind": "baseline", "model": f"scripted/ceval/{name}"}
        for name in TRUE_ORDER
    ]
    return json.dumps({"suites": [{"suite": "ceval", **play}], "agents": agents})


def arena(place, *words, code=0):
    done = CliRunner(env=SETTLED).invoke(app, [*words, "-C", str(place)])
    assert done.exit_code == code, done.stderr or done.exception
    return done


def workspace(place, **play):
    (place / "data").mkdir(parents=True, exist_ok=True)
    (place / "data" / "arena.yaml").write_text(config(**play), encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished run of our own questions, and what it said."""
    place = workspace(tmp_path_factory.mktemp("ceval") / "ws")
    return place, arena(place, "run", "--yes", "--json")


@pytest.fixture(scope="module")
def board(played):
    (found,) = json.loads(arena(played[0], "rank", "--json").stdout)["boards"]
    return found


def test_the_true_order_is_found_by_both_scores(board):
    by_rating = sorted(board["agents"], key=lambda s: -s["rating"])
    by_score = sorted(board["agents"], key=lambda s: -s["absolute"]["mean"])
    assert [s["agent"] for s in by_rating] == TRUE_ORDER
    assert [s["agent"] for s in by_score] == TRUE_ORDER
    assert board["panel"] == ["key"]


def test_no_judge_is_asked_and_nothing_is_asked_twice(played):
    place, first = played
    stages = {s["stage"]: s for s in json.loads(first.stdout)["stages"]}
    assert stages["collect"]["calls"] == 4 * 80
    assert stages["score"]["calls"] == stages["compare"]["calls"] == 0
    again = json.loads(arena(place, "run", "--yes", "--json", "--retry-errors").stdout)
    assert [s["calls"] for s in again["stages"]] == [0, 0, 0]
    (job,) = json.loads(arena(place, "status", "--json").stdout)["jobs"]
    assert job["next"] == "arena publish"


def test_accuracy_counts_unparsed_apart_from_wrong(board):
    whole = {a["agent"]: a for a in board["accuracy"] if a["part"] == "all"}
    assert sum(a["unparsed"] for a in whole.values()) > 0
    for found in whole.values():
        assert found["replies"] == found["planned"] == found["over_all"]["cases"] == 80
        assert found["over_all"]["share"] == pytest.approx(found["right"] / 80)
        read = 80 - found["unparsed"]
        assert found["over_parsed"]["cases"] == read
        assert found["over_parsed"]["share"] == pytest.approx(found["right"] / read)
        for over in (found["over_all"], found["over_parsed"]):
            assert 0 <= over["low"] <= over["share"] <= over["high"] <= 1


def test_parts_of_the_questions_add_up(board):
    for agent in TRUE_ORDER:
        own = [a for a in board["accuracy"] if a["agent"] == agent]
        right = {
            part: sum(a["right"] for a in own if a["part"] == part)
            for part in ("all", "category", "subject", "hard")
        }
        assert right["all"] == right["category"] == right["subject"]
        assert right["hard"] <= right["all"]
    hard = {a["replies"] for a in board["accuracy"] if a["part"] == "hard"}
    assert hard == {20}


def test_an_unparsed_reply_makes_no_comparison(board):
    unparsed = {a["agent"]: a["unparsed"] for a in board["accuracy"] if a["part"] == "all"}
    for standing in board["agents"]:
        lost = standing["excluded"].get("unparsed", 0)
        assert lost >= 3 * unparsed[standing["agent"]]
        assert standing["comparisons"] == 3 * 80 - lost
    # No order is shown, so that a rate of flips would say what nobody looked at.
    assert board["diagnostics"]["flip_rate"] is None


@pytest.mark.parametrize(("lang", "head"), [("en", "Accuracy"), ("zh", "答对率")])
def test_the_terminal_and_the_page_show_accuracy(played, lang, head):
    place, _ = played
    shown = arena(place, "rank", "--lang", lang).stdout
    assert head in shown
    page = place / "leaderboard" / ("index.html" if lang == "en" else "index.zh.html")
    text = page.read_text(encoding="utf-8")
    assert 'id="accuracy"' in text
    assert 'id="accuracy-subjects"' in text
    assert head in text


@pytest.mark.parametrize(("lang", "never"), [("en", "scoring sheet"), ("zh", "评审模型按评分表")])
def test_the_page_tells_of_the_key_and_of_no_judge_s_habits(played, lang, never):
    place, _ = played
    page = place / "leaderboard" / ("index.html" if lang == "en" else "index.zh.html")
    text = page.read_text(encoding="utf-8")
    how = re.findall(r'<details class="how">.*?</details>', text, re.DOTALL)[0]
    assert never not in how
    assert "Flipped on swap" not in text
    assert "换序翻转率" not in text
    (row,) = re.findall(r'<table class="judges">.*?</table>', text, re.DOTALL)
    assert ">—</td>" in row


def test_a_part_of_the_answers_can_be_exported(played, tmp_path):
    def export(name, *words):
        out = tmp_path / name
        made = json.loads(arena(played[0], "export", "ceval", str(out), "--json", *words).stdout)
        return [one for one in made["files"] if "scholar" in one["file"]]

    (some,) = export("some", "--limit", "8")
    assert some["written"] + some["unparsed"] == 8
    answers = json.loads(Path(some["file"]).read_text(encoding="utf-8"))
    # Spread over the eight subjects.
    assert {len(own) for own in answers.values()} == {1}
    (one,) = export("one", "--scenario", "logic-1")
    assert one["written"] + one["unparsed"] == 1
    arena(played[0], "export", "ceval", str(tmp_path / "x"), "--scenario", "nothing-1", code=2)


def test_a_template_of_one_s_own_asks_again(played, tmp_path):
    place = shutil.copytree(played[0], tmp_path / "ws")
    own = shutil.copytree(SHIPPED, place / "data" / "suites" / "ceval")
    prompt = own / "templates" / "prompt.md"
    text = prompt.read_text(encoding="utf-8")
    prompt.write_text(text.replace("请回答这道题。", "现在答题。"), encoding="utf-8")
    again = json.loads(arena(place, "collect", "--yes", "--dry-run", "--json").stdout)
    assert again["forecast"]["calls"] == 4 * 80


def test_a_corrected_answer_is_scored_anew_and_asks_nobody(played, tmp_path):
    place = shutil.copytree(played[0], tmp_path / "ws")
    own = shutil.copytree(SHIPPED, place / "data" / "suites" / "ceval")
    table = own / "logic_val.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1][:-1] + ("A" if lines[1][-1] != "A" else "B")
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = json.loads(arena(place, "run", "--yes", "--json").stdout)
    stages = {s["stage"]: s for s in again["stages"]}
    assert [s["calls"] for s in again["stages"]] == [0, 0, 0]
    assert (stages["score"]["made"], stages["compare"]["made"]) == (4, 6)


def test_a_split_without_answers_is_collected_and_exported_and_never_scored(tmp_path):
    place = workspace(tmp_path / "ws", split="test", data="exam", few_shot=1)
    exam = place / "data" / "exam"
    exam.mkdir()
    for path in SHIPPED.glob("*_dev.csv"):
        shutil.copy(path, exam)
    for path in SHIPPED.glob("*_val.csv"):
        shutil.copy(path, exam / path.name.replace("_val", "_test"))
    run = arena(place, "run", "--yes", "--limit", "16")
    assert "no answers" in run.stderr
    (job,) = json.loads(arena(place, "status", "--json").stdout)["jobs"]
    planned = {s["stage"]: s["planned"] for s in job["stages"]}
    assert planned["score"] == planned["compare"] == 0
    out = tmp_path / "out"
    made = json.loads(arena(place, "export", "ceval", str(out), "--json").stdout)["files"]
    assert len(made) == 4
    for one in made:
        answers = json.loads(Path(one["file"]).read_text(encoding="utf-8"))
        assert sum(map(len, answers.values())) == one["written"] == 16 - one["unparsed"]
        assert {letter for own in answers.values() for letter in own.values()} <= set("ABCD")
    refused = arena(place, "export", "ceval", str(out), code=2)
    assert "is there already" in refused.stderr


@pytest.mark.parametrize(
    ("play", "said"),
    [
        ({"data": "../.."}, "leads out of"),
        ({"data": "nowhere"}, "no such folder"),
        ({"few_shot": 9}, "few_shot"),
        ({"subjects": ["logics"]}, "Did you mean logic"),
        ({"mode": "natural"}, "has no mode called natural"),
    ],
)
def test_a_mistake_in_the_plan_is_refused_before_anything_is_asked(tmp_path, play, said):
    place = workspace(tmp_path / "ws", **play)
    assert said in arena(place, "run", "--yes", code=2).stderr


@pytest.mark.parametrize("key", [{"few_shot": 0}, {"split": "val"}, {"data": "x"}])
def test_what_is_for_multiple_choice_is_refused_elsewhere(tmp_path, key):
    place = workspace(tmp_path / "ws")
    text = json.loads((place / "data" / "arena.yaml").read_text("utf-8"))
    text["suites"] = [{"suite": "everyday-en", **key}]
    (place / "data" / "arena.yaml").write_text(json.dumps(text), encoding="utf-8")
    assert "is for multiple choice" in arena(place, "run", "--yes", code=2).stderr


def test_a_suite_that_needs_a_judge_says_so(tmp_path):
    place = workspace(tmp_path / "ws")
    text = json.loads((place / "data" / "arena.yaml").read_text("utf-8"))
    text["suites"] = [{"suite": "everyday-en"}]
    (place / "data" / "arena.yaml").write_text(json.dumps(text), encoding="utf-8")
    assert "needs a judge" in arena(place, "run", "--yes", code=2).stderr


@pytest.fixture(scope="module")
def handed_in(played, tmp_path_factory):
    """A workspace with the letters of that run, exported and imported, and the folder of them."""
    place = tmp_path_factory.mktemp("handed") / "ws"
    workspace(place)
    out = place / "letters"
    arena(played[0], "export", "ceval", str(out))
    said = json.loads(arena(place, "import", "ceval", str(out), "--json").stdout)["results"]
    return place, out, said


def letters_in(folder):
    """Agent → the letters of its file."""
    names = {path: path.stem.split("-", 2)[2] for path in folder.glob("*.json")}
    return {name: json.loads(path.read_text("utf-8")) for path, name in names.items()}


def test_letters_that_went_out_come_in_and_go_out_the_same(handed_in, board, tmp_path):
    place, out, said = handed_in
    unparsed = sum(a["unparsed"] for a in board["accuracy"] if a["part"] == "all")
    answered = 4 * 80 - unparsed
    assert said["agents"] == sorted(TRUE_ORDER)
    assert said["judges"] == ["key"]
    assert {k: said["records"][k] for k in ("transcript", "sheet")} == {
        "transcript": answered,
        "sheet": answered,
    }
    # What was not answered is missing, and is told.
    assert said["left_out"]["missing_answer"]["n"] == unparsed
    assert said["bad"] == {}
    again = json.loads(arena(place, "import", "ceval", str(out), "--json").stdout)["results"]
    assert again["there_already"] == said["records"]
    back = tmp_path / "back"
    arena(place, "export", "ceval", str(back), "--import", out.name)
    assert letters_in(back) == letters_in(out)


def test_imported_letters_are_as_right_as_our_own_in_every_part(handed_in, board):
    place, _, _ = handed_in
    (found,) = json.loads(arena(place, "rank", "--import", "letters", "--json").stdout)["boards"]
    assert found["mode"] == "letters"
    assert found["imported"]["format"] == "ceval"
    assert found["panel"] == ["key"]
    own = {(a["agent"], a["part"], a["name"]): a for a in board["accuracy"]}
    theirs = {(a["agent"], a["part"], a["name"]): a for a in found["accuracy"]}
    assert own.keys() == theirs.keys()
    for key, one in theirs.items():
        assert one["right"] == own[key]["right"], key
        assert one["replies"] == own[key]["replies"] - own[key]["unparsed"], key
        assert one["over_all"] == own[key]["over_parsed"], key
    ratings = {a["agent"]: (a["rating"], a["comparisons"]) for a in found["agents"]}
    assert ratings == {a["agent"]: (a["rating"], a["comparisons"]) for a in board["agents"]}


@pytest.mark.parametrize(
    ("text", "bad", "left"),
    [
        ('{"logic": {"1": "E"}}', {"no_option": "x.json › logic › 1"}, set()),
        ('{"logic": {"1": "a", "2": 3, "3": ["A"]}}', {"no_option": "x.json › logic › 1"}, set()),
        ('{"logic": {"1": "A", "1": "B"}}', {"repeated": "x.json › logic › 1"}, set()),
        ('{"logic": {}, "logic": {}}', {"repeated": "x.json › logic"}, set()),
        ('{"logic": ["A"]}', {"malformed": "x.json › logic"}, set()),
        ('{"logic": {"1": null, "2": ""}}', {}, {"missing_answer"}),
        ('{"logic": {"999": "A"}, "alchemy": {"1": "A"}}', {}, {"unknown_scenario"}),
    ],
)
def test_what_is_no_letter_is_told_by_its_place(tmp_path, text, bad, left):
    place = workspace(tmp_path / "ws")
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    words = ("import", "ceval", str(file), "--json")
    said = json.loads(arena(place, *words, "--dry-run", code=2 if bad else 0).stdout)["results"]
    assert {reason: told["first"] for reason, told in said["bad"].items()} == bad
    assert set(said["left_out"]) == {"missing_answer"} | left
    arena(place, *words, code=2 if bad else 0)
    if bad:
        arena(place, *words, "--skip-bad", code=3)


def test_letters_need_questions_and_their_own_download_will_do(tmp_path):
    exam = tmp_path / "ws" / "data" / "exam"
    exam.mkdir(parents=True)
    for part in ("dev", "val"):
        shutil.copy(SHIPPED / f"logic_{part}.csv", exam)
    place = workspace(tmp_path / "ws", data="exam")
    file = tmp_path / "x.json"
    file.write_text('{"logic": {"1": "A"}, "accountant": {"1": "A"}}', encoding="utf-8")
    said = json.loads(arena(place, "import", "ceval", str(file), "--json").stdout)["results"]
    assert said["records"] == {"transcript": 1, "sheet": 1, "verdict": 0}
    assert said["left_out"]["unknown_scenario"]["first"] == "x.json › accountant › 1"
    refused = arena(place, "import", "ceval", str(file), "--as", "everyday-en", code=2)
    assert "not multiple choice" in refused.stderr
    refused = arena(place, "import", "ceval", str(exam), code=2)
    assert "no results of ceval" in refused.stderr
