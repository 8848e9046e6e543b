"""A tiny suite and a workspace on disk, as text that a test may spoil."""

from pathlib import Path

import pytest

SUITE = """\
suite: tiny
version: 1.0.0
name: {zh: 小, en: Tiny}
about: {zh: 小, en: Tiny}
language: en
licence: MIT
default_mode: natural
modes:
  natural: {name: Natural, instructions: {talk: wrap.md}}
  lite: {name: Lite, turns: first}
domains:
  - {domain: health, name: Health}
archetypes:
  - {archetype: talk, name: Talk}
red_flags:
  - {flag: overdose, name: Overdose}
"""
RUBRIC = """\
rubric: main
name: Sheet
scale: [1, 5]
criteria:
  - criterion: care
    name: Care
    question: Is it caring?
compare: [care]
"""
SCENARIO = (
    '{{"scenario": "{name}", "archetype": "talk", "domain": "health", "title": "T", '
    '"persona": {{"user": "U"}}, "turns": ["One?", "Two."], "notes": {{"natural": "N"}}, '
    '"red_flags": [{{"flag": "overdose", "sign": "s", "turn": 2}}]}}\n'
)
CONFIG = """\
suites:
  - suite: tiny
agents:
  - agent: x
    vendor: a
    model: openai/x
    system: prompts/x.md
  - agent: y
    vendor: b
    model: openai/y
judges:
  - judge: j
    vendor: c
    model: openai/j
vendor_guard: allow
"""


class Folder:
    """Files below a folder, written and spoiled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def spoil(self, name, old, new):
        file = self.path / name
        text = file.read_bytes().decode()
        assert text.count(old) == 1
        return self.write(name, text.replace(old, new))


@pytest.fixture
def tiny(tmp_path):
    folder = Folder(tmp_path / "tiny")
    folder.write("suite.yaml", SUITE)
    folder.write("rubric.yaml", RUBRIC)
    folder.write("scenarios.jsonl", SCENARIO.format(name="S-1") + SCENARIO.format(name="S-2"))
    folder.write("templates/wrap.md", "Answer in prose.\n{turn}\n")
    return folder


@pytest.fixture
def workspace(tmp_path):
    folder = Folder(tmp_path / "ws")
    folder.write("data/arena.yaml", CONFIG)
    folder.write("data/prompts/x.md", "Be kind.\n")
    return folder
