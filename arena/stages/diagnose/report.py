"""Evidence -> diagnosis: pure assembly, which reads nothing and writes nothing."""

from collections.abc import Iterator, Mapping

from arena.domain.diagnosis import SCHEMA, Diagnosis, Figure, JudgeDiagnosis, is_person
from arena.stages.diagnose.agreement import agreement_figures, panel_figures
from arena.stages.diagnose.covariates import make_covariates
from arena.stages.diagnose.decoys import decoy_figures
from arena.stages.diagnose.effects import effect_figures
from arena.stages.diagnose.evidence import Comparisons, Evidence
from arena.stages.diagnose.family import family_figures
from arena.stages.diagnose.figures import Options, settle
from arena.stages.diagnose.people import among_people, people_figures
from arena.stages.diagnose.severity import severity_figures
from arena.stages.diagnose.shares import share_figures


def make_diagnosis(
    evidence: Evidence,
    options: Options,
    *,
    software: str,
    suite: str | None = None,
    suite_version: str | None = None,
    mode: str | None = None,
    domains: tuple[str, ...] = (),
    board: str | None = None,
    at: str | None = None,
    notes: tuple[str, ...] = (),
) -> Diagnosis:
    """The diagnosis of every judge of the evidence, people last."""
    whole, evidence = evidence, evidence.without_decoys()
    folded = evidence.folded(evidence.verdicts)
    sides = {name: evidence.folded(rows) for name, rows in evidence.sides.items()}
    met = whole.folded(whole.verdicts)
    order = sorted(range(len(evidence.judges)), key=lambda j: is_person(evidence.judges[j]))
    judges = tuple(
        JudgeDiagnosis(
            judge=evidence.judges[j],
            statuses=_statuses(evidence, j),
            figures=settle(
                (
                    *_figures(evidence, folded, j, options),
                    *decoy_figures(whole, met, j, options),
                    *agreement_figures(evidence, folded, j, options),
                    *people_figures(evidence, sides, j, options),
                ),
                options,
            ),
        )
        for j in order
    )
    return Diagnosis(
        schema=SCHEMA,
        suite=suite,
        suite_version=suite_version,
        mode=mode,
        domains=domains,
        board=board,
        judges=judges,
        panel=settle(
            (
                *panel_figures(evidence, folded, options),
                *among_people(evidence, folded, sides, options),
            ),
            options,
        ),
        notes=(*notes, *_notes(evidence)),
        level=options.level,
        resamples=options.resamples,
        seed=options.seed,
        software=software,
        at=at,
    )


def _figures(
    evidence: Evidence, folded: Comparisons, judge: int, options: Options
) -> Iterator[Figure]:
    found = make_covariates(evidence, judge)
    yield from share_figures(evidence, folded, judge, options)
    yield from effect_figures(evidence, judge, found, options)
    yield from family_figures(evidence, folded, judge, found, options)
    yield from severity_figures(evidence, judge, options)


def _statuses(evidence: Evidence, judge: int) -> Mapping[str, Mapping[str, int]]:
    if evidence.tries:
        return {kind: tries.counts(judge) for kind, tries in evidence.tries.items()}
    counted = evidence.counted.get(evidence.judges[judge])
    return {"verdict": counted} if counted else {}


def _notes(evidence: Evidence) -> Iterator[str]:
    people = evidence.people
    for note, column in (
        ("single_judge", evidence.verdicts.judge),
        ("single_scorer", evidence.marks.judge),
    ):
        if len(set(column.tolist()) - people) == 1:
            yield note
    if evidence.verdicts.scenario is None and len(evidence.verdicts):
        yield "rows_drawn"
    if people and evidence.picked:
        yield "people_picked"
    if people and not evidence.by_chance:
        yield "people_no_chance"
