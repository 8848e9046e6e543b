"""How far the scores of rounds and of whole transcripts agree, criterion by criterion."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from arena.domain.board import ScopeAgreement
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL, Method
from arena.domain.scored import ScoredTranscript
from arena.maths.paired import paired_correlation, paired_difference

Pair = tuple[str, float, float]
"""Scenario, mean over the rounds, score for the whole."""


def make_scopes(scores: Sequence[ScoredTranscript], method: Method) -> tuple[ScopeAgreement, ...]:
    """Agreement per criterion over transcripts that one judge scored in both scopes.

    Nothing where only one scope is scored. Criteria are in the order in which they are met.
    Intervals come from whole scenarios drawn: transcripts of one scenario hang together.
    """
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for score in scores:
        for key, turn in score.turn_criteria.items():
            if key in score.criteria:
                pairs[key].append((score.scenario, turn, score.criteria[key]))
    return tuple(_agreement(key, found, method) for key, found in pairs.items())


def _agreement(criterion: str, pairs: Sequence[Pair], method: Method) -> ScopeAgreement:
    # In a fixed order, so that what was read first does not bear on which resample is which.
    ordered = sorted(pairs)
    place = {name: n for n, name in enumerate(sorted({name for name, _, _ in ordered}))}
    scenario = np.array([place[name] for name, _, _ in ordered], dtype=np.int64)
    turn = np.array([t for _, t, _ in ordered], dtype=np.float64)
    whole = np.array([w for _, _, w in ordered], dtype=np.float64)
    terms = {
        "seed": method.seed,
        "resamples": method.resamples,
        "at_least": MIN_SCENARIOS_FOR_INTERVAL,
    }
    apart = paired_difference(scenario, turn, whole, level=method.level, **terms)
    alike = paired_correlation(scenario, turn, whole, level=method.level, **terms)
    return ScopeAgreement(
        criterion=criterion,
        transcripts=len(pairs),
        scenarios=len(place),
        turn=float(turn.mean()),
        transcript=float(whole.mean()),
        difference=float((turn - whole).mean()),
        difference_low=apart.low,
        difference_high=apart.high,
        spearman=alike.value,
        spearman_low=alike.low,
        spearman_high=alike.high,
    )
