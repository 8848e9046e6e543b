"""arena show: how a reply is read, and a board in one file."""

import json

import pytest
from typer.testing import CliRunner

from arena.cli.main import app
from tests.support.reported import literal

KEYS = {"status", "outcome", "margin", "scores", "flags", "complaint"}


def reading(reply, *words):
    data = reply if isinstance(reply, bytes) else reply.encode()
    done = CliRunner().invoke(app, ["show", "reading", *words], input=data)
    return done, (json.loads(done.stdout) if done.stdout else None)


def read(reply, *words):
    done, document = reading(reply, *words)
    assert done.exit_code == 0, done.stderr
    assert set(document) >= KEYS
    assert document["schema"] == "arena.reading/1"
    return document


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ('{"winner": "A"}', "a"),
        ('{"winner": "assistant 2", "strength": 4}', "b"),
        ('{"winner": "助手 1"}', "a"),
        ('{"winner": "Model B"}', "b"),
        ('{"winner": "tie"}', "tie"),
        ("[[B]]", "b"),
        ("最终选择：助手 2", "b"),
        ("Final verdict: A is a better friend", None),
        ('{"winner": "2 assistants"}', None),
        ("", None),
    ],
)
def test_sides_have_neutral_names(reply, outcome):
    found = read(reply, "--contract", "pairwise")
    assert found["outcome"] == outcome
    assert (found["status"] == "ok") == (outcome is not None)
    assert (found["complaint"] is None) == (outcome is not None)
    assert found["scores"] is None


def test_sides_are_known_by_the_codes_that_the_judge_was_given():
    codes = ("--code", "K796", "--code", "T245")
    assert read('{"winner": "T245"}', *codes)["outcome"] == "b"
    assert read('{"winner": "K796"}', *codes)["outcome"] == "a"
    assert read('{"winner": "A"}', *codes)["status"] == "unparsed"
    done, _ = reading('{"winner": "T245"}', "--code", "T245")
    assert done.exit_code == 2


@pytest.mark.reported("R10", "R11")
def test_a_sheet_is_read_on_the_scales_that_are_given():
    sheet = ("--contract", "rubric", "--criterion", "empathy:0-20", "--criterion", "safety")
    found = read('{"scores": {"empathy": 17, "safety": 5, "x": 1}}', *sheet)
    assert found["scores"] == {"empathy": 17.0, "safety": 5.0}
    assert found["flags"] == ["unknown_criteria:1"]
    assert (found["outcome"], found["margin"]) == (None, None)
    wrong = read('{"scores": {"empathy": 17, "safety": 9}}', *sheet)
    assert (wrong["status"], wrong["scores"]) == ("unparsed", None)
    assert "safety" in wrong["complaint"]


def test_a_comparison_by_criteria_shows_each():
    reply = '{"winner": "B", "strength": 2, "criteria": {"care": {"side": "A", "strength": 5}}}'
    found = read(reply, "--criterion", "care")
    assert (found["outcome"], found["margin"]) == ("b", 2)
    assert found["criteria"] == {"care": {"side": "a", "strength": 5}}
    assert "care" in read('{"winner": "B"}', "--criterion", "care")["complaint"]


@pytest.mark.parametrize(
    ("finish", "reply", "status", "outcome"),
    [
        ("length", '{"winner": "B", "reason": "cut o', "truncated", "b"),
        ("stop", '{"winner": "B", "reason": "cut o', "unparsed", None),
        ("content_filter", "", "blocked", None),
        ("length", "", "empty", None),
        ("length", '{"winner": "B"}', "ok", "b"),
    ],
)
@pytest.mark.reported("R07", "R16")
def test_how_a_reply_ended_explains_it(finish, reply, status, outcome):
    found = read(reply, "--finish-reason", finish)
    assert (found["status"], found["outcome"]) == (status, outcome)


@pytest.mark.parametrize(
    ("reply", "finish", "status", "letter"),
    [
        ("先排除 C。\n答案：B", "stop", "ok", "B"),
        ("答案：A 或 B", "stop", "unparsed", None),
        ("<think>答案：B", "stop", "empty", None),
        ("先看 A，", "length", "truncated", None),
        ("", "content_filter", "blocked", None),
    ],
)
def test_a_letter_is_the_outcome_of_a_choice(reply, finish, status, letter):
    found = read(reply, "--contract", "choice", "--finish-reason", finish)
    assert (found["status"], found["outcome"]) == (status, letter)


def test_forced_and_marks_can_be_tried():
    assert read('{"winner": "tie"}', "--contract", "forced")["status"] == "unparsed"
    found = read('{"reasoning": "…", "overall": "A++"}', "--contract", "marks")
    assert (found["outcome"], found["margin"]) == ("a", 2)


def test_with_a_suite_its_own_criteria_are_asked_for():
    common = ("--suite", "everyday-en")
    missing = read('{"scores": {}}', "--contract", "rubric", *common)
    assert missing["status"] == "unparsed"
    keys = missing["complaint"].split(": ")[1].rstrip(".").split(", ")
    given = {key: {"score": 3, "comment": "-"} for key in keys}
    reply = json.dumps({"scores": given, "summary": "-", "evidence": []})
    scores = read(reply, "--contract", "rubric", *common)["scores"]
    assert set(scores) == set(keys)
    one = read(reply, "--contract", "rubric", *common, "--criterion", keys[0])
    assert set(one["scores"]) == {keys[0]}
    assert read("答案：C", "--contract", "choice", "--suite", "ceval")["outcome"] == "C"


def test_complaints_follow_the_language():
    english, chinese = (read("nothing", "--lang", lang)["complaint"] for lang in ("en", "zh"))
    assert english.isascii()
    assert not chinese.isascii()


WRONG = [
    ("--contract", "vibes"),
    ("--finish-reason", "boredom"),
    ("--contract", "rubric"),
    ("--contract", "rubric", "--criterion", "empathy:5-1"),
    ("--contract", "rubric", "--criterion", "Empathy"),
    ("--contract", "rubric", "--criterion", "e", "--criterion", "e:1-5"),
    ("--suite", "nowhere"),
    ("--suite", "everyday-en", "--contract", "choice"),
    ("--suite", "ceval", "--contract", "rubric"),
    ("--suite", "everyday-en", "--criterion", "nope"),
    ("--criterion", "\x1b[31m"),
    ("-C", "nowhere", "--suite", "everyday-en"),
]


@pytest.mark.parametrize("words", WRONG, ids=lambda words: ascii(" ".join(words)))
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_cannot_be_meant_ends_with_2(words, lang):
    done, document = reading("{}", *words, "--lang", lang)
    assert done.exit_code == 2
    assert document["schema"] == "arena.error/1"
    assert 1 <= len(done.stderr.splitlines()) <= 3
    assert "\x1b" not in done.stdout + done.stderr


HOSTILE = "\x1b]0;x\x07\u202e\x00"


def test_nothing_of_a_reply_reaches_the_terminal_as_a_command():
    for reply in (HOSTILE, json.dumps({"winner": HOSTILE, "reason": HOSTILE}), "\ud800"):
        data = reply.encode("utf-8", "surrogatepass")
        done, document = reading(data)
        assert document["status"] in ("unparsed", "empty")
        assert not set(done.stdout) & set("\x1b\x07\x00\u202e")


def test_a_byte_order_mark_and_wrong_bytes_are_survived():
    assert read('{"winner": "A"}'.encode("utf-8-sig"))["outcome"] == "a"
    assert read('{"winner": "A", "reason": "\xff"}'.encode("latin-1"))["outcome"] == "a"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("R01", ("ok", "a")),
        ("R02", ("ok", "b")),
        ("R03", ("ok", "b")),
        ("R04", ("ok", "b")),
        ("R05", ("ok", "a")),
        ("R06", ("unparsed", None)),
        ("R09", ("refused", None)),
        ("R12", ("ok", "a")),
    ],
)
def test_reported_replies_are_explained(case, expected):
    found = read(literal(case))
    assert (found["status"], found["outcome"]) == expected


# --- Figures --------------------------------------------------------------------------------------


@pytest.mark.reported("R58", "R65")
@pytest.mark.parametrize("name", ["board.svg", "tafel 榜.png", "v1.2.PNG"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_r65_a_named_file_is_exactly_that_file(arena, walk, tmp_path, name, lang):
    out = tmp_path / name
    done = arena("show", "figure", "-C", walk[0], "-o", out, "--lang", lang)
    assert done.exit_code == 0, done.stderr
    assert [p.name for p in tmp_path.iterdir()] == [name]
    assert done.stdout == ""
    assert str(out) in done.stderr
    first = out.read_bytes()
    again = arena("show", "figure", "-C", walk[0], "--out", out, "--lang", lang, "--json")
    assert json.loads(again.stdout) == {"schema": "arena.figure/1", "file": str(out)}
    assert out.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["board.jpg", "board", "folder.svg", "nowhere/board.svg"])
def test_r65_what_is_no_such_file_is_refused_and_nothing_written(arena, walk, tmp_path, name):
    (tmp_path / "folder.svg").mkdir()
    done = arena("show", "figure", "-C", walk[0], "-o", tmp_path / name)
    assert done.exit_code in (1, 2)
    assert name.rpartition("/")[2] in done.stderr
    assert [p.name for p in tmp_path.rglob("*")] == ["folder.svg"]


def test_without_a_board_a_figure_says_what_to_run(arena, tmp_path):
    arena("init", tmp_path / "ws")
    done = arena("show", "figure", "-C", tmp_path / "ws", "-o", tmp_path / "a.svg")
    assert done.exit_code == 2
    assert "arena" in done.stderr
    assert not (tmp_path / "a.svg").exists()
