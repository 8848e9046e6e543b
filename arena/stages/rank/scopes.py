"""How far the scores of rounds and of whole transcripts agree, criterion by criterion."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from arena.domain.board import ScopeAgreement
from arena.domain.scored import ScoredTranscript
from arena.maths.ranks import spearman


def make_scopes(scores: Sequence[ScoredTranscript]) -> tuple[ScopeAgreement, ...]:
    """Agreement per criterion over transcripts that one judge scored in both scopes.

    Nothing where only one scope is scored. Criteria are in the order in which they are met.
    """
    pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for score in scores:
        for key, turn in score.turn_criteria.items():
            if key in score.criteria:
                pairs[key].append((turn, score.criteria[key]))
    return tuple(_agreement(key, found) for key, found in pairs.items())


def _agreement(criterion: str, pairs: Sequence[tuple[float, float]]) -> ScopeAgreement:
    both = np.array(pairs, dtype=np.float64)
    turn, whole = both[:, 0], both[:, 1]
    return ScopeAgreement(
        criterion=criterion,
        transcripts=len(pairs),
        turn=float(turn.mean()),
        transcript=float(whole.mean()),
        difference=float((turn - whole).mean()),
        spearman=spearman(turn, whole),
    )
