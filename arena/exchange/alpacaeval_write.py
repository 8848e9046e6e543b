"""AlpacaEval's files written: the way out beside the way in."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.domain.imported import Import, ImportedTranscript, ImportedVerdict
from arena.domain.suite import Suite
from arena.exchange.alpacaeval_files import (
    ANNOTATIONS,
    FORMAT,
    OUTPUTS,
    RESULTS,
)
from arena.exchange.fields import file_name, kept_of
from arena.exchange.format import Written
from arena.exchange.losses import (
    by_agent,
    common_losses,
    first_replicates,
    replies_of,
    told,
    turns_of,
)
from arena.exchange.new_file import save_new

SHARES = {"first": 1, "tie": 1.5, "second": 2}
Texts = Mapping[tuple[str, str], ImportedTranscript]


def write(records: Import, suite: Suite, path: Path) -> Written:
    """Write a folder: an outputs file for each agent, an annotations file for each pair and judge.

    Both orders of a pair become one annotation, their mean; where one of them is without an
    answer, so is the annotation. Raises UsageError for a file that is there already.
    """
    lost = common_losses(records, order=False, strength=False)
    transcripts, verdicts = first_replicates(records)
    single = [t for t in transcripts if len(turns_of(t)) == 1]
    lost["later_turns"] = len(transcripts) - len(single)
    turns = {s.scenario: s.turns[0] for s in suite.scenarios if len(s.turns) == 1}
    texts = {(t.agent, t.scenario): t for t in single}
    files: dict[Path, list[dict[str, Any]]] = {}
    for agent, own in by_agent(single).items():
        place = path / RESULTS / file_name(agent) / OUTPUTS
        files[place] = [_output(t, ours=records.format == FORMAT) for t in own]
    annotations = 0
    for pair in _pairs(verdicts):
        if pair[0].scenario not in turns:
            lost["later_turns"] += len(pair)
            continue
        row = _annotation(pair, texts, turns, ours=records.format == FORMAT)
        judge = file_name(pair[0].judge)
        place = path / RESULTS / file_name(str(row["generator_2"])) / judge / ANNOTATIONS
        files.setdefault(place, []).append(row)
        annotations += 1
    for place, rows in files.items():
        save_new(place, json.dumps(rows, ensure_ascii=False, indent=2).encode())
    return Written(
        files=tuple(files),
        rows={"transcript": len(single), "verdict": annotations},
        lost=told(lost),
    )


def _output(transcript: ImportedTranscript, *, ours: bool) -> dict[str, Any]:
    return {
        **(kept_of(transcript.raw) if ours else {}),
        "instruction": turns_of(transcript)[0],
        "output": replies_of(transcript)[0],
        "generator": transcript.agent,
    }


def _pairs(verdicts: Iterable[ImportedVerdict]) -> Iterable[list[ImportedVerdict]]:
    """The one or two verdicts of each pair, scenario and judge."""
    found: dict[tuple[str, ...], list[ImportedVerdict]] = {}
    for verdict in verdicts:
        sides = sorted((verdict.first, verdict.second))
        found.setdefault((*sides, verdict.scenario, verdict.judge), []).append(verdict)
    return found.values()


def _annotation(
    pair: list[ImportedVerdict], texts: Texts, turns: Mapping[str, str], *, ours: bool
) -> dict[str, Any]:
    one = pair[0]
    stood = kept_of(one.raw) if ours else {}
    row: dict[str, Any] = {
        **stood,
        "instruction": turns[one.scenario],
        "generator_1": one.first,
        "generator_2": one.second,
        "annotator": one.judge,
        "preference": stood["preference"] if "preference" in stood else _preference(pair),
    }
    for n, agent in enumerate((one.first, one.second), start=1):
        if transcript := texts.get((agent, one.scenario)):
            row[f"output_{n}"] = replies_of(transcript)[0]
    return row


def _preference(pair: list[ImportedVerdict]) -> float | None:
    second = pair[0].second
    values = []
    for one in pair:
        if one.winner is None:
            return None
        value = SHARES[one.winner]
        values.append(value if one.second == second else 3 - value)
    return sum(values) / len(values)
