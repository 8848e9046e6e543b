"""One Chinese word a concept: a scenario is 情境, a judge 评审, a suite 题集, as on the pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REJECTED = re.compile("场景|评委|裁判|套件")
"""Never in what the command line, the guides and the starter say. Scenarios and rubrics may: a
relative who is asked to be the 裁判 of a quarrel is meant as people mean it."""
TOLD = [
    *(ROOT / "arena" / "cli" / "words").glob("*zh.json"),
    *(ROOT / "arena" / "site" / "words").glob("zh.json"),
    *ROOT.glob("*.zh.md"),
    *(ROOT / "data").glob("*.zh.md"),
    *(ROOT / "data" / "suites").glob("*.zh.md"),
    *(ROOT / "data" / "suites").glob("*/README.md"),
    *(ROOT / "data" / "suites").glob("*/suite.yaml"),
    *(p for p in (ROOT / "arena" / "cli" / "starter").rglob("*") if p.is_file()),
    *(p for p in (ROOT / "arena" / "exchange" / "starter").rglob("*") if p.is_file()),
]
SCRIPTS = [*(ROOT / "data" / "suites").glob("*/scripted.yaml")]
NAMED = re.compile(r"\bname: .*")


def rejected(path, texts):
    return [(path.relative_to(ROOT).as_posix(), m[0]) for t in texts for m in REJECTED.finditer(t)]


@pytest.mark.parametrize("path", TOLD, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_second_word_for_a_concept(path):
    assert rejected(path, [path.read_text(encoding="utf-8")]) == []


def test_scripted_judges_are_called_as_judges_are():
    assert len(SCRIPTS) >= 5
    found = [
        one
        for path in SCRIPTS
        for one in rejected(path, NAMED.findall(path.read_text(encoding="utf-8")))
    ]
    assert found == []
