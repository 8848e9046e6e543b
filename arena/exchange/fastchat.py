"""FastChat's MT-bench, beside its votes: the way out, and the format itself.

Fields as its package fschat 0.2.36 writes them. Out: a folder with texts, or a file of battles
(`fastchat_battles`).
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
    Shown,
)
from arena.domain.suite import Scenario, Suite
from arena.exchange.arena_hard_write import pairs, save_lines
from arena.exchange.fastchat_battles import VOTES
from arena.exchange.fastchat_files import (
    ANSWERS,
    FORMAT,
    JUDGMENTS,
    criterion_of,
    find_results,
    read_suite,
)
from arena.exchange.fastchat_results import read_results
from arena.exchange.fields import file_name, kept_of, seconds_of
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, Written
from arena.exchange.losses import by_agent, common_losses, replies_of, told
from arena.exchange.question_file import QUESTIONS
from arena.exchange.questions import id_of, reference_of

Lines = list[dict[str, Any]]
Pair = list[ImportedVerdict]


def write(records: Import, suite: Suite, path: Path) -> Written:
    """Write a folder that MT-bench's own tools read.

    Raises UsageError for a file that is there already.
    """
    lost = common_losses(records, sheets=True, replicates=True, strength=False)
    ours = records.format == FORMAT
    ids = {s.scenario: _number(id_of(s)) for s in suite.scenarios}
    files: dict[Path, Lines] = {path / QUESTIONS: [_question(s) for s in suite.scenarios]}
    for agent, own in by_agent(records.transcripts).items():
        files[path / ANSWERS / f"{file_name(agent)}.jsonl"] = list(_answers(own, ids, ours=ours))
    sheets = 0
    for sheet in records.sheets:
        lines = _singles(sheet, ids, ours=ours)
        place = path / JUDGMENTS / f"{file_name(sheet.judge)}_single.jsonl"
        files.setdefault(place, []).extend(lines)
        sheets += bool(lines)
    lost["other_criteria"] = len(records.sheets) - sheets
    first = [v for v in records.verdicts if v.replicate == 1]
    lost["replicates"] += len(records.verdicts) - len(first)
    for pair in pairs(first):
        row = _pair(pair, ids, ours=ours)
        judge = str(row["judge"][0])
        place = path / JUDGMENTS / f"{file_name(judge)}_pair.jsonl"
        files.setdefault(place, []).append(row)
    save_lines(files)
    rows = {"transcript": len(records.transcripts), "sheet": sheets, "verdict": len(first)}
    return Written(files=tuple(files), rows=rows, lost=told(lost))


def _number(name: str) -> int | str:
    """An id as FastChat has it: a number where it is one, written as such."""
    return int(name) if name.isascii() and name.isdigit() and str(int(name)) == name else name


def _question(scenario: Scenario) -> dict[str, Any]:
    reference = reference_of(scenario)
    return {
        "question_id": _number(id_of(scenario)),
        "category": scenario.domain,
        "turns": list(scenario.turns),
        **({"reference": [reference]} if reference else {}),
    }


def _answers(
    own: Iterable[ImportedTranscript], ids: dict[str, int | str], *, ours: bool
) -> Iterable[dict[str, Any]]:
    """A line a scenario: its repetitions are the choices."""
    by_scenario: dict[str, list[ImportedTranscript]] = {}
    for one in own:
        by_scenario.setdefault(one.scenario, []).append(one)
    for scenario, several in by_scenario.items():
        first = several[0]
        yield {
            **(kept_of(first.raw) if ours else {}),
            "question_id": ids.get(scenario, scenario),
            "answer_id": f"{first.agent} {scenario}",
            "model_id": first.agent,
            "choices": [
                {"index": n, "turns": replies_of(one)}
                for n, one in enumerate(sorted(several, key=lambda one: one.replicate))
            ],
            "tstamp": seconds_of(first.at),
        }


def _singles(sheet: ImportedSheet, ids: dict[str, int | str], *, ours: bool) -> Lines:
    """A line a turn that has a number; as they stood where they came in."""
    stood = kept_of(sheet.raw).get("lines") if ours else None
    if isinstance(stood, list):
        return [line for line in stood if isinstance(line, dict)]
    numbers = {score.criterion: score.value for score in sheet.scores}
    return [
        {
            "question_id": ids.get(sheet.scenario, sheet.scenario),
            "model": sheet.agent,
            "judge": [sheet.judge, "arena"],
            "user_prompt": "",
            "judgment": sheet.summary,
            "score": numbers[criterion_of(turn)],
            "turn": turn,
            "tstamp": seconds_of(sheet.at),
        }
        for turn in range(1, len(numbers) + 1)
        if criterion_of(turn) in numbers
    ]


def _pair(pair: Pair, ids: dict[str, int | str], *, ours: bool) -> dict[str, Any]:
    one = pair[0]
    stood = kept_of(one.raw) if ours else {}
    sides = (one.first, one.second)
    if stood.get("model_1") == one.second:
        sides = sides[::-1]
    games = {verdict.first: verdict for verdict in pair}
    judge = stood.get("judge")
    row: dict[str, Any] = {
        "question_id": ids.get(one.scenario, one.scenario),
        **stood,
        "model_1": sides[0],
        "model_2": sides[1],
        "judge": judge if isinstance(judge, list) and judge else [one.judge, "arena"],
    }
    for n, first in enumerate(sides, start=1):
        # A pair of the same numbers has one verdict, which is both games.
        verdict = games.get(first) or (None if one.ordered else one)
        row[f"g{n}_winner"] = _winner(verdict, sides)
        row[f"g{n}_judgment"] = verdict.reason if verdict else ""
    return row


def _winner(verdict: ImportedVerdict | None, sides: tuple[str, str]) -> str:
    side: Shown | None = verdict.winner if verdict else None
    if verdict is None or side is None:
        return "error"
    if side == "tie":
        return "tie"
    won = verdict.first if side == "first" else verdict.second
    return "model_1" if won == sides[0] else "model_2"


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite, judge=how.judge)


FORM = Format(
    name=FORMAT,
    suite=SuitePart(usual="mt-bench", read=read_suite),
    results=ResultsPart(find=find_results, read=_results, write=write),
    votes=VOTES,
)
