"""Where the two scores disagree: verdicts prefer one agent, the rubric scores the other higher.

A pair is a contradiction only where both sides are decided: the verdicts by the board, the scores
by a test over the scenarios that both have a score in, all pairs of ranked agents adjusted for at
once (Holm). Of scenarios those are listed whose winner before all judges scored clearly lower.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from arena.domain.board import Board
from arena.domain.method import MIN_SCENARIOS_FOR_INTERVAL
from arena.domain.standing import State
from arena.site import formats
from arena.site.facts import Edition
from arena.site.names import Names
from arena.site.part_views import AgainstPair, AgainstScenario, Contradictions
from arena.site.scenario_verdicts import pair_id
from arena.site.text import plain

CLEARLY = 10.0
"""Points of the absolute score (0–100) that make a score clearly lower than another."""
MOST_SCENARIOS = 8
Scores = Mapping[str, Mapping[str, float]]
"""Absolute scores by agent and scenario."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Two agents by scores: `difference` of a less b; `better`: the one shown to be higher."""

    a: str
    b: str
    difference: float
    low: float | None
    high: float | None
    scenarios: int
    better: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upset:
    """A scenario in which the winner before all judges scored `gap` lower than the loser."""

    scenario: str
    winner: str
    loser: str
    scores: tuple[float, float]

    @property
    def gap(self) -> float:
        """How much lower the winner scored."""
        return self.scores[1] - self.scores[0]


def gather_scores(edition: Edition) -> Scores:
    """Absolute scores on the main rubric, replicates averaged."""
    suite = edition.job.suite
    main = {s.scenario for s in edition.scenarios if suite.is_main(s)}
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for scenario, facts in edition.transcripts.items():
        for fact in facts:
            if fact.absolute is not None and scenario in main:
                found[fact.agent][scenario].append(fact.absolute)
    return {agent: {s: fmean(v) for s, v in own.items()} for agent, own in found.items()}


def compare_scores(board: Board, scores: Scores) -> tuple[Compared, ...]:
    """Every pair of ranked agents by the scenarios that both have a score in, Holm-adjusted."""
    # numpy takes a while to import; commands that publish nothing must not wait for it.
    import numpy as np

    from arena.maths.intervals import holm
    from arena.maths.row_means import row_mean

    ranked = {s.agent for s in board.agents if s.state is State.RANKED}
    level, found, tested = board.method.level, [], []
    for pair in board.pairs:
        one, other = scores.get(pair.a, {}), scores.get(pair.b, {})
        common = sorted(one.keys() & other.keys())
        if not {pair.a, pair.b} <= ranked or len(common) < MIN_SCENARIOS_FOR_INTERVAL:
            continue
        apart = np.array([one[s] - other[s] for s in common])
        mean = row_mean(apart, np.arange(len(apart)), neutral=0.0, share=False, level=level)
        known = not np.isnan(mean.low)
        tested.append(mean.p)
        found.append(
            Compared(
                a=pair.a,
                b=pair.b,
                difference=mean.value,
                low=mean.low if known else None,
                high=mean.high if known else None,
                scenarios=len(common),
            )
        )
    adjusted = holm(np.array(tested, dtype=np.float64))
    return tuple(
        _decided(one, float(p) <= 1 - level) for one, p in zip(found, adjusted, strict=True)
    )


def _decided(found: Compared, shown: bool) -> Compared:
    if not shown:
        return found
    better = found.a if found.difference > 0 else found.b
    return Compared(
        a=found.a,
        b=found.b,
        difference=found.difference,
        low=found.low,
        high=found.high,
        scenarios=found.scenarios,
        better=better,
    )


def find_upsets(edition: Edition, scores: Scores) -> tuple[Upset, ...]:
    """Scenarios whose winner before all judges, in both orders, scored clearly lower."""
    agents = {a.id for a in edition.agents}
    found = []
    for scenario, facts in edition.comparisons.items():
        shares: dict[tuple[str, str], list[float | None]] = defaultdict(list)
        for fact in facts:
            shares[fact.a, fact.b].append(fact.share)
        for (a, b), own in shares.items():
            won = _winner(a, b, own)
            if won is None or not {a, b} <= agents:
                continue
            pair = (scores.get(won[0], {}).get(scenario), scores.get(won[1], {}).get(scenario))
            if pair[0] is not None and pair[1] is not None and pair[1] - pair[0] >= CLEARLY:
                found.append(
                    Upset(
                        scenario=scenario,
                        winner=won[0],
                        loser=won[1],
                        scores=(pair[0], pair[1]),
                    )
                )
    return tuple(sorted(found, key=lambda u: (-u.gap, u.scenario, u.winner, u.loser)))


def _winner(a: str, b: str, shares: Iterable[float | None]) -> tuple[str, str] | None:
    """Winner and loser where every comparison says the same; None otherwise."""
    said = set(shares)
    if said == {1.0}:
        return a, b
    return (b, a) if said == {0.0} else None


def build_contradictions(
    edition: Edition, names: Names, pages: Mapping[str, str]
) -> Contradictions | None:
    """The contradictions of an edition; None where nothing can be set against another."""
    board = edition.board
    if board is None or edition.job.suite.choice:
        return None
    scores = gather_scores(edition)
    compared, upsets = compare_scores(board, scores), find_upsets(edition, scores)
    if not compared and not upsets:
        return None
    decided = {(p.a, p.b): (p.a if p.decision == "a" else p.b) for p in board.pairs if p.decision}
    against = [
        one for one in compared
        if one.better and decided.get((one.a, one.b), one.better) != one.better
    ]  # fmt: skip
    say = names.say
    both = [one for one in compared if one.better and (one.a, one.b) in decided]
    said = [say("against.pairs", n=len(compared), both=len(both), against=len(against))]
    said.append(say("against.scenarios", n=len(upsets), points=formats.number(CLEARLY)))
    left = len(upsets) - MOST_SCENARIOS
    return Contradictions(
        said=tuple(said),
        pairs=tuple(_pair(one, decided[one.a, one.b], board, names) for one in against),
        scenarios=tuple(_upset(one, edition, names, pages) for one in upsets[:MOST_SCENARIOS]),
        more=say("against.more", n=left) if left > 0 else "",
    )


def _pair(found: Compared, preferred: str, board: Board, names: Names) -> AgainstPair:
    pair = next(p for p in board.pairs if (p.a, p.b) == (found.a, found.b))
    turned = preferred == found.b
    by_scores = formats.gap(found.difference, found.low, found.high, turned=turned)
    return AgainstPair(
        preferred=names.agent(preferred),
        scored=names.agent(found.better),
        by_verdicts=formats.gap(pair.difference, pair.low, pair.high, turned=turned),
        by_scores=by_scores,
    )


def _upset(
    found: Upset, edition: Edition, names: Names, pages: Mapping[str, str]
) -> AgainstScenario:
    scenario = edition.job.scenario(found.scenario)
    anchor = pair_id(found.winner, found.loser, names)
    return AgainstScenario(
        href=f"{pages[found.scenario]}#{anchor}",
        title=f"{found.scenario} · {plain(names.say.of(scenario.title))}",
        winner=names.agent(found.winner),
        loser=names.agent(found.loser),
        scores=names.say(
            "against.scores",
            won=formats.tenth(found.scores[0]),
            lost=formats.tenth(found.scores[1]),
        ),
    )
