"""The guide to writing a suite: its examples are a sound suite, and both languages say the same."""

import json
import re
from pathlib import Path

import pytest

from arena.cli.words import translate
from arena.exchange.headers import NAMES, recognise_header
from arena.stages.doctor import examine

SUITES = Path(__file__).parents[2] / "data" / "suites"
GUIDES = {"en": "README.md", "zh": "README.zh.md"}


def guide(lang):
    return (SUITES / GUIDES[lang]).read_text("utf-8")


def blocks(lang):
    return re.findall(r"```(?:yaml|json)\n(.*?)```", guide(lang), re.DOTALL)


@pytest.mark.parametrize("lang", GUIDES)
def test_the_examples_of_the_guide_make_a_sound_suite(tmp_path, lang):
    folder = tmp_path / "my-cases"
    folder.mkdir()
    suite, scenario, rubric = blocks(lang)
    (folder / "suite.yaml").write_text(suite, "utf-8")
    (folder / "rubric.yaml").write_text(rubric, "utf-8")
    line = json.dumps(json.loads(scenario), ensure_ascii=False)
    (folder / "scenarios.jsonl").write_text(line + "\n", "utf-8")
    report = examine(folder)
    assert report.errors == ()
    assert {w.facts["path"].name for w in report.warnings} == {"README.md", "scripted.yaml"}


def test_both_languages_have_the_same_parts():
    shapes = [
        [re.match(r"#+|\||```|\d+\.|- |  - |", line)[0] for line in guide(lang).splitlines()]
        for lang in GUIDES
    ]
    marks = [[mark for mark in shape if mark] for shape in shapes]
    assert marks[0] == marks[1]
    assert len(marks[0]) > 60


@pytest.mark.parametrize("lang", GUIDES)
def test_every_column_of_the_table_is_explained(lang):
    named = re.findall(r"[\w一-鿿]+ / \w+", guide(lang))
    assert set(NAMES) | {"turn_1", "turn_2"} <= set(
        recognise_header(list(dict.fromkeys(named))).fields
    )


def test_the_mistakes_that_the_guide_quotes_are_said_so():
    facts = {"path": "suite.yaml", "place": "suite.yaml:6", "key": "langauge", "line": 2}
    facts |= {"suite": "example", "folder": "my-cases"}
    for template in (
        "{place}: unknown key `{key}`",
        "{path}:{line}: `suite` says {suite}, but the folder is called {folder}",
    ):
        for lang in GUIDES:
            assert translate(lang, template, facts) in guide(lang)
