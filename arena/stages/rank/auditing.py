"""The audit of a board: how few judges, which model strings, flagged texts, unsteady judges."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, pvariance

from arena.domain.audit import Audit, Injections, PairJudges, Repeat
from arena.domain.call import Status
from arena.domain.job import Job
from arena.domain.rounds import Measured
from arena.domain.score import Sheet
from arena.domain.standing import Why
from arena.domain.verdict import Comparison, Outcome, Presentation, Verdict
from arena.judging.panel import Thin
from arena.judging.shield import POSSIBLE_INJECTION
from arena.stages.rank.served_notes import served_notes

MOST_NAMED = 6


def find_thin(
    job: Job,
    presentations: Sequence[Presentation],
    thin: Sequence[Thin],
    comparisons: Sequence[Comparison],
) -> tuple[PairJudges, ...]:
    """Pairs that not the whole panel compared; nothing on multiple choice."""
    if job.suite.choice is not None:
        return ()
    of = sum("pairwise" in j.uses and not j.stand_in for j in job.judges)
    may: dict[tuple[str, str], set[str]] = defaultdict(set)
    items: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    for shown in presentations:
        may[shown.agent_a, shown.agent_b].add(shown.judge)
        items[shown.agent_a, shown.agent_b].add((shown.scenario, shown.replicate))
    allowed = {pair: min(of, len(judges)) for pair, judges in may.items()}
    for t in thin:
        items[t.agent_a, t.agent_b].add((t.scenario, t.replicate))
        allowed[t.agent_a, t.agent_b] = t.judges
    judged: Counter[tuple[tuple[str, str], tuple[str, int]]] = Counter(
        ((c.agent_a, c.agent_b), (c.scenario, c.replicate)) for c in comparisons
    )
    found = []
    for pair in sorted(items):
        counts = [judged[pair, item] for item in items[pair]]
        fewer, none = sum(0 < n < of for n in counts), counts.count(0)
        if allowed[pair] < of or (of > 1 and fewer):
            found.append(
                PairJudges(
                    a=pair[0],
                    b=pair[1],
                    judges=allowed[pair],
                    of=of,
                    items=len(counts),
                    fewer=fewer,
                    none=none,
                )
            )
    return tuple(found)


def count_injections(
    sheets: Iterable[Sheet], verdicts: Iterable[Verdict], ranked: frozenset[str]
) -> Injections | None:
    """Answers about texts that may speak to the judge; None where there is none.

    Sheets of agents that are not `ranked` are passed over.
    """
    agents: Counter[str] = Counter(
        s.spec.agent for s in sheets if POSSIBLE_INJECTION in s.flags and s.spec.agent in ranked
    )
    about = sum(POSSIBLE_INJECTION in v.flags for v in verdicts)
    if not about and not agents:
        return None
    return Injections(verdicts=about, sheets=agents.total(), agents=dict(sorted(agents.items())))


def find_repeats(
    job: Job,
    measured: Mapping[tuple[str, str], Sequence[Measured]],
    verdicts: Mapping[str, Verdict],
    presentations: Iterable[Presentation],
) -> tuple[Repeat, ...]:
    """How steady the judges are that are asked several times.

    `measured`: what each replicate of a judge made of a transcript, by (transcript, judge).
    """
    told: dict[tuple[str, str, str, str], list[Outcome]] = defaultdict(list)
    for shown in presentations:
        verdict = verdicts.get(shown.key)
        if verdict and verdict.status is Status.OK and verdict.outcome:
            told[shown.judge, shown.a, shown.b, shown.order or ""].append(verdict.outcome)
    found = []
    for judge in job.judges:
        if judge.times == 1:
            continue
        scores = [
            [m.absolute for m in own if m.absolute is not None]
            for (_, name), own in measured.items()
            if name == judge.judge
        ]
        several = [own for own in scores if len(own) > 1]
        answers = [own for place, own in told.items() if place[0] == judge.judge and len(own) > 1]
        found.append(
            Repeat(
                judge=judge.judge,
                replicates=judge.times,
                transcripts=len(several),
                sd=_pooled(several),
                presentations=len(answers),
                same=fmean(len(set(own)) == 1 for own in answers) if answers else None,
            )
        )
    return tuple(found)


def audit_notes(audit: Audit) -> tuple[Why, ...]:
    """What of an audit must be said beside the table."""
    found = list(_decoy_notes(audit))
    none, few = [p for p in audit.pairs if not p.judges], [p for p in audit.pairs if p.judges]
    if none:
        found.append(Why(key="unjudged_pairs", facts={"pairs": _named(none), "n": len(none)}))
    guarded = [p for p in few if p.judges < p.of]
    if guarded:
        facts = {"pairs": _named(guarded), "n": len(guarded), "of": guarded[0].of}
        found.append(Why(key="thin_pairs", facts=facts))
    fewer = sum(p.fewer for p in few if p.judges == p.of)
    if fewer:
        found.append(Why(key="fewer_judges", facts={"n": fewer, "of": few[0].of}))
    found += served_notes(audit)
    if audit.injections:
        facts = {"verdicts": audit.injections.verdicts, "sheets": audit.injections.sheets}
        found.append(Why(key="possible_injection", facts=facts))
    return tuple(found)


def _decoy_notes(audit: Audit) -> Iterable[Why]:
    for decoy in audit.decoys:
        if decoy.finding == "fooled":
            agents = sorted({*decoy.unbeaten, *decoy.outscored})
            facts = {"decoy": decoy.decoy, "agents": agents}
            yield Why(key="decoy_fooled", facts=facts)


def _named(pairs: Sequence[PairJudges]) -> list[str]:
    return [f"{p.a} × {p.b}" for p in pairs[:MOST_NAMED]]


def _pooled(values: Sequence[Sequence[float]]) -> float | None:
    """Standard deviation about each one's own mean, pooled; None without any."""
    degrees = sum(len(own) - 1 for own in values)
    if not degrees:
        return None
    squares = sum(pvariance(own) * len(own) for own in values)
    return float((squares / degrees) ** 0.5)
