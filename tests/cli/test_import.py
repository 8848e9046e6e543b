"""arena import scenarios: from an empty table to a suite that a workspace can name."""

import json

import pytest

from arena.suites.load import load_suite


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
        (("eldercare", "x"), "not_built"),
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
