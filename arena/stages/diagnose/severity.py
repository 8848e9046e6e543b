"""How severely a judge scores beside the others, on the transcripts that they scored too."""

from collections.abc import Iterator

import numpy as np

from arena.domain.diagnosis import Figure, is_person
from arena.maths.row_means import row_mean
from arena.stages.diagnose.evidence import Evidence
from arena.stages.diagnose.figures import Options, of_mean, unknown


def severity_figures(evidence: Evidence, judge: int, options: Options) -> Iterator[Figure]:
    """Mean of own score less the mean of the other judges', in all and by criterion.

    In points of 0–100 for the absolute score, on the criterion's own scale for a criterion.
    """
    marks = evidence.marks
    people = [j for j, name in enumerate(evidence.judges) if is_person(name)]
    counted = ~np.isin(marks.judge, people)
    own_all, others_all = marks.judge == judge, counted & (marks.judge != judge)
    if not own_all.any():
        yield unknown("severity", "no_scores", options, unit="points")
        return
    size = int(marks.unit.max(initial=-1)) + 1
    for code in np.unique(marks.criterion[own_all]):
        here = marks.criterion == code
        own, others = own_all & here, others_all & here
        counts = np.bincount(marks.unit[others], minlength=size)
        mean = np.bincount(marks.unit[others], marks.value[others], size) / np.maximum(counts, 1)
        shared = own & (counts[marks.unit] > 0)
        apart = marks.value[shared] - mean[marks.unit[shared]]
        whole = code < 0
        yield of_mean(
            "severity",
            row_mean(apart, marks.scenario[shared], neutral=0.0, share=False, level=options.level),
            options,
            of="" if whole else evidence.criteria[code],
            unit="points" if whole else "scale",
            neutral=0.0,
            why="not_shared" if others.any() else "single_judge",
        )
