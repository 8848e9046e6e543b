"""What people said of a job's comparisons, and what each of their answers stands for.

Each plan of what people are asked draws comparisons with a known chance π from what there was to
compare, and a coin chooses the order; people answer a part of that, each in an order of their own.
So a presentation is answered with chance π/2 times the answered part of what was drawn, and an
answer stands for 1 over that. Where several plans could have drawn it, each counts with a share
that was fixed by how much of it was asked and answered, never by what was said.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from arena.domain.job import Job
from arena.domain.verdict import POINT_OF_A, Order
from arena.domain.voting import CHANCE_OF_ORDER, HumanVote, Pair, VotePlan
from arena.store.store import Store

Shown = tuple[str, str, Order]
"""A presentation: transcripts a and b, and which was shown first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The answers of people to what a board is made of.

    `shares`: what a earned of each presentation, mean over people: who differ are each right by
    their own standard. `counts`: how many answers these are. `weights`: what those stand for that
    may correct a judge. `within`: the comparisons that had a chance of being drawn. `probability`
    of being drawn, and the part `answered` of what was; None where nothing corrects. `left_out`:
    answers that correct nothing, by reason. `why`: the reason where none does. `votes`: all that
    was said, as plain rows.
    """

    shares: Mapping[Shown, float] = field(default_factory=dict)
    weights: Mapping[Shown, float] = field(default_factory=dict)
    counts: Mapping[Shown, int] = field(default_factory=dict)
    within: frozenset[Pair] = frozenset()
    probability: float | None = None
    answered: float | None = None
    people: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    why: str | None = None
    votes: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One plan that was answered: its frame, and the chance of each presentation that was drawn.

    `chances`: of being drawn in this order and answered, of those that were both. `size`: drawn at
    random, `asked`: the mean chance π of these, `answered`: the part of them with an answer.
    """

    frame: frozenset[Pair]
    chances: Mapping[Shown, float]
    size: int
    asked: float
    answered: float

    @property
    def extent(self) -> float:
        """How much of its frame was drawn and answered."""
        return self.asked * self.answered


def gather_labels(job: Job, store: Store) -> Labels | None:
    """What people said of a job's transcripts; None where nobody said anything."""
    there = {t.key for t in job.all_transcripts()}
    votes = [] if job.held else store.voting.all(job.suite.suite, job.mode)
    own = [v for v in votes if {v.a, v.b} <= there]
    if not own:
        said = store.people.verdicts([t.key for t in job.all_transcripts()])
        return Labels(people=len({s.judge for s in said}), why="no_chance") if said else None
    plans = store.voting.plans(job.suite.suite, job.mode)[::-1]
    drawn, lost = _drawn(plans, votes, store)
    weights = weigh(drawn)
    said_of: dict[Shown, list[float]] = defaultdict(list)
    for vote in own:
        if vote.outcome is not None:
            said_of[shown_in(vote)].append(POINT_OF_A[vote.outcome])
    left_out = _left_out(own, weights, lost)
    corrects = {shown: weights[shown] for shown in said_of if shown in weights}
    size = sum(plan.size for plan in drawn)
    return Labels(
        shares={shown: fmean(shares) for shown, shares in said_of.items()},
        weights=corrects,
        counts={shown: len(shares) for shown, shares in said_of.items()},
        within=frozenset().union(*(plan.frame for plan in drawn)),
        probability=sum(p.asked * p.size for p in drawn) / size if size else None,
        answered=sum(p.answered * p.size for p in drawn) / size if size else None,
        people=len({v.person for v in own if v.outcome is not None}),
        left_out=left_out,
        why=None if corrects else _why(left_out),
        votes=tuple(sorted(_row(v) for v in own)),
    )


def weigh(plans: Iterable[Drawn]) -> dict[Shown, float]:
    """What an answer to each presentation stands for: over the drawings 1 on average."""
    listed = list(plans)
    found: dict[Shown, float] = defaultdict(float)
    for plan in listed:
        for shown, chance in plan.chances.items():
            could = sum(p.extent for p in listed if shown[:2] in p.frame)
            found[shown] += plan.extent / could / chance
    return dict(found)


def answered_part(
    plan: VotePlan, votes: Sequence[HumanVote], earlier: frozenset[Shown]
) -> tuple[dict[Shown, float], float]:
    """The chances of the answered presentations of a plan's random part, and the part answered.

    `votes`: all that were cast under it. What was answered under an `earlier` plan is not asked
    again of the same person, and so needs no luck to have an answer; of the rest, whoever stops
    leaves a random part, because each person meets the plan in a random order.
    """
    random = {(d.a, d.b, d.order): d.probability for d in plan.draws if d.probability is not None}
    said = {shown_in(v) for v in votes if v.plan == plan.key and v.outcome is not None}
    fresh = random.keys() - earlier
    luck = len(fresh & said) / len(fresh) if fresh else 1.0
    if not random or not luck:
        return {}, 0.0
    chances = {
        shown: CHANCE_OF_ORDER * chance * (1.0 if shown in earlier else luck)
        for shown, chance in random.items()
        if shown in earlier or shown in said
    }
    return chances, len(chances) / len(random)


def _drawn(
    plans: Sequence[VotePlan], votes: Sequence[HumanVote], store: Store
) -> tuple[list[Drawn], set[str]]:
    """The plans that may correct, oldest first; and the keys of those whose frame is lost."""
    found, lost = [], set()
    earlier: frozenset[Shown] = frozenset()
    for plan in plans:
        chances, answered = answered_part(plan, votes, earlier)
        earlier |= {shown_in(v) for v in votes if v.plan == plan.key and v.outcome is not None}
        if not chances:
            continue
        frame = store.voting.frame(plan.key)
        if not frame:
            lost.add(plan.key)
            continue
        random = [d.probability for d in plan.draws if d.probability is not None]
        found.append(
            Drawn(
                frame=frame,
                chances=chances,
                size=len(random),
                asked=fmean(random),
                answered=answered,
            )
        )
    return found, lost


def shown_in(vote: HumanVote) -> Shown:
    """The presentation that a vote is on."""
    return vote.a, vote.b, vote.order


def _left_out(
    votes: Sequence[HumanVote], weights: Mapping[Shown, float], lost: set[str]
) -> dict[str, int]:
    """Answers that correct nothing, by reason."""
    found: Counter[str] = Counter()
    for vote in votes:
        if vote.outcome is None:
            found["skipped"] += 1
        elif shown_in(vote) not in weights:
            found["frame_lost" if vote.plan in lost and vote.why == "random" else "picked"] += 1
    return dict(sorted(found.items()))


def _why(left_out: Mapping[str, int]) -> str:
    """Why nothing corrects: what keeps out most plainly is said."""
    return next((w for w in ("frame_lost", "picked") if w in left_out), "none_answered")


def _row(vote: HumanVote) -> tuple[str, ...]:
    said = "skip" if vote.outcome is None else vote.outcome.value
    return (vote.a, vote.b, vote.order, vote.person, said, str(vote.probability))
