"""Which presentations people are asked about: names become indices, and the sample a plan."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.domain.digest import digest
from arena.domain.job import Job
from arena.domain.transcript import TranscriptSpec
from arena.domain.verdict import POINT_OF_A, Presentation, Verdict
from arena.domain.voting import Draw, Frame, Pair, VotePlan
from arena.errors import UsageError
from arena.judging.plans import presentations_of
from arena.judging.voting import comparisons_of
from arena.store.store import Store

if TYPE_CHECKING:
    from arena.maths.arrays import Ints

SIZE = 100
"""Presentations of a plan, where nobody says how many."""
SHARE = 0.7
"""The part of them that is drawn at random."""
Compared = tuple[TranscriptSpec, TranscriptSpec]


def plan_in_force(job: Job, store: Store) -> VotePlan | None:
    """The plan that people answer now; None where none was drawn yet."""
    return next(iter(store.voting.plans(job.suite.suite, job.mode)), None)


def draw_plan(
    job: Job, store: Store, *, size: int = SIZE, share: float = SHARE, whole: bool = False
) -> tuple[VotePlan, tuple[Pair, ...]]:
    """Draw presentations from what can be compared, and say from what; nothing is kept.

    The frame is what a judge has compared, so that every answer can correct one; before any judge
    has, or where the `whole` is asked for, it is every pair of transcripts of one scenario.
    Strata: pair, domain, and how far judges differ. Raises UsageError where nothing can be
    compared.
    """
    import numpy as np  # imported here: few commands draw a sample

    from arena.maths.vote_sample import draw_sample

    frame, made_from, dispute = _frame(job, store, whole)
    if not frame:
        raise UsageError(
            "nothing can be voted on in {suite}: no scenario has transcripts of two agents",
            fix="Run arena collect first.",
            suite=job.suite.suite,
        )
    found = draw_sample(
        _codes([(a.agent, b.agent) for a, b in frame]),
        _codes([job.scenario(a.scenario).domain for a, _ in frame]),
        np.array([dispute.get((a.key, b.key), math.nan) for a, b in frame]),
        size=size,
        share=share,
        seed=job.seed,
    )
    draws = [
        _draw(frame[place], first, chance)
        for place, first, chance in zip(
            found.chosen.tolist(), found.first_ab.tolist(), found.probability.tolist(), strict=True
        )
    ]
    pairs = tuple((a.key, b.key) for a, b in frame)
    plan = VotePlan(
        suite=job.suite.suite,
        mode=job.mode,
        seed=job.seed,
        share=share,
        frame=len(frame),
        frame_digest=digest([list(pair) for pair in pairs]),
        made_from=made_from,
        draws=tuple(draws),
    )
    return plan, pairs


def _frame(
    job: Job, store: Store, whole: bool
) -> tuple[list[Compared], Frame, Mapping[tuple[str, str], float]]:
    """Every comparison to draw from in a fixed order, what they are, and how far judges differ."""
    there = {t.key for t in store.transcripts.all(job.all_transcripts())}
    met = [(a, b) for a, b in comparisons_of(job) if {a.key, b.key} <= there]
    points: dict[tuple[str, str], list[float]] = defaultdict(list)
    for shown, verdict in _readable(job, store):
        if verdict.outcome is not None:
            points[shown.a, shown.b].append(POINT_OF_A[verdict.outcome])
    dispute = {pair: max(said) - min(said) for pair, said in points.items()}
    judged = [(a, b) for a, b in met if (a.key, b.key) in dispute]
    return (judged, "judged", dispute) if judged and not whole else (met, "all", dispute)


def _readable(job: Job, store: Store) -> Iterator[tuple[Presentation, Verdict]]:
    """The verdicts of a job's judges that could be read."""
    planned = presentations_of(job)
    for verdict in store.verdicts.all((*planned.items, *planned.reserve)):
        if verdict.status == "ok" and verdict.outcome is not None:
            yield verdict.presentation, verdict


def _draw(compared: Compared, first_ab: bool, chance: float) -> Draw:
    a, b = compared
    random = not math.isnan(chance)
    return Draw(
        a=a.key,
        b=b.key,
        agent_a=a.agent,
        agent_b=b.agent,
        scenario=a.scenario,
        replicate=a.replicate,
        order="ab" if first_ab else "ba",
        why="random" if random else "disputed",
        probability=chance if random else None,
    )


def _codes(names: Sequence[object]) -> "Ints":
    import numpy as np

    known = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([known[name] for name in names], dtype=np.int64)
