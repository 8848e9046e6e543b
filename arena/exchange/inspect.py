"""Inspect's logs: samples with their scores; the way out, and the format itself.

Fields as its package inspect-ai 0.3 writes them. In: .json and .eval, one log or a folder of them.
Out: a folder of .json logs, one for each agent, without the events of a run.
"""

import json
from pathlib import Path
from typing import Any

from arena.domain.imported import Import, ImportedSheet, ImportedTranscript
from arena.domain.suite import Suite
from arena.exchange.dialogue import write_dialogue
from arena.exchange.fields import file_name, kept_of
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, Written
from arena.exchange.inspect_files import find_results
from arena.exchange.inspect_read import FORMAT, read_results, read_suite
from arena.exchange.losses import by_agent, common_losses, replies_of, told, turns_of
from arena.exchange.new_file import save_new
from arena.exchange.questions import id_of, reference_of
from arena.exchange.samples import metric_of

VERSION = 2
CREATED = "1970-01-01T00:00:00+00:00"
"""When a log was made, where nobody wrote it down."""


def write(records: Import, suite: Suite, path: Path) -> Written:
    """Write a folder of logs; raises UsageError for a file that is there already."""
    lost = common_losses(records, sheets=True, replicates=True)
    lost["system"] = lost["criteria"] = 0
    lost["verdicts"] = len(records.verdicts)
    sheets = {(s.agent, s.scenario, s.replicate): s for s in reversed(list(records.sheets))}
    lost["sheets"] = len(records.sheets) - len(sheets)
    files = []
    for agent, own in by_agent(records.transcripts).items():
        place = path / f"{file_name(agent)}.json"
        log = _log(agent, own, sheets, suite, ours=records.format == FORMAT)
        save_new(place, json.dumps(log, ensure_ascii=False, indent=1).encode())
        files.append(place)
    rows = {"transcript": len(records.transcripts), "sheet": len(sheets)}
    return Written(files=tuple(files), rows=rows, lost=told(lost))


def _log(
    agent: str,
    own: list[ImportedTranscript],
    sheets: dict[tuple[str, str, int], ImportedSheet],
    suite: Suite,
    *,
    ours: bool,
) -> dict[str, Any]:
    about = {s.scenario: (id_of(s), reference_of(s), s.archetype) for s in suite.scenarios}
    kinds = {a.archetype: a.name.en for a in suite.archetypes}
    tasks = {kinds.get(about[one.scenario][2], suite.suite) for one in own}
    metrics = metric_of(suite)
    samples = []
    for one in own:
        name, reference, _ = about[one.scenario]
        sheet = sheets.get((one.agent, one.scenario, one.replicate))
        stood = kept_of(one.raw) if ours else {}
        samples.append(_sample(one, sheet, {"id": name, **stood}, reference, metrics, ours=ours))
    created = min((one.at for one in own if one.at), default="")
    return {
        "version": VERSION,
        "status": "success",
        "eval": {
            "created": f"{created[:19].rstrip('Z')}+00:00" if len(created) >= 19 else CREATED,
            "task": tasks.pop() if len(tasks) == 1 else suite.suite,
            "dataset": {"name": suite.suite, "samples": len({one.scenario for one in own})},
            "model": agent,
            "config": {"epochs": max(one.replicate for one in own)},
        },
        "samples": samples,
    }


def _sample(
    one: ImportedTranscript,
    sheet: ImportedSheet | None,
    stood: dict[str, Any],
    reference: str,
    metrics: dict[str, str],
    *,
    ours: bool,
) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    if sheet is not None:
        came = kept_of(sheet.raw).get("scores") if ours else None
        scores = came if isinstance(came, dict) else _scores(sheet, metrics)
    return {
        **stood,
        "epoch": one.replicate,
        "input": turns_of(one)[0],
        "target": reference,
        "messages": write_dialogue(one.messages),
        "output": {"model": one.agent, "choices": [], "completion": replies_of(one)[-1]},
        "scores": scores,
    }


def _scores(sheet: ImportedSheet, metrics: dict[str, str]) -> dict[str, Any]:
    found = {metrics.get(s.criterion, s.criterion): s.value for s in sheet.scores}
    return {
        name: {"value": value, "explanation": sheet.summary, "metadata": {"judge": sheet.judge}}
        for name, value in found.items()
    }


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite, judge=how.judge)


FORM = Format(
    name=FORMAT,
    suite=SuitePart(usual="inspect", read=read_suite),
    results=ResultsPart(find=find_results, read=_results, write=write),
)
