"""Absolute scores on rubrics other than the main one: beside a board, never mixed into it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from arena.domain.job import Job
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL, Method
from arena.domain.rounds import measure
from arena.domain.score import Sheet, SheetSpec
from arena.domain.standing import AbsoluteScore, Standing
from arena.maths.means import scenario_mean


def add_apart(
    job: Job,
    standings: Sequence[Standing],
    specs: Sequence[SheetSpec],
    answered: Mapping[str, Sheet],
    method: Method,
) -> tuple[Standing, ...]:
    """The standings with the mean absolute score of each agent on every other rubric.

    `specs`: the sheets that are planned; `answered`: those that were answered, by key.
    """
    values, span = _values(job, specs, answered)
    return tuple(
        replace(
            standing,
            apart={
                rubric: mean
                for rubric in span
                if (mean := _mean(values[standing.agent, rubric], len(span[rubric]), method))
            },
        )
        for standing in standings
    )


Values = Mapping[tuple[str, str], Sequence[tuple[int, float]]]


def _values(
    job: Job, specs: Sequence[SheetSpec], answered: Mapping[str, Sheet]
) -> tuple[Values, Mapping[str, set[str]]]:
    """By (agent, rubric): index of the scenario and score; and the scenarios of each rubric."""
    place = {s.scenario: n for n, s in enumerate(job.suite.scenarios)}
    rounds = {t.key: t.rounds for t in job.all_transcripts()}
    sheets: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    planned: dict[tuple[str, str], SheetSpec] = {}
    for spec in specs:
        planned.setdefault((spec.transcript, spec.judge), spec)
        if spec.key in answered:
            sheets[spec.transcript, spec.judge].append(answered[spec.key])
    values: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    span: dict[str, set[str]] = {}
    for where, spec in planned.items():
        scenario = job.scenario(spec.scenario)
        rubric = job.suite.rubric_of(scenario)
        if job.suite.is_main(scenario):
            continue
        span.setdefault(rubric.rubric, set()).add(spec.scenario)
        found = measure(sheets[where], rubric, scenario, rounds=rounds[spec.transcript])
        if found.absolute is not None:
            values[spec.agent, rubric.rubric].append((place[spec.scenario], found.absolute))
    return values, dict(sorted(span.items()))


def _mean(
    values: Sequence[tuple[int, float]], planned: int, method: Method
) -> AbsoluteScore | None:
    mean = scenario_mean(
        np.array([n for n, _ in values], dtype=np.int64),
        np.array([v for _, v in values], dtype=np.float64),
        seed=method.seed,
        resamples=method.resamples,
        at_least=MIN_SCENARIOS_FOR_INTERVAL,
        limits=(0.0, 100.0),
    )
    if mean is None:
        return None
    return AbsoluteScore(
        mean=mean.mean, low=mean.low, high=mean.high, scenarios=mean.scenarios, planned=planned
    )
