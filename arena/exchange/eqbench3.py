"""The folder of EQ-Bench 3's prompts, as its authors publish it.

Scenarios stand in one text file, `######## id | category | title`, each with its turns under
`####### Prompt1` and so on; notes for judges in another, under `# id`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.domain.suite import Key, ScenarioId
from arena.errors import ConfigError
from arena.suites.complaints import pattern_of
from arena.suites.reading import read_text

FORMAT = "eqbench3"
SCENARIOS = "scenario_prompts.txt"
SHOWN = {
    "roleplay": "scenario_master_prompt.txt",
    "drafting": "scenario_master_prompt_message_drafting.txt",
    "analysis": "scenario_master_prompt_analysis.txt",
}
"""The prompt around the first turn, by kind."""
DEBRIEF = "debrief_prompt.txt"
SCORED = {"main": "rubric_scoring_prompt.txt", "analysis": "rubric_scoring_prompt_analysis.txt"}
LISTED = {"main": "rubric_scoring_criteria.txt", "analysis": "rubric_scoring_criteria_analysis.txt"}
COMPARED = {
    "main": "pairwise_prompt_eqbench3.txt",
    "analysis": "pairwise_prompt_eqbench3_analysis.txt",
}
NOTES = "scenario_notes.txt"
HEAD = re.compile(r"^######## *(.*)\n", re.MULTILINE)
PROMPT = re.compile(r"^#######(?!#).*\n", re.MULTILINE)
NOTE = re.compile(r"^# *(\d+) *\n", re.MULTILINE)
BETTER = re.compile(r"\(higher is better\):\s*\n(.+)")


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario, its turns in order."""

    id: str
    category: str
    title: str
    turns: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Analysis (400s) and drafting (200s) by id, mediation by category, else roleplay."""
        if re.fullmatch(r"4\d\d", self.id):
            return "analysis"
        if re.fullmatch(r"2\d\d", self.id):
            return "drafting"
        return "mediation" if self.category.casefold().startswith("mediation") else "roleplay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The whole folder: `texts` by file name, `criteria` by sheet, those that count in `counts`."""

    cases: tuple[Case, ...]
    notes: Mapping[str, str]
    texts: Mapping[str, str]
    criteria: Mapping[str, tuple[str, ...]]
    counts: frozenset[str]


def sniff(folder: Path) -> bool:
    """Whether a folder is laid out like EQ-Bench 3's prompts; never raises."""
    return all((folder / name).is_file() for name in (SCENARIOS, NOTES, DEBRIEF))


def read(folder: Path) -> Prompts:
    """The prompts; raises ConfigError for another folder, and for texts of another form."""
    if not sniff(folder):
        raise ConfigError(
            "{folder}: not laid out like the prompts of EQ-Bench 3",
            fix="Name the folder that holds {files}.",
            folder=folder,
            files=", ".join((SCENARIOS, NOTES, DEBRIEF)),
        )
    names = (*SHOWN.values(), DEBRIEF, *SCORED.values(), *COMPARED.values())
    texts = {name: read_text(folder / name) for name in names}
    better = BETTER.search(texts[SCORED["main"]])
    listed = {sheet: _criteria(folder / name) for sheet, name in LISTED.items()}
    named = frozenset(key.strip() for key in better[1].split(",")) if better else frozenset()
    if not named & set(listed["main"]):
        raise ConfigError(
            "{path}: it does not say which criteria are better when higher",
            path=folder / SCORED["main"],
        )
    return Prompts(
        cases=_cases(folder / SCENARIOS),
        notes=_notes(read_text(folder / NOTES)),
        texts=texts,
        criteria=listed,
        counts=named,
    )


def _cases(path: Path) -> tuple[Case, ...]:
    _, *parts = HEAD.split(read_text(path))
    cases: dict[str, Case] = {}
    for head, body in zip(parts[::2], parts[1::2], strict=True):
        fields = [field.strip() for field in head.split("|")]
        turns = tuple(turn.strip() for turn in PROMPT.split(body)[1:])
        sound = len(fields) == 3 and all(fields) and turns and all(turns)
        if not sound or not re.fullmatch(pattern_of(ScenarioId), fields[0]) or fields[0] in cases:
            raise ConfigError(
                "{path}: no scenario with an id of its own, category, title, prompts: {head}",
                path=path,
                head=head[:80],
            )
        cases[fields[0]] = Case(fields[0], fields[1], fields[2], turns)
    if not cases:
        raise ConfigError("{path}: no scenario in it", path=path)
    return tuple(cases.values())


def _notes(text: str) -> dict[str, str]:
    _, *parts = NOTE.split(text)
    found = zip(parts[::2], parts[1::2], strict=True)
    return {number: note.strip() for number, note in found if note.strip()}


def _criteria(path: Path) -> tuple[str, ...]:
    keys = read_text(path).split() or [""]
    for key in keys:
        if not re.fullmatch(pattern_of(Key), key):
            raise ConfigError(
                "{path}: not a list of criteria: {given}", path=path, given=key[:80] or "-"
            )
    return tuple(dict.fromkeys(keys))
