"""Runs of eqbench-eldercare-zh: results.jsonl with its kpi.json → transcripts and sheets.

A line holds one scenario: what was said, and one judge's scores. Who was tested is said by the
folder alone, the judge and the mode by kpi.json; a line whose words are those of another mode is of
that mode, so that modes never mix. Dates, tokens and prices are not in the files.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.domain.call import Message, Status
from arena.domain.imported import Import, ImportedSheet, ImportedTranscript, LeftOut
from arena.domain.score import Score
from arena.domain.suite import Scenario, Suite
from arena.exchange.eldercare import FORMAT
from arena.exchange.eldercare_figures import FIGURES, RESULTS
from arena.exchange.fields import number_of
from arena.exchange.lines import to_object
from arena.exchange.result_files import ResultFile, content_of, read_file

LITE = "lite"
SHELVES = frozenset({"results", "baselines", "runs"})
"""Folders that hold runs and are named after nobody."""
NOBODY = "unknown"
CUT_OFF = "trunc"
ROUNDS = re.compile(r"\n\n---\n\n(?=User:\n)")
ROUND = re.compile(r"User:\n(.*?)\n\nAssistant:\n(.*)", re.DOTALL)


def find_results(path: Path) -> tuple[Path, ...]:
    """The files of results that a path names: itself, or all below results/ of a folder."""
    if path.is_file():
        return (path,)
    return tuple(sorted((path / "results").glob(f"**/{RESULTS}")))


def read_results(path: Path, suite: Suite, *, judge: str = "") -> Import:
    """The results of a folder or file, for the suite that was made of the folder.

    `judge`: who judged, where no kpi.json says so.

    Raises ConfigError for a file that cannot be read. Lines that hold no results are counted, those
    that are wrong apart.
    """
    left_out, bad, files = LeftOut(), LeftOut(), []
    transcripts: list[ImportedTranscript] = []
    sheets: list[ImportedSheet] = []
    for place in find_results(path):
        name = place.name if path.is_file() else place.relative_to(path).as_posix()
        run = _Run(place, name, suite, judge or NOBODY, left_out, bad)
        files += run.files
        for transcript, sheet in run.read():
            transcripts.append(transcript)
            sheets.append(sheet)
    return Import(
        format=FORMAT,
        source=_source(path),
        content=content_of(files),
        suite=suite.suite,
        transcripts=tuple(transcripts),
        sheets=tuple(sheets),
        left_out=left_out,
        bad=bad,
    )


def _source(path: Path) -> str:
    """A folder's name; of a file, which is always called the same, also its two folders'."""
    return "/".join(path.resolve().parts[-3 if path.is_file() else -1 :])


def agent_of(path: Path) -> str:
    """Who was tested, after the folder above that of the run, or else after the run's own."""
    run = path.resolve().parent
    above = run.parent.name
    return run.name if above in SHELVES or not above else above


class _Run:
    """One file of results."""

    def __init__(
        self, path: Path, name: str, suite: Suite, judge: str, left_out: LeftOut, bad: LeftOut
    ) -> None:
        self._name, self._suite, self._left, self._bad = name, suite, left_out, bad
        self._seen: set[str] = set()
        self._scenarios = {s.scenario: s for s in suite.scenarios}
        self._agent = agent_of(path)
        self.files: list[ResultFile] = [read_file(path, name)]
        beside = path.parent / FIGURES
        said: Any = {}
        if beside.is_file():
            self.files.append(read_file(beside, f"{name}/{FIGURES}"))
            said = _parsed(self.files[1].text)
        said = said if isinstance(said, dict) else {}
        self._judge = str(said.get("judge") or judge)
        self._mode = next((m for m in suite.modes if m in str(said.get("mode", ""))), "")

    def read(self) -> Iterator[tuple[ImportedTranscript, ImportedSheet]]:
        for number, line in enumerate(self.files[0].text.split("\n"), start=1):
            if line.strip():
                yield from self._line(to_object(line), f"{self._name}:{number}")

    def _line(
        self, row: dict[str, Any] | None, place: str
    ) -> Iterator[tuple[ImportedTranscript, ImportedSheet]]:
        if row is None or (fault := _fault(row, self._seen)):
            self._bad.note("malformed" if row is None else fault, place)
            return
        self._seen.add(row["id"])
        if row.get("status") != "ok":
            self._left.note(_reason(row), place)
            return
        scenario = self._scenarios.get(row["id"])
        if scenario is None:
            self._left.note("unknown_scenario", place)
            return
        mode, messages = self._said(row, scenario)
        transcript = ImportedTranscript(
            agent=self._agent,
            scenario=scenario.scenario,
            mode=mode,
            messages=messages,
            place=place,
            raw=_kept(row, "transcript", "debrief", "answer"),
        )
        yield transcript, self._sheet(row, scenario, mode, place)

    def _said(self, row: Mapping[str, Any], scenario: Scenario) -> tuple[str, tuple[Message, ...]]:
        """The mode that a line is of, and its dialogue; no dialogue where there is none."""
        if isinstance(answer := row.get("answer"), str):
            (turn,) = self._suite.user_turns(scenario, LITE)[:1]
            return LITE, (Message("user", turn), Message("assistant", answer))
        text = str(row.get("transcript") or "")
        rounds = [
            (found[1], found[2]) for part in ROUNDS.split(text) if (found := ROUND.match(part))
        ]
        mode = self._mode_of([turn for turn, _ in rounds], scenario)
        written = self._suite.user_turns(scenario, mode) if mode in self._suite.modes else ()
        messages: list[Message] = []
        for n, (turn, reply) in enumerate(rounds):
            # The files differ from the prompts in white space at the ends of a turn.
            same = n < len(written) and written[n].strip() == turn.strip()
            messages.append(Message("user", written[n] if same else turn))
            messages.append(Message("assistant", reply))
        back = row.get("debrief")
        if isinstance(back, str) and back.strip() and len(written) == len(rounds) + 1:
            messages += [Message("user", written[-1]), Message("assistant", back)]
        return mode, tuple(messages)

    def _mode_of(self, turns: Sequence[str], scenario: Scenario) -> str:
        """The mode whose first turn is that of the line; where several are, that of the run."""
        first = turns[0].strip() if turns else ""
        alike = [
            mode
            for mode in self._suite.modes
            if mode != LITE and self._suite.user_turns(scenario, mode)[0].strip() == first
        ]
        return alike[0] if len(alike) == 1 else self._mode

    def _sheet(
        self, row: Mapping[str, Any], scenario: Scenario, mode: str, place: str
    ) -> ImportedSheet:
        given = row.get("scores")
        given = given if isinstance(given, dict) else {}
        scores = tuple(
            Score(criterion=key, value=float(value))
            for key, value in given.items()
            if value is not None
        )
        return ImportedSheet(
            agent=self._agent,
            scenario=scenario.scenario,
            mode=mode,
            judge=self._judge,
            status=Status.OK,
            scores=scores,
            summary=str(row.get("judge_reasoning") or ""),
            place=place,
            raw=_kept(row, "scores", "judge_reasoning"),
        )


def _fault(row: Mapping[str, Any], seen: set[str]) -> str:
    """Why a line is wrong, as a key; empty for a sound one. `seen`: the ids before it."""
    if not isinstance(row.get("id"), str) or not isinstance(row.get("status"), str):
        return "missing_field"
    if row["id"] in seen:
        return "repeated"
    if row["status"] not in ("ok", "error") and not row["status"].startswith(CUT_OFF):
        return "not_a_result"
    scores = row.get("scores")
    given = scores.values() if isinstance(scores, dict) else ()
    if any(value is not None and number_of(value) is None for value in given):
        return "not_a_number"
    return ""


def _parsed(text: str) -> Any:
    """A JSON value; None for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _kept(row: Mapping[str, Any], *keys: str) -> str:
    return json.dumps({k: row[k] for k in keys if k in row}, ensure_ascii=False)


def _reason(row: Mapping[str, Any]) -> str:
    """Why a line holds no result, as a key."""
    status = str(row.get("status"))
    if status == "error":
        return "judge_error" if row.get("stage") == "judge" else "agent_error"
    return "truncated"
