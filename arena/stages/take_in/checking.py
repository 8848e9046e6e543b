"""Whether an imported answer counts: sheets against their rubric, verdicts as they stand."""

import math

from arena.domain.call import Status
from arena.domain.imported import ImportedSheet, ImportedVerdict, Shown
from arena.domain.score import Score, Sheet, SheetSpec
from arena.domain.suite import Rubric, Scenario
from arena.domain.verdict import CriterionVerdict, Outcome, Presentation, Verdict

MISSING_CRITERIA = "missing_criteria"
OUT_OF_SCALE = "out_of_scale"
"""Flags of sheets that come in without counting."""


def check_sheet(
    record: ImportedSheet, spec: SheetSpec, rubric: Rubric, scenario: Scenario
) -> Sheet:
    """A sheet of ours; `unparsed` where a counted score is missing or any is out of its scale.

    Scores of criteria that the rubric does not have are dropped and flagged.
    """
    criteria = {c.criterion: c for c in rubric.criteria_for(scenario)}
    given = {s.criterion: s for s in record.scores}
    known = [given[key] for key in criteria if key in given]
    flags = list(record.flags)
    if strange := len(given.keys() - criteria.keys()):
        flags.append(f"unknown_criteria:{strange}")
    status = record.status
    if status is Status.OK and any(c.counts and k not in given for k, c in criteria.items()):
        status = Status.UNPARSED
        flags.append(MISSING_CRITERIA)
    if status is Status.OK and not all(
        _within(score, rubric.scale_of(criteria[score.criterion])) for score in known
    ):
        status = Status.UNPARSED
        flags.append(OUT_OF_SCALE)
    return Sheet(
        spec=spec,
        attempt=1,
        status=status,
        scores=tuple(known) if status is Status.OK else (),
        summary=record.summary,
        strengths=(),
        issues=(),
        flags=tuple(flags),
        call="",
        at=record.at,
    )


def _within(score: Score, scale: tuple[float, float]) -> bool:
    return math.isfinite(score.value) and scale[0] <= score.value <= scale[1]


def check_verdict(
    record: ImportedVerdict, shown: Presentation, asked: frozenset[str], *, turned: bool
) -> Verdict:
    """A verdict of ours; `asked`: the criteria that the rubric compares, others are dropped.

    `turned`: who was shown first is `b`. Without a winner it is `unparsed`, never a tie.
    """
    status, winner = record.status, record.winner
    if status is Status.OK and winner is None:
        status = Status.UNPARSED
    return Verdict(
        presentation=shown,
        attempt=1,
        status=status,
        outcome=None if winner is None else _outcome(winner, turned),
        margin=record.margin if status is Status.OK and winner != "tie" else None,
        reason=record.reason,
        criteria=tuple(
            CriterionVerdict(
                criterion=c.criterion, side=_outcome(c.side, turned), strength=c.strength
            )
            for c in record.criteria
            if c.criterion in asked
        ),
        flags=record.flags,
        codes=("", ""),
        call="",
        at=record.at,
    )


def _outcome(side: Shown, turned: bool) -> Outcome:
    if side == "tie":
        return Outcome.TIE
    return Outcome.A if (side == "first") != turned else Outcome.B
