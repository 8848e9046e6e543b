"""Scores of a transcript over its sheets: one for the whole, or one a round."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from arena.domain.call import Status
from arena.domain.score import Sheet, absolute
from arena.domain.suite import Rubric, Scenario

LAST, MEAN, TREND = "last", "mean", "trend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one judge's sheets say of one transcript; what is missing is None or not there.

    `absolute` (0–100) is of the sheet for the whole where there is one, else the mean over the
    rounds; `criteria` likewise. `rounds`: `last` (of the last round), `mean`, and `trend`, the
    slope of the absolute score in points a round. `by_round`: absolute score by round.
    """

    absolute: float | None = None
    criteria: Mapping[str, float] = field(default_factory=dict)
    rounds: Mapping[str, float] = field(default_factory=dict)
    by_round: Mapping[int, float] = field(default_factory=dict)


def sheet_absolute(sheet: Sheet | None, rubric: Rubric, scenario: Scenario) -> float | None:
    """Absolute score of one sheet, over the criteria that could be judged; None where none is."""
    values = sheet_values(sheet)
    left = sheet.backing.unjudged if sheet else ()
    judged = [c for c in rubric.criteria_for(scenario) if c.criterion not in left]
    if not values or not any(c.counts for c in judged):
        return None
    if any(c.counts and c.criterion not in values for c in judged):
        return None
    return absolute(judged, rubric, values)


def sheet_values(sheet: Sheet | None) -> dict[str, float]:
    """Scores of a sheet by criterion; nothing where it could not be read."""
    if sheet is None or sheet.status is not Status.OK:
        return {}
    return {s.criterion: s.value for s in sheet.scores}


def measure(
    sheets: Iterable[Sheet], rubric: Rubric, scenario: Scenario, *, rounds: int
) -> Measured:
    """What the sheets of one judge for one transcript of `rounds` rounds say together."""
    whole, turns = None, {}
    for sheet in sheets:
        if sheet.spec.scope == "turn":
            turns[sheet.spec.round] = sheet
        else:
            whole = sheet
    scored = {n: sheet_absolute(turns[n], rubric, scenario) for n in sorted(turns)}
    by_round = {n: value for n, value in scored.items() if value is not None}
    said = _over_rounds(by_round, rounds)
    if "transcript" in rubric.scopes:
        return Measured(
            absolute=sheet_absolute(whole, rubric, scenario),
            criteria=sheet_values(whole),
            rounds=said,
            by_round=by_round,
        )
    return Measured(
        absolute=said.get(MEAN),
        criteria=_means([sheet_values(s) for s in turns.values()]),
        rounds=said,
        by_round=by_round,
    )


def slope(values: Mapping[int, float]) -> float | None:
    """Least-squares slope of values over their round; None for fewer than two rounds."""
    if len(values) < 2:
        return None
    middle, level = fmean(values), fmean(values.values())
    spread = sum((n - middle) ** 2 for n in values)
    return sum((n - middle) * (v - level) for n, v in values.items()) / spread


def _over_rounds(by_round: Mapping[int, float], rounds: int) -> dict[str, float]:
    if not by_round:
        return {}
    said = {MEAN: fmean(by_round.values())}
    if rounds in by_round:
        said[LAST] = by_round[rounds]
    if (trend := slope(by_round)) is not None:
        said[TREND] = trend
    return said


def _means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    keys = dict.fromkeys(key for row in rows for key in row)
    return {key: fmean(row[key] for row in rows if key in row) for key in keys}
