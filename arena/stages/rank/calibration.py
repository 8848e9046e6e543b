"""What people's verdicts on a random part of the comparisons add to a judge's board.

Judges and people are joined by scenario and pair; several verdicts of a side on one comparison
are averaged. The chance with which a comparison was given to people must be known: a part that
somebody picked corrects nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from arena.domain.board import Agreement, Calibration
from arena.domain.standing import Points
from arena.errors import UsageError
from arena.maths import agreement
from arena.maths.arrays import Floats, Ints
from arena.maths.bradley_terry import POINTS_PER_NAT
from arena.maths.prediction_powered import (
    FEWEST_LABELLED_SCENARIOS,
    Corrected,
    Labelled,
    prediction_powered,
)
from arena.stages.rank.table import Table, known
from arena.store.outcomes.columns import OutcomeColumns

SCENARIO = "scenario"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """Ratings by people's standard, by agent's name, and how they came about."""

    ratings: dict[str, Points]
    calibration: Calibration


def calibrate(
    table: Table, judged: OutcomeColumns, people: OutcomeColumns, probability: float
) -> Calibrated:
    """Correct a board by people's verdicts, each asked for with `probability`.

    Raises UsageError where comparisons have no scenario, or where people and judges share none.
    """
    agents = table.material.agents
    scenarios = _scenarios(judged, people)
    judge_keys, judge_shares = _shares(judged, agents, scenarios)
    people_keys, people_shares = _shares(people, agents, scenarios)
    place = np.searchsorted(judge_keys, people_keys)
    shared = place < len(judge_keys)
    shared[shared] = judge_keys[place[shared]] == people_keys[shared]
    if not shared.any():
        raise UsageError(
            "people and judges have no comparison in common",
            why="verdicts are joined by scenario and pair of agents",
            fix="Leave --humans out, or check that both name scenarios alike.",
        )
    human = np.full(len(judge_keys), np.nan)
    human[place[shared]] = people_shares[shared]
    pairs, scenario = len(agents) ** 2, judge_keys // len(agents) ** 2
    data = Labelled(
        first=judge_keys % pairs // len(agents),
        second=judge_keys % len(agents),
        scenario=scenario,
        judge=judge_shares,
        human=human,
        probability=np.full(len(human), probability),
        agents=len(agents),
    )
    return correct(
        table,
        data,
        Calibration(labelled=0, scenarios=0, probability=probability, power=None, agreement=()),
        judge=judge_shares,
    )


def correct(table: Table, data: Labelled, told: Calibration, *, judge: Floats) -> Calibrated:
    """The corrected ratings; `told`: what is known of the labels, to be filled in.

    `judge`: the judges' shares by which agreement is told, shape (M,).
    """
    reference = table.rating.ranked if table.rating.ranked.any() else table.rating.rated
    found = prediction_powered(data, reference=reference, level=table.method.level)
    return Calibrated(
        ratings=_ratings(found, table),
        calibration=replace(
            told,
            labelled=found.labelled,
            scenarios=found.labelled_scenarios,
            power=known(found.tuning),
            agreement=_agreement(judge, data.human, data.scenario, table),
            why=_why(found),
        ),
    )


def _why(found: Corrected) -> str | None:
    if not found.rated.any():
        return "nobody_rated"
    few = found.labelled_scenarios < FEWEST_LABELLED_SCENARIOS
    return "few_scenarios" if few else None


def _scenarios(*found: OutcomeColumns) -> dict[str, int]:
    """Number of every scenario; codes differ between two readings, names do not."""
    if any(SCENARIO not in columns.codes for columns in found):
        raise UsageError(
            "people's verdicts cannot be joined to judges': there is no scenario column",
            fix="Leave --humans out, or name the column: --columns scenario=NAME",
        )
    names = {name for columns in found for name in columns.codes[SCENARIO].names}
    return {name: i for i, name in enumerate(sorted(names))}


def _shares(
    found: OutcomeColumns, agents: tuple[str, ...], scenarios: dict[str, int]
) -> tuple[Ints, Floats]:
    """Key (scenario, first, second) of each comparison, sorted, and its mean share."""
    place = {name: i for i, name in enumerate(agents)}
    at = np.array([place.get(name, -1) for name in found.agents], dtype=np.int64)
    column, k = found.codes[SCENARIO], len(agents)
    number = np.array([scenarios[name] for name in column.names], dtype=np.int64)
    kept = (column.codes >= 0) & (at[found.first] >= 0) & (at[found.second] >= 0)
    key = (number[column.codes[kept]] * k + at[found.first[kept]]) * k + at[found.second[kept]]
    keys, which = np.unique(key, return_inverse=True)
    return keys, np.bincount(which, found.share[kept]) / np.bincount(which)


def _ratings(found: Corrected, table: Table) -> dict[str, Points]:
    ratings = {}
    for i, name in enumerate(table.material.agents):
        rating = table.points(found.strengths[i])
        if rating is not None:
            ratings[name] = Points(
                rating=rating,
                low=table.points(found.strengths[i] - found.margin[i]),
                high=table.points(found.strengths[i] + found.margin[i]),
                se=known(found.se[i] * POINTS_PER_NAT),
            )
    return ratings


def _agreement(judge: Floats, human: Floats, scenario: Ints, table: Table) -> tuple[Agreement, ...]:
    """Raw agreement, κ and α of who won, over the comparisons that people saw too."""
    seen = ~np.isnan(human)
    sides = [np.sign(side[seen] - 0.5) for side in (judge, human)]
    where, both = scenario[seen], np.stack(sides)
    seed, resamples = table.method.seed, table.method.resamples
    found = {
        "raw": agreement.raw_agreement(both[0], both[1], where, seed=seed, resamples=resamples),
        "kappa": agreement.cohen_kappa(both[0], both[1], where, seed=seed, resamples=resamples),
        "alpha": agreement.krippendorff_alpha(
            both, where, scale="nominal", seed=seed, resamples=resamples
        ),
    }
    return tuple(
        Agreement(measure=name, value=known(a.value), low=a.low, high=a.high, n=a.units)
        for name, a in found.items()
    )
