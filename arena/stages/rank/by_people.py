"""A workspace's board by people's standard: their votes on a random part correct its judges.

An entry is a presentation, as people see one order: what the judges say of this order, all of them
averaged, and where people were asked, what they say of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

import numpy as np

from arena.domain.board import Board, Calibration
from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.verdict import POINT_OF_A, Presentation
from arena.domain.voting import CHANCE_OF_ORDER
from arena.maths.arrays import Floats, Ints
from arena.maths.prediction_powered import Labelled
from arena.stages.rank.calibration import Calibrated, correct
from arena.stages.rank.compared import Compared
from arena.stages.rank.folding import counted_verdicts
from arena.stages.rank.labels import Labels, Shown, gather_labels
from arena.stages.rank.table import Table
from arena.store.store import Store


def add_people(job: Job, store: Store, board: Board, table: Table, found: Compared) -> Board:
    """The board with its ratings by people's standard; as it is where nobody voted.

    Votes that nobody may generalise from correct nothing, and the board says why.
    """
    labels = gather_labels(job, store)
    if labels is None:
        return board
    calibrated = calibrate_votes(table, labels, _judged(found))
    return replace(
        board,
        agents=tuple(replace(s, calibrated=calibrated.ratings.get(s.agent)) for s in board.agents),
        calibration=calibrated.calibration,
        data_digest=digest([board.data_digest, labels.why, labels.votes]),
    )


def calibrate_votes(
    table: Table, labels: Labels, judged: Mapping[Shown, tuple[Presentation, float]]
) -> Calibrated:
    """Correct a board by votes; `judged`: each presentation with the judges' mean share of a."""
    shown = sorted(key for key in judged if key[:2] in labels.within)
    lost = sum(labels.counts[key] for key in labels.weights if key not in judged)
    left_out = {**labels.left_out, "unjudged": lost} if lost else labels.left_out
    told = Calibration(
        labelled=0,
        scenarios=0,
        probability=labels.probability,
        power=None,
        agreement=(),
        why=labels.why,
        people=labels.people,
        answered=labels.answered,
        left_out=left_out,
    )
    asked = [key for key in shown if key in labels.weights]
    if not asked:
        why = labels.why or "unjudged"
        return Calibrated(ratings={}, calibration=replace(told, why=why))
    data = _labelled(shown, labels, judged, table)
    return correct(table, data, told, judge=_whole(shown, data.judge))


def _judged(found: Compared) -> dict[Shown, tuple[Presentation, float]]:
    """What the judges together say of each presentation that the board rests on."""
    said: dict[Shown, list[float]] = defaultdict(list)
    about: dict[Shown, Presentation] = {}
    for shown, outcome in counted_verdicts(found.ranked, found.answers, found.folded):
        if shown.order is not None:
            key = (shown.a, shown.b, shown.order)
            said[key].append(POINT_OF_A[outcome])
            about[key] = shown
    return {key: (about[key], fmean(shares)) for key, shares in said.items()}


def _labelled(
    shown: Sequence[Shown],
    labels: Labels,
    judged: Mapping[Shown, tuple[Presentation, float]],
    table: Table,
) -> Labelled:
    place = {name: i for i, name in enumerate(table.material.agents)}
    about = [judged[key][0] for key in shown]
    scenarios = {name: i for i, name in enumerate(sorted({p.scenario for p in about}))}
    human = [labels.shares[key] if key in labels.weights else np.nan for key in shown]
    return Labelled(
        first=_ints(place[p.agent_a] for p in about),
        second=_ints(place[p.agent_b] for p in about),
        scenario=_ints(scenarios[p.scenario] for p in about),
        judge=np.array([judged[key][1] for key in shown], dtype=np.float64),
        human=np.array(human, dtype=np.float64),
        # Weights stand in its place.
        probability=CHANCE_OF_ORDER,
        agents=len(place),
        weight=np.array([labels.weights.get(key, 1.0) for key in shown], dtype=np.float64),
    )


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _whole(shown: Sequence[Shown], judge: Floats) -> Floats:
    """The judges' share of each presentation's comparison, over both orders."""
    both: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (a, b, _), share in zip(shown, judge.tolist(), strict=True):
        both[a, b].append(share)
    return np.array([fmean(both[a, b]) for a, b, _ in shown], dtype=np.float64)
