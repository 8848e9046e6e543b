"""EvalScope: predictions, reviews, arena battles and reports; the way out, and the format itself.

Fields as its package evalscope 1.14 writes them (battles from documentation). Out: reviews with
scores, and battles; reports are its own to make.
"""

from pathlib import Path
from typing import Any

from arena.domain.imported import (
    Import,
    ImportedSheet,
    ImportedTranscript,
    ImportedVerdict,
)
from arena.domain.suite import Suite
from arena.exchange.arena_hard_write import label, pairs, save_lines
from arena.exchange.dialogue import write_dialogue
from arena.exchange.evalscope_read import (
    ARENA,
    BATTLES,
    FORMAT,
    REVIEWS,
    SUCCESS,
    find_results,
    read_results,
    read_suite,
)
from arena.exchange.fields import file_name, kept_of
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, Written
from arena.exchange.losses import common_losses, first_replicates, told
from arena.exchange.questions import id_of, reference_of
from arena.exchange.samples import metric_of

Lines = list[dict[str, Any]]


def write(records: Import, suite: Suite, path: Path) -> Written:
    """Write a folder of reviews that EvalScope's own tools read.

    Raises UsageError for a file that is there already.
    """
    lost = common_losses(records, sheets=True, replicates=True)
    lost["system"] = 0
    places = {s.scenario: _place(id_of(s), suite.suite, n) for n, s in enumerate(suite.scenarios)}
    about = {s.scenario: reference_of(s) for s in suite.scenarios}
    metrics = metric_of(suite)
    ours = records.format == FORMAT
    sheets = {(s.agent, s.scenario, s.replicate): s for s in records.sheets}
    files: dict[Path, Lines] = {}
    for one in records.transcripts:
        stem, index = places[one.scenario]
        sheet = sheets.pop((one.agent, one.scenario, one.replicate), None)
        row = _review(one, sheet, index, about[one.scenario], metrics, ours=ours)
        place = path / REVIEWS / file_name(one.agent) / f"{file_name(stem)}.jsonl"
        files.setdefault(place, []).append(row)
    # One sheet a transcript has a place: those of further judges have none.
    lost["sheets"] = len(records.sheets) - sum(
        "sample_score" in row and row["sample_score"] is not None
        for rows in files.values()
        for row in rows
    )
    _, verdicts = first_replicates(records)
    lost["replicates"] = len(records.verdicts) - len(verdicts)
    written = _battles(verdicts, places, path, files)
    lost["no_order"] = len(verdicts) - written
    lost["judges"] = sum(v.judge != "unknown" for v in verdicts if v.ordered)
    save_lines(files)
    rows = {
        "transcript": len(records.transcripts),
        "sheet": len(records.sheets) - lost["sheets"],
        "verdict": written,
    }
    return Written(files=tuple(files), rows=rows, lost=told(lost))


def _place(name: str, suite: str, number: int) -> tuple[str, int]:
    """The file and the place in it of a sample: as its id says, or as it stands in the suite."""
    stem, dash, index = name.rpartition("-")
    if dash and index.isascii() and index.isdigit():
        return stem, int(index)
    return suite, number


def _review(
    one: ImportedTranscript,
    sheet: ImportedSheet | None,
    index: int,
    reference: str,
    metrics: dict[str, str],
    *,
    ours: bool,
) -> dict[str, Any]:
    stood = kept_of(one.raw) if ours else {}
    return {
        "target": [reference] if reference else None,
        **stood,
        "index": stood.get("index", index),
        "model": one.agent,
        "messages": write_dialogue(one.messages),
        "agent_trace": None,
        "sample_score": _score(sheet, index, one.replicate, metrics, ours=ours),
    }


def _score(
    sheet: ImportedSheet | None, index: int, replicate: int, metrics: dict[str, str], *, ours: bool
) -> dict[str, Any] | None:
    if sheet is None:
        return None
    if ours and (stood := kept_of(sheet.raw)):
        return stood
    values = {metrics.get(s.criterion, s.criterion): s.value for s in sheet.scores}
    return {
        "score": {
            "value": values,
            "status": SUCCESS if values else "parse_error",
            "explanation": sheet.summary,
            "metadata": {"judge": sheet.judge},
            "main_score_name": next(iter(values), None),
        },
        "sample_id": index,
        "group_id": index,
        "generation_index": replicate - 1,
        "sample_metadata": {},
    }


def _battles(
    verdicts: list[ImportedVerdict],
    places: dict[str, tuple[str, int]],
    path: Path,
    files: dict[Path, Lines],
) -> int:
    written = 0
    for pair in pairs(verdicts):
        one = pair[0]
        if not one.ordered:
            continue
        stem, index = places[one.scenario]
        names = f"{file_name(one.first)}&{file_name(one.second)}"
        place = path / REVIEWS / ARENA / f"{BATTLES}{file_name(stem)}@{names}.jsonl"
        games = [
            {"model_a": v.first, "model_b": v.second, "judgment": label(v.winner, v.margin)}
            for v in pair
        ]
        score = {"metadata": {"battle_result": {"games": games}}, "status": SUCCESS}
        row = {"index": index, "sample_score": {"score": score, "sample_id": index}}
        files.setdefault(place, []).append(row)
        written += len(pair)
    return written


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite, judge=how.judge)


FORM = Format(
    name=FORMAT,
    suite=SuitePart(usual=FORMAT, read=read_suite),
    results=ResultsPart(find=find_results, read=_results, write=write),
)
