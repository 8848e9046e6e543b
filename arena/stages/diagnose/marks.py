"""Scores of a job as marks, and the numbers that names have in its evidence."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.domain.job import Job
from arena.domain.rounds import measure, sheet_values
from arena.domain.score import Sheet, SheetSpec
from arena.stages.diagnose.evidence import Marks
from arena.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """Numbers of agents, judges, scenarios and transcripts by name; of pairs as they are met."""

    agents: Mapping[str, int]
    judges: Mapping[str, int]
    scenarios: Mapping[str, int]
    transcripts: Mapping[str, int]
    units: dict[tuple[str, str], int]

    def unit(self, shown: tuple[str, str]) -> int:
        """The number of a pair of transcripts."""
        return self.units.setdefault(shown, len(self.units))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Marks, with the names of their criteria."""

    marks: Marks
    criteria: tuple[str, ...]


def gather_marks(job: Job, store: Store, specs: Sequence[SheetSpec], codes: Codes) -> Scored:
    """The readable scores of the suite's main rubric; other rubrics are not mixed in.

    A unit is a transcript for the whole, and each of its rounds where rounds are scored. What a
    judge scored again does not enter, nor do decoys.
    """
    sheets: dict[tuple[str, str], list[Sheet]] = defaultdict(list)
    decoys = {a.agent for a in job.decoys}
    wanted = [s for s in specs if s.agent not in decoys and s.judge_replicate == 1]
    for sheet in store.sheets.all(wanted):
        sheets[sheet.spec.transcript, sheet.spec.judge].append(sheet)
    rounds = {t.key: t.rounds for t in job.all_transcripts()}
    place = {name: i for i, name in enumerate(_criteria(job))}
    deepest = 1 + max(rounds.values(), default=0)
    rows: list[tuple[float, ...]] = []
    for (transcript, judge), found in sheets.items():
        scenario = job.scenario(found[0].spec.scenario)
        if not job.suite.is_main(scenario):
            continue
        who, number = codes.judges[judge], codes.transcripts[transcript]
        head = (who, codes.scenarios[scenario.scenario])
        rubric = job.suite.rubric_of(scenario)
        whole = measure(found, rubric, scenario, rounds=rounds[transcript]).absolute
        if whole is not None:
            rows.append((*head, number * deepest, number, -1, whole))
        for sheet in found:
            unit = number * deepest + sheet.spec.round
            rows += [
                (*head, unit, number, place[criterion], value)
                for criterion, value in sheet_values(sheet).items()
                if criterion in place
            ]
    return Scored(marks=_columns(rows), criteria=tuple(place))


def _criteria(job: Job) -> list[str]:
    """Criteria of the main rubric, in its order."""
    main = (s for s in job.suite.scenarios if job.suite.is_main(s))
    found = [c.criterion for s in main for c in job.suite.rubric_of(s).criteria]
    return list(dict.fromkeys(found))


def _columns(rows: Sequence[tuple[float, ...]]) -> Marks:
    table = np.array(sorted(rows), dtype=np.float64).reshape(-1, 6)
    whole = table[:, :5].astype(np.int64)
    return Marks(
        judge=whole[:, 0],
        scenario=whole[:, 1],
        unit=whole[:, 2],
        transcript=whole[:, 3],
        criterion=whole[:, 4],
        value=table[:, 5],
    )
