"""Sheets of a job → scored transcripts: over rounds, and over the replicates of a judge."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean

from arena.domain.job import Job
from arena.domain.rounds import Measured, measure
from arena.domain.score import Sheet, SheetSpec
from arena.domain.scored import ScoredTranscript

Place = tuple[str, str]
"""A transcript's key and a judge."""


def measure_sheets(
    job: Job, specs: Sequence[SheetSpec], answered: Mapping[str, Sheet]
) -> dict[Place, list[Measured]]:
    """What each replicate of a judge says of a transcript, for every planned place.

    Absolute scores of one board come from the main rubric; other rubrics are not mixed in.
    """
    planned: dict[Place, dict[int, SheetSpec]] = defaultdict(dict)
    for spec in specs:
        planned[spec.transcript, spec.judge].setdefault(spec.judge_replicate, spec)
    sheets: dict[tuple[str, str, int], list[Sheet]] = defaultdict(list)
    for sheet in answered.values():
        spec = sheet.spec
        sheets[spec.transcript, spec.judge, spec.judge_replicate].append(sheet)
    transcripts = {t.key: t for t in job.all_transcripts()}
    found: dict[Place, list[Measured]] = {}
    for place, replicates in planned.items():
        scenario = job.scenario(next(iter(replicates.values())).scenario)
        if not job.suite.is_main(scenario):
            continue
        rubric, rounds = job.suite.rubric_of(scenario), transcripts[place[0]].rounds
        found[place] = [
            measure(sheets[*place, number], rubric, scenario, rounds=rounds)
            for number in replicates
        ]
    return found


def score_transcripts(
    job: Job,
    measured: Mapping[Place, Sequence[Measured]],
    *,
    names: Mapping[str, str],
) -> list[ScoredTranscript]:
    """Every transcript planned for a judge as scored; what could not be read has no number.

    Of a judge's replicates those that could be read are averaged. `names`: what judges are called
    where several model strings served them.
    """
    transcripts = {t.key: t for t in job.all_transcripts()}
    rows = []
    for place, own in measured.items():
        transcript = transcripts[place[0]]
        scenario = job.scenario(transcript.scenario)
        whole = "transcript" in job.suite.rubric_of(scenario).scopes
        rows.append(
            ScoredTranscript(
                agent=transcript.agent,
                scenario=transcript.scenario,
                domain=scenario.domain,
                replicate=transcript.replicate,
                judge=names.get(place[1], place[1]),
                absolute=_mean([m.absolute for m in own]),
                criteria=_means([m.criteria for m in own]),
                rounds=_means([m.rounds for m in own]),
                turn_criteria=_means([m.turn_criteria for m in own]) if whole else {},
            )
        )
    return rows


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = dict.fromkeys(key for row in rows for key in row)
    return {key: fmean(row[key] for row in rows if key in row) for key in keys}
