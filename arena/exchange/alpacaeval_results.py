"""AlpacaEval's answers and annotations as transcripts and verdicts.

An annotation holds both answers, so that the baseline's come in with it. Which of them was shown
first is not recorded. A judge of logarithmic probabilities prefers by a share: its winner is the
more probable one, and the share itself is kept as it stood.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.domain.call import Message, Status
from arena.domain.imported import (
    Import,
    ImportedTranscript,
    ImportedVerdict,
    LeftOut,
    Shown,
)
from arena.domain.suite import Suite
from arena.errors import ConfigError
from arena.exchange.alpacaeval_files import (
    FORMAT,
    agent_of,
    find_results,
    judge_of,
    name_in,
    preference_of,
    scenario_of_instruction,
)
from arena.exchange.fields import kept, text_of, time_of
from arena.exchange.format import SuiteRead
from arena.exchange.questions import MODE, Question, make_suite
from arena.exchange.result_files import ResultFile, content_of, read_array, read_file

TEXTS = ("instruction", "output", "output_1", "output_2")
DRAW = 1.5


def read_suite(folder: Path) -> SuiteRead:
    """A suite of all instructions below a folder, in the order of its files.

    Raises ConfigError for a file that cannot be read, and where there is no instruction.
    """
    found: dict[str, Question] = {}
    for path in find_results(folder):
        for row in read_array(read_file(path, path.name), path):
            instruction = text_of(row, "instruction") if isinstance(row, dict) else ""
            if instruction.strip():
                name = scenario_of_instruction(instruction)
                domain = text_of(row, "dataset").strip() or "instructions"
                question = Question(id=name, turns=(instruction,), domain=domain)
                found.setdefault(name, question)
    if not found:
        raise ConfigError(
            "{folder}: no questions in it",
            fix="Name a folder that holds {files}.",
            folder=folder,
            files="model_outputs.json, annotations.json",
        )
    return SuiteRead(make_suite(FORMAT, "AlpacaEval", tuple(found.values())))


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """What the files of a folder, or one file, hold; `judge`: who judged, where they are silent.

    Raises ConfigError for a file that cannot be read.
    """
    reading = _Reading(judge)
    files: list[ResultFile] = []
    for place in find_results(path):
        file = read_file(place, name_in(place, path))
        files.append(file)
        for number, row in enumerate(read_array(file, place), start=1):
            reading.read(row, place, f"{file.name}:{number}")
    silent = [ResultFile("judge", judge, "")] if judge else []
    return Import(
        format=FORMAT,
        source=path.resolve().name,
        content=content_of([*files, *silent]),
        suite=suite.suite,
        transcripts=tuple(reading.transcripts.values()),
        verdicts=tuple(reading.verdicts.values()),
        orders="one",
        left_out=reading.left_out,
        bad=reading.bad,
    )


class _Reading:
    """What the rows of some files have brought."""

    def __init__(self, judge: str) -> None:
        self._judge = judge
        self.transcripts: dict[tuple[str, str], ImportedTranscript] = {}
        self.verdicts: dict[tuple[str, str, str, str], ImportedVerdict] = {}
        self._outputs: set[tuple[str, str]] = set()
        self.left_out, self.bad = LeftOut(), LeftOut()

    def read(self, row: Any, path: Path, place: str) -> None:
        if not isinstance(row, dict):
            self.bad.note("malformed", place)
        elif not text_of(row, "instruction").strip():
            self.bad.note("missing_field", place)
        elif "preference" in row or "generator_2" in row:
            self._annotation(row, path, place)
        else:
            self._output(row, path, place)

    def _output(self, row: Mapping[str, Any], path: Path, place: str) -> None:
        agent, output = text_of(row, "generator"), row.get("output")
        if not agent or not isinstance(output, str):
            self.bad.note("missing_field", place)
            return
        agent = agent_of(agent, path)
        where = (agent, scenario_of_instruction(text_of(row, "instruction")))
        if where in self._outputs:
            self.bad.note("repeated", place)
            return
        self._outputs.add(where)
        self._keep(where, row, output, place)

    def _keep(
        self, where: tuple[str, str], row: Mapping[str, Any], output: str, place: str
    ) -> None:
        """A transcript; of two answers to one instruction the first one read stays."""
        said = (Message("user", text_of(row, "instruction")), Message("assistant", output))
        known = self.transcripts.get(where)
        if known is not None:
            if known.messages != said:
                self.left_out.note("other_text", place)
            return
        self.transcripts[where] = ImportedTranscript(
            agent=where[0],
            scenario=where[1],
            mode=MODE,
            messages=said,
            place=place,
            raw=kept(row, *TEXTS) if "output" in row else None,
        )

    def _annotation(self, row: Mapping[str, Any], path: Path, place: str) -> None:
        first, second = text_of(row, "generator_1"), text_of(row, "generator_2")
        if not first or not second:
            self.bad.note("missing_field", place)
            return
        try:
            preference = preference_of(row.get("preference"))
        except ValueError:
            self.bad.note("bad_preference", place)
            return
        second = agent_of(second, path)
        scenario = scenario_of_instruction(text_of(row, "instruction"))
        judge = judge_of(row, path, self._judge)
        key = (*sorted((first, second)), scenario, judge)
        if key in self.verdicts:
            self.bad.note("repeated", place)
            return
        if first == second:
            # A baseline that is judged against itself says nothing of anybody.
            self.left_out.note("self_pair", place)
            return
        for agent, output in ((first, row.get("output_1")), (second, row.get("output_2"))):
            if isinstance(output, str):
                self._keep((agent, scenario), row, output, place)
        self.verdicts[key[0], key[1], scenario, judge] = ImportedVerdict(
            first=first,
            second=second,
            scenario=scenario,
            mode=MODE,
            judge=judge,
            status=Status.UNPARSED if preference is None else Status.OK,
            winner=_winner(preference),
            ordered=False,
            at=time_of(row.get("preference_date")),
            place=place,
            raw=kept(row, *TEXTS),
        )


def _winner(preference: float | None) -> Shown | None:
    if preference is None:
        return None
    if preference == DRAW:
        return "tie"
    return "second" if preference > DRAW else "first"


def preferences(path: Path) -> Iterable[tuple[str, str, str, float | None]]:
    """(judge, model, name in the file, preference) of every sound annotation below a folder."""
    for place in find_results(path):
        for row in read_array(read_file(place, place.name), place):
            if not isinstance(row, dict) or "preference" not in row:
                continue
            said = text_of(row, "generator_2")
            try:
                value = preference_of(row["preference"])
            except ValueError:
                continue
            yield judge_of(row, place, ""), agent_of(said, place), said, value
