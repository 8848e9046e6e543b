"""Whether a judge still names the same winner when the two transcripts change places."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain.method import LEVEL
from arena.domain.verdict import Outcome
from arena.site import formats
from arena.site.facts import ComparisonFact, Edition
from arena.site.names import Names

COIN = 0.5
"""What tossing a coin for each order gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """How many of a judge's comparisons kept their winner when the order was swapped.

    `of`: comparisons that named a winner in both orders, in `scenarios`; `same`: those that named
    the same one. `low` … `high`: interval of the share by scenario, None where there is none.
    """

    judge: str
    same: int
    of: int
    scenarios: int
    low: float | None
    high: float | None
    level: float

    @property
    def share(self) -> float | None:
        """The part that kept its winner; None where nothing was decided in both orders."""
        return self.same / self.of if self.of else None

    @property
    def chance(self) -> str:
        """`place`: below what a coin gives; `near`: not shown to be above it; empty otherwise.

        Without an interval nothing is claimed: too little is known either way.
        """
        if self.low is None or self.high is None or self.low > COIN:
            return ""
        return "place" if self.high < COIN else "near"


def survivals(edition: Edition) -> tuple[Survival, ...]:
    """One for each judge that compared anything, in the job's order; decoys are left out."""
    decoys = {agent.id for agent in edition.decoys}
    by_judge: dict[str, list[ComparisonFact]] = {judge.id: [] for judge in edition.judges}
    for facts in edition.comparisons.values():
        for fact in facts:
            if not {fact.a, fact.b} & decoys and _is_decided(fact):
                by_judge.setdefault(fact.judge, []).append(fact)
    level = edition.board.method.level if edition.board else LEVEL
    return tuple(_survival(judge, facts, level) for judge, facts in by_judge.items() if facts)


def say_chance(edition: Edition, names: Names) -> list[str]:
    """A sentence for every judge whose comparisons chance may explain."""
    return [say_survival(found, names) for found in survivals(edition) if found.chance]


def say_survival(found: Survival, names: Names) -> str:
    """How many comparisons kept their winner, with the interval and what a coin would give."""
    key = found.chance or ("kept" if found.low is not None else "few")
    return names.say(
        f"chance.{key}",
        judge=names.judge(found.judge),
        same=formats.count(found.same, names.say),
        of=formats.count(found.of, names.say),
        share=formats.percent(found.share),
        level=formats.level(found.level),
        low=formats.percent(found.low),
        high=formats.percent(found.high),
        n=found.scenarios,
    )


def _is_decided(fact: ComparisonFact) -> bool:
    """Whether both orders were judged, were read, and named a winner."""
    if fact.share is None or len(fact.verdicts) < 2:
        return False
    return all(v.outcome in (Outcome.A, Outcome.B) for v in fact.verdicts)


def _survival(judge: str, facts: Sequence[ComparisonFact], level: float) -> Survival:
    # numpy takes a while to import; commands that publish nothing must not wait for it.
    import numpy as np

    from arena.maths.row_means import row_mean

    places = {scenario: n for n, scenario in enumerate(sorted({f.scenario for f in facts}))}
    kept = np.array([not f.flipped for f in facts], dtype=np.float64)
    where = np.array([places[f.scenario] for f in facts], dtype=np.int64)
    mean = row_mean(kept, where, level=level)
    known = not (np.isnan(mean.low) or np.isnan(mean.high))
    return Survival(
        judge=judge,
        same=int(kept.sum()),
        of=len(facts),
        scenarios=len(places),
        low=float(mean.low) if known else None,
        high=float(mean.high) if known else None,
        level=level,
    )
