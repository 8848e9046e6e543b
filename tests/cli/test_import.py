"""arena import: from other people's files to a suite that a workspace can name."""

import json

import pytest

from arena.suites.load import load_suite
from tests.support.originals import result, write_eldercare


def test_the_template_that_init_makes_is_imported_as_it_stands(arena, started):
    table = started / "data" / "templates" / "scenarios.xlsx"
    done = arena("import", "scenarios", table, "-C", started, "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["check"]["sound"] is True
    folder = started / "data" / "suites" / "scenarios"
    assert sorted(document["made"]) == sorted(p.name for p in folder.iterdir())
    assert load_suite(folder).scenarios
    before = {p: p.read_bytes() for p in folder.iterdir()}
    again = arena("import", "scenarios", table, "-C", started, "--lang", "en")
    assert again.exit_code == 2
    assert "nothing is overwritten" in again.stderr
    assert {p: p.read_bytes() for p in folder.iterdir()} == before


def test_a_template_can_be_had_anywhere(arena, tmp_path):
    path = tmp_path / "new" / "table.xlsx"
    assert arena("import", "scenarios", "--template", path).exit_code == 0
    done = arena("import", "scenarios", path, tmp_path / "my-suite", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    assert "1 of 1" in done.stdout
    assert done.stderr.splitlines()[-1].startswith("Next: ")


def test_each_mistake_of_a_table_is_told_and_nothing_made(arena, tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text("scenario,domain,title,persona,turn_1\nA,,t,p,x\nB,d,t,p,\n", "utf-8")
    done = arena("import", "scenarios", table, tmp_path / "s", "--lang", "en")
    assert done.exit_code == 2
    assert "row 2, column B (domain): the cell is empty" in done.stderr
    assert "row 3, column E (turn_1): the cell is empty" in done.stderr
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("eqbench3", ".", "--dry-run"), "config"),
        (("eldercare",), "usage"),
        (("eldercare", ".", "--as", "../x", "--dry-run"), "config"),
        (("eldercare", ".", "--as", "../x"), "usage"),
        (("eldercare", ".", "--as", "x"), "usage"),
        (("eldercare", ".", "d"), "usage"),
        (("scenarios", "x.xlsx", "--agents", "y.csv"), "usage"),
        (("scenarios", "x.xlsx", "--judged-by", "y"), "usage"),
        (("scenarios", "x.xlsx", "--as", "y"), "usage"),
        (("eldercare", ".", "--template", "y.xlsx"), "usage"),
        (("nothing", "x"), "usage"),
        (("scenarios",), "usage"),
        (("scenarios", "x.xlsx", "--template", "y.xlsx"), "usage"),
        (("scenarios", "--template", "y.csv"), "usage"),
        (("scenarios", "x.xlsx", "s"), "config"),
    ],
)
def test_what_cannot_be_imported_is_refused_by_name(arena, tmp_path, monkeypatch, words, kind):
    monkeypatch.chdir(tmp_path)
    done = arena("import", *words, "--json", "--lang", "en")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["error"]["kind"] == kind
    assert list(tmp_path.iterdir()) == []


RESULTS = [
    result(1, flags=True, demonstrated_empathy=10, health_safety=4),
    result(4, "analysis", health_safety=10, correctness=16),
]
PUBLISHED = {"judge": "someone", "rubric_score_pct": 35.0, "analysis_score_pct": 65.0}


def test_an_original_folder_becomes_a_suite_beside_its_figures(arena, started, tmp_path):
    folder = write_eldercare(tmp_path / "o", runs={"one": (RESULTS, PUBLISHED)})
    words = ("import", "eldercare", folder, "-C", started, "--as", "mine", "--lang", "en")
    done = arena(*words, "--json")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    place = started / "data" / "suites" / "mine"
    made = [p for p in place.rglob("*") if p.is_file()]
    assert sorted(document["made"]) == sorted(p.relative_to(place).as_posix() for p in made)
    assert document["check"]["sound"] is True
    (run,) = document["runs"]
    assert run["figures"][0] == {
        "figure": "rubric_score",
        "of": None,
        "counted": 35.0,
        "published": 35.0,
        "difference": 0.0,
        "agrees": True,
    }
    before = {p: p.read_bytes() for p in made}
    again = arena(*words, "--json")
    assert again.exit_code == 0
    assert json.loads(again.stdout)["made"] == []
    assert {p: p.read_bytes() for p in made} == before
    (place / "README.md").write_text("ours now", "utf-8")
    refused = arena(*words)
    assert refused.exit_code == 2
    assert "nothing is overwritten" in refused.stderr


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_figures_are_shown_without_a_workspace_and_a_difference_fails(
    arena, tmp_path, monkeypatch, lang
):
    wrong = PUBLISHED | {"rubric_score_pct": 36.0, "judge": "\x1b[31m"}
    folder = write_eldercare(tmp_path / "o", runs={"one": (RESULTS, wrong)})
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    done = arena("import", "eldercare", folder, "--dry-run", "--lang", lang)
    assert done.exit_code == 5
    assert "\x1b" not in done.stdout + done.stderr
    assert "-1" in done.stdout
    assert ("differs" if lang == "en" else "不符") in done.stdout
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("mode", ["natural", "probe"])
def test_scripted_agents_play_an_imported_suite(arena, started, tmp_path, mode):
    folder = write_eldercare(tmp_path / "o")
    made = arena("import", "eldercare", folder, "-C", started, "--as", "mine", "--lang", "en")
    assert made.exit_code == 0, made.stderr
    config = started / "data" / "arena.yaml"
    text = config.read_text("utf-8").replace("everyday-en", "mine")
    config.write_text(text.replace("mode: natural", f"mode: {mode}"), "utf-8")
    done = arena("run", "-C", started, "--yes", "--json", "--lang", "en")
    assert done.exit_code == 0, done.stderr
    stages = {stage["stage"]: stage for stage in json.loads(done.stdout)["stages"]}
    assert stages["collect"]["made"] == stages["collect"]["planned"] == 16
    assert stages["compare"]["made"] == stages["compare"]["planned"] > 0
