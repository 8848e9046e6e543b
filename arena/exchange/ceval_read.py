"""C-Eval's submission form read: the letters of agents, a file each, marked by the answer key.

`{subject: {number: letter}}`, as `ceval.write` writes it; an agent is called as its file. What a
file says is a letter: the transcript shows the question as the suite words it, and the letter.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from arena.domain.call import Message, Status
from arena.domain.choice import LETTERS, Choice, Letter
from arena.domain.digest import digest
from arena.domain.handed_in import LETTERS as MODE
from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    LeftOut,
    Shown,
)
from arena.domain.key import CORRECT, KEY
from arena.domain.score import Score
from arena.domain.suite import Suite
from arena.errors import ConfigError
from arena.exchange.ceval import FORMAT
from arena.exchange.format import Format, ReadHow, ResultsPart
from arena.exchange.remade import Remade
from arena.exchange.result_files import ResultFile, content_of, parse_document, read_file

NOTHING = (None, "")
"""What stands where an agent gave no answer."""
SHOWN = 40
"""Characters of a foreign name that its place is told with."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A letter of an agent, and where it stands."""

    letter: Letter
    place: str


class _Pairs(list[tuple[str, Any]]):
    """An object as it stands, so that a key that is there twice is seen."""


def find_results(path: Path) -> tuple[Path, ...]:
    """The files of letters that a path names: itself, or those in a folder, one an agent."""
    if path.is_file():
        return (path,)
    return tuple(sorted(p for p in path.glob("*.json") if p.is_file()))


def read_results(path: Path, suite: Suite) -> Import:
    """The letters of a folder or file, and what the answer key says of them.

    Raises ConfigError for a file that cannot be read, and a suite that is no multiple choice.
    """
    choice = suite.choice
    if choice is None:
        raise ConfigError(
            "{suite} is not multiple choice, and letters are answers to nothing else",
            fix="Name a suite of multiple choice with --as.",
            suite=suite.suite,
        )
    found = _Reading({(s.domain, choice.numbers[s.scenario]): s.scenario for s in suite.scenarios})
    for place in find_results(path):
        found.read(place, _agent_of(place, suite.suite))
    making = _Making(suite, choice, found.letters)
    # Another key finds other letters right.
    key = ResultFile("key", digest(dict(choice.answers)), "")
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*found.files, key]),
        suite=suite.suite,
        transcripts=Remade(making.transcripts, sum(map(len, found.letters.values()))),
        sheets=Remade(making.sheets, sum(1 for _ in making.sheets())),
        verdicts=Remade(making.verdicts, sum(1 for _ in making.verdicts())),
        orders="one",
        left_out=found.left_out,
        bad=found.bad,
    )


def _agent_of(path: Path, suite: str) -> str:
    """The name of a file, without the suite and mode that our own files begin with."""
    return re.sub(rf"{re.escape(suite)}-(shots_[0-9](_test)?|{MODE})-(?=.)", "", path.stem, count=1)


class _Reading:
    """The letters of some files; `questions`: (subject, number) → scenario."""

    def __init__(self, questions: Mapping[tuple[str, str], str]) -> None:
        self._questions = questions
        self.letters: dict[str, dict[str, Answered]] = {}
        self.files: list[ResultFile] = []
        self.left_out, self.bad = LeftOut(), LeftOut()
        self._agents: set[str] = set()

    def read(self, path: Path, agent: str) -> None:
        """Read one file; what it does not answer is missing, and never wrong."""
        file = read_file(path, path.name)
        self.files.append(ResultFile(file.name, file.sha256, ""))
        if agent in self._agents:
            self.bad.note("repeated", file.name)
            return
        self._agents.add(agent)
        told: set[tuple[str, str]] = set()
        subjects: set[str] = set()
        for subject, answers in _object(file, path):
            place = f"{file.name} › {subject[:SHOWN]}"
            if subject in subjects:
                self.bad.note("repeated", place)
            elif not isinstance(answers, _Pairs):
                self.bad.note("malformed", place)
            else:
                told |= self._subject(agent, subject, answers, place)
            subjects.add(subject)
        for subject, number in sorted(self._questions.keys() - told):
            self.left_out.note("missing_answer", f"{file.name} › {subject} › {number}")

    def _subject(
        self, agent: str, subject: str, answers: _Pairs, about: str
    ) -> set[tuple[str, str]]:
        """Take the letters of one subject; the questions that something is said to."""
        told: set[tuple[str, str]] = set()
        numbers: set[str] = set()
        for number, letter in answers:
            place = f"{about} › {number[:SHOWN]}"
            scenario = self._questions.get((subject, number))
            if number in numbers:
                self.bad.note("repeated", place)
            elif scenario is None:
                self.left_out.note("unknown_scenario", place)
            elif letter not in (*LETTERS, *NOTHING):
                self.bad.note("no_option", place)
                told.add((subject, number))
            elif letter not in NOTHING:
                told.add((subject, number))
                self.letters.setdefault(scenario, {})[agent] = Answered(letter, place)
            numbers.add(number)
        return told


def _object(file: ResultFile, path: Path) -> _Pairs:
    value = parse_document(file.text, path, _Pairs)
    if not isinstance(value, _Pairs):
        raise ConfigError(
            "{path}:1: no letters by subject",
            fix='Like {"logic": {"0": "A", "1": "D"}}.',
            path=path,
        )
    return value


class _Making:
    """Records of letters, made as often as they are gone through."""

    def __init__(
        self, suite: Suite, choice: Choice, letters: Mapping[str, Mapping[str, Answered]]
    ) -> None:
        self._suite, self._choice, self._letters = suite, choice, letters

    def transcripts(self) -> Iterator[ImportedTranscript]:
        """The question as the suite words it, and the letter."""
        for scenario in self._suite.scenarios:
            asked = self._suite.user_turns(scenario, MODE)[0]
            for agent, answered in self._letters.get(scenario.scenario, {}).items():
                yield ImportedTranscript(
                    agent=agent,
                    scenario=scenario.scenario,
                    mode=MODE,
                    messages=(Message("user", asked), Message("assistant", answered.letter)),
                    place=answered.place,
                )

    def sheets(self) -> Iterator[ImportedSheet]:
        """What the key says of each letter: 1 or 0."""
        for scenario, right, answers in self._keyed():
            for agent, answered in answers.items():
                yield ImportedSheet(
                    agent=agent,
                    scenario=scenario,
                    mode=MODE,
                    judge=KEY.judge,
                    status=Status.OK,
                    scores=(Score(criterion=CORRECT, value=float(answered.letter == right)),),
                    summary=f"{answered.letter} (key: {right})",
                    place=answered.place,
                )

    def verdicts(self) -> Iterator[ImportedVerdict]:
        """Right beats wrong, for every two agents that answered a question."""
        for scenario, right, answers in self._keyed():
            for (first, a), (second, b) in combinations(sorted(answers.items()), 2):
                yield ImportedVerdict(
                    first=first,
                    second=second,
                    scenario=scenario,
                    mode=MODE,
                    judge=KEY.judge,
                    status=Status.OK,
                    winner=_winner(a.letter == right, b.letter == right),
                    ordered=False,
                    reason=f"{a.letter} : {b.letter} (key: {right})",
                    place=b.place,
                )

    def _keyed(self) -> Iterator[tuple[str, Letter, Mapping[str, Answered]]]:
        """The questions whose answer is known, with the letters given."""
        for scenario, right in self._choice.answers.items():
            if answers := self._letters.get(scenario):
                yield scenario, right, answers


def _winner(first: bool, second: bool) -> Shown:
    if first == second:
        return "tie"
    return "first" if first else "second"


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite)


FORM = Format(
    name=FORMAT,
    results=ResultsPart(find=find_results, read=_results),
    options=frozenset({"--as", "--agents", "--dry-run", "--skip-bad"}),
    own_export=True,
)
