"""The absolute scores that a plan reads: what the rubric says, and never what verdicts say."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.plan import Selection
from arena.domain.rounds import measure
from arena.domain.score import Sheet
from arena.judging.plans import sheets_of
from arena.store.store import Store

Scores = Mapping[tuple[str, str], float]
"""Absolute score by scenario and agent; a missing one has no entry, and is never 0."""


def read_scores(job: Job, store: Store) -> dict[tuple[str, str], float]:
    """Mean absolute score over judges and replicates, on the main rubric, of the whole suite."""
    whole = replace(job, selection=Selection())
    transcripts = {t.key: t for t in whole.all_transcripts()}
    planned = sheets_of(whole)
    specs = planned.seated(store.sheets.blocked(planned.contested))
    answered: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    for sheet in store.sheets.all(specs):
        answered[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (key, _), sheets in answered.items():
        spec, scenario = transcripts[key], job.scenario(transcripts[key].scenario)
        if not job.suite.is_main(scenario):
            continue
        found = measure(sheets, job.suite.rubric_of(scenario), scenario, rounds=spec.rounds)
        if found.absolute is not None:
            values[spec.scenario, spec.agent].append(found.absolute)
    return {where: fmean(sorted(of)) for where, of in values.items()}


def digest_scores(scores: Scores) -> str:
    """What identifies the scores that a plan has read."""
    return digest([[*where, value] for where, value in sorted(scores.items())])
