"""How far judges and people, and people among each other, agree on each criterion."""

from collections.abc import Iterator, Mapping

import numpy as np

from arena.domain.diagnosis import AMONG_PEOPLE, BY_CRITERION, Figure
from arena.maths import agreement
from arena.maths.arrays import Bools
from arena.stages.diagnose.agreement import (
    NO_SCENARIO,
    agree,
    codes,
    figure_of,
    picked_among,
    places,
)
from arena.stages.diagnose.evidence import Comparisons, Evidence
from arena.stages.diagnose.figures import Options, unknown


def people_figures(
    evidence: Evidence, sides: Mapping[str, Comparisons], judge: int, options: Options
) -> Iterator[Figure]:
    """Agreement of one judge with people, by criterion: of a person, with the other people.

    Who was better, or a tie, over the comparisons of which both said it; people's answers on one
    comparison are averaged. Nothing where no people answered by criteria.
    """
    for name, folded in sides.items():
        people = _people(evidence, folded, but=judge)
        mine = folded.of(judge)
        if not people.any() or not mine.any():
            continue
        own, theirs = codes(folded, mine), codes(folded, people)
        picked = picked_among(evidence, own, theirs)
        where = places(folded)
        yield from agree(BY_CRITERION, name, own, theirs, where, options, picked=picked)


def among_people(
    evidence: Evidence, folded: Comparisons, sides: Mapping[str, Comparisons], options: Options
) -> Iterator[Figure]:
    """Krippendorff's α of all people: of who won, and by criterion. Nothing under two people."""
    for name, rows in {"": folded, **sides}.items():
        masks = [mask for j in sorted(evidence.people) if (mask := rows.of(j)).any()]
        if len(masks) < 2:
            continue
        if rows.scenario is None:
            yield unknown(AMONG_PEOPLE, NO_SCENARIO, options, of=name, unit="coefficient")
            continue
        found = agreement.krippendorff_alpha(
            np.stack([codes(rows, mask) for mask in masks]),
            places(rows),
            scale="nominal",
            seed=options.seed,
            resamples=options.resamples,
        )
        yield figure_of(AMONG_PEOPLE, name, found, options)


def _people(evidence: Evidence, folded: Comparisons, *, but: int) -> Bools:
    """What people said, one of them left out."""
    masks = [folded.of(j) for j in evidence.people if j != but]
    return np.logical_or.reduce(masks) if masks else np.zeros(len(folded.judge), dtype=np.bool_)
